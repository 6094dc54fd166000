import TestSupport
import Testing

/// A table on one of the pages of the documentation.
enum DocumentedTable {
    /// Returns the rows of the table with a header: the names in the first cell, and the other cells.
    static func rows(_ header: String, of page: String) throws -> [(names: [String], text: String)] {
        let lines = String(decoding: try Repository.contents(of: page), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == header }, "\(header)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.dropFirst().split(separator: "|", maxSplits: 1)
            return (cells[0].matches(of: /`([^`]+)`/).map { String($0.1) }, String(cells[1]))
        }
    }

    /// Returns the names in the first column.
    static func names(_ header: String, of page: String) throws -> [String] {
        try rows(header, of: page).flatMap(\.names)
    }
}
