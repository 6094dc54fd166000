import SheafBytes
import SheafGroups

/// The progress of snapshots that are written while records are read: what a resumed run needs besides the records in
/// the checkpoint's files.
struct StreamProgress: Equatable, Sendable {
    /// The options that the bytes of the snapshots depend on.
    var style: String
    /// The number of bytes of snapshots that were written.
    var outputBytes: UInt64 = 0
    /// Whether a reader received them at once.
    var isDirect = false
    /// Whether a line was written.
    var hasWritten = false
    /// The interval of the last snapshot, whether or not a group had changed; nil before the first one.
    var written: Int64?
    var late: UInt64 = 0
    var bounds = SnapshotBounds()
    var hidden = VerdictCounts()
    var times: TimeRange?
    /// The newest notification that was added, and the oldest change of settings that is yet to be reviewed.
    var newestAdded: OrderKey?
    var oldestChange: OrderKey?
    /// The times of the sources that are being read.
    var sources: [Int: SourceTime] = [:]
    /// The next source to be read.
    var nextSource = 0
}

// MARK: - Encoding

// Numbers and texts are encoded as for `ByteReader`, a value that may be absent with a 0 or 1 before it:
//
//     style | bytes | 1 if received at once, else 0 | flags | interval? | late | suppressed |
//     removed | times? | newest added? | oldest change? | next source | number of sources, then for each: source |
//     timestamp? | with flag 2: ahead | newest ahead? | snapshots left out | with flag 8: quiet | with flag 16: banners |
//     sounds | with flag 4: the number of sources with records from the future only, then for each: source | records |
//     oldest | newest
//
// The flags are the sum of 1 if a line was written, 2 if there are bounds, 4 if there are such sources, 8 if there are
// quiet notifications, and 16 if there are banners or sounds.

extension StreamProgress {
    func append(to output: inout OutputBuffer) {
        output.appendText(Array(style.utf8).span)
        output.appendNumber(outputBytes)
        output.appendNumber(isDirect ? 1 : 0)
        let futures = sources.orderedByKey().compactMap { item in item.value.future.map { (item.key, $0) } }
        let hasBounds = bounds != SnapshotBounds()
        let hasInterruptions = hidden.banners + hidden.sounds > 0
        output.appendNumber(
            (hasWritten ? 1 : 0) | (hasBounds ? 2 : 0) | (futures.isEmpty ? 0 : 4)
                | (hidden.quiet > 0 ? 8 : 0) | (hasInterruptions ? 16 : 0))
        output.append(written) { $0.appendSignedNumber($1) }
        output.appendNumber(late)
        output.appendNumber(hidden.suppressed)
        output.appendNumber(hidden.removed)
        output.append(times) {
            $0.appendSignedNumber($1.oldest)
            $0.appendSignedNumber($1.newest)
        }
        for order in [newestAdded, oldestChange] { output.append(order) { $0.append($1) } }
        output.appendNumber(UInt64(nextSource))
        output.appendNumber(UInt64(sources.count))
        for (source, time) in sources.orderedByKey() {
            output.appendNumber(UInt64(source))
            output.append(time.newest) { $0.appendSignedNumber($1) }
        }
        if hasBounds {
            output.appendNumber(bounds.ahead)
            output.append(bounds.newestAhead) { $0.appendSignedNumber($1) }
            output.appendNumber(bounds.leftOut)
        }
        if hidden.quiet > 0 { output.appendNumber(hidden.quiet) }
        if hasInterruptions {
            output.appendNumber(hidden.banners)
            output.appendNumber(hidden.sounds)
        }
        guard !futures.isEmpty else { return }
        output.appendNumber(UInt64(futures.count))
        for (source, records) in futures {
            output.appendNumber(UInt64(source))
            output.appendNumber(records.count)
            output.appendSignedNumber(records.times.oldest)
            output.appendSignedNumber(records.times.newest)
        }
    }

    /// Decodes the progress; the reader is invalid if the bytes are.
    init(_ reader: inout ByteReader, in bytes: Span<UInt8>, sourceCount: Int) {
        style = bytes[reader.text()].string
        outputBytes = reader.number()
        isDirect = reader.number(upTo: 1) == 1
        let flags = reader.number(upTo: 31)
        hasWritten = flags & 1 != 0
        written = reader.optional { $0.signedNumber() }
        late = reader.number()
        hidden.suppressed = reader.number()
        hidden.removed = reader.number()
        times = reader.optional { TimeRange(oldest: $0.signedNumber(), newest: $0.signedNumber()) }
        newestAdded = reader.optional { $0.orderKey(sourceOffset: 0) }
        oldestChange = reader.optional { $0.orderKey(sourceOffset: 0) }
        nextSource = Int(reader.number(upTo: UInt64(sourceCount)))
        for _ in 0..<reader.number(upTo: UInt64(sourceCount)) {
            let source = Int(reader.number(upTo: UInt64(max(0, sourceCount - 1))))
            sources[source] = SourceTime(newest: reader.optional { $0.signedNumber() })
        }
        if flags & 2 != 0 {
            bounds.ahead = reader.number()
            bounds.newestAhead = reader.optional { $0.signedNumber() }
            bounds.leftOut = reader.number()
        }
        if flags & 8 != 0 { hidden.quiet = reader.number() }
        if flags & 16 != 0 { (hidden.banners, hidden.sounds) = (reader.number(), reader.number()) }
        guard flags & 4 != 0 else { return }
        for _ in 0..<reader.number(upTo: UInt64(sources.count)) {
            let source = Int(reader.number(upTo: UInt64(max(0, sourceCount - 1))))
            let count = reader.number()
            let times = TimeRange(oldest: reader.signedNumber(), newest: reader.signedNumber())
            if count == 0 || times.oldest > times.newest || sources[source] == nil { reader.reject() }
            sources[source]?.future = SourceTime.FutureRecords(count: count, times: times)
        }
    }
}

extension OutputBuffer {
    fileprivate mutating func append<Value>(
        _ value: Value?, _ body: (inout OutputBuffer, Value) -> Void
    ) {
        appendNumber(value == nil ? 0 : 1)
        if let value { body(&self, value) }
    }
}

extension ByteReader {
    fileprivate mutating func optional<Value>(_ value: (inout ByteReader) -> Value) -> Value? {
        number(upTo: 1) == 1 ? value(&self) : nil
    }
}
