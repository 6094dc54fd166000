import SheafBytes
import SheafGroups

/// The header of a partial result: the options that must match when partial results are merged, and the sources.
///
///     flags: 1 by device, 2 named sources | maximum arguments
///     | apps not grouped automatically: count, then for each: grouping | app
///     | sources: count, then for each: path
///       named sources: count, then for each: ordinal, minus the previous one and 1 | name
///         | lines: 0 for all, or their number | first | last, minus the first | sum
///       | 0 for whole state, or the description of a slice of it
///     | input, unless it is the default: name | digest | flags | the app of records that name none (flag 1)
///     | since (flag 2) | until (flag 4), in milliseconds                  flag 8: removals are applied
///     | step | offset, signed (flag 16), in milliseconds                  flag 32: delivery is tracked
///     | the zone of its clock (flag 4096): name | offset in 1970 | changes: count, then for each: time, minus the
///         previous one | offset from then on
///
/// Apps are in byte order, sources in order of their ordinals. Numbers and texts are encoded as for `ByteReader`.
struct PartialHeader: Equatable, Sendable {
    var byDevice: Bool
    var maximumArguments: Int
    /// By app, in byte order.
    var groupings: [AppGrouping]
    var sources: SourceTable
    /// How the records were read.
    var input = InputIdentity()

    struct AppGrouping: Equatable, Sendable {
        let app: String
        let grouping: Grouping
    }

    init(
        byDevice: Bool, maximumArguments: Int, settings: Settings, sources: SourceTable,
        input: InputIdentity = InputIdentity()
    ) {
        self.byDevice = byDevice
        self.maximumArguments = maximumArguments
        groupings = Self.groupings(settings)
        self.sources = sources
        self.input = input
    }

    /// Returns the apps that a configuration does not group automatically, in byte order.
    static func groupings(_ settings: Settings) -> [AppGrouping] {
        settings.apps.filter { !$0.key.isEmpty && $0.value.grouping != .automatic }
            .map { AppGrouping(app: $0.key, grouping: $0.value.grouping) }
            .ordered { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
    }

    /// The options with which the state was written. The rules of delivery follow from the options of the run that reads
    /// it, so these are the defaults.
    var state: StateOptions {
        var settings = Settings()
        for item in groupings { settings.apps[item.app, default: AppSettings()].grouping = item.grouping }
        return StateOptions(
            byDevice: byDevice, maximumArguments: maximumArguments, rules: GroupingRules(settings),
            appliesRemovals: input.appliesRemovals,
            delivery: input.hasTraits ? DeliveryRules(Settings(), profile: .ios12) : nil,
            ignoresSettings: !input.tracksDelivery, division: input.division,
            isUnique: input.isUnique, appliesOutcomes: input.appliesOutcomes,
            timeline: input.timeline)
    }

    /// - Parameter slice: appends the description of a slice, for a header with named sources.
    func append(
        to output: inout OutputBuffer, slice: (inout OutputBuffer) -> Void = { $0.appendNumber(0) }
    ) {
        output.appendNumber((byDevice ? Flags.byDevice : 0) | (sources.isNamed ? Flags.named : 0))
        output.appendNumber(UInt64(maximumArguments))
        output.appendNumber(UInt64(groupings.count))
        for item in groupings {
            output.appendNumber(item.grouping.number)
            output.appendText(item.app)
        }
        output.append(sources)
        if sources.isNamed { slice(&output) }
        if !input.isDefault { append(input, to: &output) }
    }

    private enum Flags {
        static let byDevice: UInt64 = 1
        static let named: UInt64 = 2
    }

    /// The flags of the parts that the input may have.
    private enum InputFlags {
        static let app: UInt64 = 1
        static let since: UInt64 = 2
        static let until: UInt64 = 4
        static let removals: UInt64 = 8
        static let timeline: UInt64 = 16
        static let delivery: UInt64 = 32
        static let apps: UInt64 = 64
        static let devices: UInt64 = 128
        static let unique: UInt64 = 256
        static let outcomes: UInt64 = 512
        static let clock: UInt64 = 1024
        static let division: UInt64 = 2048
        static let weeks: UInt64 = 4096
        static let all = weeks * 2 - 1
    }

    private func append(_ input: InputIdentity, to output: inout OutputBuffer) {
        output.appendText(input.name)
        output.appendText(input.digest)
        let filter = input.filter
        output.appendNumber(
            (input.app == nil ? 0 : InputFlags.app) | (filter.since == nil ? 0 : InputFlags.since)
                | (filter.until == nil ? 0 : InputFlags.until)
                | (input.appliesRemovals ? InputFlags.removals : 0)
                | (input.timeline == nil ? 0 : InputFlags.timeline)
                | (input.tracksDelivery ? InputFlags.delivery : 0)
                | (input.isUnique ? InputFlags.unique : 0)
                | (input.appliesOutcomes ? InputFlags.outcomes : 0)
                | (filter.apps.isEmpty ? 0 : InputFlags.apps)
                | (filter.devices.isEmpty ? 0 : InputFlags.devices)
                | (input.timeline?.clock == nil ? 0 : InputFlags.clock)
                | (input.division == nil ? 0 : InputFlags.division)
                | (input.timeline?.countsWeeks == true ? InputFlags.weeks : 0))
        if let app = input.app { output.appendText(app) }
        if let since = filter.since { output.appendSignedNumber(since) }
        if let until = filter.until { output.appendSignedNumber(until) }
        if let timeline = input.timeline {
            output.appendNumber(UInt64(timeline.step))
            output.appendSignedNumber(timeline.offset)
            if let clock = timeline.clock { append(clock, to: &output) }
        }
        if !filter.apps.isEmpty { filter.apps.append(to: &output) }
        if !filter.devices.isEmpty { filter.devices.append(to: &output) }
        if let division = input.division, let profile = input.profile {
            output.appendText(division.rawValue)
            output.appendText(profile.rawValue)
        }
    }

    /// Appends the name of a time zone and its changes of the clock, so that a merge does not need the database.
    private func append(_ clock: LocalClock, to output: inout OutputBuffer) {
        output.appendText(clock.name ?? "")
        output.appendSignedNumber(clock.first)
        output.appendNumber(UInt64(clock.transitions.count))
        var last: Int64 = 0
        for transition in clock.transitions {
            output.appendSignedNumber(transition.time - last)
            output.appendSignedNumber(transition.offset)
            last = transition.time
        }
    }

    private static func clock(_ reader: inout ByteReader, in bytes: Span<UInt8>) -> LocalClock? {
        let name = bytes[reader.text()].string
        let first = reader.signedNumber()
        var transitions: [LocalClock.Transition] = []
        var time: Int64 = 0
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let (next, overflows) = time.addingReportingOverflow(reader.signedNumber())
            if overflows || next <= time { return nil }
            time = next
            transitions.append(LocalClock.Transition(time: time, offset: reader.signedNumber()))
        }
        guard reader.isValid, !name.isEmpty else { return nil }
        let clock = LocalClock(name: name, first: first, transitions: transitions)
        return clock?.transitions.count == transitions.count ? clock : nil
    }

