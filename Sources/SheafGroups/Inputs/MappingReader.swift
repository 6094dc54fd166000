import SheafBytes
import SheafText

/// Turns the value of a mapping file into a mapping.
struct MappingReader {
    private let name: String
    /// The pointers to fields in elements of arrays, except for those of outcomes.
    var elements: [(pointer: JSONPointer, value: MappingValue)] = []

    /// What a mapping must have, for messages.
    static let leastMapping =
        #"write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#

    init(name: String) { self.name = name }

    private static let keys = [
        "about", "withoutPayload", "when", "unwrap", "each", "otherPlatform", "match", "fields",
    ]

    mutating func mapping(_ value: MappingValue) throws(ContentError) -> InputMapping {
        guard case .object(let members) = value.content else {
            throw value.error("a mapping is an object, not \(value.kind): \(Self.leastMapping)")
        }
        for member in members where !Self.keys.contains(member.key) { throw unknown(member, in: members) }
        func member(_ key: String) -> MappingValue? { members.first { $0.key == key }?.value }
        // First, because items of lists are compared with each other.
        let count = value.pointerCount
        guard count <= InputMapping.maximumPointers else {
            throw value.error(
                "\(count) pointers and constants: at most \(InputMapping.maximumPointers) are supported")
        }

        var mapping = InputMapping(name: name)
        mapping.description = try comment(member("about"))
        mapping.withoutPayload = try optionalText(member("withoutPayload"))
        mapping.alternatives = try alternatives(member("when"))
        mapping.unwrap = try distinct(member("unwrap"), unwrapPointer)
        let hasConditions = !mapping.alternatives.isEmpty
        mapping.each = try distinct(member("each")) { value throws(ContentError) in
            try eachPointer(value, hasConditions: hasConditions)
        }
        mapping.otherPlatform = try distinct(member("otherPlatform")) { value throws(ContentError) in
            try condition(value)
        }
        mapping.fields = try fields(member("fields"))
        try checkRows(of: mapping)
        mapping.match = try distinct(member("match")) { value throws(ContentError) in
            try matchPointer(value, of: mapping)
        }
        if mapping.withoutPayload != nil, mapping.alternatives.isEmpty {
            throw value.error("'when' is missing: it selects the entries that 'withoutPayload' is about")
        }
        if mapping.withoutPayload != nil, let fields = member("fields"), !mapping.fields.isEmpty {
            throw fields.error(
                "entries without a payload have no fields: remove 'fields' or 'withoutPayload'")
        }
        if mapping.withoutPayload == nil, !mapping.hasEffect {
            throw value.error("the mapping has no effect: \(Self.leastMapping)")
        }
        return mapping
    }

    /// The error for a key that a mapping does not have.
    private func unknown(
        _ member: MappingValue.Member, in members: [MappingValue.Member]
    ) -> ContentError {
        let key = MappingValue.shown(member.key)
        func error(_ message: String) -> ContentError {
            ContentError(line: member.line, keys: [key], message: message)
        }
        let isEntry = members.contains { member in
            if [
                "aps", EnvelopeNames.payload, EnvelopeNames.headers, "message", "log", "notification", "data",
            ]
            .contains(member.key), case .object = member.value.content {
                true
            } else {
                false
            }
        }
        if isEntry { return error("unknown key '\(key)': this looks like a log entry, not like a mapping") }
        if ["apps", "showPreviews", "developmentLanguage"].contains(member.key) {
            return error("unknown key '\(key)': this looks like a configuration, not like a mapping")
        }
        let nearest = Suggestion.nearest(String(member.key.prefix(40)), known: Self.keys)
        if nearest == nil || MappedField.all.contains(where: { $0.name == member.key }),
            let field = MappedField.meant(by: member.key)
        {
            return error(
                "unknown key '\(key)': fields are members of 'fields': "
                    + "write {\"fields\":{\"\(field.name)\":…}}")
        }
        return error(Suggestion.message("key", key, known: Self.keys))
    }

    private func optionalText(_ value: MappingValue?) throws(ContentError) -> String? {
        guard let value else { return nil }
        let text = try text(value)
        guard !text.isEmpty else { throw value.error("an empty text: remove the key") }
        return text
    }

    /// Reads a description: a text, or a list of its lines.
    func comment(_ value: MappingValue?) throws(ContentError) -> String? {
        guard let value, case .list(let lines) = value.content else { return try optionalText(value) }
        guard !lines.isEmpty else { throw value.error("an empty list: remove the key") }
        var texts: [String] = []
        for line in lines { texts.append(try text(line)) }
        return texts.joined(separator: "\n")
    }

    /// Reads a list of different items.
    private func distinct<Item: Hashable>(
        _ value: MappingValue?, _ read: (MappingValue) throws(ContentError) -> Item
    ) throws(ContentError) -> [Item] {
        guard let value else { return [] }
        guard case .list(let values) = value.content else {
            throw value.error("expected a list, not \(value.kind): write it in brackets, as in [\"/a/b\"]")
        }
        guard !values.isEmpty else { throw value.error("an empty list has no effect: remove the key") }
        var items: [Item] = []
        for value in values {
            let item = try read(value)
            guard !items.contains(item) else { throw value.error("the same as an earlier one: remove it") }
            items.append(item)
        }
        return items
    }
}

