/// A table's entry for a key in a language: a text, or one for each plural category, and the variables in it.
package struct StringEntry: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        /// A text that may contain conversions (`%@`, `%u`) and variables (`%#@episodes@`).
        case text(String)
        /// A text for each plural category, as in a catalog if the text depends on one number.
        case plural([PluralCategory: String])
    }

    package var body: Body
    /// Variables by name.
    package var variables: [String: StringVariable]

    package init(_ body: Body, variables: [String: StringVariable] = [:]) {
        self.body = body
        self.variables = variables
    }
}

/// A part of a text that depends on a number.
package struct StringVariable: Sendable, Equatable {
    /// The number's position among the arguments, from 1, if the variable itself specifies it (`argNum`); nil if the
    /// text's reference to the variable does.
    package var argument: Int?
    /// The type in the number's conversion, such as `d` or `lld`; nil if not specified.
    package var valueType: String?
    package var forms: [PluralCategory: String]

    package init(argument: Int? = nil, valueType: String? = nil, forms: [PluralCategory: String]) {
        self.argument = argument
        self.valueType = valueType
        self.forms = forms
    }
}
