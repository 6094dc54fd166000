import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Memory in segments that never move: what arenas and segmented arrays stand on.
///
///     segments   ──▶ [ segment ][ segment ][ segment ] …
///
/// Segments are 2 MiB, of which untouched pages take no memory. From the seventeenth one on the system is asked for
/// huge pages: tables of hundreds of megabytes are looked at in random order, and with small pages nearly every look
/// would miss the address cache too. Not before: the last huge page is there as a whole, however little of it is
/// used, up to 2 MiB for each storage of each shard, which is much beside 32 MiB and little beside what comes after.
///
/// An object, which values share until one of them changes what it holds.
@usableFromInline @safe final class SegmentStorage<Element> {
    @usableFromInline @safe struct Table {
        @usableFromInline var segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
        var segmentCount = 0
        var capacity = 4
        /// How many elements of the segments, one after the other, are initialized.
        @usableFromInline var count = 0
    }

    /// Not in the object itself, where each look at it would be checked for exclusive access.
    @usableFromInline let table: UnsafeMutablePointer<Table>
    /// How many elements each segment holds.
    private var sizes: [Int] = []

    @inlinable static var segmentBytes: Int { 2 << 20 }
    private static var smallPagedSegments: Int { 16 }

    @usableFromInline
    init() {
        // Safety: allocated here, given back in `deinit`.
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Table(segments: .allocate(capacity: 4)))
    }

    deinit {
        var left = unsafe table.pointee.count
        for (index, size) in sizes.enumerated() {
            // Safety: every segment was allocated by `add`, and as many elements as are counted are initialized.
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

    /// Adds a segment for `size` elements, none of them initialized, and returns its index.
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
            // A wish: without huge pages everything works as well.
            _ = unsafe madvise(memory, bytes, MADV_HUGEPAGE)
        }
        #endif
        let index = unsafe table.pointee.segmentCount
        unsafe table.pointee.segments[index] = unsafe memory.bindMemory(to: Element.self, capacity: size)
        unsafe table.pointee.segmentCount += 1
        sizes.append(size)
        return index
    }

    /// Whether a segment of so many bytes is one of the common ones. Elements of which no power of two fills 2 MiB leave
    /// the end of it untouched.
    private static func isPaged(_ bytes: Int) -> Bool { bytes > segmentBytes / 2 && bytes <= segmentBytes }

    private func growTable() {
        let count = unsafe table.pointee.segmentCount
        let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: count * 2)
        unsafe larger.update(from: table.pointee.segments, count: count)
        unsafe table.pointee.segments.deallocate()
        unsafe table.pointee.segments = unsafe larger
        unsafe table.pointee.capacity = count * 2
    }

    /// The same in memory of its own.
    func copy() -> SegmentStorage {
        let copy = SegmentStorage()
        var left = unsafe table.pointee.count
        for (index, size) in sizes.enumerated() {
            let target = unsafe copy.table.pointee.segments[copy.add(size)]
            // Safety: both segments have room for `size`, and so many of the source are initialized.
            unsafe target.initialize(from: table.pointee.segments[index], count: min(left, size))
            left -= min(left, size)
        }
        unsafe copy.table.pointee.count = unsafe table.pointee.count
        return copy
    }

    /// Counts all elements of all segments as initialized, where any bytes will do.
    @usableFromInline
    func countAll() { unsafe table.pointee.count = sizes.reduce(0, +) }

    /// The element's place, which is not checked.
    @inlinable @inline(__always)
    func place(_ segment: Int, _ offset: Int) -> UnsafeMutablePointer<Element> {
        unsafe table.pointee.segments[segment] + offset
    }
}
