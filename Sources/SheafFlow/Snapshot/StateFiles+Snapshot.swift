import SheafBytes

extension StateFiles {
    /// Renders the groups and writes them. Must be called after `fold`.
    ///
    /// - Returns: the number of groups, whether or not they were written.
    func writeSnapshot(
        to output: OutputFile, style: SnapshotStyle, names: SourceNames, threads: Int, progress: RunProgress
    ) throws(ReplayError) -> UInt64 {
        func write<Entry: StateRecord>(_ entry: Entry.Type) throws(ReplayError) {
            var writer = SnapshotWriter<MergedPiece<Entry>>(
                try MergedGroups(files, storage: storage, limit: selection.top), style: style, names: names,
                maximumArguments: options.maximumArguments, threads: threads)
            try writer.write(to: output, progress: progress, check: check)
        }
        if options.timeline != nil {
            switch (selection.order, selection.top) {
            case (.key, nil): try write(InstantEntry<GroupEntry>.self)
            case (.recent, nil): try write(InstantEntry<RecentEntry>.self)
            case (.key, _): try write(InstantEntry<RankedEntry<GroupEntry>>.self)
            case (.recent, _): try write(InstantEntry<RankedEntry<RecentEntry>>.self)
            }
            return groupCount
        }
        switch (selection.order, selection.top) {
        case (.key, nil): try write(GroupEntry.self)
        case (.recent, nil): try write(RecentEntry.self)
        case (.key, _): try write(RankedEntry<GroupEntry>.self)
        case (.recent, _): try write(RankedEntry<RecentEntry>.self)
        }
        return selection.top == nil ? progress.groupsWritten : groupCount
    }
}
