/// The names of the temporary files and spools of a target.
///
///     .target.ndjson.sheaf-1x2y.tmp
///     .target.ndjson.sheaf-1x2y.7.spool
package struct TemporaryNames {
    /// The target's folder with a slash at the end, or empty.
    private let folder: String
    /// `.target.ndjson.sheaf-`
    private let prefix: String

    private static let mark = ".sheaf-"
    private static let suffix = ".tmp"
    private static let spoolSuffix = ".spool"
    /// The radix of a tag, which is a 64-bit number.
    private static let radix = 36

    /// - Throws: `StorageError` if the target has no name.
    package init(_ target: String) throws(StorageError) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(target[...$0]) } ?? ""
        let name = slash.map { String(target[target.utf8.index(after: $0)...]) } ?? target
        guard !name.isEmpty else { throw StorageError(.create, path: target, code: ENOENT) }
        // A name can have 255 bytes. A long name would leave no room for the prefix and the suffixes.
        let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        prefix = ".\(start)\(Self.mark)"
    }

    /// Returns a path that no other process is likely to choose.
    func random() -> String { folder + prefix + Self.randomTag() + Self.suffix }

    /// Returns the part of a name that distinguishes a process's files from those of others.
    package static func randomTag() -> String { String(UInt64.random(in: .min ... .max), radix: radix) }

    /// Returns whether `randomTag` may have returned a text.
    package static func isTag(_ text: Substring) -> Bool {
        UInt64(text, radix: radix).map { String($0, radix: radix) == text } ?? false
    }

    /// - Parameter temporary: a path that `random` returned.
    static func spool(_ number: Int, of temporary: String) -> String {
        "\(temporary.dropLast(suffix.count)).\(number)\(spoolSuffix)"
    }

    /// Removes the files that killed processes left. Files that can't be removed stay.
    ///
    /// A living process has its temporary file, and has it locked, as long as it has spools. So spools without a
    /// temporary file, whose name a power failure lost, are removed in the same way: the lock creates the file.
    func removeAbandoned(_ storage: any Storage) {
        guard let names = try? storage.names(in: folder.isEmpty ? "." : folder) else { return }
        // Other users clean up their own files.
        let own = names.filter { isTarget(of: $0) && storage.isOwn(folder + $0) }
        for temporary in Set(own.map(Self.temporary)) {
            guard let lock = try? storage.lock(folder + temporary) else { continue }
            // Spools first: they are found by the name of this file, too.
            for name in own where name != temporary && Self.temporary(of: name) == temporary {
                try? storage.remove(folder + name)
            }
            try? storage.remove(folder + temporary)
            withExtendedLifetime(lock) {}
        }
    }

    /// Returns the name of the temporary file of a spool, or of itself.
    private static func temporary(of name: String) -> String {
        guard name.hasSuffix(spoolSuffix) else { return name }
        let start = name.dropLast(spoolSuffix.count)
        return start[..<(start.lastIndex(of: ".") ?? start.endIndex)] + suffix
    }

    /// Returns whether a file with this name, in the target's folder, belongs to the target.
    package func isTarget(of name: String) -> Bool {
        // Only a tag, and the number of a spool, may follow the prefix: the name of another, longer target may have
        // the same start.
        name.hasPrefix(prefix) && !name.dropFirst(prefix.count).contains("-") && Self.isReserved(name)
    }

    /// Returns whether this is the name of a temporary file or a spool of any target, and therefore not of a log.
    package static func isReserved(_ name: String) -> Bool {
        if isTemporary(name) { return true }
        guard name.hasSuffix(spoolSuffix) else { return false }
        let start = name.dropLast(spoolSuffix.count)
        guard let dot = start.lastIndex(of: "."), Int(start[start.index(after: dot)...]) != nil else {
            return false
        }
        return isTemporary(start[..<dot] + suffix)
    }

    private static func isTemporary(_ name: some StringProtocol) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        let start = name.dropLast(suffix.count)
        guard let hyphen = start.lastIndex(of: "-"), start[...hyphen].hasSuffix(mark) else { return false }
        return isTag(Substring(start[start.index(after: hyphen)...]))
    }
}