    /// Decodes a header; nil if the bytes are invalid.
    ///
    /// - Parameter slice: decodes the description of a slice.
    init?(
        _ bytes: Span<UInt8>, slice: (inout ByteReader) -> Void = { if $0.number() != 0 { $0.reject() } }
    ) {
        var reader = ByteReader(bytes)
        let flags = reader.number(upTo: Flags.byDevice | Flags.named)
        byDevice = flags & Flags.byDevice != 0
        maximumArguments = Int(reader.number(upTo: UInt64(Limits.argumentsRange.upperBound)))
        groupings = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            guard let grouping = Grouping(number: reader.number()) else { return nil }
            groupings.append(AppGrouping(app: bytes[reader.text()].string, grouping: grouping))
        }
        guard let table = SourceTable(&reader, in: bytes, isNamed: flags & Flags.named != 0) else {
            return nil
        }
        sources = table
        if table.isNamed { slice(&reader) }
        if reader.isValid, !reader.isAtEnd {
            input.name = bytes[reader.text()].string
            input.digest = bytes[reader.text()].string
            let flags = reader.number(upTo: InputFlags.all)
            if flags & InputFlags.app != 0 { input.app = bytes[reader.text()].string }
            if flags & InputFlags.since != 0 { input.filter.since = reader.signedNumber() }
            if flags & InputFlags.until != 0 { input.filter.until = reader.signedNumber() }
            if flags & InputFlags.timeline != 0 {
                let step = reader.number(upTo: UInt64(Int64.max))
                input.timeline = Timeline(step: Int64(step), offset: reader.signedNumber())
                if step == 0 { return nil }
            }
            if flags & InputFlags.clock != 0 {
                guard let timeline = input.timeline, timeline.offset == 0,
                    ZonedIntervals.canHave(step: timeline.step), let clock = Self.clock(&reader, in: bytes)
                else { return nil }
                input.timeline = Timeline(step: timeline.step, clock: clock)
            }
            if flags & InputFlags.weeks != 0 {
                guard let timeline = input.timeline?.inWeeks else { return nil }
                input.timeline = timeline
            }
            if flags & InputFlags.apps != 0 { input.filter.apps = NameSet(&reader, in: bytes) }
            if flags & InputFlags.devices != 0 { input.filter.devices = NameSet(&reader, in: bytes) }
            if flags & InputFlags.division != 0 {
                input.division = MeasureOptions.Division(rawValue: bytes[reader.text()].string)
                input.profile = Profile(rawValue: bytes[reader.text()].string)
                // People are measured in intervals.
                guard input.division != nil, input.profile != nil, input.timeline != nil, byDevice else {
                    return nil
                }
            }
            input.appliesRemovals = flags & InputFlags.removals != 0
            input.tracksDelivery = flags & InputFlags.delivery != 0
            input.isUnique = flags & InputFlags.unique != 0
            input.appliesOutcomes = flags & InputFlags.outcomes != 0
            // The default has no fields, so that a header has exactly one encoding.
            if input.isDefault { return nil }
        }
        guard reader.isValid, reader.isAtEnd, Limits.argumentsRange.contains(maximumArguments) else {
            return nil
        }
    }
}

