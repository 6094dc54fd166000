/// A file of string tables in an app's project, as its path tells it.
public struct StringTableFile: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// `LANGUAGE.lproj/Localizable.strings`
        case strings(language: String)
        /// `LANGUAGE.lproj/Localizable.stringsdict`
        case pluralRules(language: String)
        /// `Localizable.xcstrings`
        case catalog
        /// A catalog of another name, for keys that no table named `Localizable` has.
        case otherCatalog
    }

    /// As it was given.
    public let path: String
    public let kind: Kind

    public init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// nil for what is no string table that notifications are shown with.
    ///
    /// It is in tables named `Localizable` that a payload's `loc-key` is looked up (Apple, "Generating a remote
    /// notification"). Catalogs of other names may hold formats all the same, but for the one that is about the app itself.
    public init?(path: String) {
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
    /// The string tables among the files of a folder, in the order in which they count: of two with the same key and
    /// language the first one's text is shown.
    ///
    /// A project may have several sets of tables: its own, its extensions', its frameworks'. The set that lies nearest
    /// to the folder comes first, and of those equally near the first in byte order. In a set plural rules come first,
    /// as on a device, then a catalog. Catalogs of other names come behind all sets. What was built or brought by others is passed over (`isPassedOver`).
    ///
    /// - Parameter paths: relative to the folder, with `/`, in any order.
    public static func files(among paths: some Sequence<String>) -> [StringTableFile] {
        paths.compactMap { path -> (order: Order, file: StringTableFile)? in
            let folders = path.split(separator: "/").filter { $0 != "." }.dropLast()
            guard !folders.contains(where: isPassedOver), let file = StringTableFile(path: path) else {
                return nil
            }
            return (Order(file, folders: folders), file)
        }
        .sorted { $0.order < $1.order }
        .map(\.file)
    }

    /// Whether a folder has no tables of the project itself: hidden ones, what Xcode and other tools build or load,
    /// and bundles, whose tables are their own. The search need not go into such a folder.
    public static func isPassedOver(folder name: some StringProtocol) -> Bool {
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
        /// The folder that the set lies in.
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
