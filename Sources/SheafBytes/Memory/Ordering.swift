/// Sorting for code that runs once or rarely: settings, options, reports, lists of files.
///
/// The compiler generates the standard library's sort again for each type of element, which takes about 0.14 s of a
/// release build. These functions are compiled once for all types, and call the comparison indirectly. Code that sorts
/// groups, notifications or events uses `sort` instead. Equal elements keep their order.
extension Collection {
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func ordered(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        let order = Array(elements.indices).sorted { areInIncreasingOrder(elements[$0], elements[$1]) }
        return order.map { elements[$0] }
    }
}

extension Collection where Element: Comparable {
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func ordered() -> [Element] { ordered { $0 < $1 } }
}

extension Dictionary where Key: Comparable {
    /// Returns the entries in the order of their keys.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func orderedByKey() -> [Element] { ordered { $0.key < $1.key } }
}

extension RandomAccessCollection {
    /// Returns the index of the first element for which `isInSecondPart` is true, or the end index. It must be true for all
    /// elements after that one. Calls it O(log n) times.
    @inlinable
    package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let middle = index(start, offsetBy: count / 2)
            if isInSecondPart(self[middle]) {
                count /= 2
            } else {
                start = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return start
    }
}
