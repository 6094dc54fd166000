/// An error in a table's text for its role, with the part of the text that has it.
package struct StringFormatError: Error, Equatable, Sendable {
    package enum Problem: Equatable, Sendable {
        /// An unsupported conversion, as written.
        case unknownConversion(String)
        case wrongPosition(String)
        case repeated(String)
        case noCount
        case argumentsInPlaceholder
        case unknownVariable(String)
        /// A variable whose value type is not an integer, with its type.
        case notInteger(String)
        case noForms
        /// Variables nested too deep, most often because one refers to itself.
        case tooDeep
        case tooLong
    }

    package let key: String
    package let language: String
    /// The variable with the error; nil for the text itself.
    package let variable: String?
    package let category: PluralCategory?
    package let problem: Problem

    package init(
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
    package var description: String {
        var location = "the key '\(key)' in \(language)"
        if let variable { location += ", variable '\(variable)'" }
        if let category { location += ", form '\(category.rawValue)'" }
        return "\(location): \(problem)"
    }
}

extension StringFormatError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownConversion(let text):
            "'\(text)' is not a supported conversion (\(FormatTokens.conversions) %#@name@)"
        case .wrongPosition(let text): FormatTokens.wrongPosition(text)
        case .repeated(let what): "more than one \(what) in a text"
        case .noCount: "a summary needs a count, such as %u, or a variable with plural forms"
        case .argumentsInPlaceholder: FormatTokens.argumentsInPlaceholder
        case .unknownVariable(let name): "unknown variable '\(name)'"
        case .notInteger(let type): "value type '\(type)' is not an integer: use u, d, lu, ld, llu or lld"
        case .noForms: "no form for any plural category"
        case .tooDeep:
            "variables nested deeper than \(StringLimits.variableDepth) levels: does one refer to itself?"
        case .tooLong: "more than \(StringLimits.expandedLength) bytes with its variables expanded"
        }
    }
}
