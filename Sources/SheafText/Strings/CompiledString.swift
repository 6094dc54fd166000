import SheafBytes

/// A table's text, parsed and validated once so that it can be shown any number of times.
///
///     "%#@episodes@ from %2$@"  →  [variable 0, text " from ", argument 2]
///     episodes: one, other      →  variable 0, of argument 1: [text "1 more episode"],
///                                  [number 1, text " more episodes"]
///
/// Invariants: a variable's forms refer only to variables with smaller indices, so that expansion terminates; there
/// is a form for each category; no text is longer than `StringLimits.expandedLength` before its arguments are
/// inserted.
package struct CompiledString: Sendable, Hashable {
    package enum Piece: Sendable, Hashable {
        case text([UInt8])
        /// An argument, from 1, as a number. If there is no such argument, the written conversion remains.
        case number(Int, written: [UInt8])
        /// An argument, from 1, inserted unchanged.
        case argument(Int, written: [UInt8])
        /// The index of a variable.
        case variable(Int)
    }

    package struct Variable: Sendable, Hashable {
        /// The argument that decides the form, from 1.
        let argument: Int
        /// One form for each category, in the order of `PluralCategory.allCases`, with fallbacks filled in.
        let forms: [[Piece]]
        /// Whether there is a form for the number 0, which applies in every language (Apple, "Foundation Release
        /// Notes for OS X v10.9").
        let hasZero: Bool

        func form(_ category: PluralCategory) -> [Piece] {
            switch category {
            case .zero: forms[0]
            case .one: forms[1]
            case .two: forms[2]
            case .few: forms[3]
            case .many: forms[4]
            case .other: forms[5]
            }
        }
    }

    /// The use of a text, which determines what it may contain.
    package enum Role: Sendable, Equatable {
        /// A count, argument 1, which is required but shown at most once; optionally a list, argument 2.
        case summary
        /// Optionally a count. Without a count, the text is literal, whatever else it contains.
        case placeholder
        /// Any number of arguments, all of them strings. An invalid conversion is literal.
        case alert
    }

    let pieces: [Piece]
    package let variables: [Variable]
    /// Whether the text depends on the count.
    package let takesCount: Bool
    /// Whether a form of the text uses arguments (`%@`).
    package let takesArguments: Bool

    init(pieces: [Piece], variables: [Variable], takesCount: Bool, takesArguments: Bool) {
        self.pieces = pieces
        self.variables = variables
        self.takesCount = takesCount
        self.takesArguments = takesArguments
    }

    /// Creates a text without conversions.
    init(literal text: String) {
        let bytes = Array(text.utf8)
        self.init(
            pieces: bytes.isEmpty ? [] : [.text(bytes)], variables: [], takesCount: false,
            takesArguments: false)
    }

    /// Appends the text with a count, and with a list if it takes arguments. Allocates only the output's memory.
    ///
    /// - Parameters:
    ///   - count: argument 1.
    ///   - arguments: appends argument 2; called only if the form that is shown uses it.
    ///   - rules: the plural rules of the language that the text was found in.
    ///   - texts: the texts whose number format is used.
    package func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in }, rules: PluralRules,
        texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        expand(
            pieces,
            number: { index, _ in index == 1 ? WholeNumber(magnitude: count) : nil },
            argument: { index, output in
                guard index == 2 else { return false }
                arguments(&output)
                return true
            },
            rules: rules, texts: texts, to: &output)
    }

    /// Appends the text with arguments that are strings (`loc-args`).
    ///
    /// An argument that is used as a number, or decides a plural form, is parsed; if it is not a whole number, it is
    /// inserted unchanged, and its plural category is `other`. A conversion whose argument is missing is not
    /// replaced: according to Apple's description of `loc-args`, each `%@` is replaced by a value of the list, and
    /// here there is no such value.
    ///
    /// - Parameters:
    ///   - argumentCount: the number of arguments.
    ///   - argument: appends the argument at an index, from 0.
    ///   - rules: the plural rules of the language that the text was found in.
    ///   - texts: the texts whose number format is used.
    package func append(
        argumentCount: Int, argument: (Int, inout [UInt8]) -> Void, rules: PluralRules, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        expand(
            pieces,
            number: { index, output in
                guard 1...max(argumentCount, 1) ~= index, argumentCount > 0 else { return nil }
                // Parsed at the end of the output, so that no other buffer is needed.
                let start = output.count
                argument(index - 1, &output)
                let number = WholeNumber(output[start...])
                output.removeLast(output.count - start)
                return number
            },
            argument: { index, output in
                guard 1...max(argumentCount, 1) ~= index, argumentCount > 0 else { return false }
                argument(index - 1, &output)
                return true
            },
            rules: rules, texts: texts, to: &output)
    }

    private func expand(
        _ pieces: [Piece], number: (Int, inout [UInt8]) -> WholeNumber?,
        argument: (Int, inout [UInt8]) -> Bool, rules: PluralRules, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        for piece in pieces {
            switch piece {
            case .text(let text): output.append(contentsOf: text)
            case .argument(let index, let written):
                if !argument(index, &output) { output.append(contentsOf: written) }
            case .number(let index, let written):
                if let number = number(index, &output) {
                    if number.isNegative { output.append(UInt8(ascii: "-")) }
                    texts.appendNumber(number.magnitude, to: &output)
                } else if !argument(index, &output) {
                    output.append(contentsOf: written)
                }
            case .variable(let index):
                let variable = variables[index]
                var category = PluralCategory.other
                if let number = number(variable.argument, &output) {
                    let isZero = variable.hasZero && number.magnitude == 0
                    category = isZero ? .zero : rules.category(of: number.magnitude)
                }
                expand(
                    variable.form(category), number: number, argument: argument, rules: rules, texts: texts,
                    to: &output)
            }
        }
    }
}

extension CompiledString {
    /// The number of arguments that the text takes: the highest position of any conversion in any of its forms.
    ///
    /// O(length of the text and its forms).
    package var argumentCount: Int {
        let lists = [pieces] + variables.flatMap(\.forms)
        let used = lists.joined().map { piece in
            switch piece {
            case .number(let position, _), .argument(let position, _): position
            // A variable's argument is counted below.
            case .text, .variable: 0
            }
        }
        return max(used.max() ?? 0, variables.map(\.argument).max() ?? 0)
    }
}

/// A whole number of 64 bits in ASCII digits, with an optional sign.
private struct WholeNumber {
    var isNegative = false
    var magnitude: UInt64

    init(magnitude: UInt64) { self.magnitude = magnitude }

    init?(_ text: ArraySlice<UInt8>) {
        var digits = text
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            digits = digits.dropFirst()
        }
        guard !digits.isEmpty else { return nil }
        magnitude = 0
        for byte in digits {
            guard byte.isDigit else { return nil }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            if overflow || carry { return nil }
            magnitude = sum
        }
    }
}
