import SheafGroups

/// The columns of a CSV snapshot: the members of the JSON object, with nested names written as dotted paths.
enum CSVColumns {
    /// Returns the number of columns after the key and the count.
    static func columnsAfterCount(hasDelivery: Bool) -> Int {
        names.count - 3 + (hasDelivery ? deliveryNames.count : 0)
    }

    /// The number of columns after the count, up to and with that of the leading notification's line.
    static var columnsAfterCountToLine: Int {
        (names.firstIndex(of: "leading.line") ?? 0) - (names.firstIndex(of: "count") ?? 0)
    }

    private static let names = [
        "app", "thread", "count", "total", "leading.id", "leading.timestamp", "leading.title",
        "leading.subtitle", "leading.body", "leading.category", "leading.source", "leading.line",
        "summary.more", "summary.text", "arguments", "argumentsTruncated", "hidden.title", "hidden.subtitle",
        "hidden.body", "display.title", "display.subtitle", "display.body", "display.summary", "categories",
        "otherCategories", "first", "last",
    ]

    private static let deliveryNames = DeliverySums.names.map { "delivery.\($0)" }

    static func header(byDevice: Bool, hasInstants: Bool = false, hasDelivery: Bool = false) -> [UInt8] {
        let first = (hasInstants ? ["at"] : []) + (byDevice ? ["device"] : [])
        return Array((first + names + (hasDelivery ? deliveryNames : [])).joined(separator: ",").utf8) + [
            UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        ]
    }
}
