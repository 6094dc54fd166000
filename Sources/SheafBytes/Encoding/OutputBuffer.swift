/// A growing buffer of output bytes, contiguous in memory.
///
///     | used ………………… | unused … | slack |
///
/// An array checks on each append whether it is shared and how large it is; here an append is one comparison and its
/// stores. Short texts are stored in whole blocks, which may extend past the end of the text: there are always
/// `slack` bytes after `capacity`. The buffer grows by at least half, or by an eighth if it is large, and releases
/// its memory only when it is destroyed. With a drain, it passes its bytes on instead of growing beyond
/// `drainedBytes`.
@usableFromInline @safe package struct OutputBuffer: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer, whose memory belongs to this buffer alone, and of the drain, which only the
    // thread that appends to the buffer calls.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// Invariant: at most `capacity`; all bytes before it are initialized.
    @usableFromInline var used = 0

    /// Receives the bytes in order whenever the buffer is full. If nil, the buffer grows.
    package var drain: ((Span<UInt8>) -> Void)?
    /// The number of bytes passed to the drain since the last `removeAll()`.
    @usableFromInline var drained = 0

    /// The number of bytes after a text that the block with the end of the text may overwrite.
    @usableFromInline static var slack: Int { 32 }

    /// The capacity from which on growing by half would waste more memory than the saved copying is worth, in bytes.
    private static var largeBytes: Int { 1 << 20 }

    /// The capacity from which on a buffer with a drain does not grow for short texts, in bytes.
    private static var drainedBytes: Int { 1 << 16 }
    /// The length of the longest text that is appended as a whole. A longer text is split, so that a drain can take
    /// the pieces.
    static var pieceBytes: Int { 1 << 15 }

    /// - Parameter capacity: the number of bytes that the buffer has room for before it grows.
    package init(capacity: Int = 0) {
        self.capacity = capacity
        // Safety: all `capacity + slack` allocated bytes are initialized. The memory is freed in `deinit` or moved by
        // `grow`. A negative capacity leads to an allocation that fails, or to a buffer that grows before its first
        // use.
        unsafe start = Self.reallocate(nil, capacity + Self.slack)
        unsafe start.initialize(repeating: 0, count: capacity + Self.slack)
    }

    // Safety: `reallocate` allocated the memory, and no other object has its address.
    deinit { unsafe free(start) }

    @inlinable
    package var count: Int { used }

    /// The number of bytes appended since the last `removeAll()`, including those passed to the drain.
    @inlinable package var position: Int { drained + used }

    /// The memory in use, in bytes.
    package var heldBytes: Int { capacity }

    /// The bytes in the buffer. Valid until more bytes are appended.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            // Safety: the first `count` bytes are initialized, and the buffer is borrowed while the span is in use,
            // so it neither changes nor frees them.
            let span = unsafe Span(_unsafeStart: start, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    package mutating func removeAll() {
        used = 0
        drained = 0
    }

    /// Returns the address for the next bytes, with room for `extra` bytes and the slack.
    ///
    /// Safety: the address is valid until the buffer grows or is drained.
    @inlinable
    @inline(__always)
    mutating func tail(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if extra > capacity &- used { grow(extra) }
        // Safety: `used` is at most `capacity`, so the address is inside the allocation.
        return unsafe start + used
    }

    /// Adds `written` bytes that were stored at the address that `tail` returned.
    ///
    /// Safety: `tail` must have made room for them.
    @inlinable
    @inline(__always) @unsafe
    mutating func advance(_ written: Int) { used &+= written }

    @usableFromInline
    @inline(never)
    mutating func grow(_ extra: Int) {
        if let drain, capacity >= Self.drainedBytes {
            drain(bytes)
            drained += used
            used = 0
            if extra <= capacity { return }
        }
        let step = capacity < Self.largeBytes ? capacity / 2 : capacity / 8
        let larger = max(count + extra, capacity + step, 1 << 12)
        // Safety: `realloc` keeps the used bytes, and all others are initialized. No other object has the old
        // address.
        unsafe start = Self.reallocate(start, larger + Self.slack)
        unsafe (start + count).initialize(repeating: 0, count: larger + Self.slack - count)
        capacity = larger
    }

    /// Reallocates memory with the system's `realloc`, which can enlarge large blocks without holding two copies in
    /// memory.
    ///
    /// Safety: `memory` must be nil or an address that this function returned, which becomes invalid.
    private static func reallocate(_ memory: UnsafeMutablePointer<UInt8>?, _ count: Int)
        -> UnsafeMutablePointer<UInt8>
    {
        guard let memory = unsafe realloc(memory, count) else {
            fatalError("no memory for a buffer of \(count) bytes")
        }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}

extension OutputBuffer {
    /// Appends the bytes of `text`.
    package mutating func append(_ text: Span<UInt8>) {
        guard text.count <= Self.pieceBytes else { return appendPieces(of: text) { $0.append($1) } }
        let target = unsafe tail(text.count)
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            // Safety: `tail` made room for `count` bytes. The text is not inside the buffer, which is accessed
            // exclusively during the call.
            unsafe target.initialize(from: source, count: bytes.count)
        }
        unsafe advance(text.count)
    }

    package mutating func append(byte: UInt8) {
        let target = unsafe tail(1)
        // Safety: `tail` made room for a byte.
        unsafe target.pointee = byte
        unsafe advance(1)
    }

    /// Appends the eight bytes of a word, the lowest first.
    package mutating func append(word: UInt64) {
        let target = unsafe tail(8)
        // Safety: `tail` made room for eight bytes.
        unsafe UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
        unsafe advance(8)
    }

    /// Appends the bytes of `literal`. Inlined, so that short ones become stores of constants.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        let target = unsafe tail(literal.utf8CodeUnitCount)
        // Safety: a static string lives as long as the program, and `tail` made room for its bytes.
        unsafe target.initialize(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
        unsafe advance(literal.utf8CodeUnitCount)
    }

    /// Appends a copy of bytes that were appended earlier.
    ///
    /// - Parameter range: the positions of the bytes.
    /// - Returns: false, without appending anything, if the bytes are in the drain or would have to be drained first.
    package mutating func appendCopy(of range: Range<Int>) -> Bool {
        precondition(range.upperBound <= position, "a copy of bytes that were never appended")
        if range.lowerBound < drained || drain != nil && range.count > capacity - used { return false }
        let target = unsafe tail(range.count)
        // Safety: the range is inside the used bytes, by the checks above, and `tail` made room after them without
        // draining them.
        unsafe target.initialize(from: start + (range.lowerBound - drained), count: range.count)
        unsafe advance(range.count)
        return true
    }

    /// Appends a long text in pieces, each with `append`.
    @inline(never)
    mutating func appendPieces(
        of text: Span<UInt8>, _ append: (inout OutputBuffer, Span<UInt8>) -> Void
    ) {
        var start = 0
        while start < text.count {
            let end = min(start + Self.pieceBytes, text.count)
            append(&self, text.extracting(start..<end))
            start = end
        }
    }
}

