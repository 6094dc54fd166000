import SheafBytes
import SheafGroups

/// The options that determine how records are read from lines.
package struct InputOptions: Sendable {
    package var log = LogInput.automatic
    /// The app of records that have none.
    package var defaultApp: String?
    /// Which of the records are grouped or checked.
    package var filter = RecordFilter()

    /// The number of bytes that texts may take which no line has, in addition to those of localized alerts.
    package var constantBytes: Int { log.constantBytes + (defaultApp?.utf8.count ?? 0) }

    package init(
        log: LogInput = LogInput.automatic,
        defaultApp: String? = nil,
        filter: RecordFilter = RecordFilter()
    ) {
        self.log = log
        self.defaultApp = defaultApp
        self.filter = filter
    }
}

/// Which records a replay groups, or a check reads: those in a range of time (specification §14), of some apps, and for
/// some devices.
///
/// A record without a timestamp is in every range. A removal, a change of settings or the result of a service extension
/// without an app or without a device is about all of them.
package struct RecordFilter: Equatable, Sendable {
    /// The oldest timestamp of the records that are grouped, in milliseconds since 1970; nil for no limit.
    var since: Int64?
    /// The newest timestamp, in milliseconds since 1970; nil for no limit.
    var until: Int64?
    var apps = NameSet()
    package var devices = NameSet()

    /// The relation of a record to the range of time.
    enum Position {
        case earlier, inside, later
    }

    /// Whether it leaves nothing out.
    var isUnlimited: Bool { !hasWindow && !selects }
    /// Whether some timestamps are outside of the range.
    var hasWindow: Bool { since != nil || until != nil }
    /// Whether some apps or devices are left out.
    package var selects: Bool { !apps.isEmpty || !devices.isEmpty }

    func position(of timestamp: Int64) -> Position {
        if let since, timestamp < since { return .earlier }
        if let until, timestamp > until { return .later }
        return .inside
    }

    /// Returns whether records of an app and for a device are read. O(log names).
    ///
    /// - Parameter isForAll: whether a record without an app or a device is about all of them.
    package func selects(app: Span<UInt8>, device: Span<UInt8>, isForAll: Bool) -> Bool {
        (apps.isEmpty || apps.contains(app) || isForAll && app.isEmpty)
            && (devices.isEmpty || devices.contains(device) || isForAll && device.isEmpty)
    }

    package init(
        since: Int64? = nil,
        until: Int64? = nil,
        apps: NameSet = NameSet(),
        devices: NameSet = NameSet()
    ) {
        self.since = since
        self.until = until
        self.apps = apps
        self.devices = devices
    }
}

/// A set of names, in an order in which bytes are found without a copy: by length, then in byte order.
package struct NameSet: Equatable, Sendable {
    private var names: [[UInt8]] = []

    package init() {}

    package init(_ names: some Sequence<String>) {
        self.names = Set(names.map { Array($0.utf8) }).ordered { Self.precedes($0.span, $1.span) }
    }

    package var isEmpty: Bool { names.isEmpty }
    /// The names as texts, in the order of the set.
    var texts: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

    /// O(log n).
    func contains(_ name: Span<UInt8>) -> Bool {
        let index = names.partitioningIndex { !Self.precedes($0.span, name) }
        guard index < names.count else { return false }
        let other = names[index]
        return name.isEqual(to: other.span)
    }

    private static func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return a.count < b.count }
        for index in a.indices where a[index] != b[index] { return a[index] < b[index] }
        return false
    }
}

/// How log entries are read: by which description, in which version, with which app for records without one, and which
/// of them are grouped.
///
/// Two runs that read the same entries with the same identity get the same records.
struct InputIdentity: Equatable, Sendable {
    /// The name of the description, or the path of its file as given.
    var name = "auto"
    /// A digest of the description's contents; empty if the name alone determines them.
    var digest = ""
    /// The app of records that name none; nil if such records are rejected.
    var app: String?
    /// Which of the records are grouped.
    var filter = RecordFilter()
    /// Whether removals are applied.
    var appliesRemovals = false
    /// Whether the outcomes of notifications are tracked.
    var tracksDelivery = false
    /// Whether records of one push count once, and whether outcomes that come later are applied.
    var isUnique = false
    var appliesOutcomes = false
    /// The instants of the snapshots; nil for a single one.
    var timeline: Timeline?
    /// How what people get is divided, which is measured, and the profile by which it was decided; nil for snapshots.
    var division: MeasureOptions.Division?
    var profile: Profile?

