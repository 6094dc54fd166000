import SheafBytes
import SheafGroups

/// The groups or measures that files hold of one design, for a comparison.
struct ComparedSide: Sendable {
    /// Writes the groups, as the options show them, as records of `ComparedGroup`; nil for a partial result that has
    /// measures instead.
    var write: (@Sendable (ReplayOptions, GroupPipe) throws(ReplayError) -> Void)?
    var names: @Sendable () -> SourceNames
    /// The distributions of what people get; empty if they were not measured.
    var rows: [MeasureRow] = []
    var people = MeasuredPeople()
    var statistics = Statistics()
    /// Whether groups are separated by device.
    var byDevice = true
    /// The files with the groups.
    var files: [StateFile] = []

    /// Reads partial results.
    ///
    /// - Parameters:
    ///   - shown: receives each notification that is decided only now, with its group; nil if nothing needs them.
    ///   - sorter: receives a row for each person, as `ComparisonReport.People` reads them; nil if nothing needs them.
    static func reading(
        _ inputs: PartialInputs, shown: ShownNotifications? = nil, people sorter: RowSorter? = nil
    ) throws(ReplayError) -> ComparedSide {
        let parts = try PartialResults(inputs, for: .snapshot)
        let header = parts.header
        if let timeline = header.input.timeline, timeline.step < .max || header.input.division == nil {
            throw .usage(
                "'\(inputs.paths[0])' has several snapshots: one is compared, written without \(.every)")
        }
        var stateOptions = try inputs.stateOptions(header)
        stateOptions.shown = shown
        let unmatched = try inputs.unmatchedApps(in: parts)
        var state = inputs.state(of: parts, stateOptions, inputs.options.selection)
        let names = SourceNames(header.sources)
        func statistics(_ groups: UInt64) -> Statistics {
            var statistics = parts.statistics(of: state, groups: groups)
            statistics.warnings.insert(contentsOf: unmatched, at: 0)
            return statistics
        }
        if let division = header.input.division {
            var measures = sorter.map { MeasureOptions.compared($0) } ?? MeasureOptions()
            (measures.division, measures.quantiles) = (division, ComparisonCondition.quantiles)
            var rows: [MeasureRow] = []
            var measurement = state.measurement(measures)
            try state.measure(header.input.timeline ?? .whole, &measurement)
            try measurement.forEachRow(measures.quantiles, check: inputs.check) { rows.append($0) }
            return ComparedSide(
                names: { names }, rows: rows.filter { $0.part == nil }, people: measurement.people,
                statistics: statistics(0))
        }
        try state.fold()
        // Two snapshots are written at once.
        try state.reduce(to: 2)
        let groups = FinishedGroups.files(state)
        return ComparedSide(
            write: { options, pipe throws(ReplayError) in
                var shown = options
                shown.until = header.input.filter.until
                var style = shown.style
                (style.byDevice, style.showsDelivery, style.isCompared) = (
                    header.byDevice, header.input.tracksDelivery, true
                )
                _ = try groups.write(
                    to: pipe, style, names: names, threads: max(1, options.threads / 2),
                    progress: RunProgress(), check: inputs.check)
            }, names: { names }, statistics: statistics(state.groupCount), byDevice: header.byDevice,
            files: parts.files)
    }
}

extension ScreenChanges {
    /// Compares the groups of two designs, which are written at the same time.
    ///
    /// - Throws: `ReplayError.usage` if only one of them has groups.
    init(
        _ sides: Sides<ComparedSide>, _ options: Sides<ReplayOptions>, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        self.init()
        guard let now = sides.now.write, let new = sides.new.write else {
            if (sides.now.write == nil) != (sides.new.write == nil) {
                throw .usage("a partial result of measures can't be compared with groups")
            }
            return
        }
        var changes = ScreenChanges()
        try GroupPipe.reading(
            { pipe throws(ReplayError) in try now(options.now, pipe) },
            { pipe throws(ReplayError) in try new(options.new, pipe) }
        ) { first, second throws(ReplayError) in
            try changes.compare(&first, &second, check: check)
        }
        self = changes
    }
}

extension PartialResults {
    /// Returns the statistics of all files, with what a merge found of their notifications.
    func statistics(of state: StateFiles, groups: UInt64) -> Statistics {
        let counts = counts(found: state.found)
        var hidden = state.hidden
        hidden += counts.hidden
        return Statistics(
            counts, sources: header.sources, input: header.input, hidden: hidden, badgesByDevice: nil,
            groups: groups, spilledBytes: 0, seconds: 0)
    }
}
