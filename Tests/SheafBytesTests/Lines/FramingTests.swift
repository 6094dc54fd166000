import TestSupport
import Testing

@testable import SheafBytes

/// Every rule for lines in the specification's §1, with chunk sizes around those of the lines.
@Suite struct FramingTests {
    struct Case: NamedCase {
        let name: String
        let source: [UInt8]
        let lines: [SeenLine]

        init(_ name: String, _ source: String, _ lines: [(SeenLine.Shape, String)]) {
            self.name = name
            self.source = [UInt8](source)
            self.lines = lines.enumerated().map { index, line in
                SeenLine(number: UInt64(index) + 1, shape: line.0, content: [UInt8](line.1))
            }
        }
    }

    /// Cases for lines of at most 10 bytes.
    static let cases = [
        Case("an empty source", "", []),
        Case("an LF", "\n", [(.blank, "")]),
        Case("LFs", "\n\n\n", [(.blank, ""), (.blank, ""), (.blank, "")]),
        Case("a line", "a\n", [(.content, "a")]),
        Case("no LF at the end", "a\nb", [(.content, "a"), (.content, "b")]),
        Case("CRLF", "a\r\nb\r\n", [(.content, "a"), (.content, "b")]),
        Case("CR at the end of the source", "a\r", [(.content, "a")]),
        Case("one CR of two", "a\r\r\n", [(.content, "a\r")]),
        Case("CR inside", "a\rb\n", [(.content, "a\rb")]),
        Case("only a CRLF", "\r\n", [(.blank, "")]),
        Case("only a CR", "\r", [(.blank, "")]),
        Case("two CRs", "\r\r\n", [(.content, "\r")]),
        Case("LF CR", "\n\r", [(.blank, ""), (.blank, "")]),
        Case("spaces and tabs", " \t \n", [(.blank, " \t ")]),
        Case("spaces and a tab without LF", " \t", [(.blank, " \t")]),
        Case("spaces and CRLF", "  \r\n", [(.blank, "  ")]),
        Case("a vertical tab", "\u{b}\n", [(.content, "\u{b}")]),
        Case("a no-break space", "\u{a0}\n", [(.content, "\u{a0}")]),
        Case("a null byte", "\u{0}\n", [(.content, "\u{0}")]),
        Case("a blank line between", "a\n\nb\n", [(.content, "a"), (.blank, ""), (.content, "b")]),
        Case("a byte order mark", "\u{feff}a\n", [(.content, "a")]),
        Case("only a byte order mark", "\u{feff}", []),
        Case("a byte order mark and LF", "\u{feff}\n", [(.blank, "")]),
        Case("a byte order mark and CRLF", "\u{feff}\r\na", [(.blank, ""), (.content, "a")]),
        Case("two byte order marks", "\u{feff}\u{feff}\n", [(.content, "\u{feff}")]),
        Case(
            "a byte order mark in the second line", "a\n\u{feff}b\n",
            [(.content, "a"), (.content, "\u{feff}b")]),
        Case("a byte order mark after an LF", "\n\u{feff}\n", [(.blank, ""), (.content, "\u{feff}")]),
        Case("the longest line", "1234567890\n", [(.content, "1234567890")]),
        Case("the longest line and CRLF", "1234567890\r\n", [(.content, "1234567890")]),
        Case("the longest line without LF", "1234567890", [(.content, "1234567890")]),
        Case("the longest line, a CR and no LF", "1234567890\r", [(.content, "1234567890")]),
        Case(
            "the longest line after a byte order mark", "\u{feff}1234567890\r\n", [(.content, "1234567890")]),
        Case("one byte too long", "1234567890x\n", [(.tooLong, "1234567890x")]),
        Case("one byte too long and CRLF", "1234567890x\r\n", [(.tooLong, "1234567890x")]),
        Case("too long by a CR", "1234567890\r\r\n", [(.tooLong, "1234567890\r")]),
        Case("too long without LF", "1234567890x", [(.tooLong, "1234567890x")]),
        Case("too long after a byte order mark", "\u{feff}1234567890x\r\n", [(.tooLong, "1234567890x")]),
        Case(
            "too many spaces", String(repeating: " ", count: 11) + "\n",
            [(.tooLong, String(repeating: " ", count: 11))]),
        Case(
            "lines around one that is too long", "a\n1234567890x\nb\n",
            [(.content, "a"), (.tooLong, "1234567890x"), (.content, "b")]),
        Case(
            "far too long", "a\n" + String(repeating: "x", count: 5000) + "\nb\n\n",
            [(.content, "a"), (.tooLong, String(repeating: "x", count: 5000)), (.content, "b"), (.blank, "")]),
        Case(
            "far too long without LF", "a\n" + String(repeating: "x", count: 5000),
            [(.content, "a"), (.tooLong, String(repeating: "x", count: 5000))]),
        Case(
            "far too long, twice",
            String(repeating: "x", count: 3000) + "\r\n" + String(repeating: "y", count: 3000) + "\r\nz",
            [
                (.tooLong, String(repeating: "x", count: 3000)),
                (.tooLong, String(repeating: "y", count: 3000)),
                (.content, "z"),
            ]),
    ]

