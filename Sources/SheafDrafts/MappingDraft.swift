import SheafBytes
import SheafGroups
import SheafText

/// A mapping file for a log of unknown make: where its entries are, where the payload is in them, and a pointer for each
/// field, each with the reason for it.
package struct MappingDraft: Sendable {
    /// A pointer for a field.
    struct Choice: Sendable {
        let pointer: JSONPointer
        var part: TextPart?
        /// Why the pointer was chosen, and which others there are.
        var about: String
    }

    /// What makes an entry a push.
    enum PushForm: Sendable {
        /// An entry of a shape that ships with Sheaf.
        case shape(InputShape)
        /// An object with `aps`.
        case payload
        /// An object with the members of `aps`, under another name.
        case aps
        /// A title and a body under names of their own.
        case texts
    }

    let content: PushForm
    /// The keys from an entry of the log to the content; `*` for each element of an array.
    let path: [String]
    /// The number of entries that have the content there.
    let count: Int
    var about: [String]
    var fields: [(field: MappedField, candidates: [Choice])] = []
    /// Whether the entries are probably pushes: a title next to a text is not enough.
    package var isProbablyPush: Bool
    /// The names of other platforms at a pointer.
    var otherPlatforms: (pointer: JSONPointer, names: [String])?

    init(_ content: PushForm, at path: [String], count: Int, about: String) {
        self.content = content
        self.path = path
        self.count = count
        self.about = [about]
        isProbablyPush =
            switch content {
            case .shape, .payload: true
            case .aps, .texts: false
            }
    }

    /// Adds a line to the description.
    package mutating func addLine(_ line: String) { about.append(line) }

    /// The keys from the innermost entry to the content.
    var inner: [String] { path.lastIndex(of: "*").map { Array(path[($0 + 1)...]) } ?? path }

    /// The keys from each entry to the entries in its array, the outermost first; each ends with `*`.
    var arrays: [[String]] {
        var arrays: [[String]] = []
        var keys: [String] = []
        for key in path {
            keys.append(key)
            if key == "*" {
                arrays.append(keys)
                keys = []
            }
        }
        return arrays
    }

    /// Whether the content is unwrapped, so that pointers lead from it.
    var isUnwrapped: Bool { if case .shape = content { !inner.isEmpty } else { false } }

    static func pointer(_ keys: [String]) -> JSONPointer {
        JSONPointer(keys.map { $0 == "*" ? .each : .key($0) })
    }
}

// MARK: - Text

extension MappingDraft {
    /// The mapping file.
    package var json: [UInt8] {
        var shape: [MappingValue.Member] = []
        if case .shape(let base) = content, case .object(let members) = MappingValue(json: base.json).content
        {
            shape = members
        }
        func member(_ key: String) -> [MappingValue] {
            shape.first { $0.key == key }?.value.elements ?? []
        }
        var parts = [Self.list("about", about.map(Self.quoted))]
        if isUnwrapped { parts.append(Self.list("unwrap", [Self.quoted(Self.pointer(inner).description)])) }
        parts.append(Self.list("when", member("when").map(Self.text)))
        parts.append(
            Self.list(
                "each",
                arrays.map { Self.quoted(Self.pointer($0).description) } + member("each").map(Self.text)))
        let platforms = otherPlatforms.map { pointer, names in
            "{\"pointer\": \(Self.quoted(pointer.description)), \"equals\": ["
                + names.map(Self.quoted).joined(separator: ", ") + "]}"
        }
        parts.append(
            Self.list(
                "otherPlatform", member("otherPlatform").map(Self.text) + [platforms].compactMap(\.self)))
        parts.append(Self.list("match", member("match").map(Self.text)))
        let rows = rows(in: member("fields").first)
        if !rows.isEmpty {
            parts.append("  \"fields\": {\n" + rows.joined(separator: ",\n") + "\n  }")
        }
        return Array(("{\n" + parts.filter { !$0.isEmpty }.joined(separator: ",\n") + "\n}\n").utf8)
    }

    /// The fields of the shape, and the draft's own before the names of native records.
    private func rows(in shape: MappingValue?) -> [String] {
        var known: [MappingValue.Member] = []
        if let shape, case .object(let members) = shape.content { known = members }
        var rows: [String] = []
        for member in known {
            let own = fields.first { $0.field.name == member.key }?.candidates ?? []
            let pointers = own.filter { $0.part == nil }.map(\.pointer.description)
            // The shape's candidate for the same value, under a condition, would have no effect.
            var texts = member.value.elements.filter { !pointers.contains(Self.pointer(of: $0) ?? "") }
                .map(Self.text)
            texts.insert(
                contentsOf: own.map(Self.text), at: texts.firstIndex(of: Self.native) ?? texts.endIndex)
            rows.append(Self.list(member.key, texts, indent: "    ", isEmpty: true))
        }
        for (field, candidates) in fields where !known.contains(where: { $0.key == field.name }) {
            var texts = candidates.map(Self.text)
            if case .shape = content, case .envelope(let name) = field, !name.nativePointers.isEmpty {
                texts.append(Self.native)
            }
            rows.append(Self.list(field.name, texts, indent: "    ", isEmpty: true))
        }
        return rows
    }

    /// Returns the pointer of a candidate in a mapping file; nil for another kind of candidate.
    private static func pointer(of candidate: MappingValue) -> String? {
        switch candidate.content {
        case .text(let text): return text
        case .object(let members):
            guard case .text(let text) = members.first(where: { $0.key == "pointer" })?.value.content else {
                return nil
            }
            return text
        default: return nil
        }
    }

    private static let native = "{\"native\": true}"

    private static func text(_ candidate: Choice) -> String {
        var parts = ["\"pointer\": \(quoted(candidate.pointer.description))"]
        if let part = candidate.part {
            parts.append("\"separator\": \(quoted(String(UnicodeScalar(part.separator))))")
            parts.append("\"part\": \(part.index)")
        }
        parts.append("\"about\": \(quoted(candidate.about))")
        return "{\(parts.joined(separator: ", "))}"
    }

    /// A member with a list, an item per line if there are several; nothing for an empty list.
    private static func list(
        _ name: String, _ items: [String], indent: String = "  ", isEmpty: Bool = false
    ) -> String {
        if items.isEmpty { return isEmpty ? "\(indent)\(quoted(name)): []" : "" }
        let lines = items.map { "\n\(indent)  \($0)" }.joined(separator: ",")
        return "\(indent)\(quoted(name)): [\(lines)\n\(indent)]"
    }

    private static func quoted(_ text: String) -> String {
        var output = OutputBuffer()
        output.appendJSONString(Array(text.utf8).span)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ value: MappingValue) -> String {
        switch value.content {
        case .object(let members):
            "{" + members.map { "\(quoted($0.key)): \(text($0.value))" }.joined(separator: ", ") + "}"
        case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .text(let text): quoted(text)
        case .number(let digits): digits
        case .bool(let bool): "\(bool)"
        case .null: "null"
        }
    }
}
