/// What is wrong with a table's text for the place where it is to be shown, and in which of its parts.
public struct StringFormatError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// A `%` that starts nothing that the text may hold; as it was written.
        case unknownConversion(String)
        case wrongPosition(String)
        case repeated(String)
        case noCount
        case argumentsInPlaceholder
        case unknownVariable(String)
        /// A variable of no whole number; its value type.
        case noWholeNumber(String)
        case noForms
        /// Variables in variables, more levels than may be: most often one that holds itself.
        case tooDeep
        case tooLong
    }

    public let key: String
    public let language: String
    /// nil in the text itself.
    public let variable: String?
    public let category: PluralCategory?
    public let problem: Problem

    public init(
        key: String, language: String, variable: String? = nil, category: PluralCategory? = nil,
        problem: Problem
    ) {
        self.key = key
        self.language = language
        self.variable = variable
        self.category = category
        self.problem = problem
    }
}

extension StringFormatError: CustomStringConvertible {
    public var description: String {
        var place = "the key '\(key)' in \(language)"
        if let variable { place += ", variable '\(variable)'" }
        if let category { place += ", form '\(category.rawValue)'" }
        return "\(place): \(problem)"
    }
}

extension StringFormatError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownConversion(let text):
            "'\(text)' is not a conversion that a text may hold (%u %d %lu %ld %llu %lld %@ %% %#@name@)"
        case .wrongPosition(let text):
            "'\(text)' has the wrong position: the count is argument 1, the list argument 2"
        case .repeated(let what): "more than one \(what) in a text"
        case .noCount: "a summary needs a count, such as %u, or a variable with plural forms"
        case .argumentsInPlaceholder: "a placeholder has no arguments for %@"
        case .unknownVariable(let name): "there is no variable '\(name)'"
        case .noWholeNumber(let type): "its value type is '\(type)': a count is one of u d lu ld llu lld"
        case .noForms: "no form for any plural category"
        case .tooDeep:
            "variables in variables, more than \(StringLimits.variableDepth) levels: does one hold itself?"
        case .tooLong: "more than \(StringLimits.expandedLength) bytes with its variables in it"
        }
    }
}
