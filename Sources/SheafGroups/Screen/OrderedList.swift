/// A value with a position among the records of a log.
package protocol Ordered {
    var order: OrderKey { get }
}

extension OrderKey: Ordered {
    package var order: OrderKey { self }
}

/// The position of an element of an `OrderedList`, or of its end.
struct ListPosition: Equatable {
    fileprivate var block: Int
    fileprivate var index: Int

    static var start: ListPosition { ListPosition(block: 0, index: 0) }
}

/// Elements in ascending order, which may be added in any order.
///
///     head │ rest[0] │ rest[1] │ …        blocks of at most 512 elements
///
/// Adding an element moves those of one block, so that a log in descending order costs little more than one in ascending
/// order. A list with one block, as most have, needs one allocation.
package struct OrderedList<Element: Ordered> {
    private var head: [Element] = []
    private var rest: [[Element]] = []

    private static var blockLimit: Int { 512 }

    /// The memory of a list without its elements: the references, and what the allocator adds to a block.
    static var listBytes: Int { 64 }

    /// The outcome of `add(_:_:)`.
    enum Addition {
        case inserted
        /// The element was replaced.
        case replaced(Element)
        /// The list has a newer element of the same interval.
        case outdated
    }
}

extension OrderedList: Sendable where Element: Sendable {}

// MARK: - Positions

extension OrderedList {
    private func block(_ number: Int) -> [Element] { number == 0 ? head : rest[number - 1] }

    subscript(position: ListPosition) -> Element {
        get { block(position.block)[position.index] }
        set {
            if position.block == 0 {
                head[position.index] = newValue
            } else {
                rest[position.block - 1][position.index] = newValue
            }
        }
    }

    func isEnd(_ position: ListPosition) -> Bool {
        position.block == rest.count && position.index == block(position.block).count
    }

    /// Returns the position after that of an element.
    func position(after position: ListPosition) -> ListPosition {
        let isLast = position.index + 1 == block(position.block).count
        return isLast && position.block < rest.count
            ? ListPosition(block: position.block + 1, index: 0)
            : ListPosition(block: position.block, index: position.index + 1)
    }

    /// Returns the position before another one; nil at the start.
    func position(before position: ListPosition) -> ListPosition? {
        if position.index > 0 { return ListPosition(block: position.block, index: position.index - 1) }
        guard position.block > 0 else { return nil }
        return ListPosition(block: position.block - 1, index: block(position.block - 1).count - 1)
    }

    /// Returns the position of the first element that is newer than `order`, or the end. O(log n), and O(1) if it is the
    /// end.
    func position(newerThan order: OrderKey) -> ListPosition {
        // Most records are newer than all before them.
        let last = block(rest.count)
        guard let newest = last.last, order < newest.order else {
            return ListPosition(block: rest.count, index: last.count)
        }
        let number = rest.indices.partitioningIndex { order < rest[$0][0].order }
        let block = block(number)
        let index = block.indices.partitioningIndex { order < block[$0].order }
        return index == block.count && number < rest.count
            ? ListPosition(block: number + 1, index: 0) : ListPosition(block: number, index: index)
    }

    /// Returns the first element that is newer than `order`; nil if there is none.
    func first(newerThan order: OrderKey) -> Element? {
        let position = position(newerThan: order)
        return isEnd(position) ? nil : self[position]
    }

    /// The newest element; nil if there is none.
    var last: Element? { block(rest.count).last }

    /// The position after the last element.
    var end: ListPosition { ListPosition(block: rest.count, index: block(rest.count).count) }

    /// The number of elements. O(blocks).
    var count: Int { rest.reduce(head.count) { $0 + $1.count } }
}

// MARK: - Adding

extension OrderedList {
    /// Inserts an element at the position after those that are not newer.
    ///
    /// - Returns: its position.
    @discardableResult
    mutating func insert(_ element: Element) -> ListPosition {
        var position = position(newerThan: element.order)
        // At the end of a block rather than at the start of the next one.
        if position.index == 0, position.block > 0 {
            position = ListPosition(block: position.block - 1, index: block(position.block - 1).count)
        }
        if block(position.block).count >= Self.blockLimit { split(&position) }
        if position.block == 0 {
            head.insert(element, at: position.index)
        } else {
            rest[position.block - 1].insert(element, at: position.index)
        }
        return position
    }

    /// Removes elements, in ascending order. O(n).
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        head.removeAll(where: isRemoved)
        for index in rest.indices { rest[index].removeAll(where: isRemoved) }
        rest.removeAll(where: \.isEmpty)
        if head.isEmpty, !rest.isEmpty { head = rest.removeFirst() }
    }

    /// Halves a full block, except that one that grows at its end is left as it is.
    private mutating func split(_ position: inout ListPosition) {
        let block = block(position.block)
        let kept = position.index == block.count ? block.count : block.count / 2
        rest.insert(Array(block[kept...]), at: position.block)
        if position.block == 0 {
            head.removeSubrange(kept...)
        } else {
            rest[position.block - 1].removeSubrange(kept...)
        }
        if position.index >= kept {
            position = ListPosition(block: position.block + 1, index: position.index - kept)
        }
    }

    /// Adds an element, unless the list has a newer one of the same interval. Adding elements in any order gives the
    /// same list.
    ///
    /// - Parameter timeline: the intervals; nil if there is only one.
    mutating func add(_ element: Element, _ timeline: Timeline?) -> Addition {
        func isTogether(_ other: Element) -> Bool {
            timeline?.areTogether(element.order.timestamp, other.order.timestamp) ?? true
        }
        let next = position(newerThan: element.order)
        // At most one element is of the same interval: the neighbor on either side.
        if !isEnd(next), isTogether(self[next]) { return .outdated }
        if let previous = position(before: next), isTogether(self[previous]) {
            let last = self[previous]
            self[previous] = element
            return .replaced(last)
        }
        insert(element)
        return .inserted
    }
}
