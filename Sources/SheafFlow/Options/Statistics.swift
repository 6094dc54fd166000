import SheafBytes
import SheafGroups

/// The statistics of a replay or a merge (specification §10).
///
/// ```swift
/// let statistics = try Replay(ReplayOptions(sources: ["log.ndjson"])).run()
/// print("\(statistics.groups) groups of \(statistics.grouped) notifications")
/// for (reason, count) in statistics.rejected { print("\(count) lines: \(reason.name)") }
/// ```
///
/// A merge adds the counts of the replays that it merges.
public struct Statistics: Sendable {
    /// The number of sources, after folders are expanded.
    public internal(set) var sources = 0
    /// The number of bytes read, as stored, compressed or not.
    public internal(set) var bytesRead: UInt64 = 0
    /// The number of bytes of text: the inflated size of compressed sources, and the stored size of plain ones.
    public internal(set) var bytesInflated: UInt64 = 0
    /// The number of lines, blank ones included.
    public internal(set) var lines: UInt64 = 0
    /// The number of empty lines, and of lines that consist of spaces and tabs.
    public internal(set) var blank: UInt64 = 0
    /// The number of notifications in groups.
    public internal(set) var grouped: UInt64 = 0
    /// The number of notifications that newer versions replaced.
    public internal(set) var updated: UInt64 = 0
    /// The number of records of a push besides the first one; nil for a run without `ReplayOptions.unique`.
    public internal(set) var repeated: UInt64?
    /// The number of records that are not shown to the user.
    public internal(set) var silent: UInt64 = 0
    /// The number of records for other platforms than Apple's, which are not grouped.
    public internal(set) var otherPlatform: UInt64 = 0
    /// The pushes that the push service refused, so that no device received them; nil if there are none.
    public internal(set) var refused: Refusals?
    /// The numbers of records with a timestamp before and after the window, which are not grouped; nil for a run
    /// without `ReplayOptions.since` and `until`.
    public internal(set) var outsideWindow: OutsideWindow?
    /// The records of other apps or for other devices than those that are grouped; nil if all are.
    public internal(set) var unselected: UInt64?
    /// The removals that were applied; nil for a run without `ReplayOptions.appliesRemovals`.
    public internal(set) var removals: Removals?
    /// The number of removals that were not applied, in a run without `ReplayOptions.appliesRemovals`.
    public internal(set) var removalsIgnored: UInt64 = 0
    /// The number of notifications and removals that arrived after the snapshot of their interval was written, and so
    /// are part of the next one; nil for a run without `ReplayOptions.lateness`.
    public internal(set) var late: UInt64?
    /// The number of records whose timestamps were ahead by more than `ReplayOptions.maximumAhead`, in a run with
    /// `ReplayOptions.lateness`, or with `LiveOptions.maximumAhead`; else 0.
    public internal(set) var ahead: UInt64 = 0
    /// The changes of settings that were applied; nil for a run that does not track what becomes of notifications.
    public internal(set) var delivery: Delivery?
    /// The number of changes of settings that were not applied, in a run that does not track what becomes of
    /// notifications.
    public internal(set) var settingsIgnored: UInt64 = 0
    /// The number of service extensions' results that were not applied, in a run that does not track what becomes of
    /// notifications.
    public internal(set) var modificationsIgnored: UInt64 = 0
    /// The number of records with outcomes of pushes that were applied; nil for a run without
    /// `ReplayOptions.appliesOutcomes`.
    public internal(set) var outcomes: UInt64?
    /// The number of records with outcomes of pushes that were not applied, in a run without
    /// `ReplayOptions.appliesOutcomes`.
    public internal(set) var outcomesIgnored: UInt64 = 0
    /// The responses to notifications; nil if there are none.
    public internal(set) var responses: Responses?
    /// The newest badge of each app; nil if there are none, or for a run that does not report them.
    public internal(set) var badges: Badges?
    /// The number of records without a timestamp.
    public internal(set) var untimed: UInt64 = 0
    /// The number of rejected records by reason; reasons that did not occur are omitted. A line that can't be divided
    /// into records counts as one.
    public internal(set) var rejected: [(reason: RejectReason, count: UInt64)] = []
    /// The number of records by finding; findings that did not occur are omitted.
    public internal(set) var findings: [(finding: Finding, count: UInt64)] = []
    /// The sources that could not be read completely, in source order.
    public internal(set) var sourceErrors: [DamagedSource] = []
    /// The number of groups, whether or not all of them were written.
    public internal(set) var groups: UInt64 = 0
    /// The number of people who had a notification; nil unless they are measured.
    public package(set) var people: UInt64?
    /// The number of pushes without a device, which are not measured; nil unless people are measured.
    public package(set) var withoutDevice: UInt64?
    /// The number of bytes spilled to disk. A byte counts each time it is written.
    public package(set) var spilledBytes: UInt64 = 0
    /// The most memory that the process has used so far, in bytes.
    public internal(set) var peakResidentBytes: UInt64 = 0
    /// The duration of the run.
    public package(set) var seconds: Double = 0
    /// Whether the reader of the snapshot closed the pipe early.
    public package(set) var outputWasClosed = false
    /// The first rejected record, in the order of sources, lines and indices.
    public internal(set) var firstReject: RejectedLine?

