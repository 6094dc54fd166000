import SheafBytes
import SheafGroups

/// What files hold of one design for a comparison.
struct ComparedSide: Sendable {
    /// Writes groups as records of `ComparedGroup`.
    typealias Writer = @Sendable (GroupPipe) throws(ReplayError) -> Void

    /// Writes the groups; nil for a partial result that has measures instead.
    var write: Writer?
    /// Returns what writes the groups with other options of how they are shown; nil for snapshots.
    var writer: (@Sendable (ReplayOptions) -> Writer)?
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
    ///   - options: how groups are shown.
    ///   - shown: receives each notification that is decided only now, with its group; nil if nothing needs them.
    ///   - sorter: receives a row for each person, as `ComparisonReport.People` reads them; nil if nothing needs them.
    static func reading(
        _ inputs: PartialInputs, _ options: ReplayOptions, shown: ShownNotifications? = nil,
        people sorter: RowSorter? = nil
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
        var state = inputs.state(of: parts, stateOptions, options.selection)
        let names = SourceNames(header.sources)
        func statistics(_ groups: UInt64) -> Statistics {
            let counts = parts.counts(found: state.found)
            var hidden = state.hidden
            hidden += counts.hidden
            var statistics = Statistics(
                counts, sources: header.sources, input: header.input, hidden: hidden, badgesByDevice: nil,
                groups: groups, spilledBytes: 0, seconds: 0)
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
        let writer: @Sendable (ReplayOptions) -> Writer = { options in
            var shown = options
            shown.until = header.input.filter.until
            var style = shown.style
            (style.byDevice, style.showsDelivery, style.isCompared) = (
                header.byDevice, header.input.tracksDelivery, true
            )
            let (written, threads) = (style, max(1, options.threads / 2))
            return { pipe throws(ReplayError) in
                _ = try groups.write(
                    to: pipe, written, names: names, threads: threads, progress: RunProgress(),
                    check: inputs.check)
            }
        }
        return ComparedSide(
            write: writer(options), writer: writer, names: { names },
            statistics: statistics(state.groupCount),
            byDevice: header.byDevice, files: parts.files)
    }
}

extension ScreenChanges {
    /// Compares the groups of two designs, which are written at the same time.
    ///
    /// - Throws: `ReplayError.usage` if only one of them has groups.
    init(
        _ sides: Sides<ComparedSide>, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        self.init()
        guard let now = sides.now.write, let new = sides.new.write else {
            if (sides.now.write == nil) != (sides.new.write == nil) {
                throw .usage("a partial result of measures can't be compared with groups")
            }
            return
        }
        var changes = ScreenChanges()
        try GroupPipe.reading(now, new) { first, second throws(ReplayError) in
            try changes.compare(&first, &second, check: check)
        }
        self = changes
    }
}
