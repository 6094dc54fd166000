import SheafBytes

/// The parts of a file of state, in their order. Each is frames of one kind, whose payload is records one behind the
/// other, each behind its length.
enum StateSection: UInt8 {
    /// What a partial result is of; spilled runs have none.
    case header = 1
    /// Notifications that a newer version may replace, in byte order of device, app and collapse identifier, each once.
    case notifications = 2
    /// Groups' states, in byte order of device, app and thread, each key once; within a key groups that are alone, the
    /// newest first.
    case groups = 3
    /// What a partial result counted.
    case counts = 4
}

extension FrameMagic {
    /// State that a replay put on disk, and that it alone reads.
    static let run = FrameMagic("SHRUN", version: 2, oldest: 1)
    /// State that was in memory when a checkpoint was made, in any order.
    static let dump = FrameMagic("SHDMP", version: 2, oldest: 1)
    /// How far a run is. Version 1 had only the keys of localized alerts, so a run resumed from it would end differently.
    /// Version 2 did not have the
    /// profile, and names runs and dumps whose groups may have any number of categories.
    static let checkpoint = FrameMagic("SHCKP", version: 3, oldest: 2)
    /// A partial result, to be merged. Localized alerts in files of version 1 show their keys; groups in files of versions 1
    /// and 2 may have any number of categories.
    static let partial = FrameMagic("SHEAF", version: 3, oldest: 1)
}
