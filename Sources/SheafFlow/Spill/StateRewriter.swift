import SheafBytes
import SheafGroups

/// Merges sorted files of state into one.
struct StateRewriter {
    private let storage: any Storage
    private let maximumArguments: Int
    private var encoder = GroupEncoder()

    init(maximumArguments: Int, storage: any Storage) {
        self.storage = storage
        self.maximumArguments = maximumArguments
    }

    /// Writes the newest versions of the notifications of `files`, at most `Limits.mergedFiles`. They count as read: to be
    /// called once.
    ///
    /// - Parameter check: called now and then; throws to end it.
    /// - Returns: how many were replaced by newer versions in other files.
    func mergeNotifications(
        _ files: inout [StateFile], to writer: inout StateWriter, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        var versions = try NewestVersions(files, storage: storage)
        var record = OutputBuffer()
        var count = 0
        while let notification = try versions.next() {
            record.removeAll()
            EncodedNotification.append(notification, in: versions.bytes, to: &record)
            try writer.add(record.bytes, to: .notifications)
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
        }
        versions.take(from: &files)
        return versions.replaced
    }

    /// Writes the groups of `files`, at most `Limits.mergedFiles`, in the entries' order; those of one key become one.
    ///
    /// - Returns: how many they are then.
    mutating func mergeGroups<Entry: StateRecord>(
        _ entry: Entry.Type, _ files: [StateFile], to writer: inout StateWriter,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        var count: UInt64 = 0
        var merged = try MergedGroups<Entry>(files, storage: storage)
        var groups = EncodedGroups()
        var store = GroupStore(maximumArguments: maximumArguments)
        var record = OutputBuffer()
        while true {
            try check()
            try merged.take(into: &groups)
            if groups.groupCount == 0 { return count }
            count += UInt64(groups.groupCount)
            if store.heldBytes > Limits.passingStoreBytes {
                store = GroupStore(maximumArguments: maximumArguments)
            }
            var place = 0
            while place < groups.end {
                let next = groups.end(ofGroupAt: place)
                if let finished = groups.finished(place) {
                    try writer.add(finished, to: .groups)
                } else {
                    let (state, isAlone) = groups.group(at: place, in: &store)
                    groups.forgetStates()
                    record.removeAll()
                    encoder.append(state, of: store, isAlone: isAlone, to: &record)
                    try writer.add(record.bytes, to: .groups)
                }
                place = next
            }
        }
    }
}
