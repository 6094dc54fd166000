import SheafBytes
import SheafGroups

/// The pushes of a `ScreenTable` that a later record may decide (specification §18): by an outcome, as another record of the
/// same push, or as the outcome of a version that replaced it.
///
/// Memory: a push takes its texts, 32 bytes, and about 80 bytes for each of its id and collapse identifier.
struct PushHistory {
    private struct Push {
        let start: Int
        let order: OrderKey
        var isRefused = false
        /// Whether an older record of the same push came later.
        var isRepeated = false
        /// How it interrupted: 1 with a banner, 2 with a sound, 3 with both.
        var interruption: UInt8 = 0
    }

    /// Encoded notifications, one after the other.
    private var bytes: [UInt8] = []
    private var pushes: [Push] = []
    /// The pushes by the hashes of their ids and collapse identifiers.
    private var identifiers: [UInt64: [UInt32]] = [:]
    private var collapses: [UInt64: [UInt32]] = [:]
    var outcomes = OutcomeSet()
    /// The refused pushes that are no longer kept.
    private var forgotten = KeyedCounts(limit: Limits.refusalReasons, texts: 1)
    /// The number of pushes that are no longer kept.
    private(set) var forgottenCount: UInt64 = 0
    /// The number of records of pushes besides the first ones.
    var repeated: UInt64 = 0

