import SheafGroups

/// What has a place among other records.
protocol Ordered {
    var order: OrderKey { get }
}

extension OrderKey: Ordered {
    var order: OrderKey { self }
}

/// The newest of the records that were added, or of those in each interval of a timeline, ascending.
///
/// Adding the records in any order gives the same elements.
struct NewestByInterval<Element: Ordered> {
    private(set) var elements: [Element] = []

    /// The memory of the list without its elements: a reference, and what the allocator adds.
    static var listBytes: Int { 56 }

    enum Addition {
        case inserted
        /// The element that was replaced.
        case replaced(Element)
        /// A newer one is there.
        case outdated
    }

    /// Adds an element, unless there is a newer one of the same interval.
    ///
    /// - Parameter timeline: the intervals; nil if there is only one.
    mutating func add(_ element: Element, _ timeline: Timeline?) -> Addition {
        func isTogether(_ other: Element) -> Bool {
            timeline?.areTogether(element.order.timestamp, other.order.timestamp) ?? true
        }
        let next = firstIndex(newerThan: element.order)
        // At most one element is of the same interval: the neighbor on either side.
        if next < elements.count, isTogether(elements[next]) { return .outdated }
        if next > 0, isTogether(elements[next - 1]) {
            let last = elements[next - 1]
            elements[next - 1] = element
            return .replaced(last)
        }
        elements.insert(element, at: next)
        return .inserted
    }

    /// Returns the index of the first element that is newer than `order`. O(log n), and O(1) if there is none.
    func firstIndex(newerThan order: OrderKey) -> Int {
        var low = 0
        var high = elements.count
        // Most records are newer than all before them.
        if let last = elements.last, last.order < order { return high }
        while low < high {
            let middle = (low + high) / 2
            if order < elements[middle].order { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the first element that is newer than `order`; nil if there is none.
    func first(newerThan order: OrderKey) -> Element? {
        let next = firstIndex(newerThan: order)
        return next < elements.count ? elements[next] : nil
    }
}

extension NewestByInterval: Sendable where Element: Sendable {}
