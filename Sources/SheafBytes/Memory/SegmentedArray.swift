/// An array that grows in segments of fixed size, so that growing never copies its elements.
///
/// While a plain array of millions of elements grows, its old and new storage exist at the same time; here at most
/// the untouched pages of one segment are unused. O(1) access with one bounds check.
///
/// A value type: a copy shares the memory until either of the two is mutated, which copies it.
///
/// Safety: every segment has room for `1 << shift` elements; the first `count` across the segments are initialized.
/// Every index is checked against `count`. A segment is neither moved nor freed while the storage exists.
@usableFromInline @safe package struct SegmentedArray<Element> {
    @usableFromInline var storage = SegmentStorage<Element>()

    /// The binary logarithm of the number of elements in a segment.
    @inlinable static var shift: Int { SegmentStorage<Element>.shift }

    package init() {}

    @inlinable
    package var count: Int { unsafe storage.table.pointee.count }

    /// The memory in use, in bytes.
    package var heldBytes: Int { count * MemoryLayout<Element>.stride }

    @inlinable
    package mutating func append(_ element: Element) {
        makeUnique()
        let count = count
        if count & (1 << Self.shift - 1) == 0 { addSegment() }
        // Safety: a segment is added whenever all others are full, so the element is inside a segment; it is not
        // initialized yet.
        unsafe storage.pointer(at: count).initialize(to: element)
        unsafe storage.table.pointee.count = count + 1
    }

    @inlinable
    package subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "index outside the array")
            // Safety: the element exists, by the precondition, and lives as long as the storage.
            return unsafe storage.pointer(at: index).pointee
        }
        _modify {
            precondition(index >= 0 && index < count, "index outside the array")
            makeUnique()
            // Safety: the element exists, by the precondition. After `makeUnique` this array is the only owner of the
            // storage.
            yield unsafe &storage.pointer(at: index).pointee
        }
    }

    /// Starts loading an element that will be read soon. Does nothing if the index is outside the array.
    @inlinable
    package func prefetch(_ index: Int) {
        guard index >= 0, index < count else { return }
        // Safety: the element exists, by the condition.
        unsafe prefetchLine(storage.pointer(at: index))
    }

    package mutating func removeAll() { storage = SegmentStorage() }

    @inlinable @inline(__always)
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    }

    @usableFromInline
    mutating func copyStorage() { storage = storage.copy() }

    @usableFromInline
    func addSegment() { _ = storage.add(1 << Self.shift) }
}

// Unchecked because shared memory is never mutated: every mutation calls `makeUnique` first.
extension SegmentedArray: @unchecked Sendable where Element: Sendable {}