extension OutputBuffer {
    /// Appends a CSV cell (RFC 4180), in quotes if it contains a comma, a quote or a line break.
    package mutating func appendCSVCell(_ text: Span<UInt8>) {
        guard text.needsCSVQuotes else { return append(text) }
        append("\"")
        appendCSVContent(text)
        append("\"")
    }

    /// Appends part of a cell that is in quotes.
    package mutating func appendCSVContent(_ text: Span<UInt8>) {
        var start = 0
        while let quote = text.firstOffset(of: UInt8(ascii: "\""), in: start..<text.count) {
            append(text.extracting(start...quote))
            append("\"")
            start = quote + 1
        }
        append(text.extracting(start..<text.count))
    }

    /// Makes a CSV cell of the bytes from a position on, which are still in the buffer: doubles their quotes, and puts
    /// them in quotes if they need any.
    package mutating func makeCSVCell(from position: Int) {
        precondition(position >= drained && position <= self.position, "a cell that is not in the buffer")
        let first = position - drained
        guard let quotes = bytes.extracting(first..<used).quotesInCSVCell else { return }
        let added = quotes + 2
        _ = unsafe tail(added)
        // From the end, so that no byte is overwritten before it is moved.
        var target = used + added - 1
        var source = used - 1
        // Safety: `tail` made room up to the last target, and each target is at `first` or later: it is as far after its
        // source as there are quotes yet to be added.
        unsafe start[target] = UInt8(ascii: "\"")
        while source >= first {
            let byte = unsafe start[source]
            target -= 1
            unsafe start[target] = byte
            if byte == UInt8(ascii: "\"") {
                target -= 1
                unsafe start[target] = byte
            }
            source -= 1
        }
        unsafe start[first] = UInt8(ascii: "\"")
        unsafe advance(added)
    }
}

extension Span where Element == UInt8 {
    /// Whether the text contains a byte for which a CSV cell needs quotes.
    fileprivate var needsCSVQuotes: Bool {
        var index = 0
        while index + ByteBlock.count <= count {
            if block(at: index).needsCSVQuotes != 0 { return true }
            index += ByteBlock.count
        }
        while index < count {
            switch self[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
            default: index += 1
            }
        }
        return false
    }

    /// The number of quotes in the text; nil if a cell of it needs no quotes.
    fileprivate var quotesInCSVCell: Int? {
        guard needsCSVQuotes else { return nil }
        var quotes = 0
        for index in indices where self[index] == UInt8(ascii: "\"") { quotes += 1 }
        return quotes
    }
}

extension OutputBuffer {
    /// Appends `bytes` in base64 with padding (RFC 4648, section 4).
    package mutating func appendBase64(_ bytes: Span<UInt8>) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var index = 0
        while index < bytes.count {
            let length = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < length ? UInt32(bytes[index + offset]) : 0)
            }
            let target = unsafe tail(4)
            for offset in 0..<4 {
                let digit = Int(group >> UInt32(18 - 6 * offset) & 63)
                // Safety: `tail` made room for four bytes, and six bits are less than 64, the length of the alphabet.
                unsafe target[offset] = offset <= length ? alphabet.utf8Start[digit] : UInt8(ascii: "=")
            }
            // Safety: the loop has written the four bytes.
            unsafe advance(4)
            index += 3
        }
    }
}
