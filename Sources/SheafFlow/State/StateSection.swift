import SheafBytes

/// The sections of a state file, in order. A section is a sequence of frames of one kind, whose payloads are sequences
/// of length-prefixed records.
enum StateSection: UInt8 {
    /// The header of a partial result. Spilled runs have none.
    case header = 1
    /// Notifications that a newer version may replace, in byte order of device, app and collapse identifier. Keys are
    /// unique.
    case notifications = 2
    /// Groups' states, in byte order of device, app and thread. Keys are unique, except with grouping `off`: groups
    /// with equal keys are then ordered from newest to oldest.
    case groups = 3
    /// The counts of a partial result.
    case counts = 4
}

extension FrameMagic {
    /// State that a replay spilled to disk. Only that replay reads it.
    static let run = FrameMagic("SHRUN", version: 2, oldest: 1)
    /// The state in memory at a checkpoint, in any order.
    static let dump = FrameMagic("SHDMP", version: 2, oldest: 1)
    /// The progress of a run. Version 1 had only the keys of localized alerts, so a run resumed from it would have a
    /// different result. Version 2 did not have the profile, and refers to runs and dumps whose groups may have any
    /// number of categories. Version 3 did not have the checksums of rejected lines.
    static let checkpoint = FrameMagic("SHCKP", version: 4, oldest: 2)
    /// A partial result with named sources, or, to read it, any partial result. Localized alerts in files of version 1
    /// show their keys; groups in files of versions 1 and 2 may have any number of categories; in files before version
    /// 4, ordinals are positions.
    static let partial = FrameMagic("SHEAF", version: namedVersion, oldest: 1)
    /// The first version with named sources.
    static let namedVersion: UInt8 = 4
    /// Ranges of keys by which partial results are cut, or a sample of keys.
    static let keys = FrameMagic("SHKEY", version: 1)
    /// A partial result whose ordinals are positions.
    static let positional = FrameMagic("SHEAF", version: 3)
}
