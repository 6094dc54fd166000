import SheafBytes

extension StateFiles {
    /// Renders the groups, after `fold`, and writes them.
    func writeSnapshot(
        to output: OutputFile, names: SourceNames, progress: Progress
    ) throws(ReplayError) {
        switch options.order {
        case .key: try writeSnapshot(GroupEntry.self, to: output, names, progress)
        case .recent: try writeSnapshot(RecentEntry.self, to: output, names, progress)
        }
    }

    private func writeSnapshot<Entry: StateRecord>(
        _ entry: Entry.Type, to output: OutputFile, _ names: SourceNames, _ progress: Progress
    ) throws(ReplayError) {
        var writer = try SnapshotWriter<MergedPiece<Entry>>(
            files, options: options, names: names, storage: storage)
        try writer.write(to: output, progress: progress, check: check)
    }
}
