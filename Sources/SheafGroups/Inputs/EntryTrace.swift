import SheafBytes

/// How an entry was understood, for reports.
package struct EntryTrace {
    /// A field of the record.
    package struct TracedField {
        package let name: String
        /// The pointer to the value in the entry, or `constant` or `wrapper`.
        package let origin: String
        package let text: [UInt8]
    }

    /// Why an entry does not fit a mapping.
    package struct Misfit {
        package let mapping: String
        /// The conditions that do not hold, of the alternative that is nearest to holding: what each one needs, the
        /// pointer, and what is there.
        package let unmet: [TracedField]
        /// The number of alternatives.
        package let alternatives: Int
    }

    /// The origin of a value from the mapping itself.
    package static let constant = "constant"
    /// The origin of a value from what the entry is wrapped in.
    package static let wrapper = "wrapper"

    /// The number of wrappers around the entry.
    package let depth: Int
    /// The name of the shape or mapping; nil if none fits.
    package internal(set) var shape: String?
    package internal(set) var fields: [TracedField] = []
    /// The mappings that the user named, as far as they were tried and the entry does not fit them.
    package internal(set) var misfits: [Misfit] = []
    /// The entry's text.
    private let entry: [UInt8]

    init(depth: Int, _ entry: Span<UInt8>) {
        self.depth = depth
        var bytes: [UInt8] = []
        bytes.append(entry)
        self.entry = bytes
    }

    /// The values of the entry.
    package var leaves: [JSONLeaves.Leaf] { JSONLeaves(of: entry).leaves }

    /// The entry's text.
    package var text: String { String(decoding: entry, as: UTF8.self) }

    /// Whether the record has a field.
    package func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// The origin of an app that no entry has.
    package static let defaultApp = "--app"

    /// Whether the app is that of records that have none.
    package var hasDefaultApp: Bool { fields.contains { $0.origin == Self.defaultApp } }

    /// Adds the app of a record that has none.
    package mutating func add(defaultApp app: String) {
        fields.insert(TracedField(name: "app", origin: Self.defaultApp, text: Array(app.utf8)), at: 0)
    }

    /// The pointers to the values of the entry that no field uses.
    package var ignored: [String] {
        let used = fields.compactMap { try? JSONPointer(parsing: $0.origin) }.map { pointer in
            pointer.tokens.map { if case .key(let key) = $0 { key } else { "*" } }
        }
        return JSONLeaves(of: entry).unused(used)
    }
}

// MARK: - Values

