import SheafBytes
import SheafGroups
import Synchronization

/// The groups on screen, kept up to date while pushes are sent: the engine of a replay for programs that embed it.
///
/// ```swift
/// let live = try LiveGroups()
/// let source = try live.addSource(named: "gateway")
/// try source.append("{\"app\":\"com.example.mail\",\"aps\":{\"alert\":\"Lunch?\",\"thread-id\":\"team\"}}\n")
/// print(live.group(app: "com.example.mail", thread: "team")?.display.body ?? "")
/// ```
///
/// Records may come from several sources and threads, and in any order. What is on screen is then what a replay of the
/// same records shows, with the sources in the order in which they were added: an older record that comes late takes
/// its place below newer ones, and a removal also removes the older notifications that come after it.
///
/// Memory: records are refused once the groups use `LiveOptions.memory`. They may exceed it by the records of a part of
/// a chunk from each source, a few hundred KiB. With removals or delivery, each notification takes 64 bytes and its
/// texts. A source takes a chunk, its longest line, and the statistics of its badges and responses, at most 3 MiB.
/// Nothing is written to disk.
///
/// A group is found in O(1), and rebuilt in O(its notifications) if some were removed or replaced. For an app without
/// grouping, a notification is found in O(those of the app).
///
/// Observers are resumed while a lock is held: an executor must not run their code in the call that adds records.
public final class LiveGroups: Sendable {
    private let options: ReplayOptions
    /// The options by which records are decoded: with measures, also what notifications ask for.
    private let decoding: ReplayOptions
    /// The limit of `heldBytes`.
    let limit: Int
    private let state: Mutex<ObservedGroups>
    private let readers: Mutex<[SourceDecoder]>

    /// - Throws: `ReplayError.usage` for a value out of its range.
    public init(_ options: LiveOptions = LiveOptions()) throws(ReplayError) {
        let replay = options.replay
        try replay.validate()
        if options.memory <= 0 {
            throw .usage("\(.memory) is \(options.memory) bytes, but must be more than 0")
        }
        if options.measures, !options.byDevice || options.unique || options.appliesOutcomes {
            throw .usage(
                "measures need groups by device, and can't be given with \(.unique) or \(.appliesOutcomes): a record "
                    + "that is decided later would have to be counted again")
        }
        self.options = replay
        var decoding = replay
        if options.measures { decoding.measure(MeasureOptions()) }
        self.decoding = decoding
        limit = options.memory
        if let maximumAhead = options.maximumAhead, maximumAhead <= 0 {
            throw .usage("\(.maximumAhead) is \(maximumAhead) ms, but must be longer than 0")
        }
        state = Mutex(
            ObservedGroups(replay, maximumAhead: options.maximumAhead, measures: options.measures))
        readers = Mutex([])
    }

    deinit { endObservers() }

    /// Adds a source of records. Of records with the same timestamp, those of sources that were added first are older.
    ///
    /// - Parameter name: the source's name in snapshots.
    /// - Throws: `LiveError.tooManySources`.
    public func addSource(named name: String) throws(LiveError) -> LiveSource {
        try addSource(named: name, firstLine: 1)
    }

    func addSource(named name: String, firstLine: UInt64) throws(LiveError) -> LiveSource {
        try readers.withLock { readers throws(LiveError) in
            guard readers.count < OrderKey.maximumSources else { throw .tooManySources }
            state.withLock { $0.renderer.names.add(name) }
            let reader = SourceDecoder(decoding, name: name, ordinal: readers.count, firstLine: firstLine)
            readers.append(reader)
            return LiveSource(groups: self, reader: reader)
        }
    }

    /// Whether more records are taken.
    var hasRoom: Bool { state.withLock { $0.hasRoom(in: limit) } }

    /// Adds the records that a source has decoded.
    func add(_ unit: WorkUnit) { state.withLock { $0.add(unit) } }
}

// MARK: - Asking

extension LiveGroups {
    /// The groups on screen, in the order of `LiveOptions.order`. O(n log n) for n groups.
    public func snapshot() -> [GroupSnapshot] { read { $0.snapshots($0.table.shownGroups) } }

    /// Returns the groups of an app. O(n log n) for its n groups.
    public func groups(ofApp app: String) -> [GroupSnapshot] {
        let app = Array(app.utf8)
        return read { $0.snapshots($0.table.shownGroups(ofApp: app.span)) }
    }

