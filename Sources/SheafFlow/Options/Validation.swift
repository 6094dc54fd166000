import SheafBytes
import SheafGroups

/// The options that replays and checks have in common: those for reading logs.
package protocol LogOptions: Sendable {
    var sources: [String] { get set }
    var input: LogInput { get set }
    var defaultApp: String? { get set }
    var onlyApps: [String] { get set }
    var onlyDevices: [String] { get set }
    var maximumLine: Int { get set }
    var chunkBytes: Int { get set }
    var inflater: Inflater { get set }
    var threads: Int { get set }
}

extension ReplayOptions: LogOptions {}

extension LogOptions {
    /// - Parameters:
    ///   - chunks: the sizes of chunks with these options.
    ///   - readsLogs: whether the sources are logs; if not, they are partial results, which standard input can't be.
    package func validate(_ chunks: ChunkSizes, readsLogs: Bool = true) throws(ReplayError) {
        if let index = sources.firstIndex(of: "") {
            let source = sources.count == 1 ? "the source" : "source \(index + 1) of \(sources.count)"
            throw .usage(
                "\(source) is an empty path: name a file or folder\(readsLogs ? ", or - for standard input" : "")"
            )
        }
        try Limits.check(threads, in: Limits.threadsRange, "\(.threads)")
        try Limits.check(chunkBytes, in: Limits.chunkBytesRange, "\(.chunkBytes)")
        try Limits.check(maximumLine, in: Limits.lineBytesRange, "\(.maximumLine)")
        if let defaultApp, defaultApp.isEmpty {
            throw .usage("\(.defaultApp) is empty: name an app, such as com.example.app")
        }
        if let defaultApp, defaultApp.utf8.count > PushLimits.fieldBytes {
            throw .usage("\(.defaultApp) is longer than \(PushLimits.fieldBytes) bytes")
        }
        Limits.assertRelations(chunks)
    }
}

extension ReplayOptions {
    /// Checks the values of the options, and that they do not contradict each other.
    ///
    /// - Parameter readsLogs: whether the sources are logs; if not, they are partial results.
    /// - Throws: `ReplayError.usage`, which names the options.
    package func validate(readsLogs: Bool = true) throws(ReplayError) {
        try validate(chunks, readsLogs: readsLogs)
        try Limits.check(path: output, "\(.output)")
        try Limits.check(path: partial, "\(.partial)")
        try Limits.check(path: rejects, "\(.rejects)")
        try Limits.check(path: statistics, "\(.statistics)")
        try Limits.check(path: checkpoint, "\(.checkpoint)")
        try Limits.check(path: spillFolder, "\(.spillFolder)")
        try Limits.check(maximumArguments, in: Limits.argumentsRange, "\(.maximumArguments)")
        try Limits.check(timeZoneOffset, in: Limits.timeZoneOffsetRange, "\(.timeZoneOffset)")
        if let top { try Limits.check(top, in: Limits.topRange, "\(.top)") }
        if let maximumLines { try Limits.check(maximumLines, in: 1...Int.max, "the number of lines") }
        if let checkpointInterval, checkpointInterval <= .zero {
            throw .usage("\(.checkpointInterval) is \(checkpointInterval), but must be longer than 0")
        }
        if let every, every.step <= 0 {
            throw .usage("\(.every) is \(every.step) ms, but must be longer than 0")
        }
        if let every, let clock = every.clock, !ZonedIntervals.canHave(step: every.step) {
            throw .usage(
                "\(.every) is \(every.step) ms, but with \(.timeZone) \(clock.name ?? "") it must divide a day, or be "
                    + "several days")
        }
        if given.contains(.timeZone), given.contains(.timeZoneOffset) {
            throw .usage("\(.timeZone) can't be given with \(.timeZoneOffset): both set the clock")
        }
        if let since, let until, until < since {
            throw .usage("\(.until) is before \(.since): no time is between them")
        }
        try validateKeyed()
        try validateStreaming()
        try validateMeasures(measures ?? measuresOfMerge)
        try validateSnapshot()
        try validatePage()
        if readsLogs { try validateReplay() }
    }

    /// Checks the options of a page.
    private func validatePage() throws(ReplayError) {
        guard format == .html else { return }
        if lateness != nil {
            throw .usage(
                "a page is written at the end, not while records are read: \(.lateness) can't be given with it"
            )
        }
        if (measures ?? measuresOfMerge).writesCells {
            throw .usage("a page shows the distributions of measures: \(.cells) can't be given with it")
        }
        if given.contains(.order) {
            throw .usage("\(.order) has no effect on a page, which shows the newest group first")
        }
    }

    private func validateMeasures(_ measures: MeasureOptions) throws(ReplayError) {
        try Limits.check(measures.fold, in: Limits.foldRange, "\(.fold)")
        if measures.quantiles.isEmpty {
            throw .usage("\(.quantiles) is empty: name percentiles, such as 50,95")
        }
        for (index, quantile) in measures.quantiles.enumerated()
        where measures.quantiles.prefix(index).contains(where: { $0.thousandths == quantile.thousandths }) {
            throw .usage("\(.quantiles) has \(quantile.text) twice")
        }
        guard given.contains(.cells), given.contains(.quantiles) else { return }
        throw .usage("\(.quantiles) has no effect with \(.cells), which writes each person's values")
    }

