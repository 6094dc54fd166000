import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// The generated tables match CLDR's data.
@Suite struct PluralDataTests {
    @Test func rulesMatchTheFile() throws {
        let data = try PluralData("plurals.xml")
        #expect(data.elements["version"] == [["cldrVersion": CLDRTables.version]])
        var rules: [String: String] = [:]
        for row in data.rows {
            for locale in row.locales { rules[locale] = row.text }
        }
        var generated: [String: String] = [:]
        for row in LocaleTable.plurals.rows {
            for locale in row.locales { generated[String(locale)] = String(row.value) }
        }
        #expect(generated == rules)
        #expect(LocaleTable.plurals.rows.reduce(0) { $0 + $1.locales.count } == rules.count)
        // Each distinct set of rules has one row.
        #expect(Set(LocaleTable.plurals.rows.map(\.value)).count == LocaleTable.plurals.rows.count)
    }

    @Test func localesMatchTheFile() throws {
        let elements = try PluralData("locales.xml").elements
        #expect(elements["version"] == [["cldrVersion": CLDRTables.version]])

        let likely = try #require(elements["likelySubtag"])
        #expect(likely.count == CLDRTables.scripts.locales.count)
        for element in likely {
            let short = try #require(LocaleIdentifier(element["from"] ?? ""))
            #expect(short.identifier == element["to"])
        }

        let parents = try #require(elements["parentLocale"])
        #expect(parents.map { "\($0["parent"]!) | \($0["locales"]!)" } == CLDRTables.parents.rows)
    }

    /// Every integer sample of every locale has its category, both as a count and in the compact form of some samples.
    @Test func samplesHaveTheirCategories() throws {
        var locales = 0
        var samples = 0
        for row in try PluralData("plurals.xml").rows {
            for locale in row.locales {
                locales += 1
                // `root` is not a locale identifier.
                let rules = try LocaleIdentifier(locale).map(PluralRules.init) ?? PluralRules(row.text)
                for rule in row.rules {
                    for sample in rule.samples {
                        for number in try Self.numbers(sample) {
                            samples += 1
                            let (name, expected) = (
                                "\(locale) \(sample)", PluralCategory(rawValue: rule.category)
                            )
                            #expect(rules.category(of: number) == expected, "\(name)")
                            #expect(rules.category(of: number.integer) == expected, "\(name)")
                        }
                    }
                }
            }
        }
        #expect(locales == 227)
        #expect(samples == 5_864)
    }

    /// ICU's categories for counts, in rows of locales with the same ones.
    private struct Samples: Decodable {
        struct Row: Decodable {
            let locales: String
            let categories: String
        }

        let version: String
        let counts: [UInt64]
        let rows: [Row]
    }

    /// Every count has the category that ICU assigns to it, in each locale with rules and in those that inherit them.
    @Test func categoriesAreThoseOfICU() throws {
        let file = try Repository.contents(of: "Data/cldr/plural-samples.json")
        let samples = try JSONDecoder().decode(Samples.self, from: file)
        #expect(samples.version == CLDRTables.version)
        #expect(samples.counts.count > 60)
        var compared: Set<String> = []
        for row in samples.rows {
            let expected = row.categories.split(separator: " ").map(String.init)
            for locale in row.locales.split(separator: " ").map(String.init) {
                let rules = PluralRules(try #require(LocaleIdentifier(locale)))
                let found = samples.counts.map { rules.category(of: $0).rawValue }
                #expect(found == expected, "\(locale)")
                #expect(compared.insert(locale).inserted, "\(locale)")
            }
        }
        #expect(compared.count == 984)
        // `root` is not a locale, and ICU replaces the deprecated `sh` by `sr_Latn`.
        let ruled = LocaleTable.plurals.rows.flatMap { $0.locales.map(String.init) }
        #expect(Set(ruled).subtracting(compared) == ["root", "sh"])
    }

    /// Parses samples such as `7`, `0~15` and `2c6`.
    private static func numbers(_ sample: String) throws -> [PluralOperands] {
        if sample.contains("~") {
            let bounds = try sample.split(separator: "~").map { try #require(UInt64($0)) }
            try #require(bounds.count == 2)
            return (bounds[0]...bounds[1]).map { PluralOperands(integer: $0) }
        }
        let parts = try sample.split(separator: "c").map { try #require(UInt64($0)) }
        try #require(parts.count <= 2)
        let exponent = parts.count == 2 ? parts[1] : 0
        return [
            PluralOperands(
                integer: (0..<exponent).reduce(parts[0]) { value, _ in value * 10 }, exponent: exponent)
        ]
    }
}

extension String {
    /// The rows of a table, and the locales in its second column.
    fileprivate var rows: [String] { split(separator: "\n").map(String.init) }
    fileprivate var locales: [Substring] {
        rows.flatMap { $0.split(separator: "|")[1].split(separator: " ") }
    }
}
