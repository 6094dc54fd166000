/// The texts of one language by their keys.
public struct StringTable: Sendable, Equatable {
    /// As `LanguageName.canonical` spells it.
    public let language: String
    public private(set) var entries: [String: StringEntry]

    public init(language: String, entries: [String: StringEntry] = [:]) {
        self.language = LanguageName.canonical(language)
        self.entries = entries
    }

    /// Takes over what another table has for keys that this one has not.
    public mutating func merge(_ other: StringTable) {
        entries.merge(other.entries) { own, _ in own }
    }
}

/// An app's string tables in all its languages.
public struct StringTables: Sendable, Equatable {
    private var tables: [String: StringTable] = [:]

    public init() {}

    /// In byte order.
    public var languages: [String] { tables.keys.sorted() }

    public subscript(language: String) -> StringTable? { tables[LanguageName.canonical(language)] }

    /// Takes over what a table has for keys that are not there yet in its language: of two files the one that is
    /// added first counts.
    public mutating func add(_ table: StringTable) {
        tables[table.language, default: StringTable(language: table.language)].merge(table)
    }

    /// Reads a file and adds what is in it.
    ///
    /// - Parameters:
    ///   - contents: the file's bytes.
    ///   - file: what it is and whose; its path stands in messages.
    /// - Throws: `StringTableError` for a file that is not what its name says.
    public mutating func add(_ contents: [UInt8], of file: StringTableFile) throws(StringTableError) {
        do throws(TableProblem) {
            switch file.kind {
            case .strings(let language):
                add(StringTable(language: language, entries: try StringsFile.read(contents)))
            case .pluralRules(let language):
                add(StringTable(language: language, entries: try StringsDictFile.read(contents)))
            case .catalog, .otherCatalog:
                for table in try StringCatalog.read(contents) { add(table) }
            }
        } catch {
            throw error.error(in: file.path)
        }
    }

    public struct Found: Sendable, Equatable {
        /// Where the entry is from: the language whose plural rules count for it. `Base` has those of the language
        /// that the app is developed in.
        public let language: String
        public let entry: StringEntry
    }

    /// The entry of the first language in the chain that has one.
    ///
    /// - Parameter chain: the languages to look in, the best first, in any spelling: `["zh-Hant-TW", "zh-Hant", "en",
    ///   "Base"]`.
    public func find(_ key: String, in chain: [String]) -> Found? {
        find(key, inCanonical: chain.map(LanguageName.canonical))
    }

    /// The same, with languages in their canonical spelling.
    func find(_ key: String, inCanonical chain: [String]) -> Found? {
        for language in chain {
            if let entry = tables[language]?.entries[key] { return Found(language: language, entry: entry) }
        }
        return nil
    }
}
