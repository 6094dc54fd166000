import SheafBytes

/// How an entry was understood, for reports.
package struct EntryTrace {
    /// A field of the record.
    package struct Field {
        package let name: String
        /// The pointer to the value in the entry, or `constant` or `wrapper`.
        package let origin: String
        package let text: [UInt8]
    }

    /// Why an entry does not fit the mapping that it must have.
    package struct Misfit {
        package let mapping: String
        /// The conditions that do not hold, of the alternative that is nearest to holding: what each one needs, the
        /// pointer, and what is there.
        package let unmet: [Field]
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
    package internal(set) var fields: [Field] = []
    /// nil if the entry fits, or may have any shape.
    package internal(set) var misfit: Misfit?
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
    static let defaultApp = "--app"

    /// Whether the app is that of records that have none.
    package var hasDefaultApp: Bool { fields.contains { $0.origin == Self.defaultApp } }

    /// Adds the app of a record that has none.
    package mutating func add(defaultApp app: String) {
        fields.insert(Field(name: "app", origin: Self.defaultApp, text: Array(app.utf8)), at: 0)
    }

    /// The pointers to the values of the entry that no field uses.
    package var ignored: [String] {
        let used = fields.compactMap { try? JSONPointer(parsing: $0.origin) }.map { pointer in
            pointer.tokens.map { if case .key(let key) = $0 { key } else { "*" } }
        }
        return JSONLeaves(of: entry).unused(used)
    }
}