    private func validateKeyed() throws(ReplayError) {
        guard isKeyed else { return }
        if checkpoint != nil {
            throw .usage(
                "\(.isKeyed) can't be given with \(.checkpoint): keyed lines have no position in a source from which a "
                    + "run could resume")
        }
        if let streamingOption {
            throw .usage(
                "\(.isKeyed) can't be given with \(streamingOption): keyed lines may be in any order, so no snapshot is complete "
                    + "before the end")
        }
    }

    /// The option for snapshots while reading that is given; nil if they are written at the end.
    private var streamingOption: RunOption? {
        if speed != nil, lateness == nil || given.contains(.speed) && !given.contains(.lateness) {
            return .speed
        }
        return lateness == nil ? nil : .lateness
    }

    private func validateStreaming() throws(ReplayError) {
        for (option, value) in [(.maximumAhead, maximumAhead), (.idle, idle)] as [(RunOption, Int64)] {
            if value <= 0 { throw .usage("\(option) is \(value) ms, but must be longer than 0") }
            if given.contains(option), lateness == nil {
                throw .usage("\(option) has no effect without \(.lateness)")
            }
        }
        guard let streamingOption else { return }
        if every == nil { throw Self.needsSnapshots(streamingOption) }
        guard let lateness else { throw .usage("\(.speed) has no effect without \(.lateness)") }
        if lateness < 0 { throw .usage("\(.lateness) is \(lateness), but must be at least 0") }
        if let speed, !(speed > 0 && speed.isFinite) {
            throw .usage("\(.speed) is \(speed), but must be greater than 0")
        }
        if partial != nil {
            throw .usage(
                "\(.partial) can't be given with \(streamingOption): a partial result holds state, not snapshots"
            )
        }
        if checkpoint != nil, speed != nil {
            throw .usage(
                "\(.checkpoint) can't be given with \(.speed): a checkpoint would wait for the records that \(.speed) delays"
            )
        }
    }

    private static func needsSnapshots(_ option: RunOption) -> ReplayError {
        .usage("\(option) has no effect without several snapshots: give their times with \(.every)")
    }

    /// Checks that all given options have an effect on the output.
    private func validateSnapshot() throws(ReplayError) {
        guard partial != nil else {
            if given.contains(.now), !format.isText {
                throw .usage(
                    "\(.now) has no effect on a snapshot in \(format.name): times are only in text, which \(.format) "
                        + "text writes")
            }
            return
        }
        for option in [.output, .format, .top] as [RunOption] where given.contains(option) {
            throw .usage(
                "\(.partial) writes state instead of a snapshot: \(option) can't be given with it")
        }
        for option in [.order, .locale, .locked, .profile, .emit, .now, .quantiles, .fold, .cells]
            as [RunOption]
        where given.contains(option) && !(option == .profile && measures != nil) {
            throw .usage(
                "\(.partial) writes state, which \(option) does not affect: give it to the sheaf merge that writes the "
                    + (measures == nil ? "snapshot" : "measures"))
        }
    }

    /// Checks that all given options have an effect on a replay.
    private func validateReplay() throws(ReplayError) {
        if let source = sources.first, given.contains(.namedSources), !isKeyed {
            throw .usage(
                "\(.namedSources) reads the sources that '\(listFiles.first ?? "")' lists, but '\(source)' is given too"
            )
        }
        if every == nil, measures == nil || given.contains(.emit) {
            for option in [.timeZoneOffset, .timeZone, .emit] as [RunOption] where given.contains(option) {
                throw Self.needsSnapshots(option)
            }
        }
        if given.contains(.checkpointInterval), checkpoint == nil {
            throw .usage(
                "\(.checkpointInterval) has no effect without checkpoints: name their folder with \(.checkpoint)"
            )
        }
        if given.contains(.spillFolder), checkpoint != nil {
            throw .usage(
                "\(.spillFolder) has no effect with \(.checkpoint): state that does not fit in memory goes to the "
                    + "checkpoint's folder; leave \(.spillFolder) out")
        }
    }
}

extension Limits {
    /// Checks a value.
    ///
    /// - Parameter option: the name of the option.
    /// - Throws: `ReplayError.usage`, with the value and its range.
    package static func check(
        _ value: Int, in range: ClosedRange<Int>, _ option: OptionMessage
    ) throws(ReplayError) {
        guard !range.contains(value) else { return }
        throw .usage("\(option) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Checks that a path is not empty, as it is when a shell variable is not set.
    ///
    /// - Parameter option: the name of the option.
    /// - Throws: `ReplayError.usage`.
    package static func check(path: String?, _ option: OptionMessage) throws(ReplayError) {
        guard path == "" else { return }
        throw .usage("\(option) is an empty path: name a file or folder, or leave the option out")
    }
}
