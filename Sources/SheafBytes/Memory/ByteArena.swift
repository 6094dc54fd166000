import CSheaf

/// Many small texts in few large allocations, with room given back and used again.
///
///     segments   [ 2 MiB ][ 2 MiB ] …                  one block never crosses a segment
///     block      [class byte | payload …………… ]          a multiple of 16 bytes
///     free lists one a size class, threaded through a side table
///
/// Invariants: a block's size is that of its class, which its first byte names; a freed block is on its class's
/// list exactly once; memory is never returned before the arena goes. Classes are 16 bytes apart up to 512 and
/// an eighth apart from there, so a block wastes at most 16 bytes or an eighth.
///
/// A value: a copy shares the memory until one of the two is changed, which copies it.
@safe public struct ByteArena: @unchecked Sendable {
    /// A block of the arena that made it; 4 bytes, so that records can hold several.
    public struct Block: Sendable, Equatable, BitwiseCopyable {
        /// The block's start in units of 16 bytes, plus one: 0 is no block.
        fileprivate var unit: UInt32

        public static let none = Block(unit: 0)

        public var isNone: Bool { unit == 0 }
    }

    // Unchecked because shared memory is never changed: `makeUnique` comes before every change.
    private var storage = SegmentStorage<UInt8>()
    /// The next unused byte of the last shared segment.
    private var cursor = ByteArena.segmentBytes
    /// The last shared segment; blocks that are larger than a step have one of their own.
    private var openSegment = -1
    /// Freed blocks by size class.
    private var freed: [[Block]] = []

    /// Bytes of memory in use: pages that no block has reached take none.
    public private(set) var allocatedBytes = 0
    /// The same, and what lists of freed blocks take.
    public var heldBytes: Int { allocatedBytes + freedCount * MemoryLayout<Block>.stride * 2 }
    private var freedCount = 0

    private static let unitBytes = 16
    private static let segmentBytes = SegmentStorage<UInt8>.segmentBytes
    private static let unitsPerSegment = segmentBytes / unitBytes
    /// How much of a segment is counted at once, and the largest block that shares one.
    private static let stepBytes = 1 << 16

    public init() {}

    /// A block with room for at least `count` bytes. O(1); takes new memory when no freed block fits.
    public mutating func allocate(_ count: Int) -> Block {
        let sizeClass = SizeClass(holding: count + 1)
        if sizeClass.index < freed.count, let block = freed[sizeClass.index].popLast() {
            freedCount -= 1
            return block
        }
        makeUnique()
        let size = sizeClass.bytes
        let segment: Int
        let offset: Int
        if size > Self.stepBytes {
            segment = addSegment(size)
            allocatedBytes += size
            offset = 0
        } else {
            if cursor + size > Self.segmentBytes {
                openSegment = addSegment(Self.segmentBytes)
                cursor = 0
            }
            segment = openSegment
            offset = cursor
            let steps = Self.steps(cursor)
            cursor += size
            allocatedBytes += (Self.steps(cursor) - steps) * Self.stepBytes
        }
        // Safety: the block's first byte, in a segment that has room for all of it.
        unsafe storage.place(segment, offset).initialize(to: UInt8(sizeClass.index))
        return Block(unit: UInt32(segment * Self.unitsPerSegment + offset / Self.unitBytes + 1))
    }

    private static func steps(_ bytes: Int) -> Int { (bytes + stepBytes - 1) / stepBytes }

    /// Gives the block's room back. The block must not be used again.
    public mutating func free(_ block: Block) {
        guard !block.isNone else { return }
        let index = Int(unsafe place(of: block).pointee)
        while freed.count <= index { freed.append([]) }
        freed[index].append(block)
        freedCount += 1
    }

    /// How many bytes the block has room for.
    public func capacity(of block: Block) -> Int {
        block.isNone ? 0 : SizeClass(index: Int(unsafe place(of: block).pointee)).bytes - 1
    }

