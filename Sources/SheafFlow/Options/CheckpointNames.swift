/// What the files in a checkpoint's folder are called.
enum CheckpointNames {
    static let checkpointPrefix = "checkpoint-"
    static let temporarySuffix = ".tmp"
    private static let dumpPrefix = "state-"
    private static let spillPrefix = "spill-"
    private static let rejectsPrefix = "rejects-"
    private static let stateSuffix = ".run"
    /// What a run holds as long as it has the folder.
    static let lock = "checkpoint.lock"

    /// The name of a file of what was in memory.
    static func dump(_ number: Int, shard: Int) -> String {
        "\(dumpPrefix)\(number)-\(shard)\(stateSuffix)"
    }

    /// The name of a file of state that was spilled.
    static func spill(_ number: Int) -> String { "\(spillPrefix)\(number)\(stateSuffix)" }

    /// The name of a source's rejected lines.
    static func rejects(of source: Int) -> String { "\(rejectsPrefix)\(source)" }

    /// Whether it is exactly a name that a run gives: a file of another name is somebody else's.
    static func isOwn(_ name: String) -> Bool {
        if number(of: name) != nil || numbers(in: name, checkpointPrefix, temporarySuffix)?.count == 1
            || numbers(in: name, rejectsPrefix, "")?.count == 1
        {
            return true
        }
        return isSpill(name) || isDump(name)
    }

    /// Whether a run may make a file of this name, or remove one.
    static func isUsed(_ name: String) -> Bool { isOwn(name) || name == lock }

    static func isSpill(_ name: String) -> Bool { numbers(in: name, spillPrefix, stateSuffix)?.count == 1 }

    static func isDump(_ name: String) -> Bool { numbers(in: name, dumpPrefix, stateSuffix)?.count == 2 }

    /// The number of a checkpoint's file; nil for other names.
    static func number(of name: String) -> Int? {
        guard let numbers = numbers(in: name, checkpointPrefix, ""), numbers.count == 1 else { return nil }
        return numbers[0]
    }

    /// The numbers between a prefix and a suffix, as `String` writes them, with a hyphen between two; nil when something
    /// else stands there. A number that has no next one is none that a run gives.
    private static func numbers(in name: String, _ prefix: String, _ suffix: String) -> [Int]? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
            return nil
        }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        let numbers = middle.split(separator: "-", omittingEmptySubsequences: false).map { part in
            Int(part).flatMap { String($0) == part && $0 < .max ? $0 : nil }
        }
        return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
    }
}
