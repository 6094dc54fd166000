import CSheaf

/// Many small texts in a few large allocations, with freed room reused.
///
///     segments   [ 2 MiB ][ 2 MiB ] …                  a block never crosses a segment
///     block      [class byte | payload …………… ]          a multiple of 8 bytes, at least 16
///     free lists one for each size class, in a side table
///
/// Invariants: the first byte of a block is its size class, which determines its size; no block starts in the last 512
/// bytes of a segment; a freed block is on the list of its class exactly once; no memory is released before the arena
/// is destroyed. Classes are 8 bytes apart up to 512 bytes and an eighth apart above that, so a block of more than 16
/// bytes wastes at most 8 bytes or an eighth.
///
/// Safety: a block of another arena may refer to any 8 bytes of this one, whose first byte is then taken for a class,
/// or to no bytes. Every use therefore checks that the block is inside a segment: for a class of up to 512 bytes it
/// is enough that it does not start in the last 512 bytes. Such a block has the wrong bytes, or traps. All bytes of all
/// segments are initialized. A segment is neither moved nor freed while the arena exists.
///
/// A value type: a copy shares the memory until either of the two is mutated, which copies it.
@usableFromInline @safe package struct ByteArena: @unchecked Sendable {
    /// A reference to a block, valid only in the arena that allocated it. It takes 4 bytes, so that records can hold
    /// several.
    @usableFromInline package struct Block: Sendable, Equatable, BitwiseCopyable {
        /// The offset of the block in units of 8 bytes, plus one; 0 for `none`.
        fileprivate var unit: UInt32

        package static let none = Block(unit: 0)

        package var isNone: Bool { unit == 0 }
    }

    // Unchecked because shared memory is never mutated: every mutation calls `makeUnique` first.
    private var storage = SegmentStorage<UInt8>()
    /// The offset of the next unused byte in the last shared segment.
    private var cursor = ByteArena.segmentBytes
    /// The index of the last shared segment. A block larger than `stepBytes` has a segment of its own.
    private var openSegment = -1
    /// The freed blocks by size class.
    private var freed: [[Block]] = []

    /// The memory in use, in bytes. Pages that no block has reached take no memory.
    package private(set) var allocatedBytes = 0
    /// The memory in use including the lists of freed blocks, in bytes.
    package var heldBytes: Int { allocatedBytes + freedCount * MemoryLayout<Block>.stride * 2 }
    private var freedCount = 0

    private static let unitBytes = 8
    /// The total size of the blocks that an arena has room for, in bytes. Allocating more traps.
    package static let maximumBytes = 1 << 35
    private static let segmentBytes = SegmentStorage<UInt8>.segmentBytes
    private static let unitsPerSegment = segmentBytes / unitBytes
    /// The unit in which the use of a segment is counted, and the size of the largest block that shares a segment, in
    /// bytes.
    private static let stepBytes = 1 << 16
    /// The highest offset in a shared segment at which a block may start.
    private static let lastStart = segmentBytes - SizeClass.fineBytes

    package init() {}

    /// Allocates a block with room for at least `count` bytes. O(1); takes new memory only if no block of its class
    /// is free. Afterwards, no other arena shares the memory.
    package mutating func allocate(_ count: Int) -> Block {
        makeUnique()
        let sizeClass = SizeClass(holding: count + 1)
        if sizeClass.index < freed.count, let block = freed[sizeClass.index].popLast() {
            freedCount -= 1
            return block
        }
        let size = sizeClass.bytes
        let segment: Int
        let offset: Int
        if size > Self.stepBytes {
            segment = addSegment(size)
            // Safety: the segment has room for `size` bytes. A shared segment has only zeros from the start.
            unsafe storage.pointer(inSegment: segment, at: 0).initialize(repeating: 0, count: size)
            allocatedBytes += size
            offset = 0
        } else {
            if cursor > Self.lastStart || cursor + size > Self.segmentBytes {
                openSegment = addSegment(Self.segmentBytes)
                cursor = 0
            }
            segment = openSegment
            offset = cursor
            let steps = Self.steps(cursor)
            cursor += size
            allocatedBytes += (Self.steps(cursor) - steps) * Self.stepBytes
        }
        // Safety: this is the first byte of the block. All `size` bytes of the block are inside the segment: a shared
        // segment has that many left after `offset`, and any other segment was added with that size.
        unsafe storage.pointer(inSegment: segment, at: offset).initialize(to: UInt8(sizeClass.index))
        return Block(unit: UInt32(segment * Self.unitsPerSegment + offset / Self.unitBytes + 1))
    }

    /// Allocates a block for a copy of `text`. The memory of a reused block is not read if the text is short, since it
    /// may be in no cache.
    package mutating func allocate(copyOf text: Span<UInt8>) -> Block {
        let block = allocate(text.count)
        unsafe text.withUnsafeBufferPointer { bytes in
            // Safety: the buffer holds `text.count` bytes.
            if let source = bytes.baseAddress { unsafe copy(source, text.count, to: block) }
        }
        return block
    }

    /// Allocates a block for a copy of `range` of another block. Traps if the range is outside that block.
    package mutating func allocate(copyOf range: Range<Int>, of source: Block) -> Block {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity(of: source), "range outside its block")
        let block = allocate(range.count)
        // Safety: the range is inside the block, by the precondition.
        if let start = unsafe start(of: source) {
            unsafe copy(start + 1 + range.lowerBound, range.count, to: block)
        }
        return block
    }

    /// Copies bytes to a block that has just been allocated for them.
    ///
    /// Safety: `source` must have `count` bytes, and the storage must not be shared.
    private mutating func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to block: Block) {
        guard let start = unsafe start(of: block) else { return }
        // A larger block may be at the end of a segment.
        if count >= SizeClass.fineBytes { precondition(unsafe count <= capacity(of: block, at: start)) }
        // Safety: the bytes after the class byte are inside the segment, as `start` checks for up to 512 bytes. Ranges
        // may overlap: `update` allows that.
        unsafe (start + 1).update(from: source, count: count)
    }

    private static func steps(_ bytes: Int) -> Int { (bytes + stepBytes - 1) / stepBytes }

    /// Frees the block, so that its room can be reused. The block must not be used afterwards.
    package mutating func free(_ block: Block) {
        // Safety: the class byte is inside a segment.
        guard let start = unsafe start(of: block) else { return }
        free(block, SizeClass(index: Int(unsafe start.pointee)))
    }

    /// Frees a block that was allocated for `count` bytes; without reading its memory, if it is short. With another
    /// count, later blocks may overlap: they have wrong bytes, or traps end the process.
    package mutating func free(_ block: Block, allocatedFor count: Int) {
        let sizeClass = SizeClass(holding: count + 1)
        if sizeClass.isFine, !block.isNone { free(block, sizeClass) } else { free(block) }
    }

    private mutating func free(_ block: Block, _ sizeClass: SizeClass) {
        let index = sizeClass.index
        while freed.count <= index { freed.append([]) }
        freed[index].append(block)
        freedCount += 1
    }

    /// Returns the number of bytes that the block has room for.
    package func capacity(of block: Block) -> Int {
        guard let start = unsafe start(of: block) else { return 0 }
        return unsafe capacity(of: block, at: start)
    }

    /// Returns all bytes that the block has room for. Valid until the arena is mutated.
    @_lifetime(borrow self)
    @usableFromInline package func bytes(of block: Block) -> Span<UInt8> {
        guard let start = unsafe start(of: block) else { return Span() }
        // Safety: `capacity` has checked that the bytes after the class byte are inside a segment. This arena owns the
        // segment, and is borrowed while the span is in use.
        let span = unsafe Span(
            _unsafeStart: UnsafePointer(start + 1), count: capacity(of: block, at: start))
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Starts loading the first `lines` cache lines of a block that will be read soon.
    @inline(__always)
    @usableFromInline package func prefetch(_ block: Block, lines: Int) {
        guard let start = unsafe start(of: block) else { return }
        // Safety: a prefetch reads nothing, so every address is allowed.
        for line in 0..<lines { unsafe sheaf_prefetch(start + line * 64) }
    }

    /// Passes the bytes of the block to `body` for writing.
    @inline(__always)
    package mutating func edit(_ block: Block, _ body: (inout MutableSpan<UInt8>) -> Void) {
        makeUnique()
        guard let start = unsafe start(of: block) else { preconditionFailure("no block to write to") }
        // Safety: `capacity` has checked that the bytes after the class byte are inside a segment. This arena is the
        // only owner of the segment after `makeUnique`, and `body` cannot store the span.
        let bytes = unsafe UnsafeMutableBufferPointer(start: start + 1, count: capacity(of: block, at: start))
        var span = unsafe bytes.mutableSpan
        body(&span)
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    }

    private func addSegment(_ size: Int) -> Int {
        precondition(
            storage.segmentCount < (Int(UInt32.max) - 1) / Self.unitsPerSegment,
            "an arena holds at most 32 GiB")
        let segment = storage.add(size)
        // All bytes count as initialized, because copying the storage copies bytes that were never written, too.
        //
        // Safety: any bit pattern is a valid `UInt8`.
        unsafe storage.countAll()
        return segment
    }

    /// Returns the address of the block's class byte; nil for `none`. Traps if the block would start outside the
    /// segments, or in the last 512 bytes of one.
    @inline(__always)
    private func start(of block: Block) -> UnsafeMutablePointer<UInt8>? {
        // Unsigned, so that a division by a power of two is a single shift. For `none`, there is no such segment.
        let unit = UInt(block.unit) &- 1
        let (segment, offset) = (unit / UInt(Self.unitsPerSegment), unit % UInt(Self.unitsPerSegment))
        guard
            let start = unsafe storage.pointer(
                inSegment: Int(bitPattern: segment), at: Int(bitPattern: offset &* UInt(Self.unitBytes)),
                count: SizeClass.fineBytes)
        else {
            precondition(block.isNone, "a block of another arena")
            return nil
        }
        return unsafe start
    }

    /// Returns the number of bytes after the block's class byte. Traps if one of them would be outside the segment.
    ///
    /// Safety: `start` must be the address that `start(of:)` returned.
    @inline(__always)
    private func capacity(of block: Block, at start: UnsafeMutablePointer<UInt8>) -> Int {
        let sizeClass = SizeClass(index: Int(unsafe start.pointee))
        return sizeClass.isFine ? sizeClass.bytes &- 1 : capacity(of: block, sizeClass)
    }

    /// Returns the number of bytes after the class byte of a block with more than 512 bytes.
    @inline(never)
    private func capacity(of block: Block, _ sizeClass: SizeClass) -> Int {
        let (segment, unit) = (Int(block.unit) - 1).quotientAndRemainder(dividingBy: Self.unitsPerSegment)
        let bytes = sizeClass.bytes
        let isInside =
            unsafe storage.pointer(inSegment: segment, at: unit * Self.unitBytes, count: bytes) != nil
        precondition(isInside, "a block of another arena")
        return bytes - 1
    }
}

