import SheafBytes
import SheafGroups

/// Adds decoded records to the batches of their shards, to the other records, or to the counts.
///
/// All functions are `mutating`, also those that change nothing: the compiler's check of a borrowed value that can't be
/// copied takes time in the square of its stored properties, here up to ten seconds for one function.
extension ChunkDecoding {
    /// Adds the decoded record to those that are traced, if it is one of them.
    @inline(never)
    mutating func trace(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, _ index: UInt32, of chunk: Chunk,
        _ source: Int, _ part: inout WorkUnit.Decoded
    ) {
        guard let traced else { return }
        let bytes = chunk.bytes
        var trace = RecordTrace(
            outcome, OrderKey(timestamp: 0, source: source, line: line.number, index: index))
        switch outcome {
        case .rejected, .otherPlatform:
            // The decoder's record may be an earlier one.
            guard !traced.device.isEmpty, bytes[line.text].contains(traced.device.span) else { return }
        case .notification, .silent, .refused, .removal, .settings, .response, .result, .outcome:
            let record = decoder.record
            if traced.device.isEmpty {
                guard outcome == .notification || outcome == .silent || outcome == .refused else { return }
                let name = traced.identifier.span
                guard
                    bytes[record.identifier].isEqual(to: name)
                        || bytes[record.collapseIdentifier].isEqual(to: name)
                else { return }
                trace.device = Array(copying: bytes[record.device])
            } else {
                guard bytes[record.device].isEqual(to: traced.device.span) else { return }
            }
            trace.order = record.order
            trace.app = Array(copying: bytes[record.app])
            trace.thread = Array(copying: bytes[record.thread])
            trace.identifier = Array(copying: bytes[record.identifier])
            trace.collapse = Array(copying: bytes[record.collapseIdentifier])
            trace.title = Array(copying: bytes[record.title])
            trace.body = Array(copying: bytes[record.body])
            if outcome == .refused { trace.reason = Array(copying: bytes[decoder.refusal]) }
            if outcome == .response {
                trace.app = Array(copying: bytes[decoder.response.app])
                trace.title = Array(copying: bytes[decoder.response.action])
            }
            if !decoder.isUntimed { trace.position = input.filter.position(of: record.order.timestamp) }
            // A change before the window holds during it, and an outcome after it is of a push inside it.
            if outcome == .outcome || outcome == .settings && trace.position == .earlier {
                trace.position = .inside
            }
        }
        part.traces.append(trace)
    }

    /// Adds the decoded notification to the batch of its shard.
    @inline(__always)
    mutating func addNotification(
        of chunk: Chunk, _ part: inout WorkUnit.Decoded
    ) {
        tally.notifications += 1
        if isExamined {
            if hasTimeline { recordTime() }
            examine(in: chunk.bytes)
        }
        if mayBeRepeat(in: chunk.bytes) { countRepeat(in: chunk.bytes) }
        let item = route(decoder.record, in: chunk.bytes)
        let device = decoder.record.device
        if !byDevice, !device.isEmpty {
            census.record(device, in: chunk.bytes)
            if DeviceCensus.isSampled(item.record.order) { recordGroup(of: item, in: chunk.bytes) }
        }
        let hash = isByPerson ? Routing.personHash(decoder.record, in: chunk.bytes) : item.shardHash
        part.batches[Routing.shard(of: hash, count: part.batches.count)].append(item)
    }

    /// Adds the decoded push to those that wait for their decision, if a later record may decide it, or to its person's
    /// records. Records its badge, unless the push waits: it then counts once the push is decided.
    ///
    /// - Returns: whether it was added.
    @inline(never)
    mutating func addOther(
        _ outcome: RecordDecoder.Outcome, of chunk: Chunk, _ part: inout WorkUnit.Decoded
    ) -> Bool {
        if hasWaiting, outcome == .notification || outcome == .refused, addWaiting(of: chunk, &part) {
            return true
        }
        if readsBadges, outcome == .notification || outcome == .silent { recordBadge(of: chunk) }
        guard measures, outcome == .notification || outcome == .refused else { return false }
        if outcome == .notification { addMeasured(of: chunk, &part) } else { addRefused(of: chunk, &part) }
        return true
    }

