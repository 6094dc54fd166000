#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes to be written, in one piece of memory of their own.
///
///     | used ………………… | unused … | slack |
///
/// An array checks at each append whether it is shared and how large it is; here an append is one comparison and
/// its stores. Whole blocks are stored past the end of short texts: behind `capacity` there is always `slack`.
/// Grows by half or more, by an eighth where it is large, and releases its memory only at the end of its life. While it
/// has a drain it hands its bytes over instead of growing beyond `drainedBytes`.
@safe public struct OutputBuffer: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer, whose memory nobody else has.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// Invariant: at most `capacity`; all bytes before it are initialized.
    @usableFromInline var used = 0

    /// Takes the bytes, in their order, when the buffer is full. nil: the buffer grows.
    public var drain: ((Span<UInt8>) -> Void)?
    /// How many bytes went into the drain since the buffer was empty.
    private var drained = 0

    /// How many bytes behind a text may be overwritten by the block that ends in it.
    @usableFromInline static var slack: Int { 32 }

    /// From this capacity on growing by half would take more memory than copying saves time.
    private static var largeBytes: Int { 1 << 20 }

    /// The capacity from which on a buffer with a drain does not grow for short texts.
    private static var drainedBytes: Int { 1 << 16 }
    /// The longest text that is appended as a whole: a longer one is cut, so that a drain can take it.
    static var pieceBytes: Int { 1 << 15 }

    /// - Parameter capacity: how many bytes it has room for before it grows.
    public init(capacity: Int = 0) {
        self.capacity = capacity
        // Safety: released in `deinit` or moved by `grow`; all of it is initialized.
        unsafe start = Self.reallocate(nil, capacity + Self.slack)
        unsafe start.initialize(repeating: 0, count: capacity + Self.slack)
    }

    deinit { unsafe free(start) }

    @inlinable
    public var count: Int { used }

    /// How many bytes were appended since the buffer was empty, those in the drain among them.
    public var position: Int { drained + used }

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

    public mutating func removeAll() {
        used = 0
        drained = 0
    }

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
        if let drain, capacity >= Self.drainedBytes {
            drain(bytes)
            drained += used
            used = 0
            if extra <= capacity { return }
        }
        let step = capacity < Self.largeBytes ? capacity / 2 : capacity / 8
        let larger = max(count + extra, capacity + step, 1 << 12)
        // Safety: the used bytes stay, and the rest is initialized; no other object has the address.
        unsafe start = Self.reallocate(start, larger + Self.slack)
        unsafe (start + count).initialize(repeating: 0, count: larger + Self.slack - count)
        capacity = larger
    }

    /// The system's own, which need not have large blocks twice in memory to make them larger.
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
    public mutating func append(_ text: Span<UInt8>) {
        guard text.count <= Self.pieceBytes else { return appendPieces(of: text) { $0.append($1) } }
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
    ///
    /// - Parameter range: their positions.
    /// - Returns: false, with nothing appended, when they are in the drain, or would have to go there first.
    public mutating func appendCopy(of range: Range<Int>) -> Bool {
        precondition(range.upperBound <= position, "a copy of bytes that were never appended")
        if range.lowerBound < drained || drain != nil && range.count > capacity - used { return false }
        let target = unsafe tail(range.count)
        // Safety: the range is used, by the conditions; `tail` made room after it.
        unsafe target.update(from: start + (range.lowerBound - drained), count: range.count)
        advance(range.count)
        return true
    }

    /// Appends a long text by what appends a short one.
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
