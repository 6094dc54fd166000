import SheafBytes

/// A line as the model (specification §1) or the module sees it.
package struct SeenLine: Equatable, Sendable, CustomStringConvertible {
    package enum Shape: Sendable { case blank, content, tooLong }

    package var number: UInt64
    package var shape: Shape
    /// The content; for a line that is too long, the part that a reject quotes.
    package var text: [UInt8]

    /// - Parameter content: the bytes without the line ending.
    package init(number: UInt64, shape: Shape, content: [UInt8]) {
        self.number = number
        self.shape = shape
        text = shape == .tooLong ? Array(content.prefix(ChunkFiller.quotedBytes)) : content
    }

    init(_ line: LineCursor.Line, in chunk: Chunk) {
        let shape: Shape =
            switch line.shape {
            case .blank: .blank
            case .content: .content
            case .tooLong: .tooLong
            }
        self.init(number: line.number, shape: shape, content: [UInt8](copying: chunk.bytes(of: line.text)))
    }

    package var description: String {
        "\(number) \(shape) \(text.count > 60 ? "\(text.count) bytes" : text.shown)"
    }
}

/// The lines of a source by the rules alone, with everything in memory and without chunks.
package enum LineModel {
    package static func lines(of source: [UInt8], maximumLine: Int) -> [SeenLine] {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = source.starts(with: mark) ? source[3...] : source[...]
        var contents = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Array($0) }
        // The bytes after the last LF are a line only if there are any.
        if contents.last == [] { contents.removeLast() }
        return contents.enumerated().map { index, line in
            let content = line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line
            return SeenLine(
                number: UInt64(index) + 1, shape: shape(of: content, maximumLine), content: content)
        }
    }

    /// A line that is too long is never blank.
    private static func shape(of content: [UInt8], _ maximumLine: Int) -> SeenLine.Shape {
        if content.count > maximumLine { return .tooLong }
        return content.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? .blank : .content
    }
}

/// The lines that the module reads from an input, through a single chunk that is refilled.
package struct Framing {
    /// The sizes of chunks, lines and buffers.
    package struct Sizes: CustomStringConvertible {
        package let target: Int
        package let maximumLine: Int
        package let buffer: Int

        package init(target: Int = 4096, maximumLine: Int = 100, buffer: Int = 1 << 16) {
            self.target = target
            self.maximumLine = maximumLine
            self.buffer = buffer
        }

        package var description: String { "target \(target), longest line \(maximumLine), buffer \(buffer)" }

        /// A new chunk with exactly the capacity that is needed.
        package var chunk: Chunk {
            Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: target, maximumLine: maximumLine))
        }
    }

    package internal(set) var lines: [SeenLine] = []
    package internal(set) var failure: SourceError?
    /// The filler's broken invariants.
    package var violations: [String] = []

    /// Creates a value without lines.
    package init() {}

    /// Reads all lines of an input.
    ///
    /// - Parameter checksum: a checksum that the readers of chunks settle, as in a replay; nil if the source computes
    ///   it.
    package init(_ input: any ByteInput, _ sizes: Sizes, checksum: DeferredChecksum? = nil) {
        var filler = ChunkFiller(
            SourceInput(input, bufferBytes: sizes.buffer, checksum: checksum), targetBytes: sizes.target,
            maximumLine: sizes.maximumLine)
        let chunk = sizes.chunk
        while readChunk(&filler, chunk) { checksum?.settle() }
        checksum?.settle()
        expectNothingMore(&filler, chunk)
        filler.close()
    }

    /// Assembles the lines of a source that arrives in pieces.
    ///
    /// - Parameter step: the length of the pieces, in bytes.
    package init(piecesOf source: [UInt8], step: Int, _ sizes: Sizes) {
        var assembler = LineAssembler(targetBytes: sizes.target, maximumLine: sizes.maximumLine)
        let chunk = sizes.chunk
        for start in stride(from: 0, to: source.count, by: step) {
            let piece = Array(source[start..<min(start + step, source.count)])
            var taken = 0
            while taken < piece.count {
                guard assembler.fill(chunk, from: piece.span, &taken) else {
                    if taken < piece.count { violations.append("a piece that was not taken as a whole") }
                    break
                }
                if chunk.lineCount == 0 { violations.append("a chunk without lines") }
                read(chunk)
            }
        }
        if assembler.fillLast(chunk) { read(chunk) }
        if assembler.line != UInt64(lines.count) + 1 { violations.append("next line \(assembler.line)") }
    }

    /// Fills a chunk and reads its lines; returns false after the last chunk.
    package mutating func readChunk(_ filler: inout ChunkFiller, _ chunk: Chunk) -> Bool {
        let ending = filler.fill(chunk)
        read(chunk)
        switch ending {
        case .more:
            if chunk.lineCount == 0 { violations.append("an empty chunk before the last one") }
            return true
        case .ended: break
        case .failed(let error): failure = error
        }
        return false
    }

    private mutating func read(_ chunk: Chunk) {
        if chunk.end > chunk.capacity { violations.append("a chunk beyond its capacity") }
        if chunk.end > chunk.start, [UInt8](copying: chunk.bytes).last != UInt8(ascii: "\n") {
            violations.append("a chunk that does not end with an LF")
        }
        if chunk.firstLine != UInt64(lines.count) + 1 { violations.append("first line \(chunk.firstLine)") }
        var cursor = LineCursor(chunk)
        var count = 0
        while let line = cursor.next(in: chunk) {
            count += 1
            lines.append(SeenLine(line, in: chunk))
        }
        if count != chunk.lineCount { violations.append("\(count) lines in a chunk of \(chunk.lineCount)") }
    }

    /// After its end a source yields no lines, however often it is read. Reading may be retried after a failure.
    private mutating func expectNothingMore(_ filler: inout ChunkFiller, _ chunk: Chunk) {
        if case .unreadable = failure { return }
        guard case .ended = filler.fill(chunk), chunk.lineCount == 0, chunk.end == chunk.start else {
            violations.append("data after the end")
            return
        }
    }
}
