import SheafBytes
import SheafGroups
import SheafText

/// The sizes by which sources are divided into chunks.
package struct ChunkSizes: Sendable {
    /// The target size of a chunk, in bytes.
    var targetBytes: Int
    /// The maximum length of a line, in bytes.
    var maximumLine: Int
    /// The maximum length of a key before each line, in bytes; 0 for lines without keys.
    var keyBytes = 0
    /// The memory for texts that no line has, in addition to those of localized alerts, in bytes.
    var constantBytes = 0

    /// Whether a chunk ends with the lines that are there, so that none waits for others.
    var endEarly = false

    /// The room for texts that no line has, in bytes: localized alerts take at most as much as the lines.
    var annex: Int { capacity + constantBytes }

    /// The maximum length of a line with its key, in bytes. Of a longer one, enough is kept after the longest key to
    /// quote it in a reject.
    var maximumRead: Int {
        keyBytes == 0 ? maximumLine : max(maximumLine, ChunkFiller.quotedBytes) + keyBytes
    }

    /// The memory of a chunk, in bytes.
    var capacity: Int { ChunkFiller.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumRead) }

    package init(
        targetBytes: Int,
        maximumLine: Int,
        keyBytes: Int = 0,
        constantBytes: Int = 0,
        endEarly: Bool = false
    ) {
        self.targetBytes = targetBytes
        self.maximumLine = maximumLine
        self.keyBytes = keyBytes
        self.constantBytes = constantBytes
        self.endEarly = endEarly
    }
}

/// The options that determine a run's state: with others, the same records yield another state.
struct StateOptions: Sendable {
    /// Whether each device has its own groups.
    var byDevice: Bool
    /// The maximum number of distinct arguments that a group keeps.
    var maximumArguments: Int
    /// The grouping of each app.
    var rules: GroupingRules
    /// Whether removals are applied.
    var appliesRemovals = false
    /// The rules of delivery; nil if outcomes are not tracked.
    var delivery: DeliveryRules?
    /// Whether changes of settings in the log apply. If not, the delivery of a push is known when it is read.
    var followsSettings: Bool { delivery != nil && !ignoresSettings }
    var ignoresSettings = false
    /// How what people get is divided, which is measured; nil for snapshots.
    var division: MeasureOptions.Division?
    /// Whether records of one push count once.
    var isUnique = false
    /// Whether outcomes that were logged apart from their pushes are applied.
    var appliesOutcomes = false
    /// Whether the newest badges are kept for the statistics.
    var readsBadges = false
    /// Whether people's screens are compared with those of another design.
    var isCompared = false
    /// Whether all records of a person go to the same shard.
    var isByPerson: Bool { division != nil || isCompared }
    /// Receives each notification that is shown, with its group; nil if nothing needs them.
    var shown: ShownNotifications?
    /// The instants of the snapshots; nil for a single one. State is then kept for each interval.
    var timeline: Timeline?
    /// The records that are traced; nil for none.
    var traced: TraceSelection?

    /// The intervals whose newest versions and events are kept. What happened to a person is measured to the millisecond.
    var versions: Timeline? { division == nil ? timeline : Timeline(step: 1) }

    /// Whether every notification is kept one by one, because removals or settings may apply to it.
    var tracksAll: Bool { appliesRemovals || followsSettings }

    /// Whether the notifications of state files are among records of other kinds.
    var isTagged: Bool { tracksAll || hasWaiting || delivery != nil }

    /// Whether some pushes can be decided only once all records are read.
    var hasWaiting: Bool { isUnique || appliesOutcomes }

    /// Whether a later record may decide a notification: an outcome, another record of the same push, or the outcome of a
    /// version that replaced it.
    @inline(__always)
    func mayBeDecided(_ record: NotificationRecord) -> Bool {
        hasWaiting && (!record.identifier.isEmpty || record.isReplaceable)
    }
}

/// The records that a run traces, whatever becomes of them: those of a person, or those with an id.
struct TraceSelection: Sendable {
    /// The person's device; empty for the pushes of all people with the id.
    let device: [UInt8]
    /// The id or collapse id.
    let identifier: [UInt8]
}

/// When snapshots that are written while records are read are due. In milliseconds.
struct WatermarkRules: Sendable {
    /// How much later than newer ones records may arrive.
    var lateness: Int64
    /// How far a timestamp may be ahead of the present and of its source's other records.
    var maximumAhead: Int64
    /// The time after which a live source is silent.
    var idle: Int64
}

/// The groups that a snapshot shows, and their order.
struct GroupSelection: Sendable {
    var order = ReplayOptions.Order.key
    /// The number of groups, those with the most notifications; nil for all groups.
    var top: Int?
    /// The groups in each of several snapshots.
    var emit = ReplayOptions.Emission.changes
}

/// How a snapshot shows its groups.
struct SnapshotStyle: Sendable {
    var format: SnapshotFormat
    /// The maximum number of lines; nil for no limit.
    var maximumLines: Int?
    var profile: Profile
    var byDevice: Bool
    /// What text shows of long identifiers of devices; nil for all of them. Known only once all groups are.
    var devices: DeviceNames?
    /// The instants of the snapshots; nil for a single one.
    var timeline: Timeline?
    /// Whether the clock for these times is at the instant of each snapshot.
    var timesFollowInstants = false
    /// Whether groups show the outcomes of their notifications.
    var showsDelivery = false
    /// Whether another snapshot precedes this one in the same file, so that it needs no header.
    var continuesSnapshot = false
    /// What text has after the last group; empty for nothing.
    var note = ""
    /// Whether groups are rendered as records of `ComparedGroup`, for a comparison with other ones.
    var isCompared = false
    /// Shared by all threads, since there may be thousands of apps.
    let locales: LocalizedDisplays

