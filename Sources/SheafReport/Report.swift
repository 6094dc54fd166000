import SheafBytes
import SheafChecks
import SheafFlow
import SheafGroups
import Synchronization

/// Makes a page that shows what recipients saw: the screens of some of them, what all of them got, and the findings of a
/// check.
///
/// ```swift
/// var options = ReplayOptions(sources: ["logs"])
/// options.output = "report.html"
/// options.every = Timeline(step: 86_400_000)
/// let statistics = try Report(options).run()
/// ```
///
///     sources ──Measures──▶ distributions, and the people to show ─┐
///             ──LogCheck──▶ findings                               ├─▶ Page ─▶ the file
///             ──Replay────▶ the groups with the most notifications │
///             ──Replay────▶ the screens of these people ───────────┤
///             ──Replay────▶ each of their notifications ───────────┘
///
/// The sources are read once by each run. Memory is that of the largest run, and of the page.
public final class Report: Sendable {
    private let options: ReplayOptions
    private let people: Int
    private let storage: any Storage
    private let files: [Source]
    private let state = Mutex(State())

    private struct State {
        /// Ends the run that is in progress.
        var interrupt: (@Sendable (Int32) -> Void)?
        var signal: Int32?
        var hasBegun = false
    }

    /// The number of people whose screens are shown, if as many screens fit into the page.
    public static let standardPeople = 40

    /// Runs one of the runs, while its progress is shown.
    public typealias Watch = (RunProgress, () throws(ReplayError) -> Void) throws(ReplayError) -> Void

