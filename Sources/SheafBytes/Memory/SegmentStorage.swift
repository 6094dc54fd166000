import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
        @usableFromInline var segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
        var segmentCount = 0
        var capacity = 4
        /// The number of initialized elements, counted across the segments in order.
        @usableFromInline var count = 0
    }

    /// Stored outside the object, because the runtime would check every access to a property of the object for
    /// exclusivity.
    @usableFromInline let table: UnsafeMutablePointer<Table>
    /// The capacity of each segment, in elements.
    private var sizes: [Int] = []

    @inlinable static var segmentBytes: Int { 2 << 20 }
    private static var smallPagedSegments: Int { 16 }

    @usableFromInline
    init() {
        // Safety: allocated and initialized here, and freed only in `deinit`, so it is valid for the lifetime of the
        // object.
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Table(segments: .allocate(capacity: 4)))
    }

    deinit {
        var left = unsafe table.pointee.count
        for (index, size) in sizes.enumerated() {
            // Safety: `add` allocated every segment, in the way that `isPaged` reports, and the first `count`
            // elements across the segments are initialized.
            let segment = unsafe table.pointee.segments[index]
            unsafe segment.deinitialize(count: min(left, size))
            left -= min(left, size)
            let bytes = size * MemoryLayout<Element>.stride
            if Self.isPaged(bytes) {
                unsafe PageMemory.deallocate(segment, Self.segmentBytes)
            } else {
                unsafe segment.deallocate()
            }
        }
        unsafe table.pointee.segments.deallocate()
        unsafe table.deallocate()
    }

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
        if sizes.count >= Self.smallPagedSegments, bytes == Self.segmentBytes {
            // This is a hint: everything works without huge pages, too.
            _ = unsafe madvise(memory, bytes, MADV_HUGEPAGE)
        }
        #endif
        let index = unsafe table.pointee.segmentCount
        // Safety: the table has room for the segment, and the segment has room for `size` elements.
        unsafe table.pointee.segments[index] = unsafe memory.bindMemory(to: Element.self, capacity: size)
        unsafe table.pointee.segmentCount += 1
        sizes.append(size)
        return index
    }

    /// Returns whether a segment of `bytes` bytes has the usual size. If no power of two of elements fills 2 MiB
    /// exactly, the end of the segment stays untouched.
    private static func isPaged(_ bytes: Int) -> Bool { bytes > segmentBytes / 2 && bytes <= segmentBytes }

    private func growTable() {
        let count = unsafe table.pointee.segmentCount
        let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: count * 2)
        // Safety: the new table has room for all `count` pointers, and nothing else refers to the old one.
        unsafe larger.update(from: table.pointee.segments, count: count)
        unsafe table.pointee.segments.deallocate()
        unsafe table.pointee.segments = unsafe larger
        unsafe table.pointee.capacity = count * 2
    }

    /// Returns a copy with memory of its own.
    func copy() -> SegmentStorage {
        let copy = SegmentStorage()
        var left = unsafe table.pointee.count
        for (index, size) in sizes.enumerated() {
            let target = unsafe copy.table.pointee.segments[copy.add(size)]
            // Safety: both segments have room for `size` elements, and the first `min(left, size)` of the source are
            // initialized.
            unsafe target.initialize(from: table.pointee.segments[index], count: min(left, size))
            left -= min(left, size)
        }
        unsafe copy.table.pointee.count = unsafe table.pointee.count
        return copy
    }

    /// Counts all elements of all segments as initialized. Only for types for which every bit pattern is valid.
    @usableFromInline
    func countAll() { unsafe table.pointee.count = sizes.reduce(0, +) }

    /// Returns the address of the element at `offset` of a segment.
    ///
    /// Safety: the segment must exist, and the offset must be inside it; neither is checked. The address is valid for
    /// the lifetime of the object.
    @inlinable @inline(__always)
    func place(_ segment: Int, _ offset: Int) -> UnsafeMutablePointer<Element> {
        unsafe table.pointee.segments[segment] + offset
    }
}
