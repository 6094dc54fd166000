import SheafGroups

/// The format of a snapshot.
///
/// ```swift
/// var options = ReplayOptions(sources: ["-"])
/// options.format = .text(TextStyle(width: 60, hasColours: true))
/// ```
public enum SnapshotFormat: Sendable, Equatable {
    /// One JSON object per line (specification §10).
    case ndjson
    /// The same objects in one array.
    case json
    /// One row per group, after a header row with the column names (RFC 4180).
    case csv
    /// The groups as the user sees them on the screen.
    case text(TextStyle)
    /// A web page with everything in one file.
    case html

    /// The name of the option's value.
    var name: String {
        switch self {
        case .ndjson: "ndjson"
        case .json: "json"
        case .csv: "csv"
        case .text: "text"
        case .html: "html"
        }
    }

    /// Whether groups are shown with the times of their notifications.
    var hasTimes: Bool { if case .text = self { true } else { false } }
}

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

/// The style of a snapshot or report that is text.
///
/// ```swift
/// let style = TextStyle(width: 60, optionNames: [.maximumLine: "--max-line"])
/// ```
public struct TextStyle: Sendable, Equatable {
    /// The width of a line, in columns; nil for no limit.
    public var width: Int?
    /// Whether names and summaries are highlighted in colour.
    public var hasColours: Bool
    /// The names by which the text refers to options.
    public var optionNames: [RunOption: String]

    /// - Parameters:
    ///   - width: the width of a line, in columns; nil for no limit.
    ///   - hasColours: whether names and summaries are highlighted in colour.
    ///   - optionNames: the names by which the text refers to options.
    public init(width: Int? = nil, hasColours: Bool = false, optionNames: [RunOption: String] = [:]) {
        self.width = width
        self.hasColours = hasColours
        self.optionNames = optionNames
    }
}
