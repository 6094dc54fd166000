/// Which of the known words was probably meant.
package enum Suggestion {
    /// "unknown key 'catagories', did you mean 'categories'?"
    package static func message(_ what: String, _ word: String, known: [String]) -> String {
        // No near word is longer than twice a known one, so the rest of a very long word need not be compared.
        let longest = known.reduce(0) { max($0, $1.count) }
        let beginning = String(word.prefix(2 * longest + 1))
        let ranked = known.map { (distance: distance(beginning, $0), word: $0) }
            .sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let nearest = ranked.first else { return "unknown \(what) '\(word)'" }
        if isNear(beginning, nearest.word, distance: nearest.distance) {
            return "unknown \(what) '\(word)', did you mean '\(nearest.word)'?"
        }
        let list = known.map { "'\($0)'" }.joined(separator: ", ")
        return "unknown \(what) '\(word)', the nearest is '\(nearest.word)' (known: \(list))"
    }

    /// The known word that was probably meant; nil when none is near.
    package static func nearest(_ word: String, known: [String]) -> String? {
        known.map { (distance: distance(word, $0), word: $0) }
            .filter { isNear(word, $0.word, distance: $0.distance) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }

    /// Whether one word may be the other, misspelt: no more than half of its letters differ.
    static func isNear(_ word: String, _ known: String, distance: Int) -> Bool {
        distance * 2 <= max(word.count, known.count)
    }

    /// How many letters must be inserted, removed, replaced or swapped with the next one.
    package static func distance(_ first: String, _ second: String) -> Int {
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
