/// The entries of one language by key.
package struct StringTable: Sendable, Equatable {
    /// The language in the spelling of `LanguageName.canonical`.
    package let language: String
    package private(set) var entries: [String: StringEntry]

    package init(language: String, entries: [String: StringEntry] = [:]) {
        self.language = LanguageName.canonical(language)
        self.entries = entries
    }

    /// Adds another table's entries for keys that this one does not have.
    package mutating func merge(_ other: StringTable) {
        entries.merge(other.entries) { own, _ in own }
    }
}

/// An app's string tables in all its languages.
package struct StringTables: Sendable, Equatable {
    private var tables: [String: StringTable] = [:]

    package init() {}

    /// The languages in byte order.
    package var languages: [String] { tables.keys.sorted() }

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

    package struct Found: Sendable, Equatable {
        /// The language of the entry's table, whose plural rules apply. `Base` has the rules of the app's development
        /// language.
        package let language: String
        package let entry: StringEntry
    }

    /// Returns the entry of the first language in the chain that has one.
    ///
    /// - Parameter chain: the languages to search, the best first, in any spelling: `["zh-Hant-TW", "zh-Hant", "en",
    ///   "Base"]`.
    package func find(_ key: String, in chain: [String]) -> Found? {
        find(key, inCanonical: chain.map(LanguageName.canonical))
    }

    /// The same for languages in canonical spelling.
    func find(_ key: String, inCanonical chain: [String]) -> Found? {
        for language in chain {
            if let entry = tables[language]?.entries[key] { return Found(language: language, entry: entry) }
        }
        return nil
    }
}
