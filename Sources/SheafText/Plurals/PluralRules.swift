/// The rules for the plural category of a count in a language: CLDR's cardinal rules.
///
/// Counts have no fraction and are not written in compact form. The rules are parsed once; evaluating them allocates
/// nothing.
package struct PluralRules: Sendable {
    /// In CLDR's order; no number has two categories.
    private let rules: [(category: PluralCategory, condition: PluralCondition)]
    /// The categories of counts from 0 on: most counts are small, and don't need to be evaluated.
    private var smallCountCategories: [PluralCategory] = []

    /// Creates the rules of a locale: its own, or else those of the closest locale of the same language that it
    /// inherits from. In a language without rules in CLDR, every count is `other`.
    package init(_ locale: LocaleIdentifier) {
        for ancestor in locale.sameLanguageFallbacks {
            guard let rules = LocaleTable.plurals[ancestor] else { continue }
            do {
                try self.init(rules)
                return
            } catch {
                preconditionFailure("CLDR's table of plural rules: \(error)")
            }
        }
        self.init(rules: [])
    }

    /// The rules of English, which nearly every run needs, created without reading the table.
    static let english: PluralRules = {
        do {
            return try PluralRules(englishText)
        } catch {
            preconditionFailure("the plural rules of English: \(error)")
        }
    }()

    static let englishText = "one: i = 1 and v = 0"

    private init(rules: [(category: PluralCategory, condition: PluralCondition)]) {
        self.rules = rules
        smallCountCategories = (0..<128).map { category(of: PluralOperands(integer: $0)) }
    }

    /// Parses rules.
    ///
    /// - Parameter text: the rules, such as `one: i = 1 and v = 0; few: i = 2..4`, or `none`.
    /// - Throws: `PluralSyntaxError` if `text` is not valid.
    init(_ text: some StringProtocol) throws(PluralSyntaxError) {
        var rules: [(category: PluralCategory, condition: PluralCondition)] = []
        for rule in text.split(separator: ";") where text != "none" {
            let parts = rule.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2, let category = PluralCategory(rawValue: String(parts[0])) else {
                throw PluralSyntaxError(expected: "a category and ':'", text: String(rule), offset: 0)
            }
            rules.append((category, try PluralCondition(String(parts[1]))))
        }
        self.init(rules: rules)
    }

    package func category(of count: UInt64) -> PluralCategory {
        if count < UInt64(smallCountCategories.count) {
            return smallCountCategories[Int(truncatingIfNeeded: count)]
        }
        return category(of: PluralOperands(integer: count))
    }

    func category(of number: PluralOperands) -> PluralCategory {
        for rule in rules where rule.condition.holds(for: number) { return rule.category }
        return .other
    }
}

/// CLDR's plural categories: the forms that a language may have for a number.
package enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The categories to try, in this order, if a text lacks the category of a number: a table may have been written
    /// with the rules of another version or of another language.
    package static let fallbacks: [PluralCategory] = [.other, .many, .few, .two, .one]
}