    @Test(arguments: cases)
    func linesAreSplit(_ test: Case) {
        #expect(LineModel.lines(of: test.source, maximumLine: 10) == test.lines, "the model")
        for target in [1, 2, 3, 7, 64, 4096] {
            for step in [1, 2, 3, 7, 1 << 16] {
                let sizes = Framing.Sizes(target: target, maximumLine: 10)
                let framing = Framing(MemoryInput(test.source, step: step), sizes)
                #expect(framing.lines == test.lines, "\(sizes), step \(step)")
                #expect(framing.violations == [], "\(sizes), step \(step)")
                #expect(framing.failure == nil)
                let pieces = Framing(piecesOf: test.source, step: step, sizes)
                #expect(pieces.lines == test.lines, "pieces, \(sizes), step \(step)")
                #expect(pieces.violations == [], "pieces, \(sizes), step \(step)")
            }
        }
    }

    /// The first 1024 bytes of a line that is too long are kept, wherever chunks end, and the limit remains the same.
    @Test(arguments: [1, 10, 1022, 1023, 1024, 1025, 1026, 2000])
    func longLinesAreQuoted(_ maximumLine: Int) {
        for length in (1020...1030).map({ max($0, maximumLine) + 1 }) + [
            maximumLine + 1, maximumLine + 2, 10_000,
        ] {
            let long = (0..<length).map { UInt8(0x41 + $0 % 53) }
            for ending in ["\n", "\r\n", "", "\r"] {
                let source =
                    [UInt8]("ab\n") + long + [UInt8](ending) + [UInt8](ending.hasSuffix("\n") ? "z" : "")
                let expected = LineModel.lines(of: source, maximumLine: maximumLine)
                for (target, step) in [(1, 1), (3, 7), (1024, 1000), (1030, 1 << 16), (4096, 3)] {
                    let sizes = Framing.Sizes(target: target, maximumLine: maximumLine)
                    let framing = Framing(MemoryInput(source, step: step), sizes)
                    #expect(framing.lines == expected, "\(sizes), step \(step), \(length) bytes")
                    #expect(framing.violations == [])
                    let pieces = Framing(piecesOf: source, step: step, sizes)
                    #expect(pieces.lines == expected, "pieces, \(sizes), step \(step), \(length) bytes")
                    #expect(pieces.violations == [])
                }
            }
        }
    }

    @Test func endlessLineNeedsNoMoreThanAChunk() {
        let framing = Framing(
            RepeatingInput(
                pattern: [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 10), remaining: 1 << 10),
            Framing.Sizes())
        let quoted = [UInt8](repeating: UInt8(ascii: "a"), count: 1024)
        #expect(framing.lines == [SeenLine(number: 1, shape: .tooLong, content: quoted)])
        #expect(framing.violations == [])
    }

