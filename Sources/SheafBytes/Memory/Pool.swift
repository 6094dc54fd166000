/// Elements at stable indices, with removed places used again; the storage of linked lists by index.
///
/// 0 is no element, so that lists end in it and 4 bytes name an element. O(1) insertion and removal.
public struct Pool<Element: Sendable>: Sendable {
    @usableFromInline var elements = SegmentedArray<Element>()
    /// Places that were removed.
    @usableFromInline var vacant: [UInt32] = []

    @inlinable
    public init() {}

    /// How many elements are in use.
    @inlinable
    public var count: Int { elements.count - vacant.count }

    /// Bytes of memory in use.
    public var heldBytes: Int { elements.heldBytes + vacant.capacity * MemoryLayout<UInt32>.stride }

    @inlinable
    public mutating func insert(_ element: Element) -> UInt32 {
        if let index = vacant.popLast() {
            elements[Int(index) - 1] = element
            return index
        }
        precondition(elements.count < Int(UInt32.max) - 1, "a pool holds at most 2^32 - 2 elements")
        elements.append(element)
        return UInt32(elements.count)
    }

    @inlinable
    public mutating func remove(_ index: UInt32) { vacant.append(index) }

    @inlinable
    public subscript(index: UInt32) -> Element {
        get { elements[Int(index) - 1] }
        _modify { yield &elements[Int(index) - 1] }
    }

    /// Starts to load an element that will be looked at soon.
    @inlinable
    public func prefetch(_ index: UInt32) { elements.prefetch(Int(index) - 1) }
}
