/// The names of the files in a checkpoint folder.
enum CheckpointNames {
    static let checkpointPrefix = "checkpoint-"
    static let temporarySuffix = ".tmp"
    private static let dumpPrefix = "state-"
    private static let spillPrefix = "spill-"
    private static let rejectsPrefix = "rejects-"
    private static let stateSuffix = ".run"
    /// The name of the file with the live snapshots that were written.
    static let snapshots = "snapshots"
    /// The name of the lock file that a run holds while it uses the folder.
    static let lock = "checkpoint.lock"

    /// The name of a file with the state that a shard had in memory.
    static func dump(_ number: Int, shard: Int) -> String {
        "\(dumpPrefix)\(number)-\(shard)\(stateSuffix)"
    }

    /// The name of a spilled run.
    static func spill(_ number: Int) -> String { "\(spillPrefix)\(number)\(stateSuffix)" }

    /// The name of the file with a source's rejected lines.
    static func rejects(of source: Int) -> String { "\(rejectsPrefix)\(source)" }

    /// Whether a run could have created this name. Files with other names belong to other programs.
    static func isOwn(_ name: String) -> Bool {
        if number(of: name) != nil || numbers(in: name, checkpointPrefix, temporarySuffix)?.count == 1
            || numbers(in: name, rejectsPrefix, "")?.count == 1 || name == snapshots
        {
            return true
        }
        return isSpill(name) || isDump(name)
    }

    /// Whether a run may create or remove a file with this name.
    static func isUsed(_ name: String) -> Bool { isOwn(name) || name == lock }

    static func isSpill(_ name: String) -> Bool { numbers(in: name, spillPrefix, stateSuffix)?.count == 1 }

    static func isDump(_ name: String) -> Bool { numbers(in: name, dumpPrefix, stateSuffix)?.count == 2 }

    /// The number in the name of a checkpoint file; nil for other names.
    static func number(of name: String) -> Int? {
        guard let numbers = numbers(in: name, checkpointPrefix, ""), numbers.count == 1 else { return nil }
        return numbers[0]
    }

    /// The numbers between a prefix and a suffix, in the form that `String` writes, separated by hyphens; nil when the
    /// text between them has any other form. `Int.max` is not accepted: a run could not assign the next number.
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
