// Makes what Sheaf knows of lists and digits out of Foundation: how each locale joins a list, which digits it has, which
// items it isolates, and which locales there are.
//
//     swift Data/make-lists.swift
//
// Foundation's own formatters are not used when Sheaf runs: they would bring ICU with all its data into every process,
// which takes 5 MiB and 5 ms. A build needs none of this: the source is in the repository, and a test compares it with
// the Foundation that it is built with.

import Foundation

/// Of a row's line: the sources' 110 without the indentation and a continuation.
let width = 100

let locales = Locale.availableIdentifiers.filter { $0 != "root" }.sorted()

// MARK: - What Foundation says

func list(_ items: [String], in locale: String) -> String {
    items.formatted(.list(type: .and, width: .standard).locale(Locale(identifier: locale)))
}

/// "1, 2, and 3" of the items' numbers.
func sample(_ count: Int, in locale: String) -> String {
    let items = Array(["①", "②", "③", "④", "⑤"].prefix(count))
    // Hebrew and Thai have another joint beside what is not of their script; that one is the rule.
    var text = list(items, in: locale)
    precondition(!text.contains(where: \.isASCIIDigitOrBar), "\(locale): a joint with what stands for an item")
    for (index, item) in items.enumerated() {
        text = text.replacingOccurrences(of: item, with: "\(index + 1)")
    }
    return text.replacingOccurrences(of: "\u{2068}", with: "").replacingOccurrences(of: "\u{2069}", with: "")
}

extension Character {
    var isASCIIDigitOrBar: Bool { self == "|" || ("0"..."9").contains(self) }
}

func zero(of locale: String) -> String {
    let style = IntegerFormatStyle<Int>(locale: Locale(identifier: locale)).grouping(.never)
    let digits = (0...9).map(style.format).map(\.unicodeScalars)
    for (index, digit) in digits.enumerated() {
        precondition(
            digit.count == 1 && Int(digit.first!.value) == Int(digits[0].first!.value) + index,
            "\(locale): digits that do not follow each other")
    }
    return String(digits[0].first!.value, radix: 16)
}

/// Whether the locale isolates what runs from right to left; each isolates one of both.
func isolatesRightToLeft(_ locale: String) -> Bool {
    let isolates = ["א", "a"].map { list([$0], in: locale) != $0 }
    precondition(isolates[0] != isolates[1], "\(locale): isolates both directions, or none")
    return isolates[0]
}

/// The characters that the locale isolates.
func isolated(in locale: String) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    for scalar in (UInt32(0)...0x10_ffff).compactMap(Unicode.Scalar.init) {
        let item = String(Character(scalar))
        guard !list([item], in: locale).utf8.elementsEqual(item.utf8) else { continue }
        if let last = ranges.last, last.upperBound + 1 == scalar.value {
            ranges[ranges.count - 1] = last.lowerBound...scalar.value
        } else {
            ranges.append(scalar.value...scalar.value)
        }
    }
    return ranges
}

// MARK: - Rows

/// A locale without its last part, from which it inherits here; nil behind a language.
func parent(_ locale: String) -> String? {
    locale.lastIndex(of: "_").map { String(locale[..<$0]) }
}

/// Locales by value, without those that have their parent's; a language without a row has `rest`.
func rows(rest: String, _ value: (String) -> String) -> [(value: String, locales: [String])] {
    let values = Dictionary(uniqueKeysWithValues: locales.map { ($0, value($0)) })
    func inherited(_ locale: String) -> String {
        guard let parent = parent(locale) else { return rest }
        return values[parent] ?? inherited(parent)
    }
    var rows: [String: [String]] = [:]
    for locale in locales where values[locale] != inherited(locale) {
        rows[values[locale]!, default: []].append(locale)
    }
    return rows.map { ($0.key, $0.value) }.sorted { $0.locales[0] < $1.locales[0] }
}

