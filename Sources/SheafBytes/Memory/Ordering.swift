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
