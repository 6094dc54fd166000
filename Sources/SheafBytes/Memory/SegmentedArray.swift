import CSheaf

/// An array that grows by segments of fixed size, so that growing never copies what is there.
///
/// A plain array of millions of elements holds old and new storage side by side while it grows; here the most
/// that is unused is one segment's untouched pages. O(1) access with one bounds check.
///
/// A value: a copy shares the memory until one of the two is changed, which copies it.
@safe public struct SegmentedArray<Element> {
    @usableFromInline var storage = SegmentStorage<Element>()

    /// As many elements as fit a segment, rounded down to a power of two.
    @inlinable static var shift: Int {
        let fitting = max(1, (2 << 20) / MemoryLayout<Element>.stride)
        return Int.bitWidth - 1 - fitting.leadingZeroBitCount
    }

    public init() {}

    @inlinable
    public var count: Int { unsafe storage.table.pointee.count }

    /// Bytes of memory in use.
    public var heldBytes: Int { count * MemoryLayout<Element>.stride }

    @inlinable
    public mutating func append(_ element: Element) {
        makeUnique()
        let count = count
        if count & (1 << Self.shift - 1) == 0 { addSegment() }
        // Safety: the segment was added above, at the latest, and the place is not initialized yet.
        unsafe place(count).initialize(to: element)
        unsafe storage.table.pointee.count = count + 1
    }

    @inlinable
    public subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "index outside the array")
            return unsafe place(index).pointee
        }
        _modify {
            precondition(index >= 0 && index < count, "index outside the array")
            makeUnique()
            yield unsafe &place(index).pointee
        }
    }

    /// Starts to load an element that will be looked at soon; nothing happens when there is none.
    @inlinable
    public func prefetch(_ index: Int) {
        guard index >= 0, index < count else { return }
        unsafe Self.prefetch(place(index))
    }

    public mutating func removeAll() { storage = SegmentStorage() }

    @inlinable @inline(__always)
    func place(_ index: Int) -> UnsafeMutablePointer<Element> {
        unsafe storage.place(index >> Self.shift, index & (1 << Self.shift - 1))
    }

    @inlinable @inline(__always)
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    }

    @usableFromInline
    mutating func copyStorage() { storage = storage.copy() }

    @usableFromInline
    func addSegment() { _ = storage.add(1 << Self.shift) }

    @usableFromInline
    static func prefetch(_ place: UnsafeMutablePointer<Element>) { unsafe sheaf_prefetch(place) }
}

// Unchecked because shared memory is never changed: `makeUnique` comes before every change.
extension SegmentedArray: @unchecked Sendable where Element: Sendable {}
