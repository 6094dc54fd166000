/// What a table has for one key in one language: a text, or one for each class of numbers, and the variables in it.
public struct StringEntry: Sendable, Equatable {
    public enum Body: Sendable, Equatable {
        /// One text, with conversions (`%@`, `%u`) and variables (`%#@episodes@`) in it.
        case text(String)
        /// A text for each class of numbers, as catalogs have it where there is one number.
        case plural([PluralCategory: String])
    }

    public var body: Body
    /// By name.
    public var variables: [String: StringVariable]

    public init(_ body: Body, variables: [String: StringVariable] = [:]) {
        self.body = body
        self.variables = variables
    }
}

/// A part of a text that depends on a number.
public struct StringVariable: Sendable, Equatable {
    /// The number's place among the arguments, from 1, where the variable itself says it (`argNum`); nil: where the
    /// text refers to it.
    public var argument: Int?
    /// How the number would be converted: `d`, `lld`; nil where nothing is said.
    public var valueType: String?
    public var forms: [PluralCategory: String]

    public init(argument: Int? = nil, valueType: String? = nil, forms: [PluralCategory: String]) {
        self.argument = argument
        self.valueType = valueType
        self.forms = forms
    }
}
