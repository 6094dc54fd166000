/// CLDR's plural categories: the forms that a language may have for a number.
package enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The categories to try, in this order, if a text lacks the category of a number: a table may have been written
    /// with the rules of another version or of another language.
    package static let fallbacks: [PluralCategory] = [.other, .many, .few, .two, .one]
}
