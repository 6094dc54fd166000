import SheafBytes
import SheafGroups

/// Decodes one parcel at a time: lines to notifications, each put into the batch of its shard.
///
/// Owns a decoder and counts of its own, so that nothing is shared while lines are decoded: no lock, no
/// allocation, no reference count per record.
final class DecodeWorker: @unchecked Sendable {
    // Unchecked because a worker is taken from the replay's list of idle ones by one job at a time.
    private var decoder: RecordDecoder
    private let rules: GroupingRules
    private let byDevice: Bool
    private let rejects: RejectFormat?
    private(set) var tally = RecordTally()

    init(options: ReplayOptions, rejects: RejectFormat?) {
        decoder = RecordDecoder(keepsRejectedText: rejects != nil)
        rules = GroupingRules(options.settings)
        byDevice = options.byDevice
        self.rejects = rejects
    }

    /// Decodes all lines of the parcel's chunk.
    func decode(_ parcel: Parcel) {
        parcel.clearBatches()
        let chunk = parcel.chunk
        var cursor = LineCursor(chunk)
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong:
                let quoted = TextRange(
                    start: line.text.start, count: min(line.text.count, UInt32(ChunkFiller.quotedBytes)))
                tally.reject(.lineTooLong, source: parcel.source, line: line.number)
                rejects?.append(
                    .lineTooLong, source: parcel.source, line: line.number, text: chunk.bytes(of: quoted),
                    to: &parcel.rejects)
            case .content: decode(line, of: parcel)
            }
        }
    }

    @inline(__always)
    private func decode(_ line: LineCursor.Line, of parcel: Parcel) {
        let chunk = parcel.chunk
        let outcome = decoder.decode(
            line.text, of: chunk, source: parcel.source, line: line.number)
        if case .rejected(let reason) = outcome {
            tally.reject(reason, source: parcel.source, line: line.number)
            guard let rejects else { return }
            decoder.withRejectedText(line.text, of: chunk) { text in
                rejects.append(
                    reason, source: parcel.source, line: line.number, text: text, to: &parcel.rejects)
            }
            return
        }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.note(decoder.findings)
        guard outcome == .notification else {
            tally.silent += 1
            return
        }
        tally.notifications += 1
        route(decoder.record, of: parcel)
    }

    @inline(__always)
    private func route(_ decoded: NotificationRecord, of parcel: Parcel) {
        let chunk = parcel.chunk
        let bytes = chunk.bytes
        var record = decoded
        record.grouping = rules.grouping(of: bytes[record.app])
        if record.grouping == .byApp { record.thread = .none }
        let identityHash = record.isReplaceable ? Routing.identityHash(record, in: bytes) : 0
        let device = record.device
        if !byDevice { record.device = .none }
        let groupHash = Routing.groupHash(record, in: bytes)
        // What may be replaced goes where its other versions go, with the device that tells them apart.
        if record.isReplaceable { record.device = device }
        let shard = Routing.shard(
            of: record.isReplaceable ? identityHash : groupHash, count: parcel.batches.count)
        parcel.batches[shard].append(
            RoutedRecord(record: record, groupHash: groupHash, identityHash: identityHash))
    }
}
