/// The columns of a CSV snapshot: the members of the JSON object, with nested names written as dotted paths.
enum CSVColumns {
    private static let names = [
        "app", "thread", "count", "total", "leading.id", "leading.timestamp", "leading.title",
        "leading.subtitle", "leading.body", "leading.category", "leading.source", "leading.line",
        "summary.more", "summary.text", "arguments", "argumentsTruncated", "hidden.title", "hidden.subtitle",
        "hidden.body", "display.title", "display.subtitle", "display.body", "display.summary", "categories",
        "otherCategories", "first", "last",
    ]

    static func header(byDevice: Bool) -> [UInt8] {
        Array(((byDevice ? ["device"] : []) + names).joined(separator: ",").utf8)
            + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
