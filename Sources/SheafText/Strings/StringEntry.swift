/// A table's entry for a key in a language: a text, or one for each plural category, and the variables in it.
public struct StringEntry: Sendable, Equatable {
    public enum Body: Sendable, Equatable {
        /// A text that may contain conversions (`%@`, `%u`) and variables (`%#@episodes@`).
        case text(String)
        /// A text for each plural category, as in a catalog if the text depends on one number.
        case plural([PluralCategory: String])
    }

    public var body: Body
    /// Variables by name.
    public var variables: [String: StringVariable]

    public init(_ body: Body, variables: [String: StringVariable] = [:]) {
        self.body = body
        self.variables = variables
    }
}

/// A part of a text that depends on a number.
public struct StringVariable: Sendable, Equatable {
    /// The number's position among the arguments, from 1, if the variable itself specifies it (`argNum`); nil if the
    /// text's reference to the variable does.
    public var argument: Int?
    /// The type in the number's conversion, such as `d` or `lld`; nil if not specified.
    public var valueType: String?
    public var forms: [PluralCategory: String]

    public init(argument: Int? = nil, valueType: String? = nil, forms: [PluralCategory: String]) {
        self.argument = argument
        self.valueType = valueType
        self.forms = forms
    }
}
