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
        let text = chunk.bytes(of: whole.text)
        return switch problem {
        case .malformed: InvalidKey(.malformed, line: whole.number, text: text)
        case .ordinalOutOfRange: InvalidKey(.ordinalOutOfRange, line: whole.number, text: text)
        case .lineOutOfRange: InvalidKey(.lineOutOfRange, line: whole.number, text: text)
        }
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
