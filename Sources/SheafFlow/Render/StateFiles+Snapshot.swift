import SheafBytes

extension StateFiles {
    /// Renders the groups and writes them. Must be called after `fold`.
    ///
    /// - Returns: the number of groups, whether or not they were written.
    func writeSnapshot(
        to output: OutputFile, names: SourceNames, progress: Progress
    ) throws(ReplayError) -> UInt64 {
        switch (options.order, options.top) {
        case (.key, nil): try writeSnapshot(GroupEntry.self, to: output, names, progress)
        case (.recent, nil): try writeSnapshot(RecentEntry.self, to: output, names, progress)
        case (.key, _): try writeSnapshot(RankedEntry<GroupEntry>.self, to: output, names, progress)
        case (.recent, _): try writeSnapshot(RankedEntry<RecentEntry>.self, to: output, names, progress)
        }
        return options.top == nil ? progress.groupsWritten : groupCount
    }

    private func writeSnapshot<Entry: StateRecord>(
        _ entry: Entry.Type, to output: OutputFile, _ names: SourceNames, _ progress: Progress
    ) throws(ReplayError) {
        var writer = try SnapshotWriter<MergedPiece<Entry>>(
            files, options: options, names: names, storage: storage)
        try writer.write(to: output, progress: progress, check: check)
    }
}
