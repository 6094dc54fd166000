/// Many short lists of plain values, each contiguous in memory because it is searched linearly.
///
///     segments   [ 2 MiB ][ 2 MiB ] …            a list never crosses a segment
///     list       | element | element | vacant |   room for 1, 2, 4, 8 … elements
///     vacant     one stack for each size
///
/// The owner of a list stores its count, which determines the list's capacity: the next power of two. A full list
/// moves to twice the capacity, and its old room is reused. No memory is released before the pool is destroyed.
///
/// A value type: a copy shares the memory until either of the two is mutated, which copies it.
///
/// Safety: a list of another pool, or a wrong count, may refer to any elements of this pool. Every use therefore checks
/// that the elements are before `end` and in one segment; they may then be those of other lists. All elements of all
/// segments are initialized: with zeros until they are written. A segment is neither moved nor freed while the pool
/// exists.
@usableFromInline @safe package struct ListPool<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    /// A reference to a list, valid only in the pool that allocated it; 4 bytes.
    @usableFromInline package struct List: Sendable, Equatable {
        /// The index of the first element in the pool, plus one; 0 for an empty list without capacity.
        @usableFromInline var start: UInt32

        @inlinable
        init(start: UInt32) { self.start = start }

        @inlinable package static var empty: List { List(start: 0) }

        /// Differs from the numbers of all other lists of the pool at any time; 0 for an empty list without capacity.
        @inlinable package var number: UInt32 { start }
    }

    // Unchecked because shared memory is never mutated: every mutation calls `makeUnique` first.
    @usableFromInline var storage = SegmentStorage<Element>()
    /// The index at which the next new list would start.
    @usableFromInline var end = 0
    /// The vacant lists, by the binary logarithm of their capacity.
    @usableFromInline var vacant = [[List]](repeating: [], count: ListPool.shift + 1)

    /// The binary logarithm of the number of elements in a segment.
    @inlinable static var shift: Int { SegmentStorage<Element>.shift }

    /// The maximum number of elements in a list.
    @inlinable package static var maximumCount: Int { 1 << shift }

    @inlinable
    package init() {}

    /// The memory in use, in bytes.
    package var heldBytes: Int { end * MemoryLayout<Element>.stride }

    /// Returns the elements of a list. Valid until the pool is mutated.
    @inlinable
    @inline(__always)
    @_lifetime(borrow self)
    package func elements(of list: List, count: Int) -> Span<Element> {
        guard count > 0 else { return Span() }
        let start = start(of: list, count: count)
        // Safety: `start(of:count:)` has checked that the elements are inside a segment. This pool owns the segment,
        // and is borrowed while the span is in use.
        let span = unsafe Span(_unsafeStart: UnsafePointer(storage.pointer(at: start)), count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Changes the element at `index` of a list of `count` elements.
    @inlinable
    @inline(__always)
    package mutating func edit(
        _ index: Int, of list: List, count: Int, _ change: (inout Element) -> Void
    ) {
        precondition(index >= 0 && index < count, "index outside the list")
        let start = start(of: list, count: count)
        makeUnique()
        // Safety: `index` is less than `count`, by the precondition, and `start(of:count:)` has checked that `count`
        // elements are inside a segment.
        unsafe change(&storage.pointer(at: start + index).pointee)
    }

    /// Returns the index of a list's first element. Traps unless `count` elements from there on are inside the pool and
    /// in one segment. `count` is at least 1, which every caller has checked.
    @inlinable
    @inline(__always)
    func start(of list: List, count: Int) -> Int {
        // Unsigned, so that the start of the empty list is after every end, or in another segment than the last
        // element.
        let start = UInt(list.start) &- 1
        let last = start &+ UInt(bitPattern: count) &- 1
        precondition(
            last < UInt(bitPattern: end) && (start ^ last) >> UInt(Self.shift) == 0,
            "no list of that many elements")
        return Int(bitPattern: start)
    }

    /// Appends an element to a list of `count` elements. O(1) amortized.
    @inlinable
    package mutating func append(_ element: Element, to list: inout List, count: Int) {
        precondition(
            count >= 0 && count < Self.maximumCount, "a list holds at most \(Self.maximumCount) elements")
        makeUnique()
        if count == 0 || count == Self.room(for: count) {
            let larger = allocate(Self.room(for: count + 1))
            if count > 0 {
                let start = start(of: list, count: count)
                // Safety: `allocate` has returned a list with capacity for more than `count` elements, and
                // `start(of:count:)` has checked the old one. The two may overlap: `update` allows that.
                unsafe storage.pointer(at: Int(larger.start) - 1).update(
                    from: storage.pointer(at: start), count: count)
                vacant[Self.logarithm(count)].append(list)
            }
            list = larger
        }
        let start = start(of: list, count: count + 1)
        // Safety: `start(of:count:)` has checked that `count + 1` elements are inside a segment.
        unsafe storage.pointer(at: start + count).pointee = element
    }

    /// Removes a list of `count` elements, whose room becomes vacant. The list must not be used afterwards.
    @inlinable
    package mutating func remove(_ list: List, count: Int) {
        guard count > 0 else { return }
        let room = Self.room(for: count)
        // All of the room is inside the pool, so that the lists that reuse it are, too.
        _ = start(of: list, count: room)
        vacant[Self.logarithm(room)].append(list)
    }

    /// Starts loading the first `lines` cache lines of a list that will be read soon. Does nothing if the list is not
    /// in the pool.
    @inlinable
    @inline(__always)
    package func prefetch(_ list: List, lines: Int) {
        let index = UInt(list.start) &- 1
        guard index < UInt(bitPattern: end) else { return }
        let start = unsafe UnsafeRawPointer(storage.pointer(at: Int(bitPattern: index)))
        // Safety: a prefetch reads nothing, so every address is allowed.
        for line in 0..<lines { unsafe prefetchLine(start + line * 64) }
    }

    /// Allocates a list with capacity for `room` elements, a power of two.
    @inlinable
    mutating func allocate(_ room: Int) -> List {
        if let list = vacant[Self.logarithm(room)].popLast() { return list }
        let segmentCount = 1 << Self.shift
        // Segments and capacities are powers of two: a list that starts at a multiple of its capacity never crosses a
        // segment.
        let start = (end + room - 1) & ~(room - 1)
        while end < start {
            // The skipped elements become vacant lists.
            let skipped = 1 << min(end.trailingZeroBitCount, Self.logarithm(start - end))
            vacant[Self.logarithm(skipped)].append(List(start: UInt32(end + 1)))
            end += skipped
        }
        if start & (segmentCount - 1) == 0 {
            precondition(start + segmentCount < Int(UInt32.max), "a pool holds at most 2^32 elements")
            _ = storage.add(segmentCount)
            // All elements count as initialized, because copying the storage copies elements that were never written,
            // too.
            //
            // Safety: the elements are plain values, and a new segment has only zeros.
            unsafe storage.countAll()
        }
        end += room
        return List(start: UInt32(start + 1))
    }

    /// Returns the capacity of a list of `count` elements.
    @inlinable
    @inline(__always)
    static func room(for count: Int) -> Int { 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount) }

    /// Returns the binary logarithm of `number`, rounded down.
    @inlinable
    static func logarithm(_ number: Int) -> Int { Int.bitWidth - 1 - number.leadingZeroBitCount }

    @inlinable
    @inline(__always)
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    }

    @usableFromInline
    mutating func copyStorage() { storage = storage.copy() }
}
