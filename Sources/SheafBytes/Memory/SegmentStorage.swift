import CSheaf

/// Memory in segments that never move: the storage of arenas, list pools and segmented arrays.
///
///     segments   ──▶ [ segment ][ segment ][ segment ] …
///
/// A segment has 2 MiB; its untouched pages take no memory. From the seventeenth segment on, the storage requests
/// huge pages: tables of hundreds of megabytes are accessed in random order, and with small pages nearly every access
/// would miss the TLB, too. Earlier segments use small pages, because a huge page is allocated as a whole, however
/// little of it is used: up to 2 MiB for each storage of each shard, which is a lot compared with 32 MiB and little
/// compared with larger tables.
///
/// A reference type, which value types share until one of them mutates the contents.
@usableFromInline @safe final class SegmentStorage<Element> {
    @usableFromInline @safe struct Table {
        /// Invariant: the first `segmentCount` of `capacity` addresses and sizes are initialized.
        @usableFromInline var segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
        /// The capacity of each segment, in elements.
        var sizes: UnsafeMutablePointer<Int>
        var segmentCount = 0
        var capacity = 4
        /// The number of initialized elements, counted across the segments in order.
        @usableFromInline var count = 0
    }

    /// Stored outside the object, because the runtime would check every access to a property of the object for
    /// exclusivity.
    @usableFromInline let table: UnsafeMutablePointer<Table>

    @inlinable static var segmentBytes: Int { 2 << 20 }
    /// The binary logarithm of the number of elements that fit into a segment, rounded down.
    @inlinable static var shift: Int {
        Int.bitWidth - 1 - max(1, segmentBytes / MemoryLayout<Element>.stride).leadingZeroBitCount
    }
    private static var smallPagedSegments: Int { 16 }

    @usableFromInline
    init() {
        // Safety: allocated and initialized here, and freed only in `deinit`, so it is valid for the lifetime of the
        // object.
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Table(segments: .allocate(capacity: 4), sizes: .allocate(capacity: 4)))
    }

    deinit {
        var remaining = unsafe table.pointee.count
        for index in 0..<segmentCount {
            // Safety: `add` allocated every segment, in the way that `isPaged` reports, and the first `count`
            // elements across the segments are initialized. Nothing refers to the storage any more.
            let segment = unsafe table.pointee.segments[index]
            let size = unsafe table.pointee.sizes[index]
            unsafe segment.deinitialize(count: min(remaining, size))
            remaining -= min(remaining, size)
            let bytes = size * MemoryLayout<Element>.stride
            if Self.isPaged(bytes) {
                unsafe PageMemory.deallocate(segment, Self.segmentBytes)
            } else {
                unsafe segment.deallocate()
            }
        }
        unsafe table.pointee.segments.deallocate()
        unsafe table.pointee.sizes.deallocate()
        unsafe table.deallocate()
    }

    // Safety: the table lives as long as this object.
    var segmentCount: Int { unsafe table.pointee.segmentCount }

    /// Adds a segment for `size` elements, all of them uninitialized, and returns its index.
    @usableFromInline
    func add(_ size: Int) -> Int {
        if unsafe table.pointee.segmentCount == table.pointee.capacity { growTable() }
        let bytes = size * MemoryLayout<Element>.stride
        let isPaged = Self.isPaged(bytes)
        let memory =
            isPaged
            ? unsafe PageMemory.allocate(Self.segmentBytes)
            : UnsafeMutableRawPointer.allocate(
                byteCount: bytes, alignment: max(MemoryLayout<Element>.alignment, 16))
        #if os(Linux)
        if segmentCount >= Self.smallPagedSegments, bytes == Self.segmentBytes {
            // This is a hint: everything works without huge pages, too.
            //
            // Safety: the range is the memory allocated above, and the hint does not change its contents.
            _ = unsafe madvise(memory, bytes, MADV_HUGEPAGE)
        }
        #endif
        let index = unsafe table.pointee.segmentCount
        // Safety: the table has room for the segment, and the segment has room for `size` elements.
        unsafe (table.pointee.segments + index).initialize(
            to: memory.bindMemory(to: Element.self, capacity: size))
        unsafe (table.pointee.sizes + index).initialize(to: size)
        unsafe table.pointee.segmentCount += 1
        return index
    }

    /// Returns whether a segment of `bytes` bytes has the usual size. If no power of two of elements fills 2 MiB
    /// exactly, the end of the segment stays untouched.
    private static func isPaged(_ bytes: Int) -> Bool { bytes > segmentBytes / 2 && bytes <= segmentBytes }

    private func growTable() {
        let count = segmentCount
        // Safety: the new tables have room for all `count` addresses and sizes, and nothing else refers to the old
        // ones.
        unsafe Self.enlarge(&table.pointee.segments, count)
        unsafe Self.enlarge(&table.pointee.sizes, count)
        unsafe table.pointee.capacity = count * 2
    }

    /// Moves `count` values to an allocation for twice as many.
    ///
    /// Safety: `values` must be an allocation with `count` initialized values, which nothing else refers to.
    private static func enlarge<Value>(_ values: inout UnsafeMutablePointer<Value>, _ count: Int) {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: count * 2)
        unsafe larger.moveInitialize(from: values, count: count)
        unsafe values.deallocate()
        unsafe values = unsafe larger
    }

    /// Returns a copy with memory of its own.
    func copy() -> SegmentStorage {
        let copy = SegmentStorage()
        var remaining = unsafe table.pointee.count
        for index in 0..<segmentCount {
            // Safety: the index is less than `segmentCount`. Both segments have room for `size` elements, and the
            // first `min(remaining, size)` of the source are initialized.
            let size = unsafe table.pointee.sizes[index]
            // Added before the table is read, since adding a segment may move the table.
            let added = copy.add(size)
            let target = unsafe copy.table.pointee.segments[added]
            unsafe target.initialize(from: table.pointee.segments[index], count: min(remaining, size))
            remaining -= min(remaining, size)
        }
        unsafe copy.table.pointee.count = unsafe table.pointee.count
        return copy
    }

    /// Counts all elements of all segments as initialized.
    ///
    /// Safety: every bit pattern must be a valid element, such as a number.
    @usableFromInline @unsafe
    func countAll() {
        var count = 0
        for index in 0..<segmentCount { unsafe count += table.pointee.sizes[index] }
        unsafe table.pointee.count = count
    }

    /// Returns the address of the element at `offset` of a segment.
    ///
    /// Safety: the segment must exist, and the offset must be inside it; neither is checked. The address is valid for
    /// the lifetime of the object.
    @inlinable @inline(__always)
    func pointer(inSegment segment: Int, at offset: Int) -> UnsafeMutablePointer<Element> {
        unsafe table.pointee.segments[segment] + offset
    }

    /// Returns the address of the element at `index`, if all segments have `1 << shift` elements.
    ///
    /// Safety: the index must be inside a segment, which is not checked.
    @inlinable @inline(__always)
    func pointer(at index: Int) -> UnsafeMutablePointer<Element> {
        unsafe pointer(
            inSegment: index >> SegmentStorage.shift, at: index & (1 << SegmentStorage.shift - 1))
    }

    /// Returns the address of the element at `offset` of a segment, or nil unless the segment exists and has `count`
    /// elements from the offset on.
    ///
    /// Safety: no argument may be negative, and `offset` and `count` must be less than 2^62. The address is valid for
    /// the lifetime of the object.
    @inline(__always)
    func pointer(inSegment segment: Int, at offset: Int, count: Int) -> UnsafeMutablePointer<Element>? {
        // Safety: the table has an address and a size for each index less than `segmentCount`.
        let table = unsafe table
        guard unsafe segment < table.pointee.segmentCount,
            unsafe offset &+ count <= table.pointee.sizes[segment]
        else { return nil }
        return unsafe table.pointee.segments[segment] + offset
    }
}