    /// Whether text shortens the identifiers of devices. Over time it does not, since a snapshot is written before the
    /// devices of later ones are known.
    var shortensDevices: Bool { format.isText && byDevice && timeline == nil }
}

/// The files that a run writes, and those that it must not replace.
package struct RunFiles: Sendable {
    /// The name of the result in messages.
    var resultName: OptionMessage
    /// The path of the result; `-` is standard output.
    var result: String
    var rejects: String?
    /// The name of that file in messages: a check writes its findings there.
    var rejectsName: OptionMessage = "\(.rejects)"
    var statistics: String?
    /// The name of that file in messages: a check writes its baseline there.
    var statisticsName: OptionMessage = "\(.statistics)"
    /// The folder for checkpoints.
    var checkpoint: String?
    /// The files that the settings were read from.
    var configuration: [String] = []

    package init(
        resultName: OptionMessage,
        result: String,
        rejects: String? = nil,
        rejectsName: OptionMessage = "\(.rejects)",
        statistics: String? = nil,
        statisticsName: OptionMessage = "\(.statistics)",
        checkpoint: String? = nil,
        configuration: [String] = []
    ) {
        self.resultName = resultName
        self.result = result
        self.rejects = rejects
        self.rejectsName = rejectsName
        self.statistics = statistics
        self.statisticsName = statisticsName
        self.checkpoint = checkpoint
        self.configuration = configuration
    }
}

// MARK: - The options of a replay's stages

extension ReplayOptions {
    var chunks: ChunkSizes {
        ChunkSizes(
            targetBytes: lateness == nil ? chunkBytes : min(chunkBytes, Limits.liveChunkBytes),
            maximumLine: maximumLine, keyBytes: isKeyed ? LineKey.maximumBytes : 0,
            constantBytes: inputs.constantBytes, endEarly: lateness != nil)
    }

    /// Created once per run: this takes time proportional to the number of configured apps.
    var state: StateOptions {
        StateOptions(
            byDevice: byDevice, maximumArguments: maximumArguments,
            rules: GroupingRules(settings), appliesRemovals: appliesRemovals,
            delivery: tracksDelivery || measures != nil
                ? DeliveryRules(settings, profile: profile, locked: locked) : nil,
            ignoresSettings: !tracksDelivery, division: measures?.division,
            isUnique: unique, appliesOutcomes: appliesOutcomes,
            readsBadges: showsBadges || partial != nil || checkpoint != nil, timeline: timeline)
    }

    /// The intervals of snapshots or measures; nil for a single snapshot.
    var timeline: Timeline? { every ?? (measures == nil ? nil : .whole) }

    /// The options that the bytes of snapshots depend on besides the records, for a run that continues them.
    var snapshotStyle: String {
        let limit = top.map { "the top \($0)" } ?? "all groups"
        // A locked device leaves quiet notifications out.
        let screen = locked && tracksDelivery ? ", the lock screen" : ""
        return
            "the format \(format.name), \(limit), the order \(order.rawValue), emitting \(emit.rawValue)\(screen)"
    }

    /// nil if snapshots are written at the end.
    var watermark: WatermarkRules? {
        lateness.map { WatermarkRules(lateness: $0, maximumAhead: maximumAhead, idle: idle) }
    }

    /// Whether the statistics have the newest badges. Partial results and checkpoints always have them, because the run
    /// that reads them may need them.
    var showsBadges: Bool { badges || statistics != nil }

    /// Whether the outcomes of notifications are tracked. O(configured apps).
    var tracksDelivery: Bool { delivery || settings.hasDelivery }

    /// The options that the records depend on besides the sources.
    var inputIdentity: InputIdentity {
        InputIdentity(
            name: input.name, digest: input.localized(locale).digest, app: defaultApp, filter: filter,
            appliesRemovals: appliesRemovals, tracksDelivery: tracksDelivery, isUnique: unique,
            appliesOutcomes: appliesOutcomes, timeline: timeline, division: measures?.division,
            profile: measures == nil ? nil : profile)
    }

    /// Pointers to texts in several languages lead to those of the locale.
    var inputs: InputOptions {
        InputOptions(log: input.localized(locale), defaultApp: defaultApp, filter: filter)
    }

    /// Which of the records are grouped.
    var filter: RecordFilter {
        RecordFilter(since: since, until: until, apps: NameSet(onlyApps), devices: NameSet(onlyDevices))
    }

    var selection: GroupSelection { GroupSelection(order: order, top: top, emit: emit) }

    /// Created once per snapshot: this takes time proportional to the number of configured apps.
    var style: SnapshotStyle {
        SnapshotStyle(
            format: format, maximumLines: maximumLines, profile: profile, byDevice: byDevice,
            timeline: every, timesFollowInstants: every != nil && now == nil,
            showsDelivery: tracksDelivery,
            locales: LocalizedDisplays(
                settings, strings: strings, texts: texts, locked: locked, clock: clockOfTimes))
    }

    private var clockOfTexts: LocalClock { timeZone ?? LocalClock(offset: Int64(timeZoneOffset) * 60_000) }

    /// nil if no times are shown.
    private var clockOfTimes: ScreenClock? {
        guard format.isText, let now = now ?? until ?? every.map({ _ in 0 }) else { return nil }
        return ScreenClock(now: now, zone: clockOfTexts)
    }

    package var files: RunFiles {
        RunFiles(
            resultName: partial == nil ? "the snapshot" : "\(.partial)", result: partial ?? output,
            rejects: rejects, statistics: statistics, checkpoint: checkpoint,
            configuration: configurationFiles + listFiles)
    }
}