extension InputMapping {
    /// Whether entries are read differently from native records.
    var hasEffect: Bool {
        !fields.isEmpty || !unwrap.isEmpty || !each.isEmpty || !alternatives.isEmpty || !otherPlatform.isEmpty
    }
}

// MARK: - Entries

extension MappingReader {
    private func unwrapPointer(_ value: MappingValue) throws(ContentError) -> JSONPointer {
        let pointer = try pointer(value)
        if pointer.tokens.isEmpty { throw value.error("'' is the entry itself, which wraps nothing") }
        guard !pointer.tokens.contains(.each) else {
            throw value.error("'\(pointer)' has '*': arrays of entries are read with 'each'")
        }
        return pointer
    }

    private func eachPointer(_ value: MappingValue, hasConditions: Bool) throws(ContentError) -> JSONPointer {
        if case .text(let text) = value.content {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            if text.hasPrefix("/"), parts.count(where: { $0 == "*" }) > 1,
                let first = parts.firstIndex(of: "*")
            {
                let outer = parts[...first].joined(separator: "/")
                let inner = "/" + parts[(first + 1)...].joined(separator: "/")
                throw value.error(
                    "'\(MappingValue.shown(text))' has more than one '*': "
                        + (hasConditions
                            ? "arrays in arrays are read only without 'when'"
                            : "the elements of '\(outer)' are entries themselves: write '\(outer)' and '\(inner)'")
                )
            }
        }
        let pointer = try pointer(value)
        guard pointer.tokens.contains(.each) else {
            throw value.error("'\(pointer)' has no '*' for the elements of an array: write '\(pointer)/*'")
        }
        return pointer
    }

    /// Checks that only one field gives several records.
    private func checkRows(of mapping: InputMapping) throws(ContentError) {
        let rows = mapping.rows
        for (pointer, value) in elements where !(pointer.element.map { rows.contains($0) } ?? true) {
            guard let other = elements.first(where: { $0.pointer.element == rows.first }) else { continue }
            throw value.error(
                "'\(pointer)' and '\(other.pointer)' are elements of different arrays: only those of one field, "
                    + "the device if it has any, give records")
        }
    }

    /// Reads a pointer to the device of an answer.
    private func matchPointer(
        _ value: MappingValue, of mapping: InputMapping
    ) throws(ContentError) -> JSONPointer {
        let pointer = try pointer(value)
        guard let element = pointer.element else {
            throw value.error(
                "'\(pointer)' has no '*' for the elements of an array: answers are matched in arrays")
        }
        if mapping.rows.contains(element) {
            throw value.error("'\(pointer)' is in an array that gives records, which have their own outcomes")
        }
        guard mapping.answers.contains(element) else {
            throw value.error(
                "'\(pointer)' has no effect: neither 'status' nor 'success' nor 'reason' has a pointer into "
                    + "'\(element)'")
        }
        return pointer
    }

    private func alternatives(_ value: MappingValue?) throws(ContentError) -> [[InputMapping.Condition]] {
        guard let value else { return [] }
        guard case .list(let values) = value.content else {
            throw value.error(
                "expected a list of alternatives, not \(value.kind): write [[\"/a\",\"/b\"]] for entries that "
                    + "have both")
        }
        guard !values.isEmpty else {
            throw value.error("an empty list fits every entry: remove 'when'")
        }
        var alternatives: [[InputMapping.Condition]] = []
        for value in values {
            let conditions = try conditions(value)
            guard !conditions.isEmpty else {
                throw value.error("an alternative without conditions fits every entry: remove it")
            }
            guard !alternatives.contains(where: { Set($0) == Set(conditions) }) else {
                throw value.error("the same as an earlier alternative: remove it")
            }
            alternatives.append(conditions)
        }
        return alternatives
    }

    /// Reads conditions that all hold.
    ///
    /// - Parameter inElement: whether they may be about an element of an array.
    func conditions(
        _ value: MappingValue, inElement: Bool = false
    ) throws(ContentError) -> [InputMapping.Condition] {
        var conditions: [InputMapping.Condition] = []
        for value in value.elements {
            let new = try condition(value, inElement: inElement)
            guard !conditions.contains(new) else {
                throw value.error("the same as an earlier condition: remove it")
            }
            if let other = conditions.first(where: { $0.excludes(new) }) {
                throw value.error(
                    "'\(other.location)' cannot equal two values at once: list both in one 'equals', as in [2,3]"
                )
            }
            conditions.append(new)
        }
        return conditions
    }

