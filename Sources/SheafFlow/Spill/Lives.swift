import SheafBytes
import SheafGroups

/// The lives of the versions of notifications in several sorted state files: from the interval in which a version
/// arrives to that in which it is replaced or removed (specification §14, §15). One that settings suppressed (§16) has
/// none.
struct Lives {
    private var versions: NewestVersions
    private let clock: SnapshotClock
    /// `next` takes it out while it runs.
    private var removals: HeldRemovals
    /// nil if what becomes of notifications is not tracked. `next` takes it out while it runs.
    private var settings: HeldSettings?
    /// The version that was read last, whose life may end with the next one.
    private var pending: Pending?
    private var pendingTexts: [UInt8] = []
    /// The texts of the version that `next` returned last.
    private var texts: [UInt8] = []
    /// The number of versions that were the newest of their interval, but not of the last one.
    private var superseded: UInt64 = 0
    /// The newest versions that are not on screen at the end.
    private(set) var hidden = HiddenCounts()

    private struct Pending {
        var entry: NotificationEntry
        /// What became of it; nil if it was suppressed.
        var effect: DeliveryEffect?
        /// The interval in which it was removed; nil if it was not.
        var removal: Int64?
    }

    /// A version, and the intervals at whose ends it is on screen.
    struct Life {
        let record: NotificationRecord
        let start: Int64
        /// The first interval after them; nil if it is on screen at the end.
        let end: Int64?
        /// Whether it ends because a newer version is on screen.
        let isUpdated: Bool
    }

    init(
        _ files: [StateFile], _ clock: SnapshotClock, _ rules: DeliveryRules?, storage: any Storage
    ) throws(ReplayError) {
        settings = rules.map { HeldSettings($0) }
        versions = try NewestVersions(files, clock.timeline, storage: storage)
        self.clock = clock
        removals = HeldRemovals(clock.timeline)
    }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }

    /// The number of versions that were not the newest.
    var replaced: UInt64 { versions.replaced + superseded }

    /// The buffer of the texts of the version that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the next version that is on screen at the end of an interval; nil after the last one.
    mutating func next() throws(ReplayError) -> Life? {
        var held = HeldRemovals(clock.timeline)
        swap(&held, &removals)
        var settings = self.settings.take()
        defer {
            swap(&held, &removals)
            self.settings = settings
        }
        while let entry = try versions.next() {
            if let change = entry.settings {
                settings?.add(change, in: versions.bytes)
                continue
            }
            if let removal = entry.removal {
                held.add(removal, of: entry, in: versions.bytes)
                continue
            }
            let first = held.firstRemoval(of: entry, in: versions.bytes)
            let removal = first.map { clock.interval(of: $0.timestamp) }
            let isUpdate =
                pending.map { entry.isVersion(versions.bytes, of: $0.entry, pendingTexts.span) } ?? false
            let start = clock.interval(of: entry.newest.timestamp)
            let effect = settings == nil ? .untracked : settings?.effect(on: entry.record, in: versions.bytes)
            let isShown = effect != nil && (removal.map { $0 > start } ?? true)
            let life = take(replacedAt: isUpdate ? start : nil, byShown: isShown)
            pending = Pending(entry: entry, effect: effect, removal: removal)
            var copy: [UInt8] = []
            swap(&copy, &pendingTexts)
            copy.removeAll(keepingCapacity: true)
            copy.append(versions.bytes)
            swap(&copy, &pendingTexts)
            if let life { return life }
        }
        return take(replacedAt: nil, byShown: false)
    }

    /// Removes the pending version, and moves its texts to `texts`.
    ///
    /// - Parameters:
    ///   - replacement: the interval of the next version; nil if there is none.
    ///   - isShown: whether the next version is on screen at the end of that interval.
    /// - Returns: its life; nil if it is not on screen at the end of any interval.
    private mutating func take(replacedAt replacement: Int64?, byShown isShown: Bool) -> Life? {
        guard let version = pending else { return nil }
        pending = nil
        swap(&texts, &pendingTexts)
        if replacement != nil {
            superseded += 1
        } else if version.effect == nil {
            hidden.suppressed += 1
        } else if version.removal != nil {
            hidden.removed += 1
        }
        guard let effect = version.effect else { return nil }
        let start = clock.interval(of: version.entry.newest.timestamp)
        let ends = [replacement, version.removal].compactMap { $0 }
        let end = ends.min()
        if let end, end <= start { return nil }
        let isUpdated = isShown && replacement != nil && end == replacement
        var record = version.entry.record
        record.effect = effect
        return Life(record: record, start: start, end: end, isUpdated: isUpdated)
    }
}
