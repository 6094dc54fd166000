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
    var hidden = HiddenCounts()
    var times: TimeRange?
    /// The newest of these that no outcome can change, in a run with pushes that later records may decide.
    var newestCertain: Int64?
    /// The newest notification that was added, and the oldest change of settings that is yet to be reviewed.
    var newestAdded: OrderKey?
    var oldestChange: OrderKey?
    /// The newest timestamp of each source that is being read; nil before its first one.
    var newest: [Int: Int64?] = [:]
    /// The next source to be read.
    var nextSource = 0
}

// MARK: - Encoding

// Numbers and texts are encoded as for `ByteReader`, a value that may be absent with a 0 or 1 before it:
//
//     style | bytes | 1 if received at once, else 0 | whether a line was written | interval? | late | suppressed |
//     removed | times? | newest added? | oldest change? | next source | number of sources, then for each: source |
//     timestamp? | if there are bounds or the last number: ahead | newest ahead? | snapshots left out | with pushes that
//     later records may decide: the newest certain time

extension StreamProgress {
    func append(to output: inout OutputBuffer) {
        output.appendText(Array(style.utf8).span)
        output.appendNumber(outputBytes)
        output.appendNumber(isDirect ? 1 : 0)
        output.appendNumber(hasWritten ? 1 : 0)
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
        output.appendNumber(UInt64(newest.count))
        for (source, time) in newest.orderedByKey() {
            output.appendNumber(UInt64(source))
            output.append(time) { $0.appendSignedNumber($1) }
        }
        guard bounds != SnapshotBounds() || newestCertain != nil else { return }
        output.appendNumber(bounds.ahead)
        output.append(bounds.newestAhead) { $0.appendSignedNumber($1) }
        output.appendNumber(bounds.leftOut)
        if let newestCertain { output.appendSignedNumber(newestCertain) }
    }

    /// Decodes the progress; the reader is invalid if the bytes are.
    init(_ reader: inout ByteReader, in bytes: Span<UInt8>, sourceCount: Int) {
        style = bytes[reader.text()].string
        outputBytes = reader.number()
        isDirect = reader.number(upTo: 1) == 1
        hasWritten = reader.number(upTo: 1) == 1
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
            newest[source] = .some(reader.optional { $0.signedNumber() })
        }
        guard !reader.isAtEnd else { return }
        bounds.ahead = reader.number()
        bounds.newestAhead = reader.optional { $0.signedNumber() }
        bounds.leftOut = reader.number()
        if !reader.isAtEnd { newestCertain = reader.signedNumber() }
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

/// Bounds what a record with a wrong time does to live snapshots: one dated 2100 neither withholds all later snapshots
/// nor makes the run write one for each minute until then.
struct SnapshotBounds: Equatable, Sendable {
    /// The number of records whose timestamps were ahead, and the newest of these timestamps.
    var ahead: UInt64 = 0
    var newestAhead: Int64?
    /// The number of snapshots of all groups that were left out.
    var leftOut: UInt64 = 0

    /// Returns whether a timestamp is ahead: by more than `Limits.aheadMilliseconds` both of an older record of its
    /// source and of the present.
    ///
    /// - Parameter present: returns the present, in milliseconds since 1970.
    func isAhead(_ timestamp: Int64, of other: Int64, _ present: () -> Int64) -> Bool {
        Self.exceeds(timestamp, other) && Self.exceeds(timestamp, present())
    }

    private static func exceeds(_ timestamp: Int64, _ other: Int64) -> Bool {
        let (difference, overflows) = timestamp.subtractingReportingOverflow(other)
        return overflows ? timestamp > other : difference > Limits.aheadMilliseconds
    }

    mutating func recordAhead(_ timestamp: Int64) {
        ahead += 1
        newestAhead = max(newestAhead ?? timestamp, timestamp)
    }

    /// Returns the interval of the next snapshot of all groups: the next one, or the next one with records if there are
    /// more than `Limits.snapshots` without any between them.
    ///
    /// - Parameters:
    ///   - written: the interval of the last snapshot.
    ///   - changed: the next interval with records, or the last one.
    func interval(after written: Int64, before changed: Int64) -> Int64 {
        let (next, overflows) = written.addingReportingOverflow(1)
        guard !overflows, written > .min else { return changed }
        let (gap, isHuge) = changed.subtractingReportingOverflow(next)
        return changed > next && (isHuge || gap > Int64(Limits.snapshots)) ? changed : next
    }

    /// Records a snapshot of all groups, and how many were left out before it.
    mutating func recordWritten(_ interval: Int64, after written: Int64) {
        guard interval > written, written > .min else { return }
        leftOut += UInt64(interval - written - 1)
    }

    /// The present, in milliseconds since 1970.
    static func present() -> Int64 { Int64(time(nil)) * 1_000 }
}
