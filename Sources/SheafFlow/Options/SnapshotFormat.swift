import SheafBytes
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
    /// The same rows with times as RFC 3339 texts in UTC instead of milliseconds, in columns without `_ms`.
    case csvISO
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
        case .csvISO: "csv-iso"
        case .text: "text"
        case .html: "html"
        }
    }

    /// Whether there is a row for each group.
    var isCSV: Bool { self == .csv || self == .csvISO }

    /// Whether groups are shown as on a screen, with the times of their notifications.
    var isText: Bool { if case .text = self { true } else { false } }
}

/// The columns of a CSV snapshot: the members of the JSON object, with nested names written as dotted paths.
enum CSVColumns {
    /// Returns the number of columns after the key and the count.
    static func columnsAfterCount(hasDelivery: Bool) -> Int {
        names.count - 3 + (hasDelivery ? deliveryNames.count : 0)
    }

    /// The number of columns after the count, up to and with that of the leading notification's line.
    static var columnsAfterCountToLine: Int {
        (names.firstIndex(of: "leading_line") ?? 0) - (names.firstIndex(of: "count") ?? 0)
    }

    /// Without dots and capital letters, which SQL needs quotes for.
    private static let names = [
        "app", "thread", "count", "total", "leading_id", "leading_timestamp_ms", "leading_title",
        "leading_subtitle", "leading_body", "leading_category", "leading_source", "leading_line",
        "summary_more", "summary_text", "arguments", "arguments_truncated", "hidden_title", "hidden_subtitle",
        "hidden_body", "display_title", "display_subtitle", "display_body", "display_summary", "categories",
        "other_categories", "first_ms", "last_ms",
    ]

    private static let deliveryNames = DeliverySums.names.map { column("delivery.\($0)") }

    /// The instant of a snapshot.
    private static let instant = "at_ms"

    /// Returns a row of names.
    private static func header(_ names: [String], hasTexts: Bool) -> [UInt8] {
        let names = names.map { hasTexts && $0.hasSuffix("_ms") ? String($0.dropLast(3)) : $0 }
        return Array((names.joined(separator: ",") + "\r\n").utf8)
    }

    /// Returns the header of measures.
    ///
    /// - Parameter names: those of the members after the instant, in JSON.
    static func header(measures names: some Sequence<String>, hasTexts: Bool) -> [UInt8] {
        header([instant] + names.map(column), hasTexts: hasTexts)
    }

    /// Returns the column for a name in JSON: `delivery_time_sensitive` for `delivery.timeSensitive`.
    private static func column(_ name: String) -> String {
        String(
            name.flatMap { character -> [Character] in
                if character == "." { return ["_"] }
                return character.isUppercase ? ["_"] + Array(character.lowercased()) : [character]
            })
    }

    /// - Parameter hasTexts: whether times are texts.
    static func header(
        byDevice: Bool, hasInstants: Bool = false, hasDelivery: Bool = false, hasTexts: Bool = false
    ) -> [UInt8] {
        let first = (hasInstants ? [instant] : []) + (byDevice ? ["device"] : [])
        return header(first + names + (hasDelivery ? deliveryNames : []), hasTexts: hasTexts)
    }
}

extension OutputBuffer {
    /// Appends a time as a cell.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - isText: whether it is a text, which has a year of four digits; any other time is a number.
    mutating func appendCSVTime(_ time: Int64, isText: Bool) {
        guard isText, (-62_167_219_200_000..<253_402_300_800_000).contains(time) else {
            return appendDecimal(time)
        }
        append(Array(InstantText.text(time, offset: 0).utf8).span)
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
