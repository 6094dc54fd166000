import SheafBytes
import SheafGroups

/// Compares two designs by partial comparisons of parts of the logs, or merges these into one (specification §20).
///
/// ```swift
/// let now = ReplayOptions(sources: ["monday.gz"])
/// var new = now
/// new.apply(try Configuration(contentsOf: "new.json"))
/// var comparison = ComparisonOptions()
/// comparison.partial = "monday.comparison"
/// _ = try Comparison(now, new, comparison).run()
/// comparison.partial = nil
/// let files = ["monday.comparison", "tuesday.comparison"]
/// let report = try ComparisonMerge(files, now, new, comparison).run()
/// print(report.all.groups)
/// ```
///
///     partial comparisons ─unpacked─▶ groups of each design ──▶ ScreenChanges ─┐
///                                  ├─▶ notifications ─▶ GroupPairs ────────────┼─▶ ComparisonReport
///                                  └─▶ people of each design ─▶ rows ──────────┘
///
/// The report is, byte for byte, that of one comparison of all sources in that order; a page shows the command of each. Memory: that of a merge for each design;
/// on disk, all files once more.
public final class ComparisonMerge: Sendable {
    private let options: Sides<ReplayOptions>
    private let comparison: ComparisonOptions
    private let inputs: PartialInputs
    /// Warns that a file is given more than once.
    private let repeated: ReplayWarning?
    /// The progress of the run, which may be read from any thread.
    public let progress = RunProgress()

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - files: the paths of partial comparisons.
    ///   - now: how groups are shown with the design in use, and the limits of the run.
    ///   - new: how groups are shown with the other design. The settings that decide which notifications are shown, and in
    ///     which groups, must be those that the files were written with.
    ///   - comparison: the report's form and its conditions.
    /// - Throws: `ReplayError` if an option is invalid, a file is missing, or the output would replace a file.
    public convenience init(
        _ files: [String], _ now: ReplayOptions, _ new: ReplayOptions,
        _ comparison: ComparisonOptions = ComparisonOptions()
    ) throws(ReplayError) {
        try self.init(files, now, new, comparison, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(
        _ files: [String], _ now: ReplayOptions, _ new: ReplayOptions, _ comparison: ComparisonOptions,
        storage: any Storage
    ) throws(ReplayError) {
        var options = Sides(now: now.compared, new: new.compared)
        options.now.sources = files
        try comparison.validate()
        (self.options, self.comparison) = (options, comparison)
        inputs = try PartialInputs(options.now, storage: storage)
        repeated = SourceList.repetitionWarning(inputs.files, storage)
        try OutputCheck.check(comparison.files(options), inputs.files, storage: storage)
    }

    /// Whether a file, or the first one in a folder, is a partial comparison. Only regular files are looked at, since pipes
    /// can be read only once.
    public static func canMerge(_ path: String) -> Bool {
        let storage = SystemStorage()
        guard path != "-", let files = try? SourceList.expand([path], storage: storage),
            let file = files.first, file.size != nil
        else { return false }
        return SourceHead.isOfFormat(.comparison, file.path, storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { inputs.interrupt(signal: signal) }

    /// Compares the designs and writes the report, or a partial comparison with all files. Blocks until done.
    ///
    /// - Parameter willWrite: called when all files have been checked, before the report is written.
    /// - Returns: the report; of a partial comparison only with statistics.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> ComparisonReport {
        try inputs.whileRunning { () throws(ReplayError) in
            var outputs = try ResultFiles(comparison.files(options), storage: inputs.storage)
            do throws(ReplayError) {
                let files = try read()
                willWrite()
                var report = try naming(files) { () throws(ReplayError) in
                    comparison.partial == nil
                        ? try compare(by: files, to: &outputs) : try merge(files, to: &outputs)
                }
                if let repeated { report.statistics.now.warnings.insert(repeated, at: 0) }
                inputs.spills.removeAll()
                try inputs.check()
                try outputs.commit()
                return report
            } catch {
                outputs.discard()
                throw error
            }
        }
    }

    /// Reads all files, and checks that they compare the same designs.
    private func read() throws(ReplayError) -> [ComparisonFile] {
        var files: [ComparisonFile] = []
        for (path, _) in inputs.located {
            let file = try ComparisonFile(
                path, to: inputs.spills, maximumFrame: inputs.budget.largestFrame, storage: inputs.storage,
                check: inputs.check)
            if let first = files.first { try file.check(isLike: first) }
            files.append(file)
        }
        return files
    }

    /// Returns what `body` returns. A damaged part is one of the file that it was taken from.
    private func naming<Result>(
        _ files: [ComparisonFile], _ body: () throws(ReplayError) -> Result
    ) throws(ReplayError) -> Result {
        do {
            return try body()
        } catch .damaged(let path, let damage, let offset) {
            let file = files.first { $0.parts.values.contains(path) }
            throw .damaged(path: file?.path ?? path, damage, offset: offset)
        }
    }

    /// Returns the inputs of a part of all files.
    private func inputs(_ part: ComparisonFile.Part, of files: [ComparisonFile]) -> PartialInputs {
        let isNow = part == .groupsNow || part == .peopleNow
        return PartialInputs(
            files.compactMap { file in file.parts[part].map { ($0, file.path) } }, of: inputs,
            isNow ? options.now : options.new)
    }

    /// Reads the rows of a part.
    ///
    /// - Parameter groups: the files with the groups, in the same order.
    private func readShown(
        _ part: ComparisonFile.Part, of files: [ComparisonFile], _ groups: [StateFile], _ apps: AppNumbers,
        to sorter: RowSorter
    ) throws(ReplayError) {
        for (file, state) in zip(files, groups) {
            guard let path = file.parts[part] else { continue }
            try ComparisonFile.readShown(path, of: state, apps, storage: inputs.storage, check: inputs.check)
            {
                sorter.add($0)
            }
            inputs.spills.remove(path)
        }
    }

    private func makeSorter() -> RowSorter {
        RowSorter(inputs.spills, inputs.storage, inputs.budget, inputs.openFiles)
    }
}

// MARK: - The report

extension ComparisonMerge {
    private func compare(
        by files: [ComparisonFile], to outputs: inout ResultFiles
    ) throws(ReplayError) -> ComparisonReport {
        let designs = files[0].designs
        guard designs.delivery == options.map(\.deliveryDigest) else {
            throw .usage(
                "'\(files[0].path)' was written with other designs: give the settings, the profiles and \(.locked) of both "
                    + "as when it was written")
        }
        if comparison.measuresAll, !designs.measuresPeople {
            throw .usage("'\(files[0].path)' has no measures: write it with those that are wanted")
        }
        guard designs.sharesTexts == ComparedDesigns.shareTexts(options) else {
            throw .usage(
                "'\(files[0].path)' was written with other designs: give the settings and the locales of both as when it was "
                    + "written")
        }
        let isAlike = designs.groupsAlike
        let apps = AppNumbers()
        let sorters = Sides(now: makeSorter(), new: makeSorter())
        func side(_ part: ComparisonFile.Part, _ sorter: RowSorter) throws(ReplayError) -> ComparedSide {
            let shown = ShownNotifications(apps, areKept: true, of: { !isAlike($0) }) { sorter.add($0) }
            let isNow = part == .groupsNow
            let side = try ComparedSide.reading(
                inputs(part, of: files), shown: designs.sharesGroups ? nil : shown)
            try readShown(isNow ? .shownNow : .shownNew, of: files, side.files, apps, to: sorter)
            return side
        }
        let now = try side(.groupsNow, sorters.now)
        let sides = Sides(now: now, new: designs.sharesGroups ? now : try side(.groupsNew, sorters.new))
        let screens = try ScreenChanges(sides, options, check: inputs.check)
        var pairs = GroupPairs(makeSorter: makeSorter, check: inputs.check)
        if !designs.sharesGroups { try pairs.join(try sorters.now.sorted(), try sorters.new.sorted()) }
        let (measures, people) = try measure(designs, files)
        var report = ComparisonReport(
            statistics: sides.map(\.statistics), screens, pairs: pairs.changes, isAlike: isAlike,
            names: apps.all, sources: sides.map { $0.names() },
            measures: measures.map { $0.map(\.rows) } ?? screens.measures(ComparisonCondition.quantiles),
            people: people ?? screens.counted)
        report.statistics.now.groups = report.all.groups.now
        report.statistics.new.groups = report.all.groups.new
        measures?.now.people.add(to: &report.statistics.now)
        measures?.new.people.add(to: &report.statistics.new)
        report.noteEvents(measuresPeople: designs.measuresPeople)
        try report.evaluate(comparison.failures)
        try outputs.writeResult(comparison.bytes(of: report, options))
        report.outputWasClosed = outputs.wasClosed
        return report
    }

    /// Measures what people get with both designs; nil if they need not be measured.
    private func measure(
        _ designs: ComparedDesigns, _ files: [ComparisonFile]
    ) throws(ReplayError) -> (sides: Sides<ComparedSide>?, people: ComparisonReport.People?) {
        guard designs.measuresPeople else { return (nil, nil) }
        let rows = Sides(now: makeSorter(), new: makeSorter())
        let now = try ComparedSide.reading(
            inputs(.peopleNow, of: files), people: rows.now)
        if designs.sharesPeople {
            return (Sides(now: now, new: now), ComparisonReport.People(alike: now.people.count))
        }
        let new = try ComparedSide.reading(
            inputs(.peopleNew, of: files), people: rows.new)
        return (
            Sides(now: now, new: new), try ComparisonReport.People(rows.now.sorted(), rows.new.sorted())
        )
    }
}

// MARK: - Merging

extension ComparisonMerge {
    /// Writes one partial comparison instead of several.
    private func merge(
        _ files: [ComparisonFile], to outputs: inout ResultFiles
    ) throws(ReplayError) -> ComparisonReport {
        let designs = files[0].designs
        var merged: [ComparisonFile.Part: String] = [:]
        var groups: [StateFile] = []
        var statistics = Sides(now: Statistics(), new: Statistics())
        for part in ComparisonFile.Part.allCases where part.exists(in: designs) {
            switch part {
            case .groupsNow, .groupsNew, .peopleNow, .peopleNew:
                let inputs = inputs(part, of: files)
                let parts = try PartialResults(inputs, for: .partial)
                if part == .groupsNow { groups = parts.files }
                var state = inputs.state(of: parts, try inputs.stateOptions(parts.header))
                merged[part] = try inputs.spills.writeFile { output throws(ReplayError) in
                    try PartialFile.write(&state, header: parts.header, to: output) {
                        parts.counts(found: $0)
                    }
                }
                guard part == .groupsNow || part == .groupsNew else { break }
                let side: WritableKeyPath<Sides<Statistics>, Statistics> = part == .groupsNow ? \.now : \.new
                statistics[keyPath: side] = parts.statistics(of: state, groups: state.groupCount)
            case .shownNow, .shownNew:
                let (apps, sorter) = (AppNumbers(), makeSorter())
                try readShown(part, of: files, groups, apps, to: sorter)
                merged[part] = try ComparisonFile.writeShown(
                    sorter.sorted(), apps: apps.all, to: inputs.spills, check: inputs.check)
            }
        }
        if designs.sharesGroups { statistics.new = statistics.now }
        try outputs.writeResult { output throws(ReplayError) in
            try ComparisonFile.write(
                designs, merged, to: output, storage: inputs.storage, check: inputs.check)
        }
        var report = ComparisonReport(partial: statistics)
        report.outputWasClosed = outputs.wasClosed
        return report
    }
}
