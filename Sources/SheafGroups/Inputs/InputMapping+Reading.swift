import SheafBytes
import SheafText

extension InputMapping {
    /// The maximum number of pointers and constants in a file.
    static let maximumPointers = 200
    /// The maximum length of a constant, in bytes.
    static let maximumConstantBytes = PushLimits.fieldBytes

    /// Reads a mapping file.
    ///
    /// - Parameter file: the file's name, for messages and as the mapping's name.
    /// - Throws: `LocatedError` with the line and the pointer: invalid JSON, an unknown or repeated key, a value
    ///   of the wrong type, an invalid pointer, or a part of the mapping that can't have any effect.
    init(json bytes: [UInt8], file: String) throws(LocatedError) {
        do throws(ContentError) {
            self = try Self.read(
                bytes.starts(with: UTF8.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes, name: file)
        } catch {
            throw error.error(in: file)
        }
    }

    private static func read(_ json: [UInt8], name: String) throws(ContentError) -> InputMapping {
        guard json.span.endOfJSONSpace(from: 0) < json.count else {
            throw ContentError(message: "the file is empty: \(MappingReader.leastMapping)")
        }
        if let location = JSONLocation.firstError(in: json) {
            throw InvalidMapping(json, line: location.line, column: location.column).error
        }
        if let repeated = JSONLocation.firstRepeatedKey(in: json), let key = repeated.keys.last {
            throw ContentError(
                line: repeated.line, keys: repeated.keys,
                message: "repeated key '\(key)', already on line \(repeated.firstLine): remove one of the two"
            )
        }
        var reader = MappingReader(name: name)
        return try reader.mapping(MappingValue(json: json))
    }
}

/// The reason why a file is not valid JSON, as far as it can be guessed.
private struct InvalidMapping {
    private let json: [UInt8]
    private let line: Int
    private let column: Int

    init(_ json: [UInt8], line: Int, column: Int) {
        self.json = json
        self.line = line
        self.column = column
    }

    var error: ContentError {
        let message = "not valid JSON at column \(column)"
        return ContentError(line: line, message: hint.map { "\(message): \($0)" } ?? message)
    }

    private var hint: String? {
        if json.starts(with: [0x1f, 0x8b]) || json.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            return "the file is compressed: a mapping is a JSON text"
        }
        if json.starts(with: [0xff, 0xfe]) || json.starts(with: [0xfe, 0xff]) || json.prefix(2).contains(0) {
            return "the file is probably UTF-16: save it as UTF-8"
        }
        let lines = json.split(
            separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        if column == 1, line > 1, isObject(lines[line - 2]), lines[line - 1].first == UInt8(ascii: "{") {
            return "this looks like a log: a mapping is one JSON object"
        }
        let rest = lines[line - 1].dropFirst(column - 1)
        let start = lines[..<line].reduce(0) { $0 + $1.count + 1 } - lines[line - 1].count - 1
        let before = json[..<(start + column - 1)].last { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        switch rest.first {
        case nil where line == lines.count: return "the file ends too soon"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "JSON has no comments"
        case UInt8(ascii: "'"): return "strings have double quotes"
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if before == UInt8(ascii: ",") { return "remove the comma before it" }
            return before == rest.first ? "a bracket too many" : nil
        case UInt8(ascii: "\""):
            return before.map { [UInt8(ascii: "\""), UInt8(ascii: "]"), UInt8(ascii: "}")].contains($0) }
                == true
                ? "a comma is missing before it" : nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return isTooDeep ? "nested too deeply" : nil
        case let byte? where byte >= 0x80: return "not valid UTF-8, or a character outside a string"
        default: return nil
        }
    }

    private var isTooDeep: Bool {
        let chunk = Chunk(json)
        var scanner = FieldScanner(FieldPlan())
        return scanner.scan(TextRange(0..<json.count), of: chunk) == .tooDeep
    }

    private func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "{") && JSONLocation.firstError(in: Array(line)) == nil
    }
}

/// Turns the value of a mapping file into a mapping.
private struct MappingReader {
    private let name: String
    /// The first pointer of a field that gives several records, and its array.
    private var rows: (array: JSONPointer, pointer: JSONPointer)?

    /// What a mapping must have, for messages.
    static let leastMapping =
        #"write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#

    init(name: String) { self.name = name }

    private static let keys = [
        "about", "withoutPayload", "when", "unwrap", "each", "otherPlatform", "fields",
    ]

