/// An array that grows by segments of fixed size, so that growing never copies what is there.
///
/// A plain array of millions of elements holds old and new storage side by side while it grows; here the most
/// that is unused is one segment. O(1) access with two bounds checks.
public struct SegmentedArray<Element> {
    @usableFromInline var segments: [ContiguousArray<Element>] = []
    @usableFromInline var used = 0

    @inlinable
    public var count: Int { used }

    @inlinable static var shift: Int { 10 }
    @inlinable static var segmentCount: Int { 1 << shift }

    @inlinable
    public init() {}

    @inlinable
    public mutating func append(_ element: Element) {
        if used == segments.count << Self.shift {
            var segment = ContiguousArray<Element>()
            // The first segment grows as arrays do: most shards of a small log never fill it.
            if !segments.isEmpty { segment.reserveCapacity(Self.segmentCount) }
            segments.append(segment)
        }
        segments[segments.count - 1].append(element)
        used += 1
    }

    @inlinable
    public subscript(index: Int) -> Element {
        get { segments[index >> Self.shift][index & (Self.segmentCount - 1)] }
        _modify { yield &segments[index >> Self.shift][index & (Self.segmentCount - 1)] }
    }

    @inlinable
    public mutating func removeAll() {
        segments = []
        used = 0
    }
}

extension SegmentedArray: Sendable where Element: Sendable {}