    /// Whether the state has what notifications ask for.
    var hasTraits: Bool { tracksDelivery || division != nil }

    /// Whether this is the identity of a run without options for its input.
    var isDefault: Bool { self == InputIdentity() }

    /// The first difference between two identities, in the order in which users should read them.
    enum Difference: Equatable {
        case name
        case digest
        case app
        case window
        case selection
        case removals
        case delivery
        case unique
        case outcomes
        case timeline
        case division
    }

    /// Returns the first difference from another identity; nil if they are equal.
    func difference(from other: InputIdentity) -> Difference? {
        if name != other.name { return .name }
        if digest != other.digest { return .digest }
        if app != other.app { return .app }
        if (filter.since, filter.until) != (other.filter.since, other.filter.until) { return .window }
        if filter != other.filter { return .selection }
        if appliesRemovals != other.appliesRemovals { return .removals }
        if tracksDelivery != other.tracksDelivery { return .delivery }
        if isUnique != other.isUnique { return .unique }
        if appliesOutcomes != other.appliesOutcomes { return .outcomes }
        if timeline != other.timeline { return .timeline }
        return division == other.division && profile == other.profile ? nil : .division
    }
}

// MARK: - Parts of messages

extension RecordFilter {
    /// The options that give the range of time, as part of a message.
    var shownWindow: OptionMessage {
        switch (since, until) {
        case (nil, nil): "neither \(.since) nor \(.until)"
        case (let since?, nil): "\(.since) \(since)"
        case (nil, let until?): "\(.until) \(until)"
        case (let since?, let until?): "\(.since) \(since) \(.until) \(until)"
        }
    }

    /// The options that select apps and devices, as part of a message.
    var shownSelection: OptionMessage {
        var options = apps.texts.map { "\(.onlyApps) '\($0)'" as OptionMessage }
        options += devices.texts.map { "\(.onlyDevices) '\($0)'" as OptionMessage }
        guard let first = options.first else { return "neither \(.onlyApps) nor \(.onlyDevices)" }
        return options.dropFirst().reduce(first) { "\($0) \($1)" }
    }
}

extension InputIdentity {
    /// Whether, and how, it is measured what people get, as part of a message.
    var shownDivision: String {
        guard let division, let profile else { return "no measures" }
        return "measures per \(division.rawValue) for \(profile.rawValue)"
    }

    /// The options that give the timeline, as part of a message.
    var shownTimeline: OptionMessage {
        guard let timeline else { return "no \(.every)" }
        let weeks = timeline.countsWeeks ? " from Mondays" : ""
        if let clock = timeline.clock {
            return
                "\(.every) \(timeline.step)ms\(weeks) in the time zone \(clock.name ?? "") with its changes of the clock"
        }
        return
            "\(.every) \(timeline.step)ms\(weeks) on a clock that differs from UTC by \(timeline.offset / 60_000) minutes"
    }

    /// The app of records that name none, as part of a message.
    var shownApp: String { app.map { "'\($0)'" } ?? "none" }
}

// MARK: - Mapping files

extension LogInput {
    /// Reads a mapping file (specification §12.4).
    ///
    /// ```swift
    /// var options = ReplayOptions(sources: ["log.ndjson"])
    /// options.input = try LogInput(contentsOf: "mapping.json")
    /// ```
    ///
    /// - Parameter path: the path of a JSON file, which is the input's name.
    /// - Throws: `ConfigurationError` if the file can't be read or is invalid.
    public init(contentsOf path: String) throws(ConfigurationError) {
        try self.init(contentsOf: path, storage: SystemStorage())
    }

    package init(contentsOf path: String, storage: any Storage) throws(ConfigurationError) {
        let contents: [UInt8]
        do throws(StorageError) {
            contents = try storage.contents(of: path, upTo: Limits.configurationBytes)
        } catch {
            throw ConfigurationError(file: path, message: "the mapping cannot be read: \(error.reason)")
        }
        try self.init(json: contents, file: path)
    }
}
