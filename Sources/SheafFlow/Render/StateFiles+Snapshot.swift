import SheafBytes

extension StateFiles {
    /// Renders the groups, after `fold`, and writes them.
    ///
    /// - Returns: how many groups there are, written or not.
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