    /// Probable mistakes in the input or the options; not part of `json()`.
    public package(set) var warnings: [ReplayWarning] = []

    /// The number of lines that are not blank.
    public var linesRead: UInt64 { lines - blank }
    /// The number of records; a line may have several.
    public var records: UInt64 {
        let outside = (outsideWindow.map { $0.earlier + $0.later } ?? 0) + (unselected ?? 0)
        let removalCount = removals.map { $0.applied + $0.removed } ?? removalsIgnored
        let deliveryCount =
            delivery.map { $0.settings + $0.suppressed + ($0.quiet ?? 0) + $0.modified + $0.expired }
            ?? settingsIgnored + modificationsIgnored
        return grouped + updated + (repeated ?? 0) + (outcomes ?? outcomesIgnored) + removalCount
            + deliveryCount + silent + otherPlatform + outside
            + (responses?.total ?? 0) + (refused?.total ?? 0) + rejectedTotal
    }
    /// The number of rejected records.
    public var rejectedTotal: UInt64 { rejected.reduce(0) { $0 + $1.count } }

    /// The records outside the window of a run.
    public struct OutsideWindow: Sendable, Equatable {
        /// The number of records before `ReplayOptions.since`.
        public let earlier: UInt64
        /// The number of records after `ReplayOptions.until`.
        public let later: UInt64
    }

    /// The removals of a run that applies them.
    public struct Removals: Sendable, Equatable {
        /// The number of records that remove notifications.
        public let applied: UInt64
        /// The number of notifications that were removed, without those that a newer version replaced.
        public let removed: UInt64
    }

    /// What a run found that tracks what becomes of notifications.
    public struct Delivery: Sendable, Equatable {
        /// The number of records that change settings.
        public let settings: UInt64
        /// The number of notifications that did not appear, because their app was off, or allowed only critical ones;
        /// without those that a newer version replaced.
        public let suppressed: UInt64
        /// The number of notifications that a locked device does not show, because they were delivered quietly; without
        /// those that a newer version replaced. nil if there are none.
        public internal(set) var quiet: UInt64?
        /// The number of pushes that showed a banner when they arrived, whether or not they were replaced or removed
        /// later; refused and repeated pushes do not arrive.
        public internal(set) var banners: UInt64 = 0
        /// The number of pushes that played a sound when they arrived.
        public internal(set) var sounds: UInt64 = 0
        /// The number of results of service extensions that replaced the content of a notification.
        public let modified: UInt64
        /// The number of results that came too late, or had no content.
        public let expired: UInt64
    }