/// Starts loading the cache line at an address. Inlinable code of other modules can't call the C function itself.
///
/// Safety: a prefetch reads nothing, so every address is allowed.
@usableFromInline
func prefetchLine(_ address: UnsafeRawPointer) { unsafe sheaf_prefetch(address) }

/// Large blocks of memory that come directly from the system and return to it when they are freed: a destroyed table
/// holds no memory, whereas the allocator may keep freed memory for reuse.
enum PageMemory {
    /// Allocates `byteCount` bytes, all zeros, aligned to `byteCount`, which is a power of two and a multiple of the
    /// page size.
    ///
    /// Untouched pages take no memory. Traps if the system has no addresses left.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        // A mapping of twice the size contains an aligned block. The parts before and after the block are unmapped.
        //
        // Safety: without a requested address, the system maps pages that are not in use.
        let whole = unsafe mmap(nil, 2 * byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
        guard let whole = unsafe whole, unsafe whole != MAP_FAILED else {
            fatalError("the system has no memory left")
        }
        let before = (byteCount - Int(bitPattern: whole) & (byteCount - 1)) & (byteCount - 1)
        // Safety: both parts are inside the mapping and outside the block, and nothing refers to them.
        unsafe unmap(whole, before)
        unsafe unmap(whole + before + byteCount, byteCount - before)
        return unsafe whole + before
    }

    /// Frees a block.
    ///
    /// Safety: `allocate` must have returned it for the same `byteCount`. Nothing may refer to it afterwards.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        unsafe unmap(memory, byteCount)
    }

    /// Safety: the bytes must be whole pages of a mapping of `allocate`. Nothing may refer to them afterwards.
    private static func unmap(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount > 0 { unsafe munmap(memory, byteCount) }
    }

    #if canImport(Darwin)
    private static let anonymous = MAP_ANON
    #else
    private static let anonymous = Int32(MAP_ANONYMOUS)
    #endif
}
