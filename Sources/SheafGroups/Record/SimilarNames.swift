import SheafBytes
import SheafText

/// Known names of members, to find the one that an unknown name is probably a misspelling of.
///
///     threadId ─letters─▶ threadid ─┬─ equal ──────────────────────────▶ thread-id
///                                   └─ bound ≤ ¼ ─▶ distance ≤ ¼ ──────▶ the nearest
///
/// A log may have a different unknown name in each of millions of members. Most of them share so few letters with a
/// known name that a comparison of two masks rules it out; only the others take an edit distance.
package struct SimilarNames: Sendable {
    private let known: [(name: String, word: Word)]
    /// Names that are not misspelled.
    private var exact = SymbolTable()

    /// The longest name that is compared: the known ones have up to 18 letters, of which a quarter may be wrong.
    package static let longestName = 24

    /// - Parameter others: names that resemble the known ones, and are not misspelled either.
    package init(_ names: [String], others: [String] = []) {
        known = names.map { ($0, Word(Array($0.utf8).span)) }
        for name in names + others { _ = exact.symbol(for: Array(name.utf8).span) }
    }

    /// A name's letters, in lower case and without hyphens and underscores.
    package struct Word: Sendable {
        fileprivate var letters: [UInt8] = []
        /// A bit for each letter that occurs; different letters may share one.
        fileprivate var mask: UInt64 = 0

        /// - Parameter name: valid UTF-8. Known names are ASCII, so all other letters are equally different from theirs.
        package init(_ name: Span<UInt8>) {
            letters.reserveCapacity(name.count)
            var all: UInt8 = 0
            for index in name.indices {
                all |= name[index]
                append(name[index])
            }
            guard all >= 0x80 else { return }
            // Case may be folded to ASCII: that of the Kelvin sign is a `k`.
            (letters, mask) = ([], 0)
            for character in name.string.lowercased() { append(character.asciiValue ?? 0xff) }
        }

        private mutating func append(_ byte: UInt8) {
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return }
            let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            let letter = isUpper ? byte | 0x20 : byte
            letters.append(letter)
            mask |= 1 << UInt64(letter & 63)
        }

        /// A lower bound of the distance to another word: each letter that only one of the words has takes an edit.
        fileprivate func minimumDistance(to other: Word) -> Int {
            max(
                abs(letters.count - other.letters.count), (mask & ~other.mask).nonzeroBitCount,
                (other.mask & ~mask).nonzeroBitCount)
        }
    }

    /// Returns the known name that a member's name probably misspells.
    func misspelled(_ name: Span<UInt8>) -> String? {
        guard name.count <= Self.longestName, exact.find(name) ?? 0 == 0 else { return nil }
        return nearest(to: Word(name))
    }

    /// Returns the name that is equal except for case, hyphens and underscores, or else the nearest one with at most one
    /// wrong letter in four; nil if all names are further away.
    package func nearest(to word: Word) -> String? {
        if let same = known.first(where: { $0.word.letters == word.letters }) { return same.name }
        var best: (distance: Int, name: String)?
        for (name, other) in known {
            let limit = min(word.letters.count, name.utf8.count)
            guard word.minimumDistance(to: other) * 4 <= limit else { continue }
            let distance = Suggestion.distance(word.letters, other.letters)
            guard distance * 4 <= limit else { continue }
            if best.map({ (distance, name) < $0 }) ?? true { best = (distance, name) }
        }
        return best?.name
    }
}
