extension CompiledString {
    /// Compiles an entry and checks that it is valid for a role.
    ///
    /// - Parameters:
    ///   - key: the entry's key, for messages.
    ///   - language: the language that it was found in, for messages.
    /// - Throws: `StringFormatError` with the invalid part of the entry and the reason.
    package init(
        _ entry: StringEntry, key: String, language: String, role: Role
    ) throws(StringFormatError) {
        var compiler = StringCompiler(entry, key: key, language: language, role: role)
        self = try compiler.run()
    }
}

/// Compiles one entry.
///
/// Arguments without a written position are numbered by role. In a summary, the kind of conversion determines the
/// argument, as in the formats of a configuration. In an alert, arguments and variables are numbered from 1 in order
/// of appearance; in a variable's form, a number is the variable's own, and other arguments are numbered from the
/// argument after it. If the text as a whole has plural forms, the deciding number is the first that a form uses, and
/// other arguments are numbered from 1, skipping it.
struct StringCompiler {
    private let entry: StringEntry
    private let key: String
    private let language: String
    private let role: CompiledString.Role
    /// Nested variables come before those that refer to them.
    private var variables: [CompiledString.Variable] = []
    /// The compiled variables by name and argument: a text may use a variable with several arguments.
    private var known: [String: [Int: (index: Int, use: Use)]] = [:]

    /// The most that a text uses, whichever forms are shown.
    private struct Use {
        var numbers = 0
        var lists = 0
        var hasVariable = false
        var length = 0

        mutating func add(_ other: Use) {
            numbers += other.numbers
            lists += other.lists
            hasVariable = hasVariable || other.hasVariable
            length += other.length
        }

        mutating func formMaximum(_ other: Use) {
            numbers = max(numbers, other.numbers)
            lists = max(lists, other.lists)
            hasVariable = hasVariable || other.hasVariable
            length = max(length, other.length)
        }
    }

    /// A text's location in the entry, and the state of its argument numbering.
    private struct Context {
        var variable: String?
        var category: PluralCategory?
        /// The argument with the deciding number; nil in a text that is not a form.
        var own: Int?
        /// The number of the next argument without a position.
        var next = 1
        var depth = 0
    }

    init(_ entry: StringEntry, key: String, language: String, role: CompiledString.Role) {
        self.entry = entry
        self.key = key
        self.language = language
        self.role = role
    }

    mutating func run() throws(StringFormatError) -> CompiledString {
        let pieces: [CompiledString.Piece]
        let use: Use
        switch entry.body {
        case .text(let text):
            // A placeholder without a count is literal, whatever else it contains.
            if role == .placeholder, !namesCount(text) { return CompiledString(literal: text) }
            (pieces, use) = try compile(text, in: Context())
        case .plural(let forms):
            let argument = role == .alert ? decidingArgument(of: forms) : 1
            let (index, inner) = try variable(forms, argument: argument, in: Context(own: argument))
            pieces = [.variable(index)]
            use = inner
        }
        if role == .summary, use.numbers == 0, !use.hasVariable { throw error(.noCount, in: Context()) }
        return CompiledString(
            pieces: pieces, variables: variables, takesCount: use.numbers > 0 || use.hasVariable,
            takesArguments: use.lists > 0)
    }

    private func namesCount(_ text: String) -> Bool {
        FormatTokens.tokens(of: text, in: .table).contains {
            switch $0.kind {
            case .number, .variable: true
            default: false
            }
        }
    }

    /// Returns the argument of the first number that a form uses, as numbered among all arguments.
    private func decidingArgument(of forms: [PluralCategory: String]) -> Int {
        for category in [PluralCategory.other, .many, .few, .two, .one, .zero] {
            var next = 1
            for token in FormatTokens.tokens(of: forms[category] ?? "", in: .form) {
                switch token.kind {
                case .number, .ownNumber:
                    let position = token.position ?? next
                    if position > 0 { return position }
                case .argument, .variable: if token.position == nil { next += 1 }
                case .text, .unknown: break
                }
            }
        }
        return 1
    }

