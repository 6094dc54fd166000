import SheafBytes

/// What follows an encoded group in a record of this run's own files.
enum StateSuffix {
    case none
    /// An `IntervalSpan`.
    case span
    /// An `SnapshotInstant`.
    case instant

    var byteCount: Int {
        switch self {
        case .none: 0
        case .span: 17
        case .instant: 9
        }
    }
}

/// Consecutive intervals in which notifications of a group are on screen.
struct IntervalSpan: Equatable {
    /// The first interval, and the first one after the span; `Int64.max` for a span without an end.
    var start: Int64
    var end: Int64
    /// Whether the notifications appear at the start of the span, and whether they vanish at its end.
    var appears: Bool
    var vanishes: Bool

    /// The intervals from `start` on.
    init(from start: Int64) {
        (self.start, end, appears, vanishes) = (start, .max, true, false)
    }

    init(start: Int64, end: Int64, appears: Bool, vanishes: Bool) {
        (self.start, self.end, self.appears, self.vanishes) = (start, end, appears, vanishes)
    }

    /// Returns a negative number if this span precedes `other`, 0 if they are equal. Spans are in the order of their
    /// starts, a longer one before a shorter one.
    func compare(to other: IntervalSpan) -> Int {
        if start != other.start { return start < other.start ? -1 : 1 }
        if end != other.end { return end > other.end ? -1 : 1 }
        if appears != other.appears { return appears ? -1 : 1 }
        return vanishes == other.vanishes ? 0 : vanishes ? -1 : 1
    }

    /// Calls `body` with the aligned spans that make up a range of intervals, in order: at most two of each length.
    /// Aligned spans are nested or disjoint.
    ///
    ///     5 ..< 12       5 ..< 6 │ 6 ..< 8 │ 8 ..< 12
    ///
    /// - Parameters:
    ///   - origin: the interval that all lengths are aligned to, at most `range.lowerBound`.
    ///   - vanishes: whether the notifications vanish at the end of the range.
    static func forEach<Failure>(
        in range: Range<Int64>, origin: Int64, vanishes: Bool = true,
        _ body: (IntervalSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var start = range.lowerBound - origin
        let end = range.upperBound - origin
        while start < end {
            // The largest power of two that divides the start and fits.
            var length = start == 0 ? 1 << 62 : start & -start
            while length > end - start { length /= 2 }
            let next = start + length
            try body(
                IntervalSpan(
                    start: start + origin, end: next + origin, appears: start + origin == range.lowerBound,
                    vanishes: vanishes && next == end))
            start = next
        }
    }

    func append(to output: inout OutputBuffer) {
        output.append(word: UInt64(bitPattern: start))
        output.append(word: UInt64(bitPattern: end))
        output.append(byte: (appears ? 1 : 0) | (vanishes ? 2 : 0))
    }

    /// Decodes the span at the end of a record; nil if the record is too short.
    init?(endOf bytes: Span<UInt8>) {
        let offset = bytes.count - StateSuffix.span.byteCount
        guard offset >= 0 else { return nil }
        let flags = bytes[offset + 16]
        self.init(
            start: bytes.signedWord(at: offset), end: bytes.signedWord(at: offset + 8),
            appears: flags & 1 != 0, vanishes: flags & 2 != 0)
    }
}

/// The instant of a group's line in one of several snapshots.
struct SnapshotInstant: Equatable {
    /// In milliseconds since 1970.
    var time: Int64
    /// Whether the group has been emptied: its line has only its key.
    var isEmpty: Bool
    /// Whether the group was one notification that is alone, which the line of an emptied group then names.
    var isAlone: Bool

    func append(to output: inout OutputBuffer) {
        output.append(word: UInt64(bitPattern: time))
        output.append(byte: (isEmpty ? 1 : 0) | (isAlone ? 2 : 0))
    }

    init(time: Int64, isEmpty: Bool, isAlone: Bool) {
        (self.time, self.isEmpty, self.isAlone) = (time, isEmpty, isAlone)
    }

    /// Decodes the instant at the end of a record; nil if the record is too short.
    init?(endOf bytes: Span<UInt8>) {
        let offset = bytes.count - StateSuffix.instant.byteCount
        guard offset >= 0 else { return nil }
        let flags = bytes[offset + 8]
        self.init(time: bytes.signedWord(at: offset), isEmpty: flags & 1 != 0, isAlone: flags & 2 != 0)
    }
}

extension Span where Element == UInt8 {
    /// Returns the word at an offset, lowest byte first.
    fileprivate func signedWord(at offset: Int) -> Int64 {
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(self[offset + index]) << UInt64(8 * index) }
        return Int64(bitPattern: word)
    }
}
