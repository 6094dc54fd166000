/// A buffer of whole lines. The reader of a source fills it, a decoding worker decodes it, and shards then read it.
///
///     | lead | line LF line LF … line LF | unused | annex: added texts … | slack |
///            0 … start      … end                 capacity                annexEnd
///
/// The lead holds the bytes of the source from before the lines, as far as inflating these may refer to them. Its pages,
/// too, are touched only if it is used.
///
/// Invariants: `start ..< end` is empty or ends with LF. The buffer never moves. The `slack` bytes after the annex
/// may be read, but have no meaning, so that wide loads need no check at the end. The annex holds texts that the worker
/// adds because no line has them; its pages are touched only if it does.
///
/// A chunk has one owner at a time that may write: the reader, then the worker, which decodes escapes in place. After
/// that it is only read until it returns to its pool.
///
/// Safety: the buffer, the extent and the line feeds are allocated in `init` and freed in `deinit`. Every function
/// checks that what it reads and writes is inside the buffer or the slack. A span of the chunk's bytes is not
/// invalidated when the owner changes them: it then has other bytes. Bytes that were never written have any value.
@usableFromInline @safe package final class Chunk {
    static let slack = 64
    /// The number of bytes before `base` that belong to the buffer.
    package static let leadBytes = SourceInput.historyBytes

    @usableFromInline let base: UnsafeMutablePointer<UInt8>
    /// The number of bytes that fit.
    package let capacity: Int
    /// The number of bytes that fit into the annex.
    package let annexCapacity: Int
    /// The extent of the lines. Stored outside the object, because the runtime would check every access to a property
    /// of the object for exclusivity: several times for each line.
    @usableFromInline let extent: UnsafeMutablePointer<Extent>

    /// The number of bytes that fit, with the annex.
    let textCapacity: Int

    /// The offsets of the LFs of the first lines, in order: found by the reader, which has to count the lines, so that
    /// the worker need not search for them again.
    private let lineFeeds: UnsafeMutablePointer<UInt32>
    /// The maximum number of these offsets. Chunks with more lines have very short lines.
    private static let maximumLineFeeds = 4096
    /// The memory of the offsets, in bytes.
    package static let lineFeedBytes = maximumLineFeeds * MemoryLayout<UInt32>.stride

    /// The constants in the annex.
    private var constants: [String: TextRange] = [:]

    /// Invariant: `start` and `end` are at least 0 and at most the capacity; `textEnd` is `end`, or the end of the
    /// annex's texts if there are any.
    @usableFromInline struct Extent {
        @usableFromInline var start = 0
        @usableFromInline var end = 0
        @usableFromInline var textEnd = 0
        @usableFromInline var lineCount = 0
        /// The number of initialized elements of `lineFeeds`, all of them offsets before `end`.
        @usableFromInline var lineFeedCount = 0
        @usableFromInline var firstLine: UInt64 = 1
        @usableFromInline var maximumLine = Int.max
    }

    /// The offset of the first line: 3 after a byte order mark, else 0.
    package internal(set) var start: Int {
        @inlinable get { unsafe extent.pointee.start }
        set {
            precondition(newValue >= 0 && newValue <= capacity, "lines outside their chunk")
            unsafe extent.pointee.start = newValue
        }
    }

    /// The offset after the LF of the last line.
    @usableFromInline package internal(set) var end: Int {
        @inlinable get { unsafe extent.pointee.end }
        set {
            precondition(newValue >= 0 && newValue <= capacity, "lines outside their chunk")
            unsafe extent.pointee.end = newValue
            unsafe extent.pointee.textEnd = newValue
            unsafe extent.pointee.lineFeedCount = 0
        }
    }

    /// The number of lines, including blank ones.
    @inlinable package var lineCount: Int { unsafe extent.pointee.lineCount }

    /// The number of the first line in its source, counted from 1.
    @inlinable
    package internal(set) var firstLine: UInt64 {
        get { unsafe extent.pointee.firstLine }
        set { unsafe extent.pointee.firstLine = newValue }
    }

    /// The maximum length of a line's content, in bytes.
    @inlinable
    package internal(set) var maximumLine: Int {
        get { unsafe extent.pointee.maximumLine }
        set { unsafe extent.pointee.maximumLine = newValue }
    }

    /// - Parameters:
    ///   - capacity: the number of bytes for lines, 1 or more.
    ///   - annex: the number of bytes for texts that no line has.
    package init(capacity: Int, annex: Int = 0) {
        precondition(
            capacity > 0 && annex >= 0 && capacity + annex < Int(UInt32.max) - Self.slack,
            "text offsets have 32 bits")
        self.capacity = capacity
        annexCapacity = annex
        textCapacity = capacity + annex
        // Safety: all three allocations live until `deinit`. `base` is inside the first one. The bytes before the slack
        // stay uninitialized, so that pages that no text reaches are never touched; they are used only after they were
        // written. The slack must have defined contents.
        unsafe base = .allocate(capacity: Self.leadBytes + capacity + annex + Self.slack) + Self.leadBytes
        unsafe (base + (capacity + annex)).initialize(repeating: 0, count: Self.slack)
        unsafe extent = .allocate(capacity: 1)
        unsafe extent.initialize(to: Extent())
        unsafe lineFeeds = .allocate(capacity: min(capacity, Self.maximumLineFeeds))
    }

    deinit {
        unsafe (base - Self.leadBytes).deallocate()
        unsafe extent.deallocate()
        unsafe lineFeeds.deallocate()
    }

    /// Creates a chunk with `text` as its lines; a missing last LF is added.
    package convenience init(_ text: [UInt8], maximumLine: Int = .max, annex: Int = 0) {
        self.init(capacity: text.count + 1, annex: annex)
        unsafe text.withUnsafeBufferPointer { source in
            // Safety: the chunk was created with room for the text and one more byte.
            if let first = source.baseAddress { unsafe base.update(from: first, count: source.count) }
        }
        end = text.count
        if text.last != UInt8(ascii: "\n") {
            // Safety: the chunk was created with room for one byte after the text.
            unsafe base[end] = UInt8(ascii: "\n")
            end += 1
        }
        findLines()
        self.maximumLine = maximumLine
    }

    /// The bytes up to the end of the last line, or of the last text in the annex.
    @inlinable
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            // Safety: the buffer lives as long as the chunk, which is borrowed while the span is in use, and the end
            // is in it, by the invariant.
            let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: extent.pointee.textEnd)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Returns the bytes of `text`, a range in this chunk. Traps if the range is not inside the lines.
    @inlinable
    @_lifetime(borrow self)
    package func bytes(of text: TextRange) -> Span<UInt8> {
        let span = bytes[text]
        // Safety: as for `bytes`.
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Replaces the bytes at `target` with `text`. Only the worker that owns the chunk may call this.
    ///
    /// - Parameter target: a range that is at least as long as the text.
    /// - Returns: the range of the text.
    package func replace(_ target: TextRange, with text: Span<UInt8>) -> TextRange {
        precondition(
            target.range.upperBound <= textCapacity && text.count <= target.count, "text outside its range")
        unsafe text.withUnsafeBufferPointer { source in
            // Safety: the range is inside the buffer and at least as long as the text, by the precondition. If the text
            // is in the buffer, too, they may overlap: `update` allows that.
            if let first = source.baseAddress {
                unsafe (base + Int(target.start)).update(from: first, count: source.count)
            }
        }
        return TextRange(start: target.start, count: UInt32(text.count))
    }

    /// Adds a text to the annex. Only the worker that owns the chunk may call this, and not while the chunk is filled.
    ///
    /// - Returns: the range of the text; nil if the annex has no room for it.
    package func append(_ text: Span<UInt8>) -> TextRange? {
        let start = unsafe max(capacity, extent.pointee.textEnd)
        guard text.count <= textCapacity - start else { return nil }
        unsafe text.withUnsafeBufferPointer { source in
            // Safety: the text fits between `start` and the end of the annex, by the check above.
            if let first = source.baseAddress {
                unsafe (base + start).update(from: first, count: source.count)
            }
        }
        unsafe extent.pointee.textEnd = start + text.count
        return TextRange(start..<(start + text.count))
    }

    /// Returns the range of a constant, which is added to the annex once for each fill of the chunk; nil if the annex
    /// has no room for it. Only the worker that owns the chunk may call this.
    package func constant(_ text: String) -> TextRange? {
        if let range = constants[text] { return range }
        let range = append(Array(text.utf8).span)
        constants[text] = range
        return range
    }

    /// Replaces the lines by those of another chunk, which no thread changes meanwhile. Only the owner of this chunk may call
    /// this. Traps if they do not fit. O(length).
    package func copyLines(of other: Chunk) {
        clear()
        appendLines(other.bytes.extracting(first: other.end))
        start = other.start
        maximumLine = other.maximumLine
        firstLine = other.firstLine
        let count = unsafe other.extent.pointee.lineFeedCount
        precondition(count <= min(capacity, Self.maximumLineFeeds), "more lines than a chunk has room for")
        // Safety: both chunks have room for these offsets, the other one's are initialized, and `appendLines` checked that
        // the offsets, which are before the end, are in this chunk.
        unsafe lineFeeds.update(from: other.lineFeeds, count: count)
        unsafe extent.pointee.lineFeedCount = count
        unsafe extent.pointee.lineCount = other.lineCount
    }

    package func clear() {
        if !constants.isEmpty { constants.removeAll() }
        start = 0
        end = 0
        unsafe extent.pointee.lineCount = 0
    }
}

