import SheafBytes

/// The smallest distinct elements of those inserted, at most `limit`, in ascending order.
///
/// The result is a function of the set of inserted elements, whatever their order. An insertion takes O(log n)
/// comparisons and moves O(n) elements, where n is the number of kept elements.
package struct SmallestElements<Element: Comparable & Sendable>: Sendable {
    package private(set) var elements: [Element] = []
    /// Whether any larger elements were dropped.
    private(set) var isCut = false
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Inserts an element, unless an equal element is kept already.
    ///
    /// - Parameter update: called with the equal element, if there is one. It must leave the element equal.
    @inline(__always)
    package mutating func insert(_ element: Element, update: (inout Element) -> Void = { _ in }) {
        let index = elements.partitioningIndex { !($0 < element) }
        if index < elements.count, elements[index] == element {
            update(&elements[index])
        } else if index == limit {
            isCut = true
        } else {
            if elements.count == limit {
                elements.removeLast()
                isCut = true
            }
            elements.insert(element, at: index)
        }
    }

    /// Inserts the elements of another set with the same limit.
    ///
    /// - Parameter update: called with an element and the equal element of `other`.
    mutating func formUnion(_ other: SmallestElements, update: (inout Element, Element) -> Void = { _, _ in })
    {
        for element in other.elements { insert(element) { update(&$0, element) } }
        // No element that `other` dropped is missing here: `other` keeps `limit` elements, all of them smaller.
        isCut = isCut || other.isCut
    }
}