    /// Adds the decoded notification to the batch of its person's shard.
    private mutating func addMeasured(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
        let bytes = chunk.bytes
        tally.notifications += 1
        recordTime()
        examine(in: bytes)
        if mayBeRepeat(in: bytes) { countRepeat(in: bytes) }
        let item = route(decoder.record, in: bytes)
        let hash = Routing.personHash(decoder.record, in: bytes)
        part.batches[Routing.shard(of: hash, count: part.batches.count)].append(item)
    }

    /// Adds the decoded push, which may be refused, to those that wait for their decision.
    ///
    /// - Returns: whether a later record may decide it.
    @inline(never)
    private mutating func addWaiting(of chunk: Chunk, _ part: inout WorkUnit.Decoded) -> Bool {
        let (bytes, record) = (chunk.bytes, decoder.record)
        guard !decoder.isRefusedSilent || decoder.answer != .refused, options.mayBeDecided(record) else {
            return false
        }
        let isRefused = decoder.answer == .refused
        guard decidesAtEnd else {
            if decoder.answer != .none { add(.outcome(ownOutcome()), of: chunk) }
            if readsBadges, !isRefused { recordBadge(of: chunk) }
            addNotification(of: chunk, &part)
            return true
        }
        tally.notifications += 1
        if isExamined { examine(in: bytes) }
        if mayBeRepeat(in: bytes) { countRepeat(in: bytes) }
        if !byDevice, !record.device.isEmpty { census.record(record.device, in: bytes) }
        var note = PushNote(badge: readsBadges ? decoder.badge : nil)
        if record.identifier.isEmpty {
            (note.answer, note.answered) = (decoder.answer, record.order)
            if isRefused { note.reason = decoder.refusal }
        } else if decoder.answer != .none {
            // It may be the newest one for other records of the push.
            part.waiting.add { $0.append(.outcome(ownOutcome()), in: bytes) }
        }
        var grouped = grouped(record, in: bytes)
        // A person may have chosen another grouping.
        if delivery != nil { grouped.thread = record.thread }
        part.waiting.add { $0.append(note, reasonIn: bytes, grouped, in: bytes) }
        eventsLeft -= 1
        return true
    }

    /// The outcome of the decoded push that its own record has.
    private mutating func ownOutcome() -> OutcomeRecord {
        let record = decoder.record
        var outcome = OutcomeRecord()
        (outcome.app, outcome.device, outcome.text) = (record.app, record.device, record.identifier)
        (outcome.answer, outcome.order) = (decoder.answer, record.order)
        if record.device.isEmpty { outcome.scope = .withoutDevice }
        if decoder.answer == .refused { outcome.reason = decoder.refusal }
        return outcome
    }

    /// Adds the decoded outcomes of other pushes.
    @inline(never)
    mutating func addOutcomes(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
        if apps.hasUnseenApps, !decoder.record.app.isEmpty { recordApp(in: chunk.bytes) }
        // One that comes after the window is of a push inside it.
        if isFiltered, isUnselected(in: chunk.bytes, isForAll: true) { return }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.count(decoder.findings)
        guard options.appliesOutcomes else {
            tally.outcomesIgnored += 1
            return
        }
        tally.outcomes += 1
        for outcome in decoder.outcomes where outcome.answer != .none {
            if decidesAtEnd {
                let bytes = chunk.bytes
                part.waiting.add { $0.append(.outcome(outcome), in: bytes) }
                eventsLeft -= 1
            } else {
                add(.outcome(outcome), of: chunk)
            }
        }
    }

    /// Whether the decoded push is one of those by which the census estimates the share of repeated records: in a large
    /// log, one of many.
    @inline(__always)
    private mutating func mayBeRepeat(in bytes: Span<UInt8>) -> Bool {
        let identifier = decoder.record.identifier
        return !identifier.isEmpty && bytes[identifier].sampleHash < repeats.limit
    }

    /// Adds the decoded push to the census of repeated records.
    @inline(never)
    private mutating func countRepeat(in bytes: Span<UInt8>) {
        repeats.record(decoder.record, in: bytes)
    }

    /// Records what warnings are about in the decoded notification.
    @inline(never)
    private mutating func examine(in bytes: Span<UInt8>) {
        let record = decoder.record
        if countsMissing { missing.count(record, in: bytes) }
        if countsLevels, record.traits.level(.ios12) != record.traits.level(.ios15) { levelsIgnored += 1 }
    }

