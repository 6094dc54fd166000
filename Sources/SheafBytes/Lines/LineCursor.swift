#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The lines of a chunk, one after the other.
public struct LineCursor {
    /// A line's content, without LF and without the one CR that may stand before it.
    public struct Line: Equatable {
        public enum Shape: Equatable {
            /// Nothing, or only spaces and tabs.
            case blank
            case content
            /// Longer than a line may be.
            case tooLong
        }

        /// The number in the source, counted from 1.
        public let number: UInt64
        public let text: TextRange
        public let shape: Shape
    }

    private var offset: Int
    private var number: UInt64

    public init(_ chunk: Chunk) {
        offset = chunk.start
        number = chunk.firstLine
    }

    /// The next line of `chunk`, nil after the last one. O(length).
    public mutating func next(in chunk: Chunk) -> Line? {
        guard offset < chunk.end else { return nil }
        let start = offset
        // Safety: the search stays inside the lines, whose last byte is LF, so it finds one.
        let feed = unsafe memchr(chunk.base + start, 0x0a, chunk.end - start)!
        var end = unsafe UnsafeRawPointer(feed) - UnsafeRawPointer(chunk.base)
        offset = end + 1
        if end > start, unsafe chunk.base[end - 1] == 0x0d { end -= 1 }
        defer { number += 1 }
        return Line(
            number: number, text: TextRange(start..<end),
            shape: Self.shape(of: start..<end, in: chunk))
    }

    private static func shape(of range: Range<Int>, in chunk: Chunk) -> Line.Shape {
        if range.count > chunk.maximumLine { return .tooLong }
        for index in range {
            // Safety: the range lies inside the chunk's lines.
            let byte = unsafe chunk.base[index]
            if byte != 0x20, byte != 0x09 { return .content }
        }
        return .blank
    }
}
