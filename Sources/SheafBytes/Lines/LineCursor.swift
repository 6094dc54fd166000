#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
    }

    private var offset: Int
    private var number: UInt64

    package init(_ chunk: Chunk) {
        offset = chunk.start
        number = chunk.firstLine
    }

    /// Whether the last line was returned.
    package func isAtEnd(of chunk: Chunk) -> Bool { offset >= chunk.end }

    /// Returns the next line of `chunk`, or nil after the last one. O(length).
    package mutating func next(in chunk: Chunk) -> Line? {
        guard offset < chunk.end else { return nil }
        let start = offset
        // Safety: the search covers `start ..< end` of the chunk, which is inside its buffer. It ends with LF, so the
        // search finds one; otherwise this traps.
        let feed = unsafe memchr(chunk.base + start, Int32(UInt8(ascii: "\n")), chunk.end - start)!
        var end = unsafe UnsafeRawPointer(feed) - UnsafeRawPointer(chunk.base)
        offset = end + 1
        if end > start, unsafe chunk.base[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        defer { number += 1 }
        return Line(
            number: number, text: TextRange(start..<end),
            shape: Self.shape(of: start..<end, in: chunk))
    }

    private static func shape(of range: Range<Int>, in chunk: Chunk) -> Line.Shape {
        if range.count > chunk.maximumLine { return .tooLong }
        for index in range {
            // Safety: the range is inside the lines of the chunk.
            let byte = unsafe chunk.base[index]
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { return .content }
        }
        return .blank
    }
}