/// Languages, with a script where it is named, each with its regions: the one where most of its readers are comes first.
/// A language that has scripts has the one that most of its readers read before them.
func regions() -> [String] {
    var regions: [String: [String]] = [:]
    for locale in locales {
        let parts = locale.split(separator: "_")
        if let parent = parent(locale), 2...3 ~= parts[parts.count - 1].count, parts.count > 1 {
            regions[parent, default: []].append(String(parts[parts.count - 1]))
        } else {
            regions[locale, default: []] += []
        }
    }
    return regions.sorted { $0.key < $1.key }.map { language, regions in
        let maximal = Locale.Language(identifier: language).maximalIdentifier
        let likely = Locale.Language(identifier: maximal).region?.identifier
        let script = Locale.Language(identifier: maximal).script?.identifier
        let isWritten = script.map { locales.contains("\(language)_\($0)") } ?? false
        let sorted = regions.sorted { ($0 == likely ? 0 : 1, $0) < ($1 == likely ? 0 : 1, $1) }
        return ([language] + (isWritten ? [script!] : []) + sorted).joined(separator: " ")
    }
}

/// Words over as many lines as they need.
func lines(_ text: String) -> String {
    var lines: [String] = [""]
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        if lines[lines.count - 1].count + word.count + 1 > width { lines.append("") }
        if lines[lines.count - 1].isEmpty { lines[lines.count - 1] = String(word) } else { lines[lines.count - 1] += " \(word)" }
    }
    return lines.map { "        " + $0 }.joined(separator: " \\\n")
}

func hexadecimal(_ ranges: [ClosedRange<UInt32>]) -> String {
    ranges.map { range in
        let (first, last) = (String(range.lowerBound, radix: 16), String(range.upperBound, radix: 16))
        return first == last ? first : "\(first)-\(last)"
    }.joined(separator: " ")
}

func table(_ rows: [String]) -> String { rows.map(lines).joined(separator: "\n") }

func table(_ rows: [(value: String, locales: [String])]) -> String {
    table(rows.map { "\($0.value) | \($0.locales.joined(separator: " "))" })
}

let lists = rows(rest: sample(2, in: "root") + " | " + sample(3, in: "root") + " | " + sample(5, in: "root")) {
    [sample(2, in: $0), sample(3, in: $0), sample(5, in: $0)].joined(separator: " | ")
}
let source = """
    // Made by Data/make-lists.swift from Foundation's list and number styles. Not to be edited by hand.
    // One file, because one run of Foundation makes it: its tables go together.

    /// How locales write lists and numbers, and which locales there are.
    ///
    /// Of a locale that has no row, that of what is left without its last part counts: of `de_AT` that of `de`.
    enum ListTables {
        /// A list of two | of three | of five | locales. Of all others "\(sample(2, in: "root"))", "\(sample(3, in: "root"))".
        static let lists = \"""
    \(table(lists))
            \"""

        /// The digit zero, as a character's number; the others follow it | locales. Of all others ASCII's.
        static let zeros = \"""
    \(table(rows(rest: "30", zero)))
            \"""

        /// Locales whose texts run from right to left (yes), and those that differ from their language's (no).
        static let rightToLeft = \"""
    \(table(rows(rest: "no") { isolatesRightToLeft($0) ? "no" : "yes" }))
            \"""

        /// Languages, regions: the one where most of a language's readers are comes first, before it their script, where a
        /// language has several.
        static let locales = \"""
    \(table(regions()))
            \"""

        /// Characters for which an item is isolated where texts run from left to right.
        static let rightToLeftCharacters = \"""
    \(lines(hexadecimal(isolated(in: "en"))))
            \"""

        /// The same where texts run from right to left.
        static let leftToRightCharacters = \"""
    \(lines(hexadecimal(isolated(in: "he"))))
            \"""
    }

    """
let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
try source.write(
    to: folder.appendingPathComponent("Sources/SheafText/Locales/ListTables.swift"), atomically: true, encoding: .utf8)
