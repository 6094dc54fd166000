/// The smallest of the elements that were inserted, each once, in ascending order.
///
/// What is kept is a function of the set of elements, whatever the order of insertion. An insertion takes O(log n)
/// comparisons and moves O(n) elements of the n that are kept, at most `limit`.
struct Smallest<Element: Comparable & Sendable>: Sendable {
    private(set) var elements: [Element] = []
    /// Whether larger elements were left out.
    private(set) var isCut = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// - Parameter update: called with the equal element where there is one, which stays equal.
    @inline(__always)
    mutating func insert(_ element: Element, update: (inout Element) -> Void = { _ in }) {
        var range = elements.startIndex..<elements.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if elements[middle] < element {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        let place = range.lowerBound
        if place < elements.count, elements[place] == element {
            update(&elements[place])
        } else if place == limit {
            isCut = true
        } else {
            if elements.count == limit {
                elements.removeLast()
                isCut = true
            }
            elements.insert(element, at: place)
        }
    }

    /// Adds what another one with the same limit has.
    ///
    /// - Parameter update: called with an element and the equal one of the other.
    mutating func formUnion(_ other: Smallest, update: (inout Element, Element) -> Void = { _, _ in }) {
        for element in other.elements { insert(element) { update(&$0, element) } }
        // Nothing that the other one left out is missing: it has as many elements as are kept, all of them smaller.
        isCut = isCut || other.isCut
    }
}