// MARK: - Lines

extension Chunk {
    /// Counts the lines, and stores the ends of the first `maximumLineFeeds`. O(length).
    func findLines() {
        var offset = start
        var count = 0
        while offset < end {
            let feed = lineFeed(from: offset)
            // Safety: there is room for an offset per byte, or for `maximumLineFeeds`.
            if count < Self.maximumLineFeeds { unsafe (lineFeeds + count).initialize(to: UInt32(feed)) }
            count += 1
            offset = feed + 1
        }
        unsafe extent.pointee.lineCount = count
        unsafe extent.pointee.lineFeedCount = min(count, Self.maximumLineFeeds)
    }

    /// Returns the offset of the first LF at or after `offset`, which must be before the end.
    private func lineFeed(from offset: Int) -> Int {
        precondition(offset >= 0 && offset < end, "no line there")
        // Safety: the search covers `offset ..< end`, which is inside the buffer. It ends with LF, so the search finds
        // one; otherwise this traps.
        let feed = unsafe memchr(base + offset, Int32(UInt8(ascii: "\n")), end - offset)!
        return unsafe UnsafeRawPointer(feed) - UnsafeRawPointer(base)
    }

    /// Returns the offset of the LF of a line.
    ///
    /// - Parameters:
    ///   - index: the line's index in the chunk.
    ///   - start: the offset of the line, which must be before the end.
    @inline(__always)
    func lineFeed(ofLineAt index: Int, from start: Int) -> Int {
        // Safety: the element is initialized, by the condition.
        unsafe index < extent.pointee.lineFeedCount ? Int(lineFeeds[index]) : lineFeed(from: start)
    }
}

/// Filling a chunk with lines. Only the owner of the chunk may call these.
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

    /// Adds the LF of the last line, if it is missing.
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
    package var firstLineFeed: Int? {
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
