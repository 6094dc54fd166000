import CSheaf

/// Many short lists of plain values, each of them unbroken in memory: what is searched from end to end.
///
///     segments   [ 2 MiB ][ 2 MiB ] …            one list never crosses a segment
///     list       | element | element | vacant |   room for 1, 2, 4, 8 … elements
///     vacant     one stack a size
///
/// How many elements a list has is kept by its owner, and tells its room: the next power of two. A list that is full
/// moves to twice the room, and what it leaves is used again. Memory is never returned before the pool goes.
///
/// A value: a copy shares the memory until one of the two is changed, which copies it.
@safe public struct ListPool<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    /// A list of the pool that made it; 4 bytes.
    public struct List: Sendable, Equatable {
        /// The first element's place, plus one: 0 is an empty list without room.
        @usableFromInline var start: UInt32

        @inlinable
        init(start: UInt32) { self.start = start }

        @inlinable public static var empty: List { List(start: 0) }
    }

    // Unchecked because shared memory is never changed: `makeUnique` comes before every change.
    @usableFromInline var storage = SegmentStorage<Element>()
    /// Where the next new list would start.
    @usableFromInline var end = 0
    /// By the logarithm of their room.
    @usableFromInline var vacant = [[List]](repeating: [], count: ListPool.shift + 1)

    /// A segment's elements, by logarithm.
    @inlinable static var shift: Int {
        Int.bitWidth - 1
            - (SegmentStorage<Element>.segmentBytes / MemoryLayout<Element>.stride).leadingZeroBitCount
    }

    /// The most elements of one list.
    @inlinable public static var maximumCount: Int { 1 << shift }

    @inlinable
    public init() {}

    /// Bytes of memory in use.
    public var heldBytes: Int { end * MemoryLayout<Element>.stride }

    /// The elements of a list; only as long as the pool is not changed.
    @inlinable
    @inline(__always)
    @_lifetime(borrow self)
    public func elements(of list: List, count: Int) -> Span<Element> {
        guard count > 0 else { return Span() }
        let start = start(of: list, count: count)
        // Safety: the list lies inside a segment, which this pool owns and which neither moves nor goes while the pool
        // is borrowed. By the check there are as many places; whatever is in them is an element.
        let span = unsafe Span(_unsafeStart: UnsafePointer(place(start)), count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Replaces an element of a list of `count`.
    @inlinable
    public mutating func replace(_ index: Int, of list: List, count: Int, by element: Element) {
        precondition(index >= 0 && index < count, "index outside the list")
        let start = start(of: list, count: count)
        makeUnique()
        // Safety: one of the list's places, by the checks.
        unsafe place(start + index).pointee = element
    }

    /// The place of a list's first element. Traps when there is no list of `count` elements, one or more, there.
    @inlinable
    @inline(__always)
    func start(of list: List, count: Int) -> Int {
        let start = Int(list.start) - 1
        precondition(start >= 0 && start + Self.room(for: count) <= end, "no list of that many elements")
        return start
    }

    /// Adds an element behind the `count` that the list has. O(1) amortized.
    @inlinable
    public mutating func append(_ element: Element, to list: inout List, count: Int) {
        precondition(count < Self.maximumCount, "a list holds at most \(Self.maximumCount) elements")
        makeUnique()
        if count == 0 || count == Self.room(for: count) {
            let larger = allocate(Self.room(for: count + 1))
            if count > 0 {
                // Safety: both lists have places for `count` elements.
                unsafe place(Int(larger.start) - 1).update(from: place(Int(list.start) - 1), count: count)
                vacant[Self.logarithm(count)].append(list)
            }
            list = larger
        }
        // Safety: the list has room for one more.
        unsafe place(Int(list.start) - 1 + count).pointee = element
    }

    /// Starts to load the first `lines` cache lines of a list that will be looked at soon.
    @inlinable
    @inline(__always)
    public func prefetch(_ list: List, lines: Int) {
        guard list.start != 0 else { return }
        let start = unsafe UnsafeRawPointer(place(Int(list.start) - 1))
        // Safety: nothing is read; no address is wrong.
        for line in 0..<lines { unsafe Self.prefetch(start + line * 64) }
    }

    /// A list of `room` places, a power of two.
    @inlinable
    mutating func allocate(_ room: Int) -> List {
        if let list = vacant[Self.logarithm(room)].popLast() { return list }
        let segmentCount = 1 << Self.shift
        // Segments and rooms are powers of two: a list that begins at a multiple of its room crosses no segment.
        let start = (end + room - 1) & ~(room - 1)
        while end < start {
            // The places that are passed over are lists of their own.
            let passed = 1 << min(end.trailingZeroBitCount, Self.logarithm(start - end))
            vacant[Self.logarithm(passed)].append(List(start: UInt32(end + 1)))
            end += passed
        }
        if start & (segmentCount - 1) == 0 {
            precondition(start + segmentCount < Int(UInt32.max), "a pool holds at most 2^32 elements")
            _ = storage.add(segmentCount)
            // Every place may be copied, written or not: elements are plain values.
            storage.countAll()
        }
        end += room
        return List(start: UInt32(start + 1))
    }

    @inlinable
    @inline(__always)
    static func room(for count: Int) -> Int { 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount) }

    /// Of a power of two; of other numbers rounded down.
    @inlinable
    static func logarithm(_ number: Int) -> Int { Int.bitWidth - 1 - number.leadingZeroBitCount }

    @inlinable
    @inline(__always)
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    }

    @usableFromInline
    mutating func copyStorage() { storage = storage.copy() }

    @inlinable
    @inline(__always)
    func place(_ index: Int) -> UnsafeMutablePointer<Element> {
        unsafe storage.place(index >> Self.shift, index & (1 << Self.shift - 1))
    }

    @usableFromInline
    static func prefetch(_ place: UnsafeRawPointer) { unsafe sheaf_prefetch(place) }
}
