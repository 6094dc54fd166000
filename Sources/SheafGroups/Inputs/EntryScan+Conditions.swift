import SheafBytes

// Tests of values, without changing the chunk.
extension EntryScan {
    /// Returns whether a condition holds in the current entry and element. Does not decode the
    /// value.
    mutating func holds(_ condition: InputPlan.Condition, in chunk: Chunk) -> Bool {
        let value = value(of: condition.location, in: chunk)
        switch condition.test {
        case .present: return value.kind != .absent && value.kind != .null
        case .equals(let literals):
            // Not in the loop: the value may be long.
            let text = Self.text(value, in: chunk)
            let digits = value.kind == .number ? Double(chunk.bytes(of: value.text).string) : nil
            return literals.contains { literal in
                switch literal {
                case .null: value.kind == .null
                case .text(let literal): text.map { $0.elementsEqual(literal.utf8) } ?? false
                case .number(let number): digits == number
                case .bool(let bool):
                    value.kind == .bool
                        && (chunk.bytes[Int(value.text.start)] == UInt8(ascii: "t")) == bool
                }
            }
        case .contains(let part): return Self.text(value, in: chunk)?.contains(Array(part.utf8)) ?? false
        }
    }

    /// Returns the text of a node's value without changing the chunk, that of a number as its digits; nil for any other
    /// value.
    mutating func text(of node: Int, in chunk: Chunk) -> [UInt8]? {
        var value = value(of: node, in: chunk)
        if value.kind == .number { value = Value(kind: .string, text: value.text, hasEscapes: false) }
        return Self.text(value, in: chunk)
    }

    /// Returns whether a node has a value other than `null`.
    mutating func isPresent(_ node: Int, in chunk: Chunk) -> Bool {
        holds(InputPlan.Condition(location: node, test: .present), in: chunk)
    }

    /// Returns how a value differs from what a condition needs, for reports.
    mutating func misfit(_ condition: InputPlan.Condition, in chunk: Chunk) -> String {
        let value = value(of: condition.location, in: chunk)
        guard value.kind != .absent else { return "absent" }
        switch condition.test {
        case .present: return "null"
        case .equals(let literals):
            let texts = literals.map { literal in
                switch literal {
                case .text(let text): MappingValue.shown(text)
                case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
                case .bool(let bool): "\(bool)"
                case .null: "null"
                }
            }
            return "does not equal \(texts.joined(separator: " or "))"
        case .contains(let part): return "does not contain \(MappingValue.shown(part))"
        }
    }

    /// Returns what the value of a node is, for reports.
    mutating func shownKind(of node: Int, in chunk: Chunk) -> String {
        let value = value(of: node, in: chunk)
        switch value.kind {
        case .absent: return "absent"
        case .null: return "null"
        case .string: return holdsObject(node, in: chunk) ? "an object in a text" : "a text without an object"
        case .number: return "a number"
        case .bool: return "true or false"
        case .object: return "an object"
        case .array: return "an array"
        }
    }

    /// Returns the text of a string without changing the chunk; nil for any other value.
    private static func text(_ value: FieldScanner.Value, in chunk: Chunk) -> [UInt8]? {
        guard value.kind == .string else { return nil }
        let range = value.text.range
        guard value.hasEscapes else {
            var text: [UInt8] = []
            text.append(chunk.bytes(of: value.text))
            return text
        }
        return chunk.bytes.extracting(range.lowerBound - 1..<range.upperBound + 1).jsonText
    }
}
