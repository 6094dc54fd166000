import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// The known name that an unknown one is probably a misspelling of.
@Suite struct SimilarNamesTests {
    /// A name, and the known one that is similar.
    typealias Name = Example<String, String?>

    private static let known = ["ids", "thread", "thread-id", "device-token", "mutable-content", "alert"]

    private func nearest(_ name: String, among known: [String] = known) -> String? {
        SimilarNames(known).nearest(to: SimilarNames.Word(Array(name.utf8).span))
    }

    @Test(arguments: [
        Name("another case", "Thread", "thread"),
        Name("without its hyphen", "threadId", "thread-id"),
        Name("an underscore", "device_token", "device-token"),
        Name("a letter too many", "thhread", "thread"),
        Name("a letter too few", "theadid", "thread-id"),
        Name("letters swapped", "mutable-conetnt", "mutable-content"),
        Name("a quarter of the letters", "mutablecxxxent", "mutable-content"),
        Name("more than a quarter", "mutablexxxxent", nil),
        Name("a short name with a wrong letter", "idx", nil),
        Name("a short name in another case", "IDs", "ids"),
        Name("the nearer of two", "thread-ix", "thread-id"),
        Name("nothing in common", "order", nil),
        Name("empty", "", nil),
        Name("only hyphens", "-_-", nil),
        Name("a letter outside ASCII", "thréad", "thread"),
        Name("the Kelvin sign", "device-to\u{212a}en", "device-token"),
        Name("letters outside ASCII only", "тред", nil),
    ])
    func aNameHasTheNearestKnownOne(_ name: Name) {
        #expect(nearest(name.input) == name.expected)
    }

    /// The masks rule out no name that the distances would find.
    @Test(arguments: Seeds.several(4))
    func theResultIsThatOfAllDistances(_ seed: UInt64) {
        func letters(_ text: String) -> String { text.lowercased().filter { $0 != "-" && $0 != "_" } }
        var random = SeededGenerator(seed: seed)
        let alphabet: [Character] = Array("abcdeit-_DEé")
        let names = (0..<20).map { _ in
            String((0..<random.below(12)).map { _ in random.pick(Array("abcdeit-")) })
        }
        for _ in 0..<500 {
            var name = Array(random.chance(70) ? random.pick(names) : "")
            for _ in 0..<random.below(4) {
                name.insert(random.pick(alphabet), at: random.below(name.count + 1))
            }
            let word = letters(String(name))
            var expected = names.first { letters($0) == word }
            if expected == nil {
                expected =
                    names.map { (distance: Suggestion.distance(word, letters($0)), name: $0) }
                    .filter { $0.distance * 4 <= min(word.count, $0.name.count) }
                    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
            }
            #expect(nearest(String(name), among: names) == expected, "\(String(name)) among \(names)")
        }
    }
}