    @Test func capacityFitsTheTargetAndTheLongestLine() {
        #expect(ChunkFiller.chunkCapacity(targetBytes: 1, maximumLine: 1) == 1024 + 2 + 3 + 1)
        #expect(ChunkFiller.chunkCapacity(targetBytes: 1, maximumLine: 1 << 20) == 1 << 20 + 2 + 3 + 1)
        #expect(ChunkFiller.chunkCapacity(targetBytes: 1 << 20, maximumLine: 1) == 1 << 20 + 1)
    }

    /// Chunks are filled up to their target and then to the end of a line, as long as the input lasts.
    @Test func chunksAreFilledToTheirTarget() {
        let source = [UInt8](repeating: 0, count: 1000).flatMap { _ in [UInt8]("123456789\n") }
        var filler = ChunkFiller(
            SourceInput(MemoryInput(source, step: 13)), targetBytes: 100, maximumLine: 50)
        let chunk = Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: 100, maximumLine: 50))
        for number in 0..<100 {
            _ = filler.fill(chunk)
            #expect(chunk.lineCount == 10)
            #expect(chunk.firstLine == UInt64(number) * 10 + 1)
        }
        let (read, inflated) = (filler.bytesRead, filler.bytesInflated)
        #expect(read == UInt64(source.count))
        #expect(inflated == read)
    }

    /// A chunk needs room for the target, and for the longest line.
    @Test func tooSmallChunkTraps() async {
        await #expect(processExitsWith: .failure) {
            var filler = ChunkFiller(
                SourceInput(MemoryInput([UInt8](repeating: 10, count: 3000))), targetBytes: 2000,
                maximumLine: 50)
            _ = filler.fill(Chunk(capacity: 1990))
        }
        await #expect(processExitsWith: .failure) {
            var filler = ChunkFiller(
                SourceInput(MemoryInput([UInt8](repeating: 10, count: 3000))), targetBytes: 100,
                maximumLine: 5000)
            _ = filler.fill(Chunk(capacity: 5000))
        }
    }

    @Test func linesOutsideAChunkTrap() async {
        await #expect(processExitsWith: .failure) { Chunk(capacity: 10).end = 11 }
        await #expect(processExitsWith: .failure) { Chunk(capacity: 10).end = -1 }
        await #expect(processExitsWith: .failure) { Chunk(capacity: 10).start = -1 }
    }

    @Test func textsAreSplitIntoLines() {
        for (text, count) in [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
            let chunk = Chunk([UInt8](text))
            #expect(chunk.lineCount == count, "\(text.debugDescription)")
            #expect([UInt8](copying: chunk.bytes) == [UInt8](text.hasSuffix("\n") ? text : text + "\n"))
            var cursor = LineCursor(chunk)
            var lines = 0
            while cursor.next(in: chunk) != nil { lines += 1 }
            #expect(lines == count, "\(text.debugDescription)")
        }
    }

    /// A chunk notes the ends of its first lines only, so that its memory is bounded. The others are searched for.
    @Test func chunkMayHaveManyLines() {
        let texts = (0...10_000).map { number in number % 3 == 0 ? "" : "\(number)" }
        let chunk = Chunk([UInt8](texts.joined(separator: "\r\n")))
        #expect(chunk.lineCount == texts.count)
        var cursor = LineCursor(chunk)
        for (index, text) in texts.enumerated() {
            guard let line = cursor.next(in: chunk) else { break }
            #expect(line.number == UInt64(index + 1))
            #expect(chunk.bytes(of: line.text).string == text)
        }
        #expect(cursor.isAtEnd(of: chunk))
        #expect(cursor.next(in: chunk) == nil)
    }

    /// A chunk that is filled again has the ends of its new lines.
    @Test func filledAgainChunkHasOtherLines() {
        let source = [UInt8]("first\nsecond\na\nb\nc\nd\ne\n")
        var filler = ChunkFiller(SourceInput(MemoryInput(source)), targetBytes: 13, maximumLine: 10)
        let chunk = Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: 13, maximumLine: 10))
        var lines: [String] = []
        for _ in 0..<2 {
            _ = filler.fill(chunk)
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) { lines.append(chunk.bytes(of: line.text).string) }
        }
        #expect(lines == ["first", "second", "a", "b", "c", "d", "e"])
    }
}
