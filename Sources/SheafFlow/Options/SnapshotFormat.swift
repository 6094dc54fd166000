/// How a snapshot is written.
public enum SnapshotFormat: Sendable, Equatable {
    /// A JSON object a line (specification §10).
    case ndjson
    /// The same objects in one list.
    case json
    /// A line of cells a group, below one with the columns' names (RFC 4180).
    case csv
    /// What a person sees on the screen.
    case text(TextStyle)

    /// Between two objects of a list, and before the first one, where its comma is dropped.
    static let jsonSeparator: StaticString = ",\n"
    /// Between two groups of a text.
    static let textSeparator: StaticString = "\n"

    /// How many bytes of the first group's are not written.
    var firstDropped: Int {
        switch self {
        case .ndjson, .csv: 0
        case .json: 1
        case .text: Self.textSeparator.utf8CodeUnitCount
        }
    }

    /// What stands before all groups.
    func header(byDevice: Bool) -> [UInt8] {
        switch self {
        case .ndjson, .text: []
        case .json: Array("[".utf8)
        case .csv: CSVColumns.header(byDevice: byDevice)
        }
    }

    /// What stands behind all groups.
    var footer: [UInt8] {
        switch self {
        case .ndjson, .csv, .text: []
        case .json: Array("\n]\n".utf8)
        }
    }
}

/// How a snapshot looks that a person reads.
public struct TextStyle: Sendable, Equatable {
    /// How many columns a line has; nil: as many as it takes.
    public var width: Int?
    /// Whether names and summaries are set off by colours.
    public var hasColours: Bool

    public init(width: Int? = nil, hasColours: Bool = false) {
        self.width = width
        self.hasColours = hasColours
    }
}