/// The values of a JSON text that are neither objects nor arrays, with the pointers to them, for reports.
///
/// A string that holds an object is walked through like one, as pointers lead through it. All elements of an array have
/// the pointer of the array and `*`.
package struct JSONLeaves {
    package struct Leaf {
        package let pointer: String
        /// The keys from the top down.
        package let keys: [String]
        package let kind: FieldScanner.Kind
        /// The decoded text of a string; any other value as written.
        package let text: [UInt8]

        /// The pointer to the object that has a key, if the value is inside that key's; nil for one at the top.
        package func parent(of key: String) -> String? {
            guard let index = keys.firstIndex(of: key), index > 0 else { return nil }
            return JSONLeaves.pointer(Array(keys[..<index]))
        }

        /// Whether the value is probably a time: a date, or a number that counts from 1970 to one between 2005 and 2100.
        package var isProbablyTime: Bool {
            switch kind {
            case .string where DateTime(text.span) != nil: return true
            case .string, .number:
                guard text.count >= 10, let time = Timestamp.milliseconds(number: text.span) else {
                    return false
                }
                return (1_104_537_600_000...4_102_444_800_000).contains(time)
            default: return false
            }
        }

        /// Whether the value is probably an app's identifier, such as `com.example.app`.
        package var isProbablyApp: Bool {
            guard kind == .string else { return false }
            let labels = String(decoding: text, as: UTF8.self).split(
                separator: ".", omittingEmptySubsequences: false)
            return labels.count >= 3 && (2...10).contains(labels[0].count)
                && labels[0].allSatisfy { $0.isASCII && $0.isLetter }
                && labels.allSatisfy { label in
                    !label.isEmpty
                        && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                }
        }
    }

    package private(set) var leaves: [Leaf] = []

    /// The maximum number of leaves: entries with more are not reported completely.
    private static let maximumLeaves = 1000
    private static let maximumDepth = 16

    /// - Parameter json: a JSON text; one that is not valid gives some of its leaves.
    package init(of json: [UInt8]) {
        let chunk = Chunk(json)
        var scanner = FieldScanner(FieldPlan())
        guard scanner.scan(TextRange(0..<json.count), of: chunk) == .object else { return }
        walk(json.span, [], depth: 0)
    }

    private mutating func walk(_ json: Span<UInt8>, _ keys: [String], depth: Int) {
        let start = json.endOfJSONSpace(from: 0)
        guard start < json.count, leaves.count < Self.maximumLeaves else { return }
        let value = json.extracting(start..<json.endOfJSONValue(from: start))
        switch json[start] {
        case UInt8(ascii: "{") where depth < Self.maximumDepth:
            var members = JSONMembers(at: 0)
            while let member = members.next(in: value) {
                let quoted = member.key.lowerBound - 1..<member.key.upperBound + 1
                let key = String(decoding: value.extracting(quoted).jsonText, as: UTF8.self)
                walk(value.extracting(member.value), keys + [key], depth: depth + 1)
            }
        case UInt8(ascii: "[") where depth < Self.maximumDepth:
            var elements = JSONMembers(at: 0)
            while let element = elements.nextElement(in: value) {
                walk(value.extracting(element), keys + ["*"], depth: depth + 1)
            }
        case UInt8(ascii: "\""):
            let text = value.jsonText
            if text.first == UInt8(ascii: "{"), depth < Self.maximumDepth, Self.isObject(text) {
                walk(text.span, keys, depth: depth + 1)
            } else if let object = Self.objectWrittenTwice(text), depth < Self.maximumDepth {
                walk(object.span, keys, depth: depth + 1)
            } else {
                add(.string, text, keys)
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): add(.bool, value.jsonText, keys)
        case UInt8(ascii: "n"): break
        case UInt8(ascii: "{"), UInt8(ascii: "["): break
        default: add(.number, value.jsonText, keys)
        }
    }

    /// Returns the JSON object in a text that was written as JSON twice, so that it is a JSON string; nil for any other.
    private static func objectWrittenTwice(_ text: [UInt8]) -> [UInt8]? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        var scanner = FieldScanner(FieldPlan())
        guard scanner.scan(TextRange(0..<text.count), of: Chunk(text)) == .notObject else { return nil }
        let inner = text.span.extracting(0..<text.span.endOfJSONValue(from: 0)).jsonText
        return isObject(inner) ? inner : nil
    }

    /// Returns whether a text is a JSON object.
    package static func isObject(_ text: [UInt8]) -> Bool {
        var scanner = FieldScanner(FieldPlan())
        return scanner.scan(TextRange(0..<text.count), of: Chunk(text)) == .object
    }

    private mutating func add(_ kind: FieldScanner.Kind, _ text: [UInt8], _ keys: [String]) {
        leaves.append(
            Leaf(
                pointer: Self.pointer(keys), keys: keys, kind: kind, text: text))
    }

    /// Returns the pointers to the values that none of the given pointers leads to or through, the uppermost ones.
    package func unused(_ used: [[String]]) -> [String] {
        // Every beginning of a used pointer.
        var prefixes: Set<[String]> = []
        for keys in used { for count in 0...keys.count { prefixes.insert(Array(keys.prefix(count))) } }
        var found: [String] = []
        for leaf in leaves {
            // A value inside a used one, such as an argument in a list, is used.
            if used.contains(where: { leaf.keys.starts(with: $0) }) { continue }
            guard
                let count = (0...leaf.keys.count).first(where: {
                    !prefixes.contains(Array(leaf.keys.prefix($0)))
                })
            else { continue }
            let pointer = Self.pointer(Array(leaf.keys.prefix(count)))
            if !found.contains(pointer) { found.append(pointer) }
        }
        return found
    }

    fileprivate static func pointer(_ keys: [String]) -> String {
        JSONPointer(keys.map { $0 == "*" ? .each : .key($0) }).description
    }
}
