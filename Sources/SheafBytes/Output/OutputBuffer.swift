/// Bytes to be written, in one piece of memory of their own.
///
///     | used ………………… | unused … | slack |
///
/// An array checks at each append whether it is shared and how large it is; here an append is one comparison and
/// its stores. Whole blocks are stored past the end of short texts: behind `capacity` there is always `slack`.
/// Grows by half or more, by an eighth where it is large, and never gives memory back before it goes.
@safe public struct OutputBuffer: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer, whose memory nobody else has.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// Invariant: at most `capacity`; all bytes before it are initialized.
    @usableFromInline var used = 0

    /// How many bytes behind a text may be overwritten by the block that ends in it.
    @usableFromInline static var slack: Int { 32 }

    /// From this capacity on growing by half would take more memory than copying saves time.
    private static var largeBytes: Int { 1 << 20 }

    /// - Parameter capacity: how many bytes it has room for before it grows.
    public init(capacity: Int = 0) {
        self.capacity = capacity
        // Safety: given back in `deinit` or by `grow`.
        unsafe start = .allocate(capacity: capacity + Self.slack)
        unsafe start.initialize(repeating: 0, count: capacity + Self.slack)
    }

    deinit { unsafe start.deallocate() }

    @inlinable
    public var count: Int { used }

    /// Bytes of memory in use.
    public var heldBytes: Int { capacity }

    /// The bytes so far; only as long as nothing is appended.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            // Safety: `count` bytes are initialized, and the buffer is borrowed for as long as the span is used.
            let span = unsafe Span(_unsafeStart: start, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    public mutating func removeAll() { used = 0 }

    /// Where the next bytes go, with room for `extra` and the slack.
    @inlinable
    @inline(__always)
    mutating func tail(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if extra > capacity - used { grow(extra) }
        // Safety: at most at `capacity`.
        return unsafe start + used
    }

    /// Counts bytes that were stored in the room that `tail` made.
    @inlinable
    @inline(__always)
    mutating func advance(_ written: Int) { used += written }

    @usableFromInline
    @inline(never)
    mutating func grow(_ extra: Int) {
        let step = capacity < Self.largeBytes ? capacity / 2 : capacity / 8
        let larger = max(count + extra, capacity + step, 1 << 12)
        // Safety: the old memory is copied as far as it is used and given back; nobody else has its address.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.slack)
        unsafe memory.update(from: start, count: count)
        unsafe (memory + count).initialize(repeating: 0, count: larger + Self.slack - count)
        unsafe start.deallocate()
        unsafe start = memory
        capacity = larger
    }
}

extension OutputBuffer {
    /// Appends the bytes of `text`.
    public mutating func append(_ text: Span<UInt8>) {
        let target = unsafe tail(text.count)
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            // Safety: `tail` made room for as many bytes; the text is not in the buffer, which is being changed.
            unsafe target.update(from: source, count: bytes.count)
        }
        advance(text.count)
    }

    /// Appends the bytes of `literal`. Inlined, so that short ones become stores of constants.
    @inlinable
    @inline(__always)
    public mutating func append(_ literal: StaticString) {
        let target = unsafe tail(literal.utf8CodeUnitCount)
        // Safety: a static string's bytes live as long as the program; `tail` made room for them.
        unsafe target.update(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
        advance(literal.utf8CodeUnitCount)
    }

    /// Appends a copy of bytes that were appended before.
    public mutating func appendCopy(of range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a copy of what is not there")
        let target = unsafe tail(range.count)
        // Safety: the range is used, by the precondition; `tail` made room behind it.
        unsafe target.update(from: start + range.lowerBound, count: range.count)
        advance(range.count)
    }
}
