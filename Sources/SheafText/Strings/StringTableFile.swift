/// A string table file in an app's project, identified by its path.
package struct StringTableFile: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// `LANGUAGE.lproj/Localizable.strings`
        case strings(language: String)
        /// `LANGUAGE.lproj/Localizable.stringsdict`
        case pluralRules(language: String)
        /// `Localizable.xcstrings`
        case catalog
        /// A catalog with another name, for keys that no table named `Localizable` has.
        case otherCatalog
    }

    /// The path as given.
    package let path: String
    package let kind: Kind

    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Identifies a file by its path; nil if it is not a string table for notifications.
    ///
    /// A payload's `loc-key` is looked up in tables named `Localizable` (Apple, "Generating a remote notification").
    /// Catalogs with other names may contain formats anyway, except for `InfoPlist`, which is about the app itself.
    package init?(path: String) {
        let names = path.split(separator: "/").filter { $0 != "." }
        guard let name = names.last else { return nil }
        var language: String?
        if names.count > 1, names[names.count - 2].hasSuffix(".lproj") {
            language = LanguageName.canonical(String(names[names.count - 2].dropLast(6)))
        }
        switch (name, language) {
        case ("Localizable.strings", let language?): kind = .strings(language: language)
        case ("Localizable.stringsdict", let language?): kind = .pluralRules(language: language)
        case ("Localizable.xcstrings", _): kind = .catalog
        case (let name, _) where name.hasSuffix(".xcstrings") && name != "InfoPlist.xcstrings":
            kind = .otherCatalog
        default: return nil
        }
        self.path = path
    }
}

extension StringTableFile {
    /// Returns the string tables among the files of a folder, in order of precedence: if two have the same key and
    /// language, the text of the first one is shown.
    ///
    /// A project may have several sets of tables: its own, its extensions', its frameworks'. The set closest to the
    /// folder comes first, and sets at the same depth are in byte order. Within a set, plural rules come first, as on
    /// a device, followed by a catalog. Catalogs with other names come after all sets. Build products and
    /// dependencies are skipped (`isSkipped`).
    ///
    /// - Parameter paths: the files' paths relative to the folder, separated by `/`, in any order.
    package static func files(among paths: some Sequence<String>) -> [StringTableFile] {
        paths.compactMap { path -> (order: Order, file: StringTableFile)? in
            let folders = path.split(separator: "/").filter { $0 != "." }.dropLast()
            guard !folders.contains(where: isSkipped), let file = StringTableFile(path: path) else {
                return nil
            }
            return (Order(file, folders: folders), file)
        }
        .sorted { $0.order < $1.order }
        .map(\.file)
    }

    /// Returns whether a folder has no tables of the project itself: hidden folders, what Xcode and other tools build
    /// or download, and bundles, which have their own tables. A search can skip such a folder.
    package static func isSkipped(folder name: some StringProtocol) -> Bool {
        if name.hasPrefix(".") || otherFolders.contains(String(name)) { return true }
        return bundles.contains { name.hasSuffix($0) }
    }

    private static let otherFolders: Set = [
        "build", "Build", "DerivedData", "Pods", "Carthage", "SourcePackages", "node_modules",
    ]
    private static let bundles = [
        ".app", ".appex", ".bundle", ".framework", ".xcframework", ".xcarchive", ".xctest", ".xcodeproj",
        ".xcworkspace", ".xcassets",
    ]

    private struct Order: Comparable {
        let isOther: Bool
        let depth: Int
        /// The folder that contains the set.
        let set: [UInt8]
        let kind: Int
        let path: [UInt8]

        init(_ file: StringTableFile, folders: some BidirectionalCollection<Substring>) {
            // The `lproj` folder belongs to the set.
            let isInLanguage = folders.last?.hasSuffix(".lproj") == true
            let own = isInLanguage ? Array(folders.dropLast()) : Array(folders)
            depth = own.count
            set = Array(own.joined(separator: "/").utf8)
            kind =
                switch file.kind {
                case .pluralRules: 0
                case .catalog, .otherCatalog: 1
                case .strings: 2
                }
            isOther = file.kind == .otherCatalog
            path = Array(file.path.utf8)
        }

        static func < (one: Order, other: Order) -> Bool {
            if one.isOther != other.isOther { return other.isOther }
            if one.depth != other.depth { return one.depth < other.depth }
            if one.set != other.set { return one.set.lexicographicallyPrecedes(other.set) }
            if one.kind != other.kind { return one.kind < other.kind }
            return one.path.lexicographicallyPrecedes(other.path)
        }
    }
}
