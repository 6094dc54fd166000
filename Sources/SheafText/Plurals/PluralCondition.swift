/// A CLDR condition under which a number has a plural category, such as `v = 0 and i % 10 = 2..4`.
///
/// The syntax is that of Unicode Technical Standard 35, part 3, "Plural rules syntax", without its deprecated parts.
struct PluralCondition: Sendable {
    /// A property of a number, by CLDR's letter.
    enum Operand: Character, Sendable {
        case number = "n"
        case integer = "i"
        case fractionDigits = "v"
        case fractionDigitsWithoutZeros = "w"
        case fraction = "f"
        case fractionWithoutZeros = "t"
        case compactExponent = "c"
        case exponent = "e"
    }

    /// `i % 10 = 2..4`
    private struct Relation {
        let operand: Operand
        /// 0 if the relation has no modulus.
        let modulus: UInt64
        let isNegated: Bool
        /// The relation's part of all ranges.
        let ranges: Range<Int>
        /// Whether the relation is followed by `or`, or by the end.
        let endsAlternative: Bool
    }

    private let relations: [Relation]
    private let ranges: [ClosedRange<UInt64>]

    /// Parses a condition.
    ///
    /// - Throws: `PluralSyntaxError` if `text` is not a condition.
    init(_ text: String) throws(PluralSyntaxError) {
        var parser = Parser(text)
        var relations: [Relation] = []
        var ranges: [ClosedRange<UInt64>] = []
        var hasMore = true
        while hasMore {
            let operand = try parser.operand()
            let modulus = parser.take("%") || parser.take("mod") ? try parser.number() : 0
            let isNegated = parser.take("!=")
            if !isNegated { try parser.expect("=") }
            let first = ranges.count
            repeat { ranges.append(try parser.range()) } while parser.take(",")
            let isFollowedByAnd = parser.take("and")
            hasMore = isFollowedByAnd || parser.take("or")
            relations.append(
                Relation(
                    operand: operand, modulus: modulus, isNegated: isNegated, ranges: first..<ranges.count,
                    endsAlternative: !isFollowedByAnd))
        }
        try parser.expectEnd()
        self.relations = relations
        self.ranges = ranges
    }

    /// Returns whether the number meets the condition. Allocates nothing.
    func holds(for number: PluralOperands) -> Bool {
        var holds = true
        for relation in relations {
            if holds { holds = self.holds(relation, for: number) }
            guard relation.endsAlternative else { continue }
            if holds { return true }
            holds = true
        }
        return false
    }

    private func holds(_ relation: Relation, for number: PluralOperands) -> Bool {
        var value = number[relation.operand]
        if relation.modulus > 0 { value %= relation.modulus }
        for index in relation.ranges where ranges[index].contains(value) { return !relation.isNegated }
        return relation.isNegated
    }
}

/// The operands of a number without a fraction.
struct PluralOperands {
    var integer: UInt64
    /// The power of ten, if the number is written in compact form: 6 in `2c6`, which is 2 million.
    var exponent: UInt64 = 0

    fileprivate subscript(operand: PluralCondition.Operand) -> UInt64 {
        switch operand {
        case .number, .integer: integer
        case .compactExponent, .exponent: exponent
        case .fractionDigits, .fractionDigitsWithoutZeros, .fraction, .fractionWithoutZeros: 0
        }
    }
}

/// A syntax error in a plural rule.
struct PluralSyntaxError: Error, Equatable, CustomStringConvertible {
    let expected: String
    let text: String
    /// The offset in characters, from 0.
    let offset: Int

    var description: String { "expected \(expected) at character \(offset) of the plural rule '\(text)'" }
}

extension PluralCondition {
    private struct Parser {
        private let text: String
        private let characters: [Character]
        private var index = 0

        init(_ text: String) {
            self.text = text
            characters = Array(text)
        }

        mutating func take(_ token: String) -> Bool {
            skipSpaces()
            guard characters[index...].starts(with: token) else { return false }
            let end = index + token.count
            // A word is not followed by another letter.
            if characters[index].isLetter, end < characters.count, characters[end].isLetter { return false }
            index = end
            return true
        }

        mutating func expect(_ token: String) throws(PluralSyntaxError) {
            if !take(token) { throw error("'\(token)'") }
        }

        mutating func expectEnd() throws(PluralSyntaxError) {
            skipSpaces()
            if index < characters.count { throw error("'and', 'or' or the end") }
        }

        mutating func operand() throws(PluralSyntaxError) -> Operand {
            skipSpaces()
            guard index < characters.count, let operand = Operand(rawValue: characters[index]),
                take(String(operand.rawValue))
            else { throw error("an operand") }
            return operand
        }

        mutating func range() throws(PluralSyntaxError) -> ClosedRange<UInt64> {
            let first = try number()
            guard take("..") else { return first...first }
            let last = try number()
            guard first < last else { throw error("the end of an ascending range") }
            return first...last
        }

        mutating func number() throws(PluralSyntaxError) -> UInt64 {
            skipSpaces()
            let digits = characters[index...].prefix { ("0"..."9").contains($0) }
            guard let number = UInt64(String(digits)) else { throw error("a number") }
            index = digits.endIndex
            return number
        }

        private mutating func skipSpaces() {
            while index < characters.count, characters[index] == " " { index += 1 }
        }

        private func error(_ expected: String) -> PluralSyntaxError {
            PluralSyntaxError(expected: expected, text: text, offset: index)
        }
    }
}