/// The size class of a block.
struct SizeClass: Equatable {
    let index: Int

    /// The number of classes that are 8 bytes apart: class 0 has 16 bytes, class 62 has 512.
    private static let fineClasses = 63
    fileprivate static let fineBytes = 512
    private static let fineStep = 8
    /// The size of the smallest class, in steps.
    private static let firstStep = 2

    init(index: Int) { self.index = index }

    /// Creates the smallest class of at least `count` bytes. `count` is 1 to 2^32.
    init(holding count: Int) {
        precondition(count >= 1 && count <= 1 << 32, "an arena block holds at most 4 GiB")
        if count <= Self.fineBytes {
            index = max((count - 1) / Self.fineStep + 1 - Self.firstStep, 0)
            return
        }
        // Above that, each doubling has eight classes: 576, 640, … 1024, 1152, …
        let doubling = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        let base = 1 << doubling
        let eighth = (count - 1 - base) / (base / 8)
        index = Self.fineClasses + (doubling - 9) * 8 + eighth
    }

    /// The class's size in bytes, a multiple of 8.
    @inline(__always)
    var bytes: Int { isFine ? (index &+ Self.firstStep) &* Self.fineStep : coarseBytes }

    /// Whether the size is at most 512 bytes.
    @inline(__always)
    fileprivate var isFine: Bool { index < Self.fineClasses }

    private var coarseBytes: Int {
        let (doubling, eighth) = (index - Self.fineClasses).quotientAndRemainder(dividingBy: 8)
        let base = 1 << (doubling + 9)
        return base + (eighth + 1) * (base / 8)
    }
}