    /// Returns the groups of a device, none if `LiveOptions.byDevice` is not set. O(n log n) for its n groups.
    public func groups(ofDevice device: String) -> [GroupSnapshot] {
        let device = Array(device.utf8)
        return read { $0.snapshots($0.table.shownGroups(ofDevice: device.span)) }
    }

    /// Returns a group; nil if it is not on screen. Of an app whose notifications are not grouped, the newest
    /// notification with the thread.
    ///
    /// - Parameters:
    ///   - app: the app's identifier.
    ///   - thread: that of the group; nil for notifications without a thread, and for those that a person groups by
    ///     app. It is ignored for an app that the configuration groups by app.
    ///   - device: it is ignored if `LiveOptions.byDevice` is not set.
    public func group(app: String, thread: String? = nil, device: String? = nil) -> GroupSnapshot? {
        read { state in
            let key = state.key(app: app, thread: thread, device: device)
            return state.group(key).map { state.snapshot($0) }
        }
    }

    /// Returns the notifications of a group on screen, the newest first: what a content extension shows of it, and what
    /// `getDeliveredNotifications` returns for its thread. O(n log n) for n notifications.
    ///
    /// - Parameter group: a group of these groups; it may have changed since.
    /// - Returns: nil if some of the notifications were not kept one by one, because neither removals nor delivery are
    ///   applied; none if the group is no longer on screen.
    public func notifications(of group: GroupSnapshot) -> [ShownNotification]? {
        read { $0.notifications(of: group) }
    }

    /// The number of groups on screen.
    public var count: Int { read { $0.table.count } }

    /// The memory that counts toward `LiveOptions.memory`, in bytes: the groups, the notifications, the removals and
    /// the settings.
    public var heldBytes: Int { state.withLock { $0.heldBytes } }

    /// Returns what a person got until now and has on screen, all apps together first, then by app in byte order; nothing
    /// for a device without records, or without `LiveOptions.measures`. O(n log n) for the person's n groups.
    ///
    /// For records that come in the order of their times, the numbers are those of `Measures` without intervals. Of
    /// records that come late, banners, sounds and suppressed pushes follow the settings that were read before them, and
    /// versions that come after a newer one have not been removed.
    ///
    /// - Parameters:
    ///   - device: the name of the device.
    ///   - fold: the number of groups at the top of the screen whose notifications are not buried, at least 1.
    public func measures(
        ofDevice device: String, fold: Int = MeasureOptions.standardFold
    ) -> [PersonMeasures] {
        read { $0.people == nil ? [] : $0.measures(ofDevice: Array(device.utf8), fold: max(1, fold)) }
    }

    /// Returns the measures of all people, as `measures(ofDevice:fold:)` does, in byte order of the devices.
    public func measures(fold: Int = MeasureOptions.standardFold) -> [PersonMeasures] {
        read { state in
            (state.people?.names ?? []).flatMap { state.measures(ofDevice: $0, fold: max(1, fold)) }
        }
    }

    /// The counts of the records that were taken, as a replay would count them.
    ///
    /// Exceptions: whether a notification counts as `suppressed` or as `removed`, if settings or results come later
    /// than its removal. `banners` and `sounds` follow the settings that were read before their pushes. What counts as
    /// updated, if older versions come after the newest one was removed and the memory was used up. The newest badge of an
    /// app on a device, if settings come later than 64 newer badges.
    public func statistics() -> Statistics {
        // Before the readers' counts, which are never smaller than what the groups have got.
        let (updated, hidden, groups, ahead, found) = read { state in
            var found = RunCounts()
            state.table.addFound(to: &found)
            return (state.table.updated, state.table.hidden, state.table.count, state.ahead, found)
        }
        let readers = readers.withLock { $0 }
        var counts = RunCounts()
        for reader in readers { reader.addCounts(to: &counts) }
        counts.updated = updated
        counts.add(found: found)
        var statistics = Statistics(
            counts, sources: SourceTable(paths: readers.map(\.name)), input: options.inputIdentity,
            hidden: hidden,
            badgesByDevice: options.byDevice, groups: UInt64(groups), spilledBytes: 0,
            seconds: 0)
        statistics.ahead = ahead
        return statistics
    }

    private func read<Result: Sendable>(_ body: (inout ObservedGroups) -> Result) -> Result {
        state.withLock { state in
            state.review()
            return body(&state)
        }
    }
}

// MARK: - Observing

