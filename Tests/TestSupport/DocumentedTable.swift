/// A table on one of the pages of the documentation.
package enum DocumentedTable {
    /// The page lacks a table with the header.
    package struct Missing: Error {
        let header: String
    }

    /// Returns the rows of the table with a header: the names in the first cell, and the other cells.
    package static func rows(_ header: String, of page: String) throws -> [(names: [String], text: String)] {
        let lines = String(decoding: try Repository.contents(of: page), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == header }) else { throw Missing(header: header) }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.dropFirst().split(separator: "|", maxSplits: 1)
            return (cells[0].matches(of: /`([^`]+)`/).map { String($0.1) }, String(cells[1]))
        }
    }

    /// Returns the names in the first column.
    package static func names(_ header: String, of page: String) throws -> [String] {
        try rows(header, of: page).flatMap(\.names)
    }
}