    private func condition(
        _ value: MappingValue, inElement: Bool = false
    ) throws(ContentError) -> InputMapping.Condition {
        guard case .object(let members) = value.content else {
            return InputMapping.Condition(
                location: try plainPointer(value, inElement: inElement), test: .present)
        }
        try check(members, ["pointer", "equals", "contains"], Self.conditionSynonyms)
        guard let pointer = members.first(where: { $0.key == "pointer" }) else {
            throw value.error("the key 'pointer' is missing: it names the value that the condition is about")
        }
        let equals = members.first { $0.key == "equals" }?.value
        let contains = members.first { $0.key == "contains" }?.value
        if equals != nil, let contains {
            throw contains.error("'equals' and 'contains' exclude each other: remove one of the two")
        }
        var test = ConditionTest.present
        if let equals { test = .equals(try literals(equals)) }
        if let contains {
            let text = try text(contains)
            guard !text.isEmpty else {
                throw contains.error("every text contains the empty one: remove 'contains'")
            }
            test = .contains(text)
        }
        return InputMapping.Condition(
            location: try plainPointer(pointer.value, inElement: inElement), test: test)
    }

    private func literals(_ value: MappingValue) throws(ContentError) -> [ConditionTest.Literal] {
        guard !value.elements.isEmpty else {
            throw value.error("an empty list equals nothing: write the values, as in [2,3]")
        }
        var literals: [ConditionTest.Literal] = []
        // Their number is not limited.
        var known: Set<ConditionTest.Literal> = []
        for value in value.elements {
            let literal: ConditionTest.Literal
            switch value.content {
            case .text(let text): literal = .text(text)
            case .bool(let bool): literal = .bool(bool)
            case .null: literal = .null
            case .number(let digits): literal = .number(try number(digits, value))
            case .object, .list:
                throw value.error("expected a string, a number, true, false or null, not \(value.kind)")
            }
            guard known.insert(literal).inserted else {
                throw value.error("the same as an earlier value: remove it")
            }
            literals.append(literal)
        }
        return literals
    }

    /// Returns a number that can be compared.
    private func number(_ digits: String, _ value: MappingValue) throws(ContentError) -> Double {
        let isZero = !digits.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
        guard let number = Double(digits), number.isFinite, number != 0 || isZero else {
            throw value.error("\(MappingValue.shown(digits)) is out of range")
        }
        guard abs(number) < 9_007_199_254_740_992 else {
            throw value.error(
                "\(MappingValue.shown(digits)) is too large to be compared exactly: at most 9007199254740991")
        }
        return number
    }

    private static let conditionSynonyms = [
        "path": "pointer", "key": "pointer", "field": "pointer", "jsonpath": "pointer", "equal": "equals",
        "eq": "equals", "is": "equals", "value": "equals", "in": "equals", "regex": "contains",
        "matches": "contains", "includes": "contains",
    ]
}

extension InputMapping.Condition {
    /// Whether no value fulfils both conditions.
    fileprivate func excludes(_ other: Self) -> Bool {
        guard location == other.location, case .equals(let first) = test,
            case .equals(let second) = other.test
        else { return false }
        return Set(first).isDisjoint(with: second)
    }
}

// MARK: - Values

extension MappingReader {
    func pointers(_ value: MappingValue) throws(ContentError) -> [JSONPointer] {
        var pointers: [JSONPointer] = []
        for value in value.elements {
            if case .object = value.content {
                throw value.error(
                    "expected a pointer such as '/a/b', not an object: 'unless' is about what is present"
                )
            }
            let pointer = try plainPointer(value)
            guard !pointers.contains(pointer) else {
                throw value.error("'\(pointer)' is already in the list: remove one of the two")
            }
            pointers.append(pointer)
        }
        return pointers
    }

    /// A pointer to one value, for a condition.
    ///
    /// - Parameter inElement: whether the value may be in an element of an array.
    func plainPointer(_ value: MappingValue, inElement: Bool = false) throws(ContentError) -> JSONPointer {
        let pointer = try pointer(value)
        guard inElement || !pointer.tokens.contains(.each) else {
            throw value.error(
                "'\(pointer)' has '*', but a condition is about one value: write an index, as in '/tokens/0'")
        }
        guard !pointer.tokens.isEmpty else {
            throw value.error("'' is the entry itself, which is always present: name a value in it")
        }
        guard pointer.expanded([]) == [pointer] else {
            throw value.error(
                "'\(pointer)': '{locale}' is only for the pointers to values, not for conditions")
        }
        return pointer
    }

    func pointer(_ value: MappingValue) throws(ContentError) -> JSONPointer {
        guard case .text(let text) = value.content else {
            throw value.error("expected a pointer such as '/a/b', not \(value.kind)")
        }
        do throws(PointerError) {
            return try JSONPointer(parsing: text)
        } catch {
            throw value.error("'\(MappingValue.shown(text))': \(error.message)")
        }
    }

    func text(_ value: MappingValue) throws(ContentError) -> String {
        guard case .text(let text) = value.content else {
            throw value.error("expected a string, not \(value.kind)")
        }
        return text
    }

    func check(
        _ members: [MappingValue.Member], _ known: [String], _ synonyms: [String: String]
    ) throws(ContentError) {
        for member in members where !known.contains(member.key) {
            let message =
                synonyms[member.key.lowercased()].map {
                    "unknown key '\(member.key)', did you mean '\($0)'?"
                } ?? Suggestion.message("key", MappingValue.shown(member.key), known: known)
            throw ContentError(line: member.line, keys: member.value.keys, message: message)
        }
    }
}
