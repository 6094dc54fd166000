import SheafBytes
import SheafGroups

/// Decodes one parcel at a time; its counts accumulate over all parcels.
///
/// A parcel with very many records is decoded in parts, so that its batches and rejects are bounded: lines can have far
/// more records than bytes of text would suggest.
final class DecodeWorker: ParcelWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var decoding: ChunkDecoding
    private let partBytes: Int

    /// - Parameters:
    ///   - apps: an empty census; each worker adds to its own copy.
    ///   - partBytes: the size of a parcel's batches, and that of its rejects, after which a part ends.
    init(
        _ options: StateOptions, profile: Profile, apps: AppCensus, keepsRejects: Bool, partBytes: Int
    ) {
        decoding = ChunkDecoding(options, profile: profile, apps: apps, keepsRejects: keepsRejects)
        self.partBytes = partBytes
    }

    var tally: RecordTally { decoding.tally }
    /// The census of devices; nil if groups are separated by device.
    var devices: DeviceCensus? { decoding.devices }
    var apps: AppCensus { decoding.apps }

    /// Decodes the next part of the parcel's chunk: in most cases all of its lines.
    func process(_ parcel: Parcel) -> UInt64 {
        access.begin()
        defer { access.end() }
        parcel.access.begin()
        defer { parcel.access.end() }
        parcel.clearBatches()
        // Decoding changes the bytes in place, so their member's checksum must be computed first.
        parcel.checksum?.settle()
        let before = decoding.tally.records
        parcel.remainder = decoding.decode(
            parcel.chunk, from: parcel.remainder ?? LineCursor(parcel.chunk), source: parcel.source,
            partBytes: partBytes, batches: &parcel.batches, rejects: &parcel.rejects)
        return decoding.tally.records - before
    }
}

/// Decodes lines into notifications, and adds each one to the batch of its shard.
///
/// Owns its decoder and counts, so that decoding shares no state: no lock, allocation or reference counting per record.
/// A structure separate from the worker, so that exclusive access to the worker's storage is checked once per chunk,
/// not once per record.
private struct ChunkDecoding: ~Copyable {
    private var decoder: RecordDecoder
    private let rules: GroupingRules
    private let byDevice: Bool
    private let keepsRejects: Bool
    private(set) var tally = RecordTally()
    private var census = DeviceCensus()
    private(set) var apps: AppCensus

    init(_ options: StateOptions, profile: Profile, apps: AppCensus, keepsRejects: Bool) {
        decoder = RecordDecoder(keepsRejectedText: keepsRejects, profile: profile)
        rules = options.rules
        byDevice = options.byDevice
        self.apps = apps
        self.keepsRejects = keepsRejects
    }

    /// Decodes lines up to the end of the chunk, or until the batches or the rejects have `partBytes`.
    ///
    /// - Returns: where decoding must continue; nil at the end of the chunk.
    mutating func decode(
        _ chunk: Chunk, from start: LineCursor, source: Int, partBytes: Int,
        batches: inout [ContiguousArray<RoutedRecord>], rejects: inout RejectedLines
    ) -> LineCursor? {
        var cursor = start
        let lastNotification =
            tally.notifications + UInt64(max(1, partBytes / MemoryLayout<RoutedRecord>.stride))
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
            if tally.notifications >= lastNotification || rejects.byteCount >= partBytes {
                return cursor.isAtEnd(of: chunk) ? nil : cursor
            }
        }
        return nil
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
                if DeviceCensus.isSampled(item.record.order) { noteGroup(of: item, in: chunk.bytes) }
            }
            let hash = item.record.isReplaceable ? item.identityHash : item.groupHash
            batches[Routing.shard(of: hash, count: batches.count)].append(item)
        }
        if apps.hasUnseenApps { apps.note(chunk.bytes[decoder.record.app]) }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.note(decoder.findings)
    }

    /// Not inlined: decoding has no registers to spare.
    @inline(never)
    private mutating func noteGroup(of item: RoutedRecord, in bytes: Span<UInt8>) {
        guard !item.record.isReplaceable else { return }
        census.noteGroup(decoder.record.device, of: item.record, in: bytes, groupHash: item.groupHash)
    }

    var devices: DeviceCensus? { byDevice ? nil : census }

    /// Returns a notification with its hashes, and without the key fields that its grouping ignores.
    @inline(__always)
    private func route(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> RoutedRecord {
        var record = decoded
        record.grouping = rules.grouping(of: bytes[record.app])
        if record.grouping == .byApp { record.thread = .none }
        let identityHash = record.isReplaceable ? Routing.identityHash(record, in: bytes) : 0
        if !byDevice { record.device = .none }
        let groupHash = Routing.groupHash(record, in: bytes)
        // All versions of a replaceable notification go to the same shard, which needs the device to identify them.
        if record.isReplaceable { record.device = decoded.device }
        return RoutedRecord(record: record, groupHash: groupHash, identityHash: identityHash)
    }
}

extension RecordDecoder {
    /// Adds the line that was decoded last, in its original form.
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