    /// Adds the decoded removals to those of their shards.
    @inline(never)
    mutating func addRemovals(of chunk: Chunk) {
        guard appliesRemovals else {
            tally.removalsIgnored += 1
            return
        }
        tally.removals += 1
        if hasTimeline { recordTime() }
        // Of an app that a person may group in another way, threads matter anyway.
        let isByApp = delivery == nil && rules.grouping(of: chunk.bytes[decoder.record.app]) == .byApp
        for var removal in decoder.removals {
            if isByApp, removal.scope == .thread { removal.text = .none }
            add(.removal(removal), of: chunk)
        }
        if hasTimeline, decoder.removals.isEmpty { add(.nothing(decoder.record.order), of: chunk) }
    }

    /// Adds the decoded change of settings to those of its shard.
    @inline(never)
    mutating func addSettings(of chunk: Chunk) {
        if apps.hasUnseenApps, !decoder.record.app.isEmpty { recordApp(in: chunk.bytes) }
        if isFiltered, isUnselected(in: chunk.bytes, isForAll: true) { return }
        // A change before the window holds during it.
        if !decoder.isUntimed, input.filter.position(of: decoder.record.order.timestamp) == .later {
            tally.later += 1
            return
        }
        if decoder.isUntimed { tally.untimed += 1 }
        guard delivery != nil else {
            tally.settingsIgnored += 1
            return
        }
        tally.settings += 1
        if decoder.settings.settings.isOpen == false { tally.closings += 1 }
        add(.settings(decoder.settings), of: chunk)
    }

    /// Adds the decoded opening of an app, which is a removal if those are applied, and a change in any case.
    @inline(never)
    mutating func addOpening(of chunk: Chunk) {
        if apps.hasUnseenApps { recordApp(in: chunk.bytes) }
        if isFiltered, isUnselected(in: chunk.bytes, isForAll: true) { return }
        let position =
            decoder.isUntimed ? .inside : input.filter.position(of: decoder.record.order.timestamp)
        guard position != .later else {
            tally.later += 1
            return
        }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.count(decoder.findings)
        tally.openings += 1
        // It holds after the window's beginning, but what it removes is before that.
        if appliesRemovals, position == .inside { addRemovals(of: chunk) } else { tally.settings += 1 }
        add(.settings(decoder.settings), of: chunk)
    }

    /// Adds the decoded result of a service extension to those of its shard, if it replaces a content.
    @inline(never)
    mutating func addResult(of chunk: Chunk) {
        let bytes = chunk.bytes
        var result = decoder.record
        if apps.hasUnseenApps { recordApp(in: bytes) }
        if isFiltered, isLeftOut(in: bytes, isForAll: true) { return }
        if decoder.isUntimed { tally.untimed += 1 }
        guard let delivery else {
            tally.resultsIgnored += 1
            return
        }
        guard delivery.replacesContent(decoder.result, app: bytes[result.app]) else {
            tally.expired += 1
            return
        }
        tally.resultsApplied += 1
        if hasTimeline { recordTime() }
        if readsBadges { recordBadge(of: chunk) }
        result.grouping = rules.grouping(of: bytes[result.app])
        add(.result(result), of: chunk)
    }

    /// Adds an event to those of its shard.
    mutating func add(_ event: ScreenEvent, of chunk: Chunk) {
        let shard = Routing.shard(of: Routing.hash(event, in: chunk.bytes), count: events.count)
        events[shard].append(event)
        eventsLeft -= 1
    }

    /// Records the badge of the decoded notification, silent record or result, if it has one.
    @inline(never)
    private mutating func recordBadge(of chunk: Chunk) {
        guard let number = decoder.badge else { return }
        let badge = BadgeRecord(of: decoder.record, number)
        if delivery == nil {
            tally.badges.record(badge, byDevice: byDevice, in: chunk.bytes)
        } else {
            // It counts if the settings at its time let it, which may not be known yet.
            add(.badge(badge), of: chunk)
        }
    }

    /// Counts the decoded push that was refused, and adds it to the batch of its person's shard.
    private mutating func addRefused(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
        tally.refusals.count(chunk.bytes[decoder.refusal])
        // No measure counts silent pushes.
        if !decoder.isRefusedSilent { add(.refused, of: decoder.record, chunk, &part) }
    }

