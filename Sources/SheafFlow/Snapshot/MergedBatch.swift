import SheafBytes
import SheafGroups

/// Consecutive groups of several state files, merged into one order.
struct MergedBatch<Entry: StateRecord>: GroupBatch, ~Copyable {
    private var groups = EncodedGroups()
    /// The index of the first group that has not been rendered.
    private var index: EncodedGroups.Index = 0
    private var store: GroupStore

    init(maximumArguments: Int) { store = GroupStore(maximumArguments: maximumArguments) }

    var groupCount: Int { groups.groupCount }
    var isLarge: Bool { groups.isLarge }
    var isRendered: Bool { index == groups.end }

    mutating func take(from merged: inout MergedGroups<Entry>) throws(ReplayError) {
        index = 0
        // Release the memory of a large group before the next one needs it.
        if groups.isLarge { groups = EncodedGroups() }
        try merged.take(into: &groups)
    }

    mutating func render(by renderer: inout GroupRenderer, allowsLarge: Bool, to output: inout OutputBuffer) {
        while index < groups.end, output.position < Limits.pieceBytes {
            if groups.isLarge(groupAt: index), !allowsLarge || output.position > 0 { return }
            if store.heldBytes > Limits.temporaryStoreBytes {
                store = GroupStore(maximumArguments: store.maximumArguments)
                renderer.clearCaches(ofShard: 0)
            }
            let state = groups.group(at: index, in: &store)
            renderer.instant = groups.instant(ofGroupAt: index)
            groups.releaseStates()
            renderer.append(state, of: store, shard: 0, to: &output)
            index = groups.end(ofGroupAt: index)
        }
    }
}

extension StateFiles {
    /// Renders the groups and writes them. Must be called after `fold`.
    ///
    /// - Returns: the number of groups, whether or not they were written.
    func writeSnapshot(
        to output: any ByteOutput, style: SnapshotStyle, names: SourceNames, threads: Int,
        progress: RunProgress
    ) throws(ReplayError) -> UInt64 {
        func write<Entry: StateRecord>(_ entry: Entry.Type) throws(ReplayError) {
            if options.timeline == nil {
                try writeEntries(entry)
            } else {
                try writeEntries(InstantEntry<Entry>.self)
            }
        }
        func writeEntries<Entry: StateRecord>(_ entry: Entry.Type) throws(ReplayError) {
            var style = style
            if style.shortensDevices { style.devices = try deviceNames(entry) }
            let groups = try MergedGroups<Entry>(files, storage: storage, limit: selection.top)
            var writer = SnapshotWriter(groups, style: style, names: names, shards: 1, threads: threads) {
                MergedBatch<Entry>(maximumArguments: options.maximumArguments)
            }
            try writer.write(to: output, progress: progress, check: check)
        }
        switch (selection.order, selection.top) {
        case (.key, nil): try write(GroupEntry.self)
        case (.recent, nil): try write(RecentEntry.self)
        case (.key, _): try write(RankedEntry<GroupEntry>.self)
        case (.recent, _): try write(RankedEntry<RecentEntry>.self)
        }
        return options.timeline == nil && selection.top == nil ? progress.groupsWritten : groupCount
    }

    /// Returns how text shows the devices of the groups. Reads the files up to the limit of `DeviceNames`.
    private func deviceNames<Entry: StateRecord>(_ entry: Entry.Type) throws(ReplayError) -> DeviceNames {
        var merged = try MergedGroups<Entry>(files, storage: storage, limit: selection.top)
        var groups = EncodedGroups()
        var names = DeviceNames()
        reading: while true {
            try check()
            try merged.take(into: &groups)
            if groups.groupCount == 0 { break }
            var index = 0
            while index < groups.end {
                guard names.add(groups.device(ofGroupAt: index)) else { break reading }
                index = groups.end(ofGroupAt: index)
            }
        }
        names.finish()
        return names
    }
}
