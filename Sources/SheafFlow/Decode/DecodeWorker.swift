import SheafBytes
import SheafGroups

/// Decodes one parcel at a time; its counts go on from parcel to parcel.
final class DecodeWorker: @unchecked Sendable {
    // Unchecked because a worker is taken from the replay's list of idle ones by one job at a time.
    private var decoding: ChunkDecoding

    /// - Parameters:
    ///   - rules: how apps are grouped, the same for all workers.
    ///   - apps: a census without records; each worker adds to a copy.
    init(options: ReplayOptions, rules: GroupingRules, apps: AppCensus, keepsRejects: Bool) {
        decoding = ChunkDecoding(options: options, rules: rules, apps: apps, keepsRejects: keepsRejects)
    }

    var tally: RecordTally { decoding.tally }
    /// nil where devices are told apart.
    var devices: DeviceCensus? { decoding.devices }
    var apps: AppCensus { decoding.apps }

    /// Decodes all lines of the parcel's chunk.
    func decode(_ parcel: Parcel) {
        parcel.clearBatches()
        // Decoding changes the bytes in place: what their member's checksum needs of them comes first.
        parcel.checksum?.settle()
        decoding.decode(
            parcel.chunk, source: parcel.source, batches: &parcel.batches, rejects: &parcel.rejects)
    }
}

/// Lines to notifications, each put into the batch of its shard.
///
/// Owns a decoder and counts of its own, so that nothing is shared while lines are decoded: no lock, no
/// allocation, no reference count per record. A structure apart from the worker, so that the worker's storage is
/// claimed once a chunk and not once a record.
private struct ChunkDecoding: ~Copyable {
    private var decoder: RecordDecoder
    private let rules: GroupingRules
    private let byDevice: Bool
    private let keepsRejects: Bool
    private(set) var tally = RecordTally()
    private var census = DeviceCensus()
    private(set) var apps: AppCensus

    init(options: ReplayOptions, rules: GroupingRules, apps: AppCensus, keepsRejects: Bool) {
        decoder = RecordDecoder(keepsRejectedText: keepsRejects, profile: options.profile)
        self.rules = rules
        byDevice = options.byDevice
        self.apps = apps
        self.keepsRejects = keepsRejects
    }

    mutating func decode(
        _ chunk: Chunk, source: Int, batches: inout [ContiguousArray<RoutedRecord>],
        rejects: inout RejectedLines
    ) {
        var cursor = LineCursor(chunk)
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong:
                let quoted = TextRange(
                    start: line.text.start, count: min(line.text.count, UInt32(ChunkFiller.quotedBytes)))
                tally.reject(.lineTooLong, source: source, line: line.number)
                if keepsRejects {
                    rejects.append(.lineTooLong, line: line.number, text: quoted, of: chunk)
                }
            case .content: decode(line, of: chunk, source: source, batches: &batches, rejects: &rejects)
            }
        }
    }

    @inline(__always)
    private mutating func decode(
        _ line: LineCursor.Line, of chunk: Chunk, source: Int,
        batches: inout [ContiguousArray<RoutedRecord>], rejects: inout RejectedLines
    ) {
        switch decoder.decode(line.text, of: chunk, source: source, line: line.number) {
        case .rejected(let reason):
            tally.reject(reason, source: source, line: line.number)
            if keepsRejects { decoder.appendRejected(line, reason, of: chunk, to: &rejects) }
            return
        case .silent: tally.silent += 1
        case .notification:
            tally.notifications += 1
            let item = route(decoder.record, in: chunk.bytes)
            let device = decoder.record.device
            if !byDevice, !device.isEmpty {
                census.note(device, in: chunk.bytes)
                if DeviceCensus.isSampled(line.number) { noteGroup(of: item, in: chunk.bytes) }
            }
            let hash = item.record.isReplaceable ? item.identityHash : item.groupHash
            batches[Routing.shard(of: hash, count: batches.count)].append(item)
        }
        if apps.isLooking { apps.note(chunk.bytes[decoder.record.app]) }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.note(decoder.findings)
    }

    /// Apart from decoding, which has no room for more in registers.
    @inline(never)
    private mutating func noteGroup(of item: RoutedRecord, in bytes: Span<UInt8>) {
        guard !item.record.isReplaceable else { return }
        census.noteGroup(decoder.record.device, of: item.record, in: bytes, groupHash: item.groupHash)
    }

    var devices: DeviceCensus? { byDevice ? nil : census }

    /// Where a notification belongs, and only what is needed there.
    @inline(__always)
    private func route(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> RoutedRecord {
        var record = decoded
        record.grouping = rules.grouping(of: bytes[record.app])
        if record.grouping == .byApp { record.thread = .none }
        let identityHash = record.isReplaceable ? Routing.identityHash(record, in: bytes) : 0
        if !byDevice { record.device = .none }
        let groupHash = Routing.groupHash(record, in: bytes)
        // What may be replaced goes where its other versions go, with the device that tells them apart.
        if record.isReplaceable { record.device = decoded.device }
        return RoutedRecord(record: record, groupHash: groupHash, identityHash: identityHash)
    }
}

extension RecordDecoder {
    /// Adds the line that was decoded last, as it was read.
    fileprivate func appendRejected(
        _ line: LineCursor.Line, _ reason: RejectReason, of chunk: Chunk, to rejects: inout RejectedLines
    ) {
        if let original = rejectedCopy {
            rejects.append(reason, line: line.number, text: original.span)
        } else {
            rejects.append(reason, line: line.number, text: line.text, of: chunk)
        }
    }
}