extension Settings {
    /// How an app's notifications are grouped.
    func grouping(of app: String) -> Grouping { apps[app]?.grouping ?? .automatic }
}

extension ReplayOptions {
    /// The header of the state that a run with these options writes.
    func header(of sources: SourceTable) -> PartialHeader {
        PartialHeader(
            byDevice: byDevice, maximumArguments: maximumArguments, settings: settings, sources: sources,
            input: inputIdentity)
    }
}

extension OutputBuffer {
    /// Appends a text, preceded by its length.
    mutating func appendText(_ text: String) { appendText(Array(text.utf8).span) }
}

extension OutputBuffer {
    fileprivate mutating func append(_ sources: SourceTable) {
        appendNumber(UInt64(sources.count))
        var next = 0
        for source in sources.entries {
            if sources.isNamed { appendNumber(UInt64(source.ordinal - next)) }
            next = source.ordinal + 1
            appendText(source.name)
            guard sources.isNamed else { continue }
            appendNumber(source.lines?.count ?? 0)
            guard let lines = source.lines else { continue }
            appendNumber(lines.first)
            appendNumber(lines.last - lines.first)
            appendNumber(lines.sum)
        }
    }
}

extension SourceTable {
    /// Decodes the sources of a header; nil if they are invalid.
    fileprivate init?(_ reader: inout ByteReader, in bytes: Span<UInt8>, isNamed: Bool) {
        let count = reader.number(upTo: UInt64(reader.remaining))
        guard isNamed else {
            var paths: [String] = []
            for _ in 0..<count { paths.append(bytes[reader.text()].string) }
            self.init(paths: paths)
            return
        }
        var entries: [Entry] = []
        var next: UInt64 = 0
        for _ in 0..<count {
            let ordinal = next + reader.number(upTo: UInt64(OrderKey.maximumSources))
            let name = bytes[reader.text()].string
            let lineCount = reader.number()
            guard reader.isValid, ordinal < UInt64(OrderKey.maximumSources) else { return nil }
            var entry = Entry(ordinal: Int(ordinal), name: name)
            if lineCount > 0 {
                let first = reader.number(upTo: OrderKey.maximumLines)
                let last = first + reader.number(upTo: OrderKey.maximumLines)
                guard let lines = LineSet(count: lineCount, first: first, last: last, sum: reader.number())
                else { return nil }
                entry.lines = lines
            }
            entries.append(entry)
            next = ordinal + 1
        }
        self.init(named: entries)
    }
}

extension NameSet {
    fileprivate func append(to output: inout OutputBuffer) {
        output.appendNumber(UInt64(texts.count))
        for text in texts { output.appendText(text) }
    }

    /// Decodes a set; the reader is invalid if the bytes are.
    package init(_ reader: inout ByteReader, in bytes: Span<UInt8>) {
        var texts: [String] = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            texts.append(bytes[reader.text()].string)
        }
        self.init(texts)
        // A set has exactly one encoding.
        if texts.isEmpty || self.texts != texts || texts.contains("") { reader.reject() }
    }
}