    private mutating func compile(
        _ text: String, in start: Context
    ) throws(StringFormatError) -> (pieces: [CompiledString.Piece], use: Use) {
        var context = start
        var pieces: [CompiledString.Piece] = []
        var use = Use()
        for token in FormatTokens.tokens(of: text, in: context.own == nil ? .table : .form) {
            switch token.kind {
            case .text: pieces.append(.text(token.bytes))
            case .unknown: pieces.append(try unknown(token, in: context))
            case .ownNumber, .number:
                guard let argument = try argument(of: token, isNumber: true, in: &context) else {
                    pieces.append(.text(token.bytes))
                    break
                }
                pieces.append(.number(argument, written: token.bytes))
                use.numbers += 1
            case .argument:
                if role == .placeholder { throw error(.argumentsInPlaceholder, in: context) }
                guard let argument = try argument(of: token, isNumber: false, in: &context) else {
                    pieces.append(.text(token.bytes))
                    break
                }
                pieces.append(.argument(argument, written: token.bytes))
                use.lists += 1
            case .variable(let name):
                guard entry.variables[name] != nil else {
                    if role != .alert { throw error(.unknownVariable(name), in: context) }
                    pieces.append(.text(token.bytes))
                    break
                }
                guard let argument = try self.argument(of: token, isNumber: true, in: &context) else {
                    pieces.append(.text(token.bytes))
                    break
                }
                let (index, inner) = try variable(name, argument: argument, in: context)
                pieces.append(.variable(index))
                use.add(inner)
                use.hasVariable = true
            }
            use.length += token.bytes.count
            if use.length > StringLimits.expandedLength { throw error(.tooLong, in: context) }
        }
        if role != .alert {
            if use.numbers > 1 { throw error(.repeated("count"), in: context) }
            if use.lists > 1 { throw error(.repeated("%@"), in: context) }
        }
        return (pieces, use)
    }

    /// Returns the argument that a conversion refers to; nil if no argument has the position, so that the
    /// conversion is literal.
    private func argument(
        of token: FormatTokens.Token, isNumber: Bool, in context: inout Context
    ) throws(StringFormatError) -> Int? {
        if role != .alert {
            let argument = isNumber ? 1 : 2
            var position = token.position
            // A catalog specifies a substitution's argument outside the text.
            if position == nil, case .variable(let name) = token.kind {
                position = entry.variables[name]?.argument
            }
            if let position, position != argument {
                throw error(.wrongPosition(token.text), in: context)
            }
            return argument
        }
        if let position = token.position { return position > 0 ? position : nil }
        if case .variable(let name) = token.kind {
            if let argument = entry.variables[name]?.argument {
                return 1...StringLimits.position ~= argument ? argument : nil
            }
        } else if isNumber, let own = context.own {
            return own
        }
        if context.next == context.own { context.next += 1 }
        guard context.next <= StringLimits.position else { return nil }
        context.next += 1
        return context.next - 1
    }

    private func unknown(
        _ token: FormatTokens.Token, in context: Context
    ) throws(StringFormatError) -> CompiledString.Piece {
        if role == .alert { return .text(token.bytes) }
        throw error(.unknownConversion(token.text), in: context)
    }

    private mutating func variable(
        _ name: String, argument: Int, in context: Context
    ) throws(StringFormatError) -> (index: Int, use: Use) {
        if let known = known[name]?[argument] { return known }
        guard let variable = entry.variables[name] else { throw error(.unknownVariable(name), in: context) }
        guard context.depth < StringLimits.variableDepth else { throw error(.tooDeep, in: context) }
        let inner = Context(variable: name, own: argument, next: argument + 1, depth: context.depth + 1)
        if role != .alert, let type = variable.valueType, !FormatTokens.integers.contains(type) {
            throw error(.notInteger(type), in: inner)
        }
        let result = try self.variable(variable.forms, argument: argument, in: inner)
        known[name, default: [:]][argument] = result
        return result
    }

    /// Compiles the forms of a variable, or of the whole text.
    private mutating func variable(
        _ forms: [PluralCategory: String], argument: Int, in context: Context
    ) throws(StringFormatError) -> (index: Int, use: Use) {
        var compiled: [PluralCategory: [CompiledString.Piece]] = [:]
        var use = Use()
        use.hasVariable = true
        for category in PluralCategory.allCases {
            guard let text = forms[category] else { continue }
            var context = context
            context.category = category
            let (pieces, formUse) = try compile(text, in: context)
            compiled[category] = pieces
            use.formMaximum(formUse)
        }
        // If a table has only a form for 0, it is shown for all numbers: that is better than nothing.
        let categories = PluralCategory.fallbacks + [.zero]
        guard let fallback = categories.lazy.compactMap({ compiled[$0] }).first else {
            throw error(.noForms, in: context)
        }
        let all = PluralCategory.allCases.map { compiled[$0] ?? fallback }
        guard variables.count < StringLimits.variableCount else { throw error(.tooLong, in: context) }
        variables.append(
            CompiledString.Variable(argument: argument, forms: all, hasZero: compiled[.zero] != nil))
        return (variables.count - 1, use)
    }

    private func error(_ problem: StringFormatError.Problem, in context: Context) -> StringFormatError {
        StringFormatError(
            key: key, language: language, variable: context.variable, category: context.category,
            problem: problem
        )
    }
}

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
        /// Variables nested too deep, most often because a variable refers to itself.
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