extension LiveGroups {
    /// Returns a group's leading notification, if it is on screen, and then each notification that is added to it, as a
    /// content extension receives them.
    ///
    /// ```swift
    /// let live = try LiveGroups()
    /// for await arrival in live.arrivals(app: "com.example.mail", thread: "team") {
    ///     print(arrival.notification.title ?? "")
    /// }
    /// ```
    ///
    /// An update of a notification is an arrival too. Notifications that are outdated or removed when they come are
    /// not. The sequence ends with these groups, or when its task is cancelled.
    ///
    /// - Parameters:
    ///   - app: as for `group(app:thread:device:)`, like the next two.
    ///   - thread: nil for notifications without a thread.
    ///   - device: nil for notifications without a device.
    ///   - limit: the number of arrivals that wait for a slow observer. The oldest ones are dropped then, which leaves
    ///     a gap in `GroupArrival.number`.
    public func arrivals(
        app: String, thread: String? = nil, device: String? = nil, limit: Int = 1_000
    ) -> AsyncStream<GroupArrival> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: GroupArrival.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let (number, hash) = read { state in
            let key = state.key(app: app, thread: thread, device: device)
            return (state.observe(key, continuation), key.hash)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.endObserver(number, hash: hash) }
        }
        return stream
    }

    /// The number of observers that have not ended.
    var observerCount: Int { state.withLock { $0.observerCount } }

    private func endObservers() {
        // Outside of the lock, since ending a stream calls back.
        for continuation in state.withLock({ $0.takeObservers() }) { continuation.finish() }
    }
}

/// A notification that an observer of a group receives.
public struct GroupArrival: Sendable, Hashable {
    /// The number of arrivals before this one; the group's leading notification is the first one.
    public let number: UInt64
    public let notification: ShownNotification
}

/// The options of `LiveGroups`: how records are read, grouped and shown, as in `ReplayOptions`.
public struct LiveOptions: Sendable {
    /// How each app's notifications are grouped and shown, and in which locale.
    public var configuration = Configuration()
    /// The system version whose rules apply.
    public var profile = Profile.ios12
    /// Whether each device has its own groups.
    public var byDevice = false
    /// Whether the receiving device is locked.
    public var locked = false
    /// The order of the groups in a snapshot.
    public var order = ReplayOptions.Order.key
    /// The maximum number of distinct arguments in a summary.
    public var maximumArguments = Limits.arguments
    /// How the entries of the sources are read.
    public var input = LogInput.automatic
    /// The app of records that have none; nil to reject them.
    public var defaultApp: String?
    /// Whether groups report how their notifications were delivered, and suppressed ones are left out. Also on if the
    /// configuration has settings of delivery. Each notification is then kept, which takes memory.
    public var delivery = false
    /// Whether removals are applied. Each notification is then kept, which takes memory; without it removals are only
    /// counted.
    public var appliesRemovals = true
    /// Whether of several records of the same push only the one with the smallest order key counts. Each push with an id
    /// is then kept, which takes memory.
    public var unique = false
    /// Whether outcomes are applied that were logged apart from their pushes. Each push with an id or a collapse
    /// identifier is then kept, which takes memory; without it they are only counted.
    public var appliesOutcomes = false
    /// Whether people are measured, for `LiveGroups.measures(ofDevice:fold:)`. Takes about 160 bytes for each app of a
    /// device, and needs `byDevice`.
    public var measures = false
    /// How far a timestamp may be ahead of both the present and its source's other records, in milliseconds:
    /// `Statistics.ahead` counts those that are further ahead, since a clock is wrong. What is on screen does not depend
    /// on it. nil to count none.
    public var maximumAhead: Int64?
    /// The maximum length of a line, in bytes; longer lines are rejected.
    public var maximumLine = Limits.lineBytes
    /// The memory for what is on screen, in bytes: further records are refused once it is in use.
    public var memory = 256 << 20

    public init() {}

    /// The options of a replay that has the same results.
    var replay: ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.apply(configuration)
        options.profile = profile
        options.byDevice = byDevice
        options.locked = locked
        options.order = order
        options.maximumArguments = maximumArguments
        options.input = input
        options.defaultApp = defaultApp
        options.delivery = delivery
        options.appliesRemovals = appliesRemovals
        (options.unique, options.appliesOutcomes) = (unique, appliesOutcomes)
        options.maximumLine = maximumLine
        options.chunkBytes = Limits.liveChunkBytes
        options.threads = 1
        options.badges = true
        return options
    }
}
