import SheafBytes
import SheafText

/// Reads the candidates of each field.
extension MappingReader {
    mutating func fields(
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
        case .location: "'\(candidate.shown)' is already in the list: remove one of the two"
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
            members, ["pointer", "constant", "native", "separator", "part", "when", "unless", "about"],
            Self.candidateSynonyms)
        func member(_ key: String) -> MappingValue? { members.first { $0.key == key }?.value }
        // For the reader of the file.
        _ = try comment(member("about"))
        if let native = member("native") {
            guard !members.contains(where: { !["native", "about"].contains($0.key) }) else {
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
            if candidate.location == nil {
                throw part.error("a constant has no parts: write the part itself")
            }
            guard field.mayBeText else {
                throw part.error("'\(field.name)' is \(field.expectedKind), which has no parts")
            }
            guard let separator = member("separator"), let index = member("part") else {
                throw part.error(
                    "'separator' and 'part' need each other, as in {\"pointer\":\"/arn\",\"separator\":\"/\",\"part\":2}"
                )
            }
            candidate.part = TextPart(
                separator: try self.separator(separator), index: try partIndex(index))
        }
        for list in [member("when"), member("unless")] {
            guard let list, list.elements.isEmpty else { continue }
            throw list.error("an empty list has no effect: remove the key")
        }
        if let when = member("when") {
            candidate.when = try conditions(when, inElement: field.isOutcome)
            let elements = candidate.elements
            if let other = elements.first(where: { $0 != elements[0] }) {
                throw when.error(
                    "'\(elements[0])' and '\(other)' are elements of different arrays: a candidate is in one")
            }
        }
        if let unless = member("unless") { candidate.unless = try pointers(unless) }
        for unless in candidate.unless {
            guard
                let needed =
                    (candidate.when.filter(\.test.needsValue).map(\.location)
                    + (candidate.location.map { [$0] } ?? []))
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
        guard let element = pointer.element else { return pointer }
        guard case .envelope = field else {
            throw value.error(
                "'\(pointer)' has '*': only fields of the envelope differ between the records of one payload; "
                    + "read the array with 'each'")
        }
        if element.tokens.count == 1 {
            throw value.error("'\(pointer)': the entry is an object, not an array: name the array before '*'")
        }
        if !field.isOutcome { elements.append((pointer, value)) }
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
        "delimiter": "separator", "index": "part", "if": "when", "not": "unless", "comment": "about",
        "description": "about",
    ]
}

extension InputMapping.Candidate {
    fileprivate var shown: String {
        switch source {
        case .location(let pointer): "\(pointer)"
        case .constant(let text): MappingValue.shown(text)
        case .native: "native"
        }
    }

    /// Whether another candidate can't count if it comes after this one.
    fileprivate func hides(_ other: Self, of field: MappedField) -> Bool {
        guard Set(when).isSubset(of: other.when), Set(unless).isSubset(of: other.unless) else { return false }
        switch source {
        case .constant: return true
        case .location: return source == other.source && part == other.part
        case .native:
            guard case .envelope(let field) = field else { return false }
            if other.source == .native { return true }
            return other.part == nil
                && (other.location.map { field.nativePointers.contains($0) } ?? false)
        }
    }
}
