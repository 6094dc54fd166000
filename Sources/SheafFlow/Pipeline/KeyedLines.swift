import SheafBytes
import SheafGroups

/// Reads keyed lines: cuts off their keys, and records the lines of each source that occur.
struct KeyedLines: Sendable {
    /// The lines that were read, of all sources.
    private(set) var sets = LineSets()
    /// The ordinals of the sources; nil if there may be any.
    private let listed: OrdinalSet?
    /// The maximum length of a line without its key, in bytes.
    private let maximumLine: Int

    init(listed: OrdinalSet?, maximumLine: Int) {
        (self.listed, self.maximumLine) = (listed, maximumLine)
    }

    /// Returns the next line, as a line of its source; nil after the last one. Blank lines without a key are skipped.
    ///
    /// - Throws: `InvalidKey` for any other line without a key, or with the ordinal of no listed source.
    @inline(__always)
    mutating func next(
        _ cursor: inout LineCursor, in chunk: Chunk
    ) throws(InvalidKey) -> (line: LineCursor.Line, source: Int)? {
        while let whole = cursor.next(in: chunk) {
            let text = chunk.bytes(of: whole.text)
            let key: LineKey
            do throws(LineKey.Problem) {
                key = try LineKey(text)
            } catch {
                if whole.shape == .blank { continue }
                throw Self.invalid(error, whole, in: chunk)
            }
            if !sets.add(key.line, of: key.ordinal) { try insert(key, whole, in: chunk) }
            var skipped = key.byteCount
            if key.line == 1 { skipped += Self.byteOrderMark(text, at: skipped) }
            let line = whole.suffix(from: skipped, number: key.line, maximumLine: maximumLine, in: chunk)
            return (line, key.ordinal)
        }
        return nil
    }

    @inline(never)
    private mutating func insert(
        _ key: LineKey, _ whole: LineCursor.Line, in chunk: Chunk
    ) throws(InvalidKey) {
        if let listed, !listed.contains(key.ordinal) {
            throw InvalidKey(
                .notListed(ordinal: key.ordinal), line: whole.number, text: chunk.bytes(of: whole.text))
        }
        sets.insert(LineSet(line: key.line), of: key.ordinal)
    }

    @inline(never)
    private static func invalid(
        _ problem: LineKey.Problem, _ whole: LineCursor.Line, in chunk: Chunk
    ) -> InvalidKey {
        InvalidKey(.invalid(problem), line: whole.number, text: chunk.bytes(of: whole.text))
    }

    /// Returns the length of the byte order mark that a source begins with, as in a source that is read itself.
    @inline(never)
    private static func byteOrderMark(_ text: Span<UInt8>, at start: Int) -> Int {
        let mark = UTF8.byteOrderMark
        guard text.count - start >= mark.count,
            text.extracting(start..<start + mark.count).isEqual(to: mark.span)
        else { return 0 }
        return mark.count
    }

    /// Returns lines without their keys.
    static func withoutKeys(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(UInt8(ascii: "\n")) }
            let line = Array(line)
            result += line.dropFirst((try? LineKey(line.span))?.byteCount ?? 0)
        }
        return result
    }
}

/// The lines of each source that occurs in keyed lines.
///
/// Memory: about 60 bytes for each source.
struct LineSets: Sendable {
    private var index = HashIndex()
    private var entries: ContiguousArray<(ordinal: Int, lines: LineSet)> = []
    /// The index of the entry to which a line was added last: the next line often is of the same source.
    private var last = 0

    /// Adds a line if its source is known. O(1) expected.
    ///
    /// - Returns: whether the source is known.
    @inline(__always)
    mutating func add(_ line: UInt64, of ordinal: Int) -> Bool {
        if last < entries.count, entries[last].ordinal == ordinal {
            entries[last].lines.add(line)
            return true
        }
        guard let found = find(ordinal) else { return false }
        entries[found].lines.add(line)
        last = found
        return true
    }

    /// Adds the first line of a source, which must not be known.
    mutating func insert(_ lines: LineSet, of ordinal: Int) {
        index.insert(entries.count, hash: Self.hash(ordinal))
        last = entries.count
        entries.append((ordinal, lines))
    }

    /// Adds the lines of another worker.
    mutating func add(_ other: LineSets) {
        for element in other.entries {
            if let found = find(element.ordinal) {
                entries[found].lines.add(element.lines)
            } else {
                insert(element.lines, of: element.ordinal)
            }
        }
    }

    /// The sources in the order of their ordinals.
    var sorted: [(ordinal: Int, lines: LineSet)] { entries.ordered { $0.ordinal < $1.ordinal } }

    private func find(_ ordinal: Int) -> Int? {
        index.find(Self.hash(ordinal)) { entries[$0].ordinal == ordinal }
    }

    private static func hash(_ ordinal: Int) -> UInt64 { UInt64(ordinal) &* 0x9e37_79b9_7f4a_7c15 >> 32 }
}

/// A line without a valid key, which ends a run of keyed lines: the pipe is not what it should be.
struct InvalidKey: Error, Equatable, Sendable {
    /// The number of the line in the stream, which is not that of a source.
    let line: UInt64
    private let problem: Problem
    /// The first bytes of the line.
    private let start: [UInt8]

    enum Problem: Equatable, Sendable {
        case invalid(LineKey.Problem)
        /// The ordinal is not that of a listed source.
        case notListed(ordinal: Int)
    }

    /// The number of bytes that a message quotes.
    private static let quotedBytes = 32

    init(_ problem: Problem, line: UInt64, text: Span<UInt8>) {
        self.problem = problem
        self.line = line
        var start: [UInt8] = []
        start.append(text.extracting(first: min(text.count, Self.quotedBytes + 1)))
        self.start = start
    }

    /// What is wrong, as part of a message.
    var reason: String {
        switch problem {
        case .invalid(.malformed):
            "line \(line) does not begin with an ordinal, a tab, a line number and a tab: it is \(quote)"
        case .invalid(.ordinalOutOfRange):
            "line \(line) begins with an ordinal that is not below \(OrderKey.maximumSources): it is \(quote)"
        case .invalid(.lineOutOfRange):
            "line \(line) has a line number that is not from 1 to \(OrderKey.maximumLines - 1): it is \(quote)"
        case .notListed(let ordinal):
            "line \(line) has the ordinal \(ordinal), which none of the listed sources has"
        }
    }

    /// The start of the line, with escapes for control characters.
    private var quote: String {
        var text = ""
        for scalar in String(decoding: start.prefix(Self.quotedBytes), as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "'\(text)\(start.count > Self.quotedBytes ? "…" : "")'"
    }
}

extension ReplayOptions {
    /// How keys are read; nil if lines have none.
    var keyedLines: KeyedLines? {
        guard isKeyed else { return nil }
        return KeyedLines(
            listed: namedSources.map { OrdinalSet(ascending: $0.map(\.ordinal)) }, maximumLine: maximumLine)
    }
}
