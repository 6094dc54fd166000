import SheafBytes

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
    /// language, the text of the first table is shown.
    ///
    /// A project may have several sets of tables: its own, its extensions', its frameworks'. The set closest to the
    /// folder comes first, and sets at the same depth are in byte order. Within a set, plural rules come first, as on
    /// a device, followed by a catalog. Catalogs with other names come after all sets. Build products and
    /// dependencies are skipped (`isSkipped`).
    ///
    /// - Parameter paths: the files' paths relative to the folder, separated by `/`, in any order.
    package static func files(among paths: some Sequence<String>) -> [StringTableFile] {
        paths.compactMap { path -> (key: [UInt8], file: StringTableFile)? in
            let folders = path.split(separator: "/").filter { $0 != "." }.dropLast()
            guard !folders.contains(where: isSkipped), let file = StringTableFile(path: path) else {
                return nil
            }
            return (file.sortKey(folders: folders), file)
        }
        .ordered { $0.key.lexicographicallyPrecedes($1.key) }
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

    /// Returns bytes in the order of precedence: whether the catalog has another name, the depth in unary, the folder that
    /// contains the set, the kind, and the path.
    private func sortKey(folders: some BidirectionalCollection<Substring>) -> [UInt8] {
        // The `lproj` folder belongs to the set.
        let isInLanguage = folders.last?.hasSuffix(".lproj") == true
        let set = isInLanguage ? Array(folders.dropLast()) : Array(folders)
        let rank: UInt8 =
            switch kind {
            case .pluralRules: 0
            case .catalog, .otherCatalog: 1
            case .strings: 2
            }
        var key: [UInt8] = [kind == .otherCatalog ? 1 : 0]
        key += repeatElement(1, count: set.count)
        key.append(0)
        key += set.joined(separator: "/").utf8
        key += [0, rank]
        key += path.utf8
        return key
    }
}

// MARK: - Encodings

extension StringTableFile {
    /// Converts a file's text to UTF-8 from any of the encodings that such files have.
    ///
    /// Decodes UTF-8 with or without a byte order mark, and UTF-16 in either byte order. Without a mark, the position
    /// of the zero byte in the first character determines the byte order, because that character is ASCII in every
    /// such file (a quote, a comment, a letter, a brace).
    static func utf8(_ contents: [UInt8]) throws(ContentError) -> [UInt8] {
        if contents.starts(with: UTF8.byteOrderMark) {
            return try validated(Array(UTF8.text(of: contents)))
        }
        guard contents.count >= 2 else { return try validated(contents) }
        switch (contents[0], contents[1]) {
        case (0xff, 0xfe): return try utf16(contents.dropFirst(2), isBigEndian: false)
        case (0xfe, 0xff): return try utf16(contents.dropFirst(2), isBigEndian: true)
        case (0x01..., 0): return try utf16(contents[...], isBigEndian: false)
        case (0, 0x01...): return try utf16(contents[...], isBigEndian: true)
        default: return try validated(contents)
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(ContentError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        guard index == bytes.endIndex else {
            throw ContentError(message: "not valid UTF-16: incomplete character at the end")
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            // A line feed is never part of a surrogate pair, so lines can be validated one by one.
            let lines = units.split(separator: UInt16(UInt8(ascii: "\n")), omittingEmptySubsequences: false)
            let bad = lines.firstIndex { String(validating: $0, as: UTF16.self) == nil }
            throw ContentError(line: bad.map { $0 + 1 }, message: "not valid UTF-16")
        }
        return Array(text.utf8)
    }

    private static func validated(_ bytes: [UInt8]) throws(ContentError) -> [UInt8] {
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw ContentError(line: bad.map { $0 + 1 }, message: "not valid UTF-8")
    }
}
