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

    /// The name of the option's value.
    var name: String {
        switch self {
        case .ndjson: "ndjson"
        case .json: "json"
        case .csv: "csv"
        case .text: "text"
        }
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
