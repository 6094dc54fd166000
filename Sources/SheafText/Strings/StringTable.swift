import SheafBytes

/// The entries of one language by key.
package struct StringTable: Sendable, Equatable {
    /// The language in the spelling of `LanguageName.canonical`.
    package let language: String
    package private(set) var entries: [String: StringEntry]

    package init(language: String, entries: [String: StringEntry] = [:]) {
        self.language = LanguageName.canonical(language)
        self.entries = entries
    }

    /// Adds another table's entries for keys that this table does not have.
    package mutating func merge(_ other: StringTable) {
        entries.merge(other.entries) { own, _ in own }
    }
}

/// An app's string tables in all its languages.
package struct StringTables: Sendable, Equatable {
    private var tables: [String: StringTable] = [:]

    package init() {}

    /// The languages in byte order.
    package var languages: [String] { tables.keys.ordered() }

    package subscript(language: String) -> StringTable? { tables[LanguageName.canonical(language)] }

    /// Adds a table's entries for keys that its language does not have yet, so that the file that is added first
    /// takes precedence.
    package mutating func add(_ table: StringTable) {
        tables[table.language, default: StringTable(language: table.language)].merge(table)
    }

    /// Reads a file and adds its entries.
    ///
    /// - Parameters:
    ///   - contents: the file's bytes.
    ///   - file: the file's kind, language and path, which is used in messages.
    /// - Throws: `LocatedError` if the contents are not valid for the file's kind.
    package mutating func add(_ contents: [UInt8], of file: StringTableFile) throws(LocatedError) {
        do throws(ContentError) {
            switch file.kind {
            case .strings(let language):
                add(StringTable(language: language, entries: try StringsFile.texts(in: contents)))
            case .pluralRules(let language):
                add(StringTable(language: language, entries: try StringsFile.pluralRules(in: contents)))
            case .catalog, .otherCatalog:
                for table in try StringCatalog.tables(in: contents) { add(table) }
            }
        } catch {
            throw error.error(in: file.path)
        }
    }

    /// Returns a key's entry in the first language of the chain that has an entry, and that language: its plural rules
    /// apply. `Base` has the rules of the app's development language.
    ///
    /// - Parameter chain: the languages to search, the best first, in any spelling: `["zh-Hant-TW", "zh-Hant", "en",
    ///   "Base"]`.
    package func find(_ key: String, in chain: [String]) -> (language: String, entry: StringEntry)? {
        find(key, inCanonical: chain.map(LanguageName.canonical))
    }

    /// The same for languages in canonical spelling.
    func find(_ key: String, inCanonical chain: [String]) -> (language: String, entry: StringEntry)? {
        for language in chain {
            if let entry = tables[language]?.entries[key] { return (language, entry) }
        }
        return nil
    }
}

// MARK: - Entries

/// A table's entry for a key in a language: a text, or a text for each plural category, and the variables in it.
package struct StringEntry: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        /// A text that may contain conversions (`%@`, `%u`) and variables (`%#@episodes@`).
        case text(String)
        /// A text for each plural category, as in a catalog if the text depends on one number.
        case plural([PluralCategory: String])
    }

    package var body: Body
    /// Variables by name.
    package var variables: [String: StringVariable]

    package init(_ body: Body, variables: [String: StringVariable] = [:]) {
        self.body = body
        self.variables = variables
    }

    /// Returns the names of devices in order of preference: the phone, then `other`, then all others in byte order.
    static func preferredDevices(_ names: some Collection<String>) -> [String] {
        func rank(_ name: String) -> Int { name == "iphone" ? 0 : name == "other" ? 1 : 2 }
        return names.ordered { (rank($0), $0) < (rank($1), $1) }
    }

    /// Returns the greatest width. Widths are numbers without a unit.
    static func widest(_ widths: some Sequence<String>) -> String? {
        widths.max { (Int($0) ?? -1, $0) < (Int($1) ?? -1, $1) }
    }
}

/// A part of a text that depends on a number.
package struct StringVariable: Sendable, Equatable {
    /// The number's position among the arguments, from 1, if the variable itself specifies it (`argNum`); nil if the
    /// text's reference to the variable does.
    package var argument: Int?
    /// The type in the number's conversion, such as `d` or `lld`; nil if not specified.
    package var valueType: String?
    package var forms: [PluralCategory: String]

    package init(argument: Int? = nil, valueType: String? = nil, forms: [PluralCategory: String]) {
        self.argument = argument
        self.valueType = valueType
        self.forms = forms
    }
}

/// Limits of string tables, so that a hostile file causes an error instead of exhausting the stack or memory.
package enum StringLimits {
    /// The most levels of a property list or of XML elements. A table has at most five: key, device, variable, form,
    /// text.
    static let levels = 32
    /// The most levels of variables in forms of variables, which also stops a variable that refers to itself.
    static let variableDepth = 8
    /// The most bytes of a text with each variable expanded to its longest form, before numbers and arguments are
    /// inserted.
    static let expandedLength = 65_536
    /// The most compiled variables of a text; a variable counts once for each argument that it is used with.
    static let variableCount = 1_024
    /// The most bytes of an alert's text with its arguments inserted, up to the end of the last argument.
    package static let alertLength = 1 << 20
    /// The largest position of an argument (`%99$@`), written or implied. A variable is compiled once for each
    /// position.
    static let position = 99
}
