#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What those who fill a chunk with lines share. Only the owner of the chunk may call these.
extension Chunk {
    /// Adds bytes after the lines. Traps if they do not fit.
    func appendLines(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        precondition(bytes.count <= capacity - end, "more bytes than a chunk has room for")
        unsafe bytes.withUnsafeBufferPointer { source in
            // Safety: the chunk has room for the bytes, by the precondition. There is at least one, so the address is
            // not nil.
            unsafe (base + end).update(from: source.baseAddress!, count: source.count)
        }
        end += bytes.count
    }

    /// Moves the start past a byte order mark.
    func skipByteOrderMark() {
        let mark = UTF8.byteOrderMark
        if end >= mark.count, bytes.extracting(first: mark.count).isEqual(to: mark.span) {
            start = mark.count
        }
    }

    /// Adds an LF to a last line that has none.
    func endLastLine() {
        let feed = UInt8(ascii: "\n")
        guard end > start, bytes[end - 1] != feed else { return }
        precondition(end < capacity, "no room for the last line's end")
        // Safety: `end` is less than the capacity, by the precondition, and not negative.
        unsafe base[end] = feed
        end += 1
    }

    /// Returns the offset after the last LF at or after `from`; nil if there is no LF.
    func lastLineEnd(from: Int) -> Int? {
        var index = end
        while index > from {
            // Safety: `index - 1` is at least `from`, which is not negative, and less than `end`.
            if unsafe base[index - 1] == UInt8(ascii: "\n") { return index }
            index -= 1
        }
        return nil
    }
}

extension Span where Element == UInt8 {
    /// The index of the first LF.
    var firstLineFeed: Int? {
        guard count > 0 else { return nil }
        return unsafe withUnsafeBytes { buffer in
            // Safety: `memchr` searches only the bytes of the buffer, which is not empty.
            guard let feed = unsafe memchr(buffer.baseAddress!, Int32(UInt8(ascii: "\n")), buffer.count)
            else {
                return nil
            }
            return unsafe UnsafeRawPointer(feed) - buffer.baseAddress!
        }
    }
}
