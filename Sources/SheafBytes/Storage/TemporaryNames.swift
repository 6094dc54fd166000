#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The names of the files that become a target.
///
///     .target.ndjson.sheaf-1x2y.tmp
///     .target.ndjson.sheaf-1x2y.7.spool
public struct TemporaryNames {
    /// Ends in a slash, or is empty.
    private let folder: String
    /// `.target.ndjson.sheaf-`
    private let prefix: String

    private static let mark = ".sheaf-"
    private static let suffix = ".tmp"
    private static let spoolSuffix = ".spool"
    /// A tag is a number of 64 bits in this radix.
    private static let radix = 36

    /// - Throws: `StorageError` when the target has no name.
    public init(_ target: String) throws(StorageError) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(target[...$0]) } ?? ""
        let name = slash.map { String(target[target.utf8.index(after: $0)...]) } ?? target
        guard !name.isEmpty else { throw StorageError(.create, path: target, code: ENOENT) }
        // A name may have 255 bytes: a long one leaves no room for what is put around it.
        let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        prefix = ".\(start)\(Self.mark)"
    }

    /// A path that no other process is likely to choose.
    func random() -> String {
        folder + prefix + String(UInt64.random(in: .min ... .max), radix: Self.radix) + Self.suffix
    }

    /// - Parameter temporary: a path that `random` made.
    static func spool(_ number: Int, of temporary: String) -> String {
        "\(temporary.dropLast(suffix.count)).\(number)\(spoolSuffix)"
    }

    /// Removes the files that killed processes left. Files that can't be removed stay.
    func removeAbandoned(_ storage: any Storage) {
        guard let names = try? storage.names(in: folder.isEmpty ? "." : folder) else { return }
        for name in names where isTarget(of: name) && name.hasSuffix(Self.suffix) {
            let path = folder + name
            // A live process has its file locked, and other users clean up their own.
            guard storage.isOwn(path), let lock = try? storage.lock(path) else { continue }
            // Spools first: they are found by way of this file.
            let spools = name.dropLast(Self.suffix.count) + "."
            for name in names where name.hasPrefix(spools) && name.hasSuffix(Self.spoolSuffix) {
                if storage.isOwn(folder + name) { try? storage.remove(folder + name) }
            }
            try? storage.remove(path)
            withExtendedLifetime(lock) {}
        }
    }

    /// Whether a file of this name, in the target's folder, is one of the target's.
    public func isTarget(of name: String) -> Bool {
        // With nothing but a tag, and a spool's number, after the prefix: a longer target may begin in the same way.
        name.hasPrefix(prefix) && !name.dropFirst(prefix.count).contains("-") && Self.isUsed(name)
    }

    /// Whether this is the name of a temporary file or a spool of any target, and so not of a log.
    public static func isUsed(_ name: String) -> Bool {
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
        let tag = String(start[start.index(after: hyphen)...])
        guard let number = UInt64(tag, radix: radix) else { return false }
        return String(number, radix: radix) == tag
    }
}