    /// Pushes that the push service refused.
    public struct Refusals: Sendable, Equatable {
        /// The number of refused pushes.
        public let total: UInt64
        /// The pushes by reason, in byte order: of at most `Limits.refusalReasons` reasons, the first ones in that order,
        /// without those of more than 512 bytes.
        public let counts: [RefusalCount]
        /// The number of pushes with any other reason.
        public let others: UInt64
    }

    /// The number of pushes that were refused for one reason.
    public struct RefusalCount: Sendable, Equatable {
        /// The reason that the log has: a text, or else a status word or code; nil if it has none.
        public let reason: String?
        public let count: UInt64
    }

    /// The responses to notifications: actions that were chosen.
    public struct Responses: Sendable, Equatable {
        /// The number of responses.
        public let total: UInt64
        /// The responses by app, category and action, in byte order: of at most `Limits.responseKinds` combinations,
        /// the first ones in that order, without those whose texts together have more than 512 bytes.
        public let counts: [ResponseCount]
        /// The number of responses of all other combinations.
        public let others: UInt64
    }

    /// The number of responses with one action to the notifications of one category.
    public struct ResponseCount: Sendable, Equatable {
        public let app: String
        /// nil for notifications without a category.
        public let category: String?
        /// The action's identifier.
        public let action: String
        public let count: UInt64
    }

    /// The newest badge of each app, or of each app on each device.
    public struct Badges: Sendable, Equatable {
        /// Whether each device has its own.
        public let areByDevice: Bool
        /// By device and app in byte order: at most `Limits.badges`, the first ones in that order, without those whose
        /// device and app together have more than 512 bytes.
        public let newest: [Badge]
        /// Whether there are others.
        public let areTruncated: Bool
    }

    /// The badge of the newest record of an app, or of an app on a device, that has one.
    public struct Badge: Sendable, Equatable {
        /// nil for records without a device, and if badges are not separated by device.
        public let device: String?
        public let app: String
        /// At most 2⁵³.
        public let badge: UInt64
        /// The record's time in milliseconds since 1970; 0 if it has none.
        public let timestamp: Int64
    }

    /// A source that could not be read completely.
    public struct DamagedSource: Sendable, Equatable {
        /// The source's path as given, or inside a given folder.
        public let source: String
        public let damage: SourceDamage

        package init(
            source: String,
            damage: SourceDamage
        ) {
            self.source = source
            self.damage = damage
        }
    }

    /// A rejected line, or a rejected record of a line that has several.
    public struct RejectedLine: Sendable, Equatable {
        /// The source's path as given, or inside a given folder.
        public let source: String
        /// The line number, starting at 1.
        public let line: UInt64
        /// The record's index in its line, starting at 0; nil if the line is rejected as a whole.
        public let index: UInt32?
        public let reason: RejectReason
    }

    /// The first members of `json()`: each with its name, and nil for one that is left out.
    private static let numbers: [(name: StaticString, value: @Sendable (Statistics) -> UInt64?)] = [
        ("sources", { UInt64($0.sources) }),
        ("bytesRead", { $0.bytesRead }),
        ("bytesInflated", { $0.bytesInflated }),
        ("lines", { $0.lines }),
        ("blank", { $0.blank }),
        ("linesRead", { $0.linesRead }),
        ("records", { $0.records }),
        ("grouped", { $0.grouped }),
        ("updated", { $0.updated }),
        ("repeated", { $0.repeated }),
        ("silent", { $0.silent }),
        ("otherPlatform", { $0.otherPlatform }),
        ("earlier", { $0.outsideWindow?.earlier }),
        ("later", { $0.outsideWindow?.later }),
        ("unselected", { $0.unselected }),
        ("removals", { $0.removals?.applied }),
        ("removed", { $0.removals?.removed }),
        ("settings", { $0.delivery?.settings }),
        ("suppressed", { $0.delivery?.suppressed }),
        ("quiet", { $0.delivery?.quiet }),
        ("banners", { $0.delivery?.banners }),
        ("sounds", { $0.delivery?.sounds }),
        ("modified", { $0.delivery?.modified }),
        ("expired", { $0.delivery?.expired }),
        ("outcomes", { $0.outcomes }),
        ("removalsIgnored", { $0.removalsIgnored > 0 ? $0.removalsIgnored : nil }),
        ("late", { $0.late }),
        ("ahead", { $0.ahead > 0 ? $0.ahead : nil }),
        ("settingsIgnored", { $0.settingsIgnored > 0 ? $0.settingsIgnored : nil }),
        ("modificationsIgnored", { $0.modificationsIgnored > 0 ? $0.modificationsIgnored : nil }),
        ("outcomesIgnored", { $0.outcomesIgnored > 0 ? $0.outcomesIgnored : nil }),
        ("people", { $0.people }),
        ("withoutDevice", { $0.withoutDevice }),
    ]