    var isEmpty: Bool { pushes.isEmpty }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        bytes.capacity + pushes.capacity * MemoryLayout<Push>.stride + outcomes.heldBytes
            + (identifiers.capacity + collapses.capacity) * Self.listBytes
    }

    /// The memory of a list of pushes, and what the dictionary adds.
    private static var listBytes: Int { 80 }

    /// Adds a record of a push, unless an older one is there.
    ///
    /// - Parameter isUnique: whether records of one push count once.
    /// - Returns: the push's index, whether it is refused, and the push that it turns out to be the older record of, unless that
    ///   was refused; nil if it is repeated.
    mutating func take(
        _ record: NotificationRecord, in texts: Span<UInt8>, isUnique: Bool
    ) -> (index: Int, isRefused: Bool, repeated: Int?)? {
        var known: Int?
        if isUnique, !record.identifier.isEmpty, let first = first(like: record, in: texts) {
            repeated += 1
            if first.order < record.order { return nil }
            known = setRepeated(first.index) ? nil : first.index
        }
        let index = add(record, in: texts)
        return (index, decide(index).isRefused, known)
    }

    /// Adds a push.
    ///
    /// - Returns: its index.
    mutating func add(_ record: NotificationRecord, in texts: Span<UInt8>) -> Int {
        var buffer = OutputBuffer()
        record.encode(in: texts, to: &buffer)
        let index = UInt32(pushes.count)
        pushes.append(Push(start: bytes.count, order: record.order))
        bytes.append(buffer.bytes)
        if !record.identifier.isEmpty {
            identifiers[texts[record.identifier].hash(seed: 0), default: []].append(index)
        }
        if record.isReplaceable {
            collapses[texts[record.collapseIdentifier].hash(seed: 0), default: []].append(index)
        }
        return Int(index)
    }

    /// Returns a push, whose texts are in the buffer that `withBytes` passes on.
    private func record(at index: Int, in encoded: Span<UInt8>) -> NotificationRecord {
        guard let record = NotificationRecord(encoded: encoded, allowsAny: true, hasTraits: true) else {
            preconditionFailure("a push that was encoded before can't be decoded")
        }
        return record
    }

    /// Calls `body` with a push and the buffer of its texts.
    func withPush<Result, Failure: Error>(
        at index: Int, _ body: (NotificationRecord, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let end = index + 1 < pushes.count ? pushes[index + 1].start : bytes.count
        let encoded = bytes.span.extracting(pushes[index].start..<end)
        return try body(record(at: index, in: encoded), encoded)
    }

    /// Returns the push whose records are those of a notification's id, app and device; nil if it has not been added.
    private func first(like record: NotificationRecord, in texts: Span<UInt8>) -> (
        index: Int, order: OrderKey
    )? {
        for index in identifiers[texts[record.identifier].hash(seed: 0)] ?? []
        where !pushes[Int(index)].isRepeated {
            let isSame = withPush(at: Int(index)) { other, bytes in
                other.hasSame(\.identifier, in: bytes, as: record, in: texts)
            }
            if isSame { return (Int(index), pushes[Int(index)].order) }
        }
        return nil
    }

    /// Returns the pushes that an outcome names.
    func pushes(of outcome: OutcomeRecord, in texts: Span<UInt8>) -> [Int] {
        let hash = texts[outcome.text].hash(seed: 0)
        let found = (outcome.scope == .collapse ? collapses[hash] : identifiers[hash]) ?? []
        return found.map(Int.init).filter { index in
            !pushes[index].isRepeated
                && withPush(at: index) { push, bytes in
                    let text = outcome.scope == .collapse ? push.collapseIdentifier : push.identifier
                    return bytes[text].isEqual(to: texts[outcome.text])
                }
        }
    }

    /// Returns the newest version of a notification that was not refused; nil if all others were.
    ///
    /// - Parameter index: the version that is not looked for.
    func newestVersion(of record: NotificationRecord, in texts: Span<UInt8>, except index: Int) -> Int? {
        (collapses[texts[record.collapseIdentifier].hash(seed: 0)] ?? []).map(Int.init)
            .filter { other in
                other != index && !pushes[other].isRefused && !pushes[other].isRepeated
                    && withPush(at: other) { push, bytes in
                        push.hasSame(\.collapseIdentifier, in: bytes, as: record, in: texts)
                    }
            }
            .max { pushes[$0].order < pushes[$1].order }
    }

    /// How a push interrupted, as far as that was counted: 1 with a banner, 2 with a sound, 3 with both.
    subscript(interruptionBy index: Int) -> UInt8 {
        get { pushes[index].interruption }
        set { pushes[index].interruption = newValue }
    }

    /// Decides a push by the outcomes.
    ///
    /// - Returns: whether it is refused, and whether that is new.
    mutating func decide(_ index: Int) -> (isRefused: Bool, hasChanged: Bool) {
        let isRefused = refusal(of: index) != nil
        let hasChanged = isRefused != pushes[index].isRefused
        pushes[index].isRefused = isRefused
        return (isRefused, hasChanged)
    }

    private func refusal(of index: Int) -> [UInt8]? {
        withPush(at: index) { outcomes.refusal(of: $0, PushNote(), in: $1) }
    }

    /// Records that a push is a repeated record of another one.
    ///
    /// - Returns: whether it was refused.
    private mutating func setRepeated(_ index: Int) -> Bool {
        pushes[index].isRepeated = true
        defer { pushes[index].isRefused = false }
        return pushes[index].isRefused
    }

    /// Records that all pushes are refused.
    ///
    /// - Returns: those that were not.
    mutating func withdrawAll() -> [Int] {
        let shown = pushes.indices.filter { !pushes[$0].isRefused && !pushes[$0].isRepeated }
        for index in shown { pushes[index].isRefused = true }
        return shown
    }

    /// The time of a push, in milliseconds since 1970.
    func time(of index: Int) -> Int64 { pushes[index].order.timestamp }

    /// The refused pushes by reason. O(n).
    var refusals: KeyedCounts {
        var counts = forgotten
        for index in pushes.indices where pushes[index].isRefused {
            if let reason = refusal(of: index) { counts.count(reason.span) }
        }
        return counts
    }

    /// Calls `body` with each push that a later record may decide, its index, and the buffer of its texts.
    func forEach<Failure: Error>(
        _ body: (Int, NotificationRecord, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for index in pushes.indices where !pushes[index].isRepeated {
            try withPush(at: index) { record, bytes throws(Failure) in try body(index, record, bytes) }
        }
    }

    /// Forgets the half of the pushes that were added first, at least one, and the outcomes that are older than these:
    /// later records no longer decide them. O(n).
    mutating func forgetOldest() {
        var kept = PushHistory()
        let first = (pushes.count + 1) / 2
        kept.forgotten = forgotten
        kept.forgottenCount = forgottenCount + UInt64(first)
        kept.repeated = repeated
        for index in 0..<first where pushes[index].isRefused {
            if let reason = refusal(of: index) { kept.forgotten.count(reason.span) }
        }
        for index in first..<pushes.count where !pushes[index].isRepeated {
            let copy = withPush(at: index) { kept.add($0, in: $1) }
            kept.pushes[copy].isRefused = pushes[index].isRefused
            kept.pushes[copy].interruption = pushes[index].interruption
        }
        kept.outcomes = outcomes
        if let newest = pushes.prefix(first).map(\.order.timestamp).max() {
            kept.outcomes.removeAll(before: newest)
        }
        self = kept
    }
}

// MARK: - Deciding

extension ScreenTable {
    /// Adds a push that a later record may decide, unless it is refused or repeated.
    ///
    /// - Returns: whether it is on screen.
    mutating func addDecided(_ item: RoutedRecord, in bytes: Span<UInt8>) -> Bool {
        guard let push = pushes.take(item.record, in: bytes, isUnique: options.isUnique) else { return false }
        if let repeated = push.repeated { withdraw(push: repeated) }
        if push.isRefused { return false }
        countArrival(ofPush: push.index, item.record, in: bytes)
        return addEntry(item, in: bytes)
    }

    /// Counts how a push that may be withdrawn arrives.
    private mutating func countArrival(
        ofPush index: Int, _ record: NotificationRecord, in bytes: Span<UInt8>
    ) {
        let arrival = arrival(of: record, in: bytes)
        hidden.count(arrival: arrival)
        pushes[interruptionBy: index] =
            (arrival?.showsBanner == true ? 1 : 0) | (arrival?.playsSound == true ? 2 : 0)
    }

    /// Applies an outcome to the pushes that it names, and keeps it for those that are added later.
    ///
    /// - Returns: the times of the pushes that it changes, in milliseconds since 1970.
    @discardableResult
    mutating func decide(by outcome: OutcomeRecord, in bytes: Span<UInt8>) -> [Int64] {
        guard pushes.outcomes.add(outcome, in: bytes) else { return [] }
        var times: [Int64] = []
        for index in pushes.pushes(of: outcome, in: bytes) {
            let (isRefused, hasChanged) = pushes.decide(index)
            guard hasChanged else { continue }
            if isRefused { withdraw(push: index) } else { addEntry(ofPush: index) }
            times.append(pushes.time(of: index))
        }
        return times
    }

    private mutating func addEntry(ofPush index: Int) {
        let (record, texts) = copy(ofPush: index)
        countArrival(ofPush: index, record, in: texts.span)
        addEntry(RoutedRecord(record, byDevice: options.byDevice, in: texts.span), in: texts.span)
    }

    private func copy(ofPush index: Int) -> (NotificationRecord, [UInt8]) {
        pushes.withPush(at: index) { ($0, Array(copying: $1)) }
    }

    /// Removes a push from the screen, as if it had never been there: an older version of the notification appears again.
    private mutating func withdraw(push index: Int) {
        let (record, texts) = copy(ofPush: index)
        let bytes = texts.span
        let interruption = pushes[interruptionBy: index]
        if interruption & 1 != 0 { hidden.banners &-= 1 }
        if interruption & 2 != 0 { hidden.sounds &-= 1 }
        pushes[interruptionBy: index] = 0
        guard record.isReplaceable else { return withdraw(single: record, in: bytes) }
        let item = RoutedRecord(record, byDevice: options.byDevice, in: bytes)
        guard let entry = entries.find(item, in: bytes) else { return }
        // A newer version has replaced it.
        guard entries[entry].order == record.order else { return updated &-= 1 }
        guard let older = pushes.newestVersion(of: record, in: bytes, except: index) else {
            return erase(entry)
        }
        updated &-= 1
        let (version, versionTexts) = copy(ofPush: older)
        revert(
            entry, to: RoutedRecord(version, byDevice: options.byDevice, in: versionTexts.span),
            in: versionTexts.span)
    }

    /// Removes all pushes from the screen.
    mutating func withdrawPushes() {
        for index in pushes.withdrawAll() { withdraw(push: index) }
        pushes = PushHistory()
    }

    /// Removes a push that no other one replaces.
    private mutating func withdraw(single record: NotificationRecord, in bytes: Span<UInt8>) {
        var buffer: [UInt8] = []
        let found = entries.entries(of: .identifier, app: bytes[record.app], text: bytes[record.identifier])
            .first { index in
                guard !entries[index].isReplaceable, entries.orders(of: index).contains(record.order) else {
                    return false
                }
                let other = entries.record(at: index, into: &buffer)
                return buffer.span[other.device].isEqual(to: bytes[record.device])
            }
        // Entries that were removed are not kept.
        guard let found else { return hidden.removed &-= 1 }
        guard entries.count(of: found) > 1 else { return erase(found) }
        let older = entries.count(of: found) { $0 < record.order }
        if older > 0 { _ = split(found, oldest: older) }
        erase(entries.count(of: found) > 1 ? split(found, oldest: 1) : found)
    }

    /// Removes the only version of an entry.
    private mutating func erase(_ index: Int) {
        withdraw(index)
        entries[index].presence = .refused
        entries[index].order = OrderKey(timestamp: .min, source: 0, line: 0)
        vacantCount += 1
        recordVanishing(index)
    }

    /// Replaces the version of an entry by an older one.
    private mutating func revert(_ index: Int, to item: RoutedRecord, in bytes: Span<UInt8>) {
        entries.replace(index, by: item, in: bytes, tracksPushes: options.delivery != nil)
        var buffer: [UInt8] = []
        if let shown = replaced(item, in: bytes, into: &buffer) {
            replace(index, by: shown, in: buffer.span, presence(of: shown.record, in: buffer.span))
        } else {
            replace(index, by: item, in: bytes, presence(of: item.record, in: bytes))
        }
    }

    /// Adds what was found of notifications and badges to the counts of the records.
    func addFound(to counts: inout RunCounts) {
        counts.repeated += pushes.repeated
        counts.tally.badges.record(from: judge, byDevice: options.byDevice)
        counts.tally.refusals = pushes.refusals
    }
}
