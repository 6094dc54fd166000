/// Many small texts in few large allocations, with room given back and used again.
///
///     segments   [ 64 KiB ][ 64 KiB ][ 64 KiB ] …      one block never crosses a segment
///     block      [class byte | payload …………… ]          a multiple of 16 bytes
///     free lists one a size class, threaded through a side table
///
/// Invariants: a block's size is that of its class, which its first byte names; a freed block is on its class's
/// list exactly once; memory is never returned before the arena goes. Classes are 16 bytes apart up to 512 and
/// an eighth apart from there, so a block wastes at most 16 bytes or an eighth.
///
/// A value: copying an arena copies its blocks when one of the copies is changed.
public struct ByteArena: Sendable {
    /// A block of the arena that made it; 4 bytes, so that records can hold several.
    public struct Block: Sendable, Equatable {
        /// The block's start in units of 16 bytes, plus one: 0 is no block.
        fileprivate var unit: UInt32

        public static let none = Block(unit: 0)

        public var isNone: Bool { unit == 0 }
    }

    private var segments: [[UInt8]] = []
    /// The next unused byte of the last shared segment.
    private var cursor = ByteArena.segmentBytes
    /// The last shared segment; blocks that are larger than a segment have one of their own.
    private var openSegment = -1
    /// Freed blocks by size class.
    private var freed: [[Block]] = []

    /// Bytes that the arena has taken from the system.
    public private(set) var allocatedBytes = 0

    private static let unitBytes = 16
    private static let segmentBytes = 1 << 16
    private static let unitsPerSegment = segmentBytes / unitBytes

    public init() {}

    /// A block with room for at least `count` bytes. O(1); takes a new segment when no freed block fits.
    public mutating func allocate(_ count: Int) -> Block {
        let sizeClass = SizeClass(holding: count + 1)
        if sizeClass.index < freed.count, let block = freed[sizeClass.index].popLast() { return block }
        let size = sizeClass.bytes
        let segment: Int
        let offset: Int
        if size > Self.segmentBytes {
            segment = addSegment(size)
            offset = 0
        } else {
            if cursor + size > Self.segmentBytes {
                openSegment = addSegment(Self.segmentBytes)
                cursor = 0
            }
            segment = openSegment
            offset = cursor
            cursor += size
        }
        segments[segment][offset] = UInt8(sizeClass.index)
        return Block(unit: UInt32(segment * Self.unitsPerSegment + offset / Self.unitBytes + 1))
    }

    /// Gives the block's room back. The block must not be used again.
    public mutating func free(_ block: Block) {
        guard !block.isNone else { return }
        let index = sizeClass(of: block).index
        while freed.count <= index { freed.append([]) }
        freed[index].append(block)
    }

    /// How many bytes the block has room for.
    public func capacity(of block: Block) -> Int {
        block.isNone ? 0 : sizeClass(of: block).bytes - 1
    }

    /// The block's bytes, its whole capacity; only as long as the arena is not changed.
    @_lifetime(borrow self)
    public func bytes(of block: Block) -> Span<UInt8> {
        guard !block.isNone else { return Span() }
        let (segment, offset) = place(of: block)
        let size = sizeClass(of: block).bytes
        let start = unsafe segments[segment].withUnsafeBufferPointer { $0.baseAddress! }
        // Safety: the block lies inside a segment, which this arena owns and which neither moves nor goes while
        // the arena is borrowed, as it is for as long as the span is used.
        let span = unsafe Span(_unsafeStart: start + offset + 1, count: size - 1)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Hands the block's bytes to `body` for writing.
    public mutating func edit(_ block: Block, _ body: (inout MutableSpan<UInt8>) -> Void) {
        precondition(!block.isNone, "no block to write to")
        let (segment, offset) = place(of: block)
        let size = sizeClass(of: block).bytes
        unsafe segments[segment].withUnsafeMutableBufferPointer { bytes in
            // Safety: the part of the segment that is the block's, without its class byte; used only in here.
            let payload = unsafe UnsafeMutableBufferPointer(rebasing: bytes[(offset + 1)..<(offset + size)])
            var span = unsafe payload.mutableSpan
            body(&span)
        }
    }

    /// Copies `source` to the start of the block. Traps when it does not fit.
    public mutating func write(_ source: Span<UInt8>, to block: Block) {
        edit(block) { $0.write(source, at: 0) }
    }

    /// Copies `range` of one block to the start of another of this arena. Traps when it does not fit.
    public mutating func copy(_ range: Range<Int>, of source: Block, to target: Block) {
        // Blocks of one segment would be read and written at once: a short copy between is simplest.
        let text = contents(range, of: source)
        write(text.span, to: target)
    }

    private func contents(_ range: Range<Int>, of block: Block) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        copy.append(bytes(of: block).extracting(range))
        return copy
    }

    private mutating func addSegment(_ size: Int) -> Int {
        precondition(
            segments.count < (Int(UInt32.max) - 1) / Self.unitsPerSegment, "an arena holds at most 64 GiB")
        segments.append([UInt8](repeating: 0, count: size))
        allocatedBytes += size
        return segments.count - 1
    }

    private func place(of block: Block) -> (segment: Int, offset: Int) {
        let unit = Int(block.unit) - 1
        return (unit / Self.unitsPerSegment, unit % Self.unitsPerSegment * Self.unitBytes)
    }

    private func sizeClass(of block: Block) -> SizeClass {
        let (segment, offset) = place(of: block)
        return SizeClass(index: Int(segments[segment][offset]))
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
    var bytes: Int {
        if index < Self.fineClasses { return (index + 1) * Self.fineStep }
        let (doubling, eighth) = (index - Self.fineClasses).quotientAndRemainder(dividingBy: 8)
        let base = 1 << (doubling + 9)
        return base + (eighth + 1) * (base / 8)
    }
}