    mutating func mapping(_ value: MappingValue) throws(ContentError) -> InputMapping {
        guard case .object(let members) = value.content else {
            throw value.error("a mapping is an object, not \(value.kind): \(Self.leastMapping)")
        }
        for member in members where !Self.keys.contains(member.key) { throw unknown(member, in: members) }
        func member(_ key: String) -> MappingValue? { members.first { $0.key == key }?.value }

        var mapping = InputMapping(name: name)
        mapping.description = try optionalText(member("about"))
        mapping.withoutPayload = try optionalText(member("withoutPayload"))
        mapping.alternatives = try alternatives(member("when"))
        mapping.unwrap = try distinct(member("unwrap"), unwrapPointer)
        let hasConditions = !mapping.alternatives.isEmpty
        mapping.each = try distinct(member("each")) { value throws(ContentError) in
            try eachPointer(value, hasConditions: hasConditions)
        }
        mapping.otherPlatform = try distinct(member("otherPlatform"), condition)
        mapping.fields = try fields(member("fields"))
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
        let count = mapping.pointers.count + mapping.constants.count
        guard count <= InputMapping.maximumPointers else {
            throw value.error(
                "\(count) pointers and constants: at most \(InputMapping.maximumPointers) are supported")
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
    fileprivate var hasEffect: Bool {
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
            var conditions: [InputMapping.Condition] = []
            for value in value.elements {
                let new = try condition(value)
                guard !conditions.contains(new) else {
                    throw value.error("the same as an earlier condition: remove it")
                }
                if let other = conditions.first(where: { $0.excludes(new) }) {
                    throw value.error(
                        "'\(other.pointer)' cannot equal two values at once: list both in one 'equals', as in [2,3]"
                    )
                }
                conditions.append(new)
            }
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

    private func condition(_ value: MappingValue) throws(ContentError) -> InputMapping.Condition {
        guard case .object(let members) = value.content else {
            return InputMapping.Condition(pointer: try plainPointer(value), test: .present)
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
        var test = InputMapping.Condition.Test.present
        if let equals { test = .equals(try literals(equals)) }
        if let contains {
            let text = try text(contains)
            guard !text.isEmpty else {
                throw contains.error("every text contains the empty one: remove 'contains'")
            }
            test = .contains(text)
        }
        return InputMapping.Condition(pointer: try plainPointer(pointer.value), test: test)
    }

    private func literals(_ value: MappingValue) throws(ContentError) -> [InputMapping.Literal] {
        guard !value.elements.isEmpty else {
            throw value.error("an empty list equals nothing: write the values, as in [2,3]")
        }
        var literals: [InputMapping.Literal] = []
        for value in value.elements {
            let literal: InputMapping.Literal
            switch value.content {
            case .text(let text): literal = .text(text)
            case .bool(let bool): literal = .bool(bool)
            case .number(let digits): literal = .number(try number(digits, value))
            case .object, .list, .null:
                throw value.error("expected a string, a number, true or false, not \(value.kind)")
            }
            guard !literals.contains(literal) else {
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
        guard pointer == other.pointer, case .equals(let first) = test, case .equals(let second) = other.test
        else { return false }
        return Set(first).isDisjoint(with: second)
    }
}

// MARK: - Fields

extension MappingReader {
    private mutating func fields(
        _ value: MappingValue?
    ) throws(ContentError) -> [MappedField: [InputMapping.Candidate]] {
        guard let value else { return [:] }
        guard case .object(let members) = value.content else {
            throw value.error(
                "expected an object, not \(value.kind): write {\"device\":\"/token\"}, with the name of each field"
            )
        }
        var fields: [MappedField: [InputMapping.Candidate]] = [:]
        for member in members {
            guard let field = MappedField.all.first(where: { $0.name == member.key }) else {
                throw ContentError(
                    line: member.line, keys: ["fields", MappingValue.shown(member.key)],
                    message: MappedField.unknown(member.key))
            }
            fields[field] = try candidates(member.value, of: field)
        }
        if let payload = members.first(where: { $0.key == EnvelopeNames.payload }), fields[.payload] == [],
            !fields.keys.contains(where: { if case .inPayload = $0 { true } else { false } })
        {
            throw payload.value.error(
                "without a payload, its fields are needed: add one such as 'payload/aps/alert'")
        }
        return fields
    }

    private mutating func candidates(
        _ value: MappingValue, of field: MappedField
    ) throws(ContentError) -> [InputMapping.Candidate] {
        if case .inPayload = field, value.elements.isEmpty {
            throw value.error(
                "an empty list has no effect: a field without candidates is read from the payload")
        }
        var candidates: [InputMapping.Candidate] = []
        for value in value.elements {
            let new = try candidate(value, of: field)
            if let earlier = candidates.first(where: { $0.hides(new, of: field) }) {
                throw value.error(Self.hidden(new, by: earlier))
            }
            candidates.append(new)
        }
        return candidates
    }

    /// The reason why a candidate never counts.
    private static func hidden(
        _ candidate: InputMapping.Candidate, by earlier: InputMapping.Candidate
    ) -> String {
        switch earlier.source {
        case .constant(let text):
            "never counts, because the constant '\(MappingValue.shown(text))' before it always does: "
                + "write the constant last"
        case .native where candidate.source == .native:
            "'native' is already in the list: remove one of the two"
        case .native: "never counts, because 'native' before it includes '\(candidate.shown)': remove it"
        case .pointer: "'\(candidate.shown)' is already in the list: remove one of the two"
        }
    }

    private mutating func candidate(
        _ value: MappingValue, of field: MappedField
    ) throws(ContentError) -> InputMapping.Candidate {
        if case .list = value.content {
            throw value.error("a list in a list: write all candidates in one list")
        }
        guard case .object(let members) = value.content else {
            if case .text("native") = value.content {
                throw value.error("'native' is not a pointer: write {\"native\":true}")
            }
            return InputMapping.Candidate(try valuePointer(value, of: field))
        }
        try check(
            members, ["pointer", "constant", "native", "separator", "part", "when", "unless"],
            Self.candidateSynonyms)
        func member(_ key: String) -> MappingValue? { members.first { $0.key == key }?.value }
        if let native = member("native") {
            guard members.count == 1 else {
                throw value.error(
                    "'native' has no conditions and no parts: write it alone, {\"native\":true}")
            }
            return try nativeNames(native, of: field)
        }
        var candidate: InputMapping.Candidate
        switch (member("pointer"), member("constant")) {
        case (let value?, nil): candidate = InputMapping.Candidate(try valuePointer(value, of: field))
        case (nil, let value?):
            candidate = InputMapping.Candidate(source: .constant(try constant(value, of: field)))
        case (nil, nil): throw value.error("expected a 'pointer', a 'constant' or 'native'")
        case (_?, let constant?):
            throw constant.error(
                "'pointer' and 'constant' exclude each other: write two candidates, the constant last")
        }
        if let part = member("part") ?? member("separator") {
            if candidate.pointer == nil { throw part.error("a constant has no parts: write the part itself") }
            guard field.hasParts else {
                throw part.error("'\(field.name)' is \(field.expectedKind), which has no parts")
            }
            guard let separator = member("separator"), let index = member("part") else {
                throw part.error(
                    "'separator' and 'part' need each other, as in {\"pointer\":\"/arn\",\"separator\":\"/\",\"part\":2}"
                )
            }
            candidate.part = InputMapping.Candidate.Part(
                separator: try self.separator(separator), index: try partIndex(index))
        }
        candidate.when = try pointers(member("when"))
        candidate.unless = try pointers(member("unless"))
        for unless in candidate.unless {
            guard
                let needed = (candidate.when + (candidate.pointer.map { [$0] } ?? []))
                    .first(where: { $0.begins(with: unless) })
            else { continue }
            throw value.error(
                "never counts: '\(unless)' in 'unless' is present whenever '\(needed)' is: remove one of the two"
            )
        }
        return candidate
    }

    /// Reads the pointer to a field's value.
    private mutating func valuePointer(
        _ value: MappingValue, of field: MappedField
    ) throws(ContentError) -> JSONPointer {
        let pointer = try pointer(value)
        guard !pointer.tokens.isEmpty || field.mayBeObject else {
            throw value.error(
                "'' is the entry itself, an object, but '\(field.name)' is \(field.expectedKind)")
        }
        guard let index = pointer.tokens.firstIndex(of: .each) else { return pointer }
        guard case .envelope = field else {
            throw value.error(
                "'\(pointer)' has '*': only fields of the envelope differ between the records of one payload; "
                    + "read the array with 'each'")
        }
        let array = JSONPointer(Array(pointer.tokens[..<index]))
        if array.tokens.isEmpty {
            throw value.error("'\(pointer)': the entry is an object, not an array: name the array before '*'")
        }
        if let rows, rows.array != array {
            throw value.error(
                "'\(pointer)' and '\(rows.pointer)' are elements of different arrays: at most one gives several "
                    + "records")
        }
        rows = (array, pointer)
        return pointer
    }

    private func nativeNames(
        _ value: MappingValue, of field: MappedField
    ) throws(ContentError) -> InputMapping.Candidate {
        guard case .bool(true) = value.content else {
            throw value.error("expected true, not \(value.kind): remove the candidate to leave the names out")
        }
        guard case .envelope(let envelopeField) = field else {
            if field == .payload { throw value.error("the payload has one name: write '/payload'") }
            throw value.error(
                "'native' is for fields of the envelope: the payload's own fields count anyway, after these")
        }
        guard !envelopeField.nativePointers.isEmpty else {
            throw value.error("'\(field.name)' has no names in native records: write pointers")
        }
        return InputMapping.Candidate(source: .native)
    }

    private func constant(_ value: MappingValue, of field: MappedField) throws(ContentError) -> String {
        guard field.mayBeText else {
            throw value.error(
                "'\(field.name)' is \(field.expectedKind), but a constant is a text: write a pointer")
        }
        let text: String
        switch value.content {
        case .text(let content): text = content
        case .number(let digits):
            throw value.error(
                "expected a string, not \(value.kind): write \"\(MappingValue.shown(digits))\" with quotes")
        default: throw value.error("expected a string, not \(value.kind)")
        }
        guard !text.isEmpty else {
            throw value.error("an empty constant counts as absent: write a text, or remove the constant")
        }
        guard text.utf8.count <= InputMapping.maximumConstantBytes else {
            throw value.error(
                "a constant of \(text.utf8.count) bytes: at most \(InputMapping.maximumConstantBytes) are supported"
            )
        }
        if field == .envelope(.timestamp), Timestamp.milliseconds(text: Array(text.utf8).span) == nil {
            throw value.error(
                "'\(MappingValue.shown(text))' is not a timestamp: write one such as 2026-01-31T12:00:00Z")
        }
        if field == .envelope(.pushType), PushType(Array(text.utf8).span) == .unknown {
            throw value.error(
                "'\(MappingValue.shown(text))' is not a push type: write one such as alert, background or voip"
            )
        }
        return text
    }

    private func separator(_ value: MappingValue) throws(ContentError) -> UInt8 {
        let text = try text(value)
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80 else {
            throw value.error("expected one ASCII character, not '\(MappingValue.shown(text))'")
        }
        return byte
    }

    private func partIndex(_ value: MappingValue) throws(ContentError) -> Int {
        guard case .number(let digits) = value.content, let number = Int(digits), (0...99).contains(number)
        else { throw value.error("expected a whole number from 0 to 99, not \(value.kind)") }
        return number
    }

    private static let candidateSynonyms = [
        "path": "pointer", "key": "pointer", "field": "pointer", "jsonpath": "pointer", "from": "pointer",
        "value": "constant", "default": "constant", "literal": "constant", "split": "separator",
        "delimiter": "separator", "index": "part", "if": "when", "not": "unless",
    ]
}

extension InputMapping.Candidate {
    fileprivate var shown: String {
        switch source {
        case .pointer(let pointer): "\(pointer)"
        case .constant(let text): MappingValue.shown(text)
        case .native: "native"
        }
    }

    /// Whether another candidate can't count if it comes after this one.
    fileprivate func hides(_ other: Self, of field: MappedField) -> Bool {
        guard Set(when).isSubset(of: other.when), Set(unless).isSubset(of: other.unless) else { return false }
        switch source {
        case .constant: return true
        case .pointer: return source == other.source && part == other.part
        case .native:
            guard case .envelope(let field) = field else { return false }
            if other.source == .native { return true }
            return other.part == nil
                && (other.pointer.map { field.nativePointers.contains($0) } ?? false)
        }
    }
}

// MARK: - Values

extension MappingReader {
    private func pointers(_ value: MappingValue?) throws(ContentError) -> [JSONPointer] {
        guard let value else { return [] }
        guard !value.elements.isEmpty else {
            throw value.error("an empty list has no effect: remove the key")
        }
        var pointers: [JSONPointer] = []
        for value in value.elements {
            if case .object = value.content {
                throw value.error(
                    "expected a pointer such as '/a/b', not an object: a candidate depends only on what is present"
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
    private func plainPointer(_ value: MappingValue) throws(ContentError) -> JSONPointer {
        let pointer = try pointer(value)
        guard !pointer.tokens.contains(.each) else {
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

    private func pointer(_ value: MappingValue) throws(ContentError) -> JSONPointer {
        guard case .text(let text) = value.content else {
            throw value.error("expected a pointer such as '/a/b', not \(value.kind)")
        }
        do throws(PointerError) {
            return try JSONPointer(parsing: text)
        } catch {
            throw value.error("'\(MappingValue.shown(text))': \(error.message)")
        }
    }

    private func text(_ value: MappingValue) throws(ContentError) -> String {
        guard case .text(let text) = value.content else {
            throw value.error("expected a string, not \(value.kind)")
        }
        return text
    }

    private func check(
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
