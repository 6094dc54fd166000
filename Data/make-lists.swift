// Generates Sheaf's tables of lists and digits from Foundation: each locale's list patterns and digits, the list items
// that it isolates, and the known locales.
//
//     swift Data/make-lists.swift
//
// Sheaf does not use Foundation's formatters at run time: they would load ICU with all its data into every process,
// which takes 5 MiB and 5 ms. A build does not need this script: the source is in the repository, and a test compares
// it with the Foundation that it is built with.

import Foundation

/// The maximum length of a row's line: the sources' 110 columns without the indentation and a continuation.
let width = 100

let locales = Locale.availableIdentifiers.filter { $0 != "root" }.sorted()

// MARK: - Foundation's data

func list(_ items: [String], in locale: String) -> String {
    items.formatted(.list(type: .and, width: .standard).locale(Locale(identifier: locale)))
}

/// A list of the numbers from 1 to `count`, such as "1, 2, and 3".
func sample(_ count: Int, in locale: String) -> String {
    let items = Array(["①", "②", "③", "④", "⑤"].prefix(count))
    // Hebrew and Thai use another separator next to items in other scripts; it is the one in the table.
    var text = list(items, in: locale)
    precondition(!text.contains(where: \.isASCIIDigitOrBar), "\(locale): ambiguous separator")
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
            "\(locale): digits are not consecutive")
    }
    return String(digits[0].first!.value, radix: 16)
}

/// Whether the locale isolates items that run from right to left. Each locale isolates exactly one direction.
func isolatesRightToLeft(_ locale: String) -> Bool {
    let isolates = ["א", "a"].map { list([$0], in: locale) != $0 }
    precondition(isolates[0] != isolates[1], "\(locale): isolates both directions or neither")
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

/// The parent of a locale, which is the locale without its last part; nil for a language.
func parent(_ locale: String) -> String? {
    locale.lastIndex(of: "_").map { String(locale[..<$0]) }
}

/// The locales with each value, without those that inherit it. Languages without a row have the value `rest`.
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

/// A row for each language, or language and script, with its regions; the region with most of its readers comes first.
/// If a language has several scripts, the most widely read one precedes the regions.
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

/// Wraps words into lines of at most `width` characters.
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
    // Generated by Data/make-lists.swift from Foundation's list and number styles. Do not edit by hand.
    // The tables share a file because they belong to the same version of Foundation.

    /// The list patterns and digits of locales, and the known locales.
    ///
    /// A locale without a row uses the row of the locale without its last part: `de_AT` uses that of `de`.
    enum ListTables {
        /// A list of two | of three | of five | locales. All others use "\(sample(2, in: "root"))", "\(sample(3, in: "root"))".
        static let lists = \"""
    \(table(lists))
            \"""

        /// The code point of the digit zero, which the other digits follow | locales. All others use ASCII digits.
        static let zeros = \"""
    \(table(rows(rest: "30", zero)))
            \"""

        /// `yes` if text runs from right to left, else `no` | locales. All others use `no`.
        static let rightToLeft = \"""
    \(table(rows(rest: "no") { isolatesRightToLeft($0) ? "no" : "yes" }))
            \"""

        /// Each language with its regions. The region with most of the language's readers comes first, preceded by
        /// their script if the language has several.
        static let locales = \"""
    \(table(regions()))
            \"""

        /// Characters that cause an item to be isolated where text runs from left to right.
        static let rightToLeftCharacters = \"""
    \(lines(hexadecimal(isolated(in: "en"))))
            \"""

        /// Characters that cause an item to be isolated where text runs from right to left.
        static let leftToRightCharacters = \"""
    \(lines(hexadecimal(isolated(in: "he"))))
            \"""
    }

    """
let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
try source.write(
    to: folder.appendingPathComponent("Sources/SheafText/Locales/ListTables.swift"), atomically: true, encoding: .utf8)
