/// A buffer of whole lines: what a source's reader fills, a decoding worker decodes, and shards then read.
///
///     | line LF line LF … line LF | unused | slack |
///     0 … start      … end                 capacity
///
/// Invariants: `start` ... `end` is empty or ends with LF. The buffer never moves. `slack` bytes behind the
/// capacity may be read (never meaningfully), so that wide loads need no check at the end.
///
/// A chunk has one owner at a time who may write (the reader, then the worker, who decodes escapes in place);
/// after that it is only read until it goes back to its pool.
@safe public final class Chunk {
    static let slack = 64

    @usableFromInline let base: UnsafeMutablePointer<UInt8>
    /// How many bytes fit.
    public let capacity: Int
    /// Where the lines are. Not in the object itself, where each look at it would be checked for exclusive access
    /// while the program runs: several times a line.
    @usableFromInline let extent: UnsafeMutablePointer<Extent>

    @usableFromInline struct Extent {
        @usableFromInline var start = 0
        @usableFromInline var end = 0
        @usableFromInline var lineCount = 0
        @usableFromInline var firstLine: UInt64 = 1
        @usableFromInline var maximumLine = Int.max
    }

    /// Where the first line starts: 3 after a byte order mark, else 0.
    @inlinable
    public internal(set) var start: Int {
        get { unsafe extent.pointee.start }
        set { unsafe extent.pointee.start = newValue }
    }

    /// Where the last line's LF ends.
    @inlinable
    public internal(set) var end: Int {
        get { unsafe extent.pointee.end }
        set { unsafe extent.pointee.end = newValue }
    }

    /// How many lines, blank ones too.
    @inlinable
    public internal(set) var lineCount: Int {
        get { unsafe extent.pointee.lineCount }
        set { unsafe extent.pointee.lineCount = newValue }
    }

    /// The number of the first line in its source, counted from 1.
    @inlinable
    public internal(set) var firstLine: UInt64 {
        get { unsafe extent.pointee.firstLine }
        set { unsafe extent.pointee.firstLine = newValue }
    }

    /// The content of a line may be this long, in bytes.
    @inlinable
    public internal(set) var maximumLine: Int {
        get { unsafe extent.pointee.maximumLine }
        set { unsafe extent.pointee.maximumLine = newValue }
    }

    public init(capacity: Int) {
        precondition(capacity > 0 && capacity < Int(UInt32.max) - Self.slack, "texts name places in 32 bits")
        self.capacity = capacity
        // Safety: allocated here for good and given back in `deinit`. Pages that no line ever reaches are
        // never touched; only the slack must have defined contents.
        unsafe base = .allocate(capacity: capacity + Self.slack)
        unsafe (base + capacity).initialize(repeating: 0, count: Self.slack)
        unsafe extent = .allocate(capacity: 1)
        unsafe extent.initialize(to: Extent())
    }

    deinit {
        unsafe base.deallocate()
        unsafe extent.deallocate()
    }

    /// A chunk that holds `text` as its lines; a missing last LF is added.
    public convenience init(_ text: [UInt8], maximumLine: Int = .max) {
        self.init(capacity: text.count + 1)
        unsafe text.withUnsafeBufferPointer { source in
            // Safety: the chunk was made with room for the text and one byte more.
            if let first = source.baseAddress { unsafe base.update(from: first, count: source.count) }
        }
        end = text.count
        if text.last != 0x0a {
            unsafe base[end] = 0x0a
            end += 1
        }
        lineCount = text.count { $0 == 0x0a } + (text.last != 0x0a ? 1 : 0)
        self.maximumLine = maximumLine
    }

    /// The bytes up to the last line's end.
    @inlinable
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            // Safety: the buffer lives as long as the chunk, and `end` bytes of it were written.
            let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: end)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The bytes of `text`, which stands in this chunk.
    @inlinable
    @_lifetime(borrow self)
    public func bytes(of text: TextRange) -> Span<UInt8> {
        let span = bytes[text]
        // Safety: as for `bytes`.
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Puts `text` in place of the bytes at `place`; the worker that owns the chunk only.
    ///
    /// - Parameter place: at least as long as the text.
    /// - Returns: where the text stands.
    public func replace(_ place: TextRange, with text: Span<UInt8>) -> TextRange {
        precondition(
            place.range.upperBound <= capacity && text.count <= place.count, "text outside its place")
        unsafe text.withUnsafeBufferPointer { source in
            // Safety: the place is inside the buffer and as long as the text, which is not in it.
            if let first = source.baseAddress {
                unsafe (base + Int(place.start)).update(from: first, count: source.count)
            }
        }
        return TextRange(start: place.start, count: UInt32(text.count))
    }

    package func clear() {
        start = 0
        end = 0
        lineCount = 0
    }
}
