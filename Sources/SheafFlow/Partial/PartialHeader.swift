import SheafBytes
import SheafGroups

/// The header of a partial result: the options that must match when partial results are merged, and the sources.
///
///     by device (0 or 1) | maximum arguments | apps not grouped automatically: count, then for each: grouping | app
///     | sources: count, then for each: path
///     | input, unless it is the default: name | digest | flags | the app of records that name none (flag 1)
///     | since (flag 2) | until (flag 4), in milliseconds                  flag 8: removals are applied
///     | step | offset, signed (flag 16), in milliseconds                  flag 32: delivery is tracked
///
/// Apps are in byte order, sources in order of their ordinals. Numbers and texts are encoded as for `ByteReader`.
struct PartialHeader: Equatable, Sendable {
    var byDevice: Bool
    var maximumArguments: Int
    /// By app, in byte order.
    var groupings: [AppGrouping]
    var sources: [String]
    /// How the records were read.
    var input = InputIdentity()

    struct AppGrouping: Equatable, Sendable {
        let app: String
        let grouping: Grouping
    }

    init(
        byDevice: Bool, maximumArguments: Int, settings: Settings, sources: [String],
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
            .sorted { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
    }

    /// The options with which the state was written. What becomes of notifications follows from the options of the run
    /// that reads it, so the rules for that are the defaults.
    var state: StateOptions {
        var settings = Settings()
        for item in groupings { settings.apps[item.app, default: AppSettings()].grouping = item.grouping }
        return StateOptions(
            byDevice: byDevice, maximumArguments: maximumArguments, rules: GroupingRules(settings),
            appliesRemovals: input.appliesRemovals,
            delivery: input.tracksDelivery ? DeliveryRules(Settings(), profile: .ios12) : nil,
            timeline: input.timeline)
    }

    func append(to output: inout OutputBuffer) {
        output.appendNumber(byDevice ? 1 : 0)
        output.appendNumber(UInt64(maximumArguments))
        output.appendNumber(UInt64(groupings.count))
        for item in groupings {
            output.appendNumber(item.grouping.number)
            output.appendText(item.app)
        }
        output.appendNumber(UInt64(sources.count))
        for source in sources { output.appendText(source) }
        if !input.isDefault { append(input, to: &output) }
    }

    /// The flags of the parts that the input may have.
    private enum InputFlags {
        static let app: UInt64 = 1
        static let since: UInt64 = 2
        static let until: UInt64 = 4
        static let removals: UInt64 = 8
        static let timeline: UInt64 = 16
        static let delivery: UInt64 = 32
        static let all = app | since | until | removals | timeline | delivery
    }

    private func append(_ input: InputIdentity, to output: inout OutputBuffer) {
        output.appendText(input.name)
        output.appendText(input.digest)
        let window = input.window
        output.appendNumber(
            (input.app == nil ? 0 : InputFlags.app) | (window.since == nil ? 0 : InputFlags.since)
                | (window.until == nil ? 0 : InputFlags.until)
                | (input.appliesRemovals ? InputFlags.removals : 0)
                | (input.timeline == nil ? 0 : InputFlags.timeline)
                | (input.tracksDelivery ? InputFlags.delivery : 0))
        if let app = input.app { output.appendText(app) }
        if let since = window.since { output.appendSignedNumber(since) }
        if let until = window.until { output.appendSignedNumber(until) }
        if let timeline = input.timeline {
            output.appendNumber(UInt64(timeline.step))
            output.appendSignedNumber(timeline.offset)
        }
    }

    /// Decodes a header; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        byDevice = reader.number(upTo: 1) == 1
        maximumArguments = Int(reader.number(upTo: UInt64(Limits.argumentsRange.upperBound)))
        groupings = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            guard let grouping = Grouping(number: reader.number()) else { return nil }
            groupings.append(AppGrouping(app: bytes[reader.text()].string, grouping: grouping))
        }
        sources = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            sources.append(bytes[reader.text()].string)
        }
        if reader.isValid, !reader.isAtEnd {
            input.name = bytes[reader.text()].string
            input.digest = bytes[reader.text()].string
            let flags = reader.number(upTo: InputFlags.all)
            if flags & InputFlags.app != 0 { input.app = bytes[reader.text()].string }
            if flags & InputFlags.since != 0 { input.window.since = reader.signedNumber() }
            if flags & InputFlags.until != 0 { input.window.until = reader.signedNumber() }
            if flags & InputFlags.timeline != 0 {
                let step = reader.number(upTo: UInt64(Int64.max))
                input.timeline = Timeline(step: Int64(step), offset: reader.signedNumber())
                if step == 0 { return nil }
            }
            input.appliesRemovals = flags & InputFlags.removals != 0
            input.tracksDelivery = flags & InputFlags.delivery != 0
            // The default has no fields, so that a header has exactly one encoding.
            if input.isDefault { return nil }
        }
        guard reader.isValid, reader.isAtEnd, Limits.argumentsRange.contains(maximumArguments) else {
            return nil
        }
    }
}

extension ReplayOptions {
    /// The header of the state that a run with these options writes.
    func header(of sources: [String]) -> PartialHeader {
        PartialHeader(
            byDevice: byDevice, maximumArguments: maximumArguments, settings: settings, sources: sources,
            input: inputIdentity)
    }
}

extension OutputBuffer {
    /// Appends a text, preceded by its length.
    mutating func appendText(_ text: String) { appendText(Array(text.utf8).span) }
}