    /// The block's bytes, its whole capacity; only as long as the arena is not changed.
    @_lifetime(borrow self)
    public func bytes(of block: Block) -> Span<UInt8> {
        guard !block.isNone else { return Span() }
        let start = unsafe place(of: block)
        let size = SizeClass(index: Int(unsafe start.pointee)).bytes
        // Safety: the block lies inside a segment, which this arena owns and which neither moves nor goes while
        // the arena is borrowed, as it is for as long as the span is used.
        let span = unsafe Span(_unsafeStart: UnsafePointer(start + 1), count: size - 1)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Starts to load the first `lines` cache lines of a block that will be looked at soon.
    @inline(__always)
    public func prefetch(_ block: Block, lines: Int) {
        guard !block.isNone else { return }
        let start = unsafe place(of: block)
        // Safety: nothing is read; no address is wrong.
        for line in 0..<lines { unsafe sheaf_prefetch(start + line * 64) }
    }

    /// Hands the block's bytes to `body` for writing.
    @inline(__always)
    public mutating func edit(_ block: Block, _ body: (inout MutableSpan<UInt8>) -> Void) {
        precondition(!block.isNone, "no block to write to")
        makeUnique()
        let start = unsafe place(of: block)
        let size = SizeClass(index: Int(unsafe start.pointee)).bytes
        // Safety: the part of the segment that is the block's, without its class byte; used only in here.
        var span = unsafe UnsafeMutableBufferPointer(start: start + 1, count: size - 1).mutableSpan
        body(&span)
    }

    /// Copies `source` to the start of the block. Traps when it does not fit.
    public mutating func write(_ source: Span<UInt8>, to block: Block) {
        edit(block) { $0.write(source, at: 0) }
    }

    /// Copies `range` of one block to the start of another of this arena. Traps when it does not fit.
    public mutating func copy(_ range: Range<Int>, of source: Block, to target: Block) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity(of: source), "text outside its block")
        precondition(range.count <= capacity(of: target), "a text longer than its block")
        makeUnique()
        // Safety: both ranges are inside their blocks; the two may be one block, so the bytes are moved.
        unsafe (place(of: target) + 1).update(
            from: place(of: source) + 1 + range.lowerBound, count: range.count)
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    }

    private func addSegment(_ size: Int) -> Int {
        precondition(
            storage.segmentCount < (Int(UInt32.max) - 1) / Self.unitsPerSegment,
            "an arena holds at most 64 GiB")
        let segment = storage.add(size)
        // Every byte of the segments may be copied, written or not: they are numbers.
        storage.countAll()
        return segment
    }

    /// Where the block begins, with its class byte.
    @inline(__always)
    private func place(of block: Block) -> UnsafeMutablePointer<UInt8> {
        // Unsigned: a division by a power of two is then one shift.
        let unit = UInt(block.unit) &- 1
        let (segment, offset) = (unit / UInt(Self.unitsPerSegment), unit % UInt(Self.unitsPerSegment))
        return unsafe storage.place(
            Int(bitPattern: segment), Int(bitPattern: offset &* UInt(Self.unitBytes)))
    }
}

/// The sizes that blocks come in.
struct SizeClass: Equatable {
    let index: Int

    /// Classes up to here are 16 bytes apart: class 0 is 16 bytes, class 31 is 512.
    private static let fineClasses = 32
    private static let fineBytes = 512
    private static let fineStep = 16

    init(index: Int) { self.index = index }

    /// The smallest class of at least `count` bytes, `count` from 1 to 2^32.
    init(holding count: Int) {
        precondition(count >= 1 && count <= 1 << 32, "an arena block holds at most 4 GiB")
        if count <= Self.fineBytes {
            index = (count - 1) / Self.fineStep
            return
        }
        // Above, each doubling is cut into eight: 576, 640, … 1024, 1152, …
        let doubling = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        let base = 1 << doubling
        let eighth = (count - 1 - base) / (base / 8)
        index = Self.fineClasses + (doubling - 9) * 8 + eighth
    }

    /// The class's size in bytes, a multiple of 16.
    @inline(__always)
    var bytes: Int { index < Self.fineClasses ? (index &+ 1) &* Self.fineStep : coarseBytes }

    @inline(never)
    private var coarseBytes: Int {
        let (doubling, eighth) = (index - Self.fineClasses).quotientAndRemainder(dividingBy: 8)
        let base = 1 << (doubling + 9)
        return base + (eighth + 1) * (base / 8)
    }
}
