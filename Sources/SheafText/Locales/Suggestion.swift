import SheafBytes

/// Suggestions of known words for unknown ones.
package enum Suggestion {
    /// Returns a message such as "unknown key 'catagories', did you mean 'categories'?".
    package static func message(_ what: String, _ word: String, known: [String]) -> String {
        // A similar word is at most twice as long as a known word, so the end of a very long word need not be
        // compared.
        let longest = known.reduce(0) { max($0, $1.count) }
        let beginning = String(word.prefix(2 * longest + 1))
        let ranked = known.map { (distance: distance(beginning, $0), word: $0) }
            .ordered { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let nearest = ranked.first else { return "unknown \(what) '\(word)'" }
        if isNear(beginning, nearest.word, distance: nearest.distance) {
            return "unknown \(what) '\(word)', did you mean '\(nearest.word)'?"
        }
        let list = known.map { "'\($0)'" }.joined(separator: ", ")
        return "unknown \(what) '\(word)', the nearest is '\(nearest.word)' (known: \(list))"
    }

    /// Returns the known word that was probably meant; nil if no word is similar.
    package static func nearest(_ word: String, known: [String]) -> String? {
        known.map { (distance: distance(word, $0), word: $0) }
            .filter { isNear(word, $0.word, distance: $0.distance) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }

    /// Returns whether a word may be a misspelling of the other: at most half of the letters differ.
    static func isNear(_ word: String, _ known: String, distance: Int) -> Bool {
        distance * 2 <= max(word.count, known.count)
    }

    /// Returns the number of letters that must be inserted, removed, replaced or swapped with the next letter.
    package static func distance(_ first: String, _ second: String) -> Int {
        distance(Array(first.lowercased()), Array(second.lowercased()))
    }

    /// The same for letters that differ unless they are equal. O(a · b).
    package static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
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