    /// Adds what happened to the person of a record.
    mutating func add(
        _ occurrence: Occurrence, of record: NotificationRecord, _ chunk: Chunk,
        _ part: inout WorkUnit.Decoded
    ) {
        if hasTimeline { recordTime() }
        let record = record.reduced(to: occurrence)
        let item = RoutedRecord(record, byDevice: true, in: chunk.bytes)
        let hash = Routing.personHash(record, in: chunk.bytes)
        part.batches[Routing.shard(of: hash, count: part.batches.count)].append(item)
        eventsLeft -= 1
    }

    /// Counts the decoded response.
    @inline(never)
    mutating func addResponse(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
        if apps.hasUnseenApps { recordApp(in: chunk.bytes) }
        if isFiltered, isLeftOut(in: chunk.bytes, isForAll: false) { return }
        if decoder.isUntimed { tally.untimed += 1 }
        let (bytes, response) = (chunk.bytes, decoder.response)
        tally.responses.count(bytes[response.app], bytes[response.category], bytes[response.action])
        guard measures else { return }
        var record = decoder.record
        (record.app, record.category, record.traits) = (response.app, response.category, .none)
        add(Occurrence(action: bytes[response.action]), of: record, chunk, &part)
    }

    /// Records the time of the decoded record, if it has one.
    @inline(never)
    private mutating func recordTime() {
        // A timestamp of 0 is as good as none.
        let timestamp = decoder.record.order.timestamp
        guard timestamp != 0 else { return }
        tally.times = TimeRange(timestamp).union(tally.times)
        times.record(decoder.record.order)
    }

    /// Counts the decoded record if the filter leaves it out.
    ///
    /// - Parameter isForAll: whether a record without an app or a device is about all of them.
    @inline(never)
    mutating func isLeftOut(in bytes: Span<UInt8>, isForAll: Bool) -> Bool {
        if isUnselected(in: bytes, isForAll: isForAll) { return true }
        if decoder.isUntimed { return false }
        switch input.filter.position(of: decoder.record.order.timestamp) {
        case .inside: return false
        case .earlier: tally.earlier += 1
        case .later: tally.later += 1
        }
        return true
    }

    @inline(never)
    mutating func recordApp(in bytes: Span<UInt8>) {
        apps.record(bytes[decoder.record.app], isDefault: decoder.usesDefaultApp)
    }

    /// Counts the decoded record if it is of an app, or for a device, that is not selected.
    private mutating func isUnselected(in bytes: Span<UInt8>, isForAll: Bool) -> Bool {
        guard input.filter.selects else { return false }
        let record = decoder.record
        if input.filter.selects(app: bytes[record.app], device: bytes[record.device], isForAll: isForAll) {
            return false
        }
        tally.unselected += 1
        return true
    }

    /// Not inlined: decoding has no registers to spare.
    @inline(never)
    private mutating func recordGroup(of item: RoutedRecord, in bytes: Span<UInt8>) {
        guard !item.isTracked else { return }
        census.recordGroup(decoder.record.device, of: item.record, in: bytes, groupHash: item.groupHash)
    }

    var devices: DeviceCensus? { byDevice ? nil : census }

    /// Whether a notification is kept separately, because it may be replaced, or removals or settings may apply to it.
    @inline(__always)
    private mutating func isTracked(_ record: NotificationRecord) -> Bool {
        record.isReplaceable || tracksOthers && (tracksAll || !record.identifier.isEmpty)
    }

    /// Returns a notification with its grouping, and without the thread that the grouping ignores.
    @inline(__always)
    private mutating func grouped(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> NotificationRecord
    {
        var record = decoded
        record.grouping = rules.grouping(of: bytes[record.app])
        if record.grouping == .byApp { record.thread = .none }
        return record
    }

    /// Returns a notification with its hashes, and without the key fields that its grouping ignores.
    @inline(__always)
    private mutating func route(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> RoutedRecord {
        var record = grouped(decoded, in: bytes)
        let isTracked = isTracked(record)
        let identityHash = isTracked ? Routing.identityHash(record, in: bytes) : 0
        if !byDevice { record.device = .none }
        let groupHash = Routing.groupHash(record, in: bytes)
        if isTracked {
            // All versions of a notification go to the same shard, which needs the device to identify them.
            record.device = decoded.device
            // A person may have chosen another grouping.
            if delivery != nil { record.thread = decoded.thread }
        }
        return RoutedRecord(record: record, groupHash: groupHash, identityHash: identityHash)
    }
}
