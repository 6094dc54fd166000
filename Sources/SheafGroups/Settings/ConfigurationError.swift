/// What is wrong with a configuration, and where.
public struct ConfigurationError: Error, Equatable, Sendable {
    public let file: String
    /// Counted from 1; nil where the place is not known.
    public let line: Int?
    /// The keys from the top to the place.
    public let keys: [String]
    public let message: String

    public init(file: String, line: Int?, keys: [String], message: String) {
        self.file = file
        self.line = line
        self.keys = keys
        self.message = message
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        var place = file
        if let line { place += ":\(line)" }
        if !keys.isEmpty {
            place += ": " + keys.map { $0.contains(".") ? "\"\($0)\"" : $0 }.joined(separator: ".")
        }
        return "\(place): \(message)"
    }
}

/// Which of the known words was probably meant.
enum Suggestion {
    /// "unknown key 'catagories', did you mean 'categories'?"
    static func message(_ what: String, _ word: String, known: [String]) -> String {
        let ranked = known.map { (distance: distance(word, $0), word: $0) }
            .sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let nearest = ranked.first else { return "unknown \(what) '\(word)'" }
        if nearest.distance * 2 <= max(word.count, nearest.word.count) {
            return "unknown \(what) '\(word)', did you mean '\(nearest.word)'?"
        }
        let list = known.map { "'\($0)'" }.joined(separator: ", ")
        return "unknown \(what) '\(word)', the nearest is '\(nearest.word)' (known: \(list))"
    }

    /// How many letters must be inserted, removed, replaced or swapped with the next one.
    static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first.lowercased())
        let b = Array(second.lowercased())
        var rows = [Array(0...b.count)]
        for i in 1...max(1, a.count) where i <= a.count {
            var row = [i]
            for j in 1...max(1, b.count) where j <= b.count {
                var best = min(
                    rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
