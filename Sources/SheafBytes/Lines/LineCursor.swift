/// Iterates over the lines of a chunk.
@usableFromInline package struct LineCursor {
    /// A line's content, without LF and without one CR before it.
    @usableFromInline package struct Line: Equatable {
        @usableFromInline package enum Shape: Equatable {
            /// Empty, or only spaces and tabs.
            case blank
            case content
            /// Longer than the maximum.
            case tooLong
        }

        /// The line number in the source, counted from 1.
        package let number: UInt64
        package let text: TextRange
        package let shape: Shape

        /// The same line with its content elsewhere in the chunk.
        package func copied(to text: TextRange) -> Line { Line(number: number, text: text, shape: shape) }
    }

    private var offset: Int
    /// The index of the next line in the chunk.
    private var index = 0

    package init(_ chunk: Chunk) { offset = chunk.start }

    /// Whether the last line was returned.
    package func isAtEnd(of chunk: Chunk) -> Bool { offset >= chunk.end }

    /// Returns the next line of `chunk`, or nil after the last one. O(1) for the lines whose ends the chunk has,
    /// otherwise O(length).
    package mutating func next(in chunk: Chunk) -> Line? {
        guard offset < chunk.end else { return nil }
        let start = offset
        var end = chunk.lineFeed(ofLineAt: index, from: start)
        offset = end + 1
        // Safety: `end` is the offset of a line's LF, and the byte before it is not before `start`.
        if end > start, unsafe chunk.base[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        defer { index += 1 }
        return Line(
            number: chunk.firstLine + UInt64(index), text: TextRange(start..<end),
            shape: Self.shape(of: start..<end, maximumLine: chunk.maximumLine, in: chunk))
    }

    @inline(__always)
    fileprivate static func shape(
        of range: Range<Int>, maximumLine: Int, in chunk: Chunk
    ) -> Line.Shape {
        if range.count > maximumLine { return .tooLong }
        for index in range {
            // Safety: the range is inside the lines of the chunk.
            let byte = unsafe chunk.base[index]
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { return .content }
        }
        return .blank
    }
}

extension LineCursor.Line {
    /// Returns the end of the line as a line of its own.
    ///
    /// - Parameters:
    ///   - start: the number of bytes before it, at most the length of this line.
    ///   - maximumLine: its maximum length, in bytes.
    ///   - chunk: the chunk of the line.
    package func suffix(
        from start: Int, number: UInt64, maximumLine: Int, in chunk: Chunk
    ) -> LineCursor.Line {
        let range = text.range
        precondition(start <= range.count && range.upperBound <= chunk.end, "outside of the line")
        let suffix = range.lowerBound + start..<range.upperBound
        return LineCursor.Line(
            number: number, text: TextRange(suffix),
            shape: LineCursor.shape(of: suffix, maximumLine: maximumLine, in: chunk))
    }
}
