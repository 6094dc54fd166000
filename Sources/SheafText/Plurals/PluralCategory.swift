/// CLDR's plural categories: the forms that a language may have for a number.
public enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// Where to look, in this order, when a text lacks the category that a number has: a table may have been written
    /// with another version's rules, or for another language.
    public static let fallbacks: [PluralCategory] = [.other, .many, .few, .two, .one]
}
