/// Elements at stable indices, which are reused after a removal; the storage of lists that are linked by index.
///
/// Indices take 4 bytes and start at 1, so that a link of 0 ends a list. O(1) insertion and removal.
@usableFromInline package struct Pool<Element: Sendable>: Sendable {
    @usableFromInline var elements = SegmentedArray<Element>()
    /// The indices of removed elements.
    @usableFromInline var vacant: [UInt32] = []

    @inlinable
    package init() {}

    /// The number of elements in use.
    @inlinable
    package var count: Int { elements.count - vacant.count }

    /// The memory in use, in bytes.
    package var heldBytes: Int { elements.heldBytes + vacant.capacity * MemoryLayout<UInt32>.stride }

    @inlinable
    package mutating func insert(_ element: Element) -> UInt32 {
        if let index = vacant.popLast() {
            elements[Int(index) - 1] = element
            return index
        }
        precondition(elements.count < Int(UInt32.max) - 1, "a pool holds at most 2^32 - 2 elements")
        elements.append(element)
        return UInt32(elements.count)
    }

    @inlinable
    package mutating func remove(_ index: UInt32) { vacant.append(index) }

    @inlinable
    package subscript(index: UInt32) -> Element {
        get { elements[Int(index) - 1] }
        _modify { yield &elements[Int(index) - 1] }
    }

    /// Starts loading an element that will be read soon.
    @inlinable
    package func prefetch(_ index: UInt32) { elements.prefetch(Int(index) - 1) }
}
