/// The columns of a CSV snapshot: the members of the JSON object, with nested names written as dotted paths.
enum CSVColumns {
    /// The number of columns after the key and the count.
    static let columnsAfterCount = names.count - 3

    private static let names = [
        "app", "thread", "count", "total", "leading.id", "leading.timestamp", "leading.title",
        "leading.subtitle", "leading.body", "leading.category", "leading.source", "leading.line",
        "summary.more", "summary.text", "arguments", "argumentsTruncated", "hidden.title", "hidden.subtitle",
        "hidden.body", "display.title", "display.subtitle", "display.body", "display.summary", "categories",
        "otherCategories", "first", "last",
    ]

    static func header(byDevice: Bool, hasInstants: Bool = false) -> [UInt8] {
        let first = (hasInstants ? ["at"] : []) + (byDevice ? ["device"] : [])
        return Array((first + names).joined(separator: ",").utf8) + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