    /// Returns the statistics as one JSON object and an LF.
    public func json() -> [UInt8] { json(hasResources: true) }

    /// - Parameter hasResources: whether badges, and the time and memory of the run, are included.
    func json(hasResources: Bool) -> [UInt8] {
        JSONDocument.bytes { json in
            for (name, value) in Self.numbers {
                if let value = value(self) { json.member(name, value) }
            }
            if let refused { json.member("refused") { refused.write(to: &$0) } }
            if let responses {
                json.member("responses") { json in
                    json.member("total", responses.total)
                    json.member("counts", responses.counts) { json, item in
                        json.member("app", item.app)
                        json.member("category", item.category)
                        json.member("action", item.action)
                        json.member("count", item.count)
                    }
                    json.member("others", responses.others)
                }
            }
            if hasResources, let badges {
                json.member("badges", badges.newest) { json, item in
                    if badges.areByDevice { json.member("device", item.device) }
                    json.member("app", item.app)
                    json.member("badge", item.badge)
                    json.member("timestamp", milliseconds: item.timestamp)
                }
                json.member("badgesTruncated", badges.areTruncated)
            }
            json.member("untimed", untimed)
            json.member("rejected") { json in
                json.member("total", rejectedTotal)
                for item in rejected { json.member(item.reason.name, item.count) }
            }
            json.member("findings") { json in
                for item in findings { json.member(item.finding.name, item.count) }
            }
            json.member("sourceErrors", sourceErrors) { json, error in
                json.member("source", error.source)
                json.member("reason", error.damage.reason.rawValue)
                json.member("offset", error.damage.offset)
            }
            json.member("groups", groups)
            guard hasResources else { return }
            json.member("spilledBytes", spilledBytes)
            json.member("peakResidentBytes", peakResidentBytes)
            json.member("seconds", seconds, decimals: 3)
        }
    }
}

extension Statistics.Refusals {
    /// Writes the members of the JSON object.
    package func write(to json: inout JSONDocument) {
        json.member("total", total)
        json.member("counts", counts) { json, item in
            json.member("reason", item.reason)
            json.member("count", item.count)
        }
        json.member("others", others)
    }

    /// The number of reasons that a sentence names.
    private static let namedReasons = 5

    /// How many pushes were refused, and the most frequent reasons, as a text.
    package var sentence: String { sentence("push", "pushes", "refused by the push service") }

    package func sentence(_ one: String, _ several: String, _ rest: String) -> String {
        "\(Numbers.grouped(total)) \(total == 1 ? one : several) \(rest): \(summary(upTo: Self.namedReasons))"
    }

    /// The reasons with their numbers, the most frequent ones first, as a text; empty if no reason is known.
    private func summary(upTo count: Int) -> String {
        let known = counts.filter { $0.reason != nil }.sorted { $0.count > $1.count }
        let left = total - known.prefix(count).reduce(0) { $0 + $1.count }
        return
            (known.prefix(count).map { "\(Numbers.grouped($0.count)) \(DisplayText.shown($0.reason ?? ""))" }
            + (left > 0 ? ["\(Numbers.grouped(left)) other"] : [])).joined(separator: ", ")
    }
}