    /// Finds the sources. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - options: the sources, how they are read and shown, the intervals (`every`), and the path of the page. Devices are
    ///     separated in any case.
    ///   - people: the number of people whose screens are shown: half of them are those with the most pushes, the others a
    ///     sample.
    /// - Throws: `ReplayError` if an option is invalid, a source is missing or can be read only once, or the page would
    ///   replace a source.
    public convenience init(_ options: ReplayOptions, people: Int = standardPeople) throws(ReplayError) {
        try self.init(options, people: people, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(
        _ options: ReplayOptions, people: Int = standardPeople, storage: any Storage
    ) throws(ReplayError) {
        try Limits.check(people, in: Limits.reportPeopleRange, "\(.people)")
        var options = options
        options.format = .html
        options.byDevice = true
        try options.validate()
        for (option, isGiven) in [
            (RunOption.partial, options.partial != nil), (.checkpoint, options.checkpoint != nil),
            (.rejects, options.rejects != nil), (.namedSources, options.namedSources != nil),
        ] where isGiven {
            throw .usage("\(option) can't be given for a report, which is made of several runs")
        }
        (self.options, self.people, self.storage) = (options, people, storage)
        files = try SourceList.expand(options.sources, storage: storage)
        for file in files where file.size == nil {
            throw .usage(
                "'\(file.path)' is not a regular file: a report reads its sources several times")
        }
        try OutputCheck.check(options.files, files, storage: storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) {
        state.withLock { state in
            if state.signal == nil { state.signal = signal }
            return state.interrupt
        }?(signal)
    }

    /// Reads the sources and writes the page. Blocks until done.
    ///
    /// - Parameter watch: runs one of the runs; by default without showing its progress.
    /// - Returns: the statistics of all records.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(
        watch: Watch = { _, body throws(ReplayError) in try body() }
    ) throws(ReplayError) -> Statistics {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { throw .alreadyRun }
        let clock = ContinuousClock()
        let start = clock.now
        let page = Page(.report, command: options.command)
        page.show(options.display)
        var files = try ResultFiles(
            options.files, page: PageSection(page: page, output: PageText()), storage: storage)
        do throws(ReplayError) {
            let (measured, chosen, apps) = try measure(on: page, watch)
            try check(on: page, watch)
            var statistics = try replayThreads(on: page, watch)
            try replayScreens(of: chosen, on: page, watch)
            try replayMembers(of: chosen, apps, on: page, watch)
            (statistics.people, statistics.withoutDevice) = (measured.people, measured.withoutDevice)
            statistics.spilledBytes += measured.spilledBytes
            statistics.seconds = (clock.now - start) / .seconds(1)
            statistics.warnings = measured.warnings
            try files.write(statistics)
            statistics.outputWasClosed = files.wasClosed
            try checkInterruption()
            try files.commit()
            return statistics
        } catch {
            files.discard()
            throw error
        }
    }

    private func checkInterruption() throws(ReplayError) {
        if let signal = state.withLock({ $0.signal }) { throw .interrupted(signal: signal) }
    }

    /// Runs one of the runs, which an interruption ends.
    private func perform<Result>(
        _ progress: RunProgress, _ watch: Watch, interrupt: @escaping @Sendable (Int32) -> Void,
        _ body: @escaping () throws(ReplayError) -> Result
    ) throws(ReplayError) -> Result {
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        try checkInterruption()
        var result: Result?
        try watch(progress) { () throws(ReplayError) in result = try body() }
        guard let result else { preconditionFailure("a run was not started") }
        return result
    }

    // MARK: The runs

    /// - Returns: the statistics, the people to show, and the apps.
    private func measure(
        on page: Page, _ watch: Watch
    ) throws(ReplayError) -> (Statistics, [(device: String, reason: String)], [String]) {
        var measures = MeasureOptions()
        measures.quantiles = Self.quantiles
        let choice = PeopleChoice(count: people)
        measures.receivePerson = { choice.add($0, values: $1) }
        page.beginMeasures(measures)
        let run = try Measures(
            sectionOptions, measures, page: PageSection(page: page, output: PageText()), storage: storage)
        let report = try perform(run.progress, watch, interrupt: run.interrupt) { () throws(ReplayError) in
            try run.run()
        }
        return (report.statistics, choice.chosen, Set(report.rows.compactMap(\.app)).ordered())
    }

    /// Many quantiles, as a curve shows them.
    private static let quantiles = ["10", "20", "30", "40", "50", "60", "70", "80", "90", "95", "99"]
        .compactMap { Quantile($0) }

    private func check(on page: Page, _ watch: Watch) throws(ReplayError) {
        var check = CheckOptions(sources: files.map(\.path))
        check.settings = options.settings
        check.strings = options.strings
        check.profile = options.profile
        check.locale = options.locale
        check.input = options.input
        check.defaultApp = options.defaultApp
        (check.onlyApps, check.onlyDevices) = (options.onlyApps, options.onlyDevices)
        check.maximumLine = options.maximumLine
        check.inflater = options.inflater
        check.threads = options.threads
        check.format = .html
        let run = try LogCheck(
            check, page: PageSection(page: page, output: page.beginCheck()), storage: storage)
        _ = try perform(run.progress, watch, interrupt: run.interrupt) { () throws(ReplayError) in
            try run.run()
        }
    }

    /// Finds the groups with the most notifications of all people.
    private func replayThreads(on page: Page, _ watch: Watch) throws(ReplayError) -> Statistics {
        var options = sectionOptions
        (options.byDevice, options.every) = (false, nil)
        options.top = Limits.pageThreads
        return try replay(options, PageSection(page: page, output: page.beginThreads()), watch)
    }

    private func replayScreens(
        of chosen: [(device: String, reason: String)], on page: Page, _ watch: Watch
    ) throws(ReplayError) {
        var options = sectionOptions
        // A log without devices has one screen.
        options.byDevice = !chosen.isEmpty
        if !chosen.isEmpty { options.onlyDevices = chosen.map(\.device) }
        let lines = page.beginScreens(
            byDevice: options.byDevice, hasInstants: options.every != nil, alone: options.appsAlone,
            chosen: chosen.isEmpty ? nil : chosen)
        _ = try replay(options, PageSection(page: page, output: lines), watch)
    }

    /// Finds the notifications of these people one by one, which groups open into.
    private func replayMembers(
        of chosen: [(device: String, reason: String)], _ apps: [String], on page: Page, _ watch: Watch
    ) throws(ReplayError) {
        guard !chosen.isEmpty else { return }
        var options = sectionOptions
        options.onlyDevices = chosen.map(\.device)
        for app in apps { options.settings.apps[app, default: AppSettings()].grouping = .off }
        let lines = page.beginMembers(
            hasInstants: options.every != nil, alone: apps, chosen: chosen.map(\.device))
        _ = try replay(options, PageSection(page: page, output: lines), watch)
    }

    private func replay(
        _ options: ReplayOptions, _ section: PageSection, _ watch: Watch
    ) throws(ReplayError) -> Statistics {
        let run = try Replay(options, page: section, storage: storage)
        return try perform(run.progress, watch, interrupt: run.interrupt) { () throws(ReplayError) in
            try run.run()
        }
    }

    private var sectionOptions: ReplayOptions {
        var options = options
        options.statistics = nil
        options.given = []
        return options
    }
}

/// The people whose screens a report shows: those with the most pushes, and a sample by a hash of their names.
///
/// Memory: three people for each that is shown.
private final class PeopleChoice: Sendable {
    private let count: Int
    private let found: Mutex<(most: SmallestElements<Person>, sample: SmallestElements<Person>)>

    private struct Person: Comparable {
        let device: [UInt8]
        /// The order in which people are chosen, the smallest first.
        let order: UInt64

        static func < (a: Person, b: Person) -> Bool {
            a.order == b.order ? a.device.lexicographicallyPrecedes(b.device) : a.order < b.order
        }
    }

    init(count: Int) {
        self.count = count
        found = Mutex((SmallestElements(limit: (count + 1) / 2), SmallestElements(limit: count)))
    }

    /// Adds a person.
    ///
    /// - Parameter values: the sums of all intervals, by measure.
    func add(_ device: [UInt8], values: [UInt64]) {
        let most = Person(device: device, order: .max - values[Measure.pushes.index])
        let sample = Person(device: device, order: device.span.stableHash(seed: 0))
        found.withLock { found in
            found.most.insert(most)
            found.sample.insert(sample)
        }
    }

    /// The people, the most important ones first, and why each is shown.
    var chosen: [(device: String, reason: String)] {
        found.withLock { found in
            let most = Set(found.most.elements.map(\.device))
            let others = found.sample.elements.filter { !most.contains($0.device) }
            func names(_ people: some Sequence<Person>, _ reason: String) -> [(
                device: String, reason: String
            )] {
                people.map { (String(decoding: $0.device, as: UTF8.self), reason) }
            }
            return names(found.most.elements, "pushes") + names(others.prefix(count - most.count), "sample")
        }
    }
}
