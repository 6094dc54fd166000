import SheafBytes
import SheafGroups

/// Decodes one work unit at a time; its counts accumulate over all work units.
///
/// A work unit with very many records is decoded in parts, so that its batches and rejects are bounded: lines can have
/// far more records than bytes of text would suggest.
final class DecodeWorker: ChunkWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var decoding: ChunkDecoding
    private let partBytes: Int

    /// - Parameters:
    ///   - apps: an empty census; each worker adds to its own copy.
    ///   - partBytes: the size of a work unit's batches, and that of its rejects, after which a part ends.
    ///   - keyed: how keys are read; nil if lines have none.
    ///   - missing: counts the notifications that show keys instead of texts; each worker adds to its own copy.
    ///   - decidesAtEnd: whether pushes that a later record may decide are passed on apart from the others.
    init(
        _ options: StateOptions, _ input: InputOptions, profile: Profile, apps: AppCensus,
        keepsRejects: Bool, partBytes: Int, keyed: KeyedLines? = nil, missing: MissingTexts = MissingTexts(),
        decidesAtEnd: Bool = true
    ) {
        decoding = ChunkDecoding(
            options, input, profile: profile, apps: apps, keepsRejects: keepsRejects, keyed: keyed,
            missing: missing, decidesAtEnd: decidesAtEnd)
        self.partBytes = partBytes
    }

    var tally: RecordTally { decoding.tally }
    /// The census of devices; nil if groups are separated by device.
    var devices: DeviceCensus? { decoding.devices }
    /// The census of the times that several snapshots follow; empty without them.
    var times: TimeCensus { decoding.times }
    var apps: AppCensus { decoding.apps }
    /// The number of notifications with an interruption level that the profile does not have, if levels are read.
    var levelsIgnored: UInt64 { decoding.levelsIgnored }
    var missing: MissingTexts { decoding.missing }
    /// The census of repeated records, unless they count once.
    var repeats: RepeatCensus { decoding.repeats }
    /// The lines that were read; nil if they have no keys.
    var lineSets: LineSets? { decoding.keyed?.sets }

    /// A worker that adds the records to another result, and the work unit for it, which has the same chunk. With a rule,
    /// the other result's records have other threads.
    typealias Follower = (worker: DecodeWorker, unit: WorkUnit, rule: ThreadRule?)

    /// Decodes the next part of the work unit's chunk: in most cases all of its lines.
    func process(_ unit: WorkUnit) -> UInt64 { process(unit, followers: [], hasLines: true) }

    /// Decodes the next part of the work unit's chunk, also for workers that would decode it in the same way, or with other
    /// threads.
    ///
    /// - Parameter hasLines: whether lines are left; if not, some follower has records of the last line left.
    func process(_ unit: WorkUnit, followers: [Follower], hasLines: Bool) -> UInt64 {
        for follower in followers { follower.worker.begin(follower.unit) }
        let (lines, blank) = (decoding.tally.lines, decoding.tally.blank)
        // A follower that reads a line by itself may have more records than its part had room for. They come first.
        for follower in followers { follower.worker.continueLine(of: follower.unit) }
        var count: UInt64 = 0
        if hasLines, followers.allSatisfy({ $0.unit.remainder == nil }) {
            decoding.followers = followers
            count = decode(unit)
            decoding.followers = []
        } else {
            unit.removeRecords()
        }
        for follower in followers {
            follower.worker.end(
                follower.unit, lines: decoding.tally.lines - lines, blank: decoding.tally.blank - blank)
        }
        return count
    }

    private func decode(_ unit: WorkUnit) -> UInt64 {
        access.begin()
        defer { access.end() }
        unit.access.begin()
        defer { unit.access.end() }
        unit.removeRecords()
        // Decoding changes the bytes in place, so their member's checksum must be computed first.
        unit.checksum?.settle()
        let before = decoding.tally.records
        let start = unit.remainder ?? WorkUnit.Remainder(cursor: LineCursor(unit.chunk))
        if decoding.readsKeys {
            processKeyed(unit, from: start)
        } else {
            unit.remainder = decoding.decode(
                unit.chunk, from: start, source: unit.ordinal, partBytes: partBytes,
                into: &unit.decoded)
        }
        return decoding.tally.records - before
    }

    /// Begins a part of a chunk that another worker decodes.
    private func begin(_ unit: WorkUnit) {
        access.begin()
        unit.access.begin()
        unit.removeRecords()
        decoding.begin(unit.chunk, partBytes, &unit.decoded)
    }

    /// Ends a part of a chunk.
    ///
    /// - Parameters:
    ///   - lines: the number of lines in it.
    ///   - blank: the number of these that are blank.
    private func end(_ unit: WorkUnit, lines: UInt64, blank: UInt64) {
        decoding.end(lines: lines, blank: blank, &unit.decoded)
        unit.access.end()
        access.end()
    }

    fileprivate var isFull: Bool { decoding.isFull }

    /// Adds a record that another worker has decoded.
    fileprivate func add(
        _ outcome: RecordDecoder.Outcome, of decoder: borrowing RecordDecoder, _ line: LineCursor.Line,
        index: UInt32?, _ source: Int, _ unit: WorkUnit
    ) {
        decoding.add(outcome, of: decoder, line, index: index, of: unit.chunk, source, &unit.decoded)
    }

    /// Adds a record that another worker has decoded, with another thread; unless it is an ordinary one, decodes a copy of
    /// the line.
    fileprivate func add(
        _ outcome: RecordDecoder.Outcome, of decoder: borrowing RecordDecoder, by rule: ThreadRule,
        _ copy: LineCursor.Line, _ source: Int, _ unit: WorkUnit
    ) {
        let reader = decoding.add(
            outcome, of: decoder, by: rule, copy, of: unit.chunk, source, &unit.decoded)
        guard let reader else { return }
        unit.remainder = WorkUnit.Remainder(
            cursor: LineCursor(unit.chunk), entries: (copy, source, reader))
    }

    /// Decodes the next records of the line that has some left, if there is one.
    private func continueLine(of unit: WorkUnit) {
        guard let remainder = unit.remainder, let (line, source, entries) = remainder.entries else { return }
        let rest = decoding.continueLine(line, entries, of: unit.chunk, source, &unit.decoded)
        unit.remainder =
            rest.map { WorkUnit.Remainder(cursor: remainder.cursor, entries: (line, source, $0)) }
    }

    /// Adds a line that is too long.
    fileprivate func rejectLong(_ line: LineCursor.Line, _ source: Int, _ unit: WorkUnit) {
        decoding.rejectLong(line, of: unit.chunk, source, &unit.decoded)
    }

    private func processKeyed(_ unit: WorkUnit, from start: WorkUnit.Remainder) {
        unit.invalidKey = nil
        unit.remainder = nil
        do throws(InvalidKey) {
            unit.remainder = try decoding.decodeKeyed(
                unit.chunk, from: start, partBytes: partBytes, into: &unit.decoded)
        } catch {
            unit.invalidKey = error
        }
    }
}

/// Decodes lines into notifications, and adds each one to the batch of its shard.
///
/// Owns its decoder and counts, so that decoding shares no state: no lock, allocation or reference counting per record.
/// A structure separate from the worker, so that exclusive access to the worker's storage is checked once per chunk,
/// not once per record.
private struct ChunkDecoding: ~Copyable {
    private var decoder: RecordDecoder
    private let options: StateOptions
    private let decidesAtEnd: Bool
    private let rules: GroupingRules
    private let byDevice: Bool
    private let isByPerson: Bool
    private let keepsRejects: Bool
    private(set) var tally = RecordTally()
    private var census = DeviceCensus()
    private(set) var apps: AppCensus
    /// Counts nothing if repeated records do not count.
    private(set) var repeats: RepeatCensus
    private(set) var missing: MissingTexts
    /// Whether some notifications may show keys instead of texts.
    private let countsMissing: Bool
    /// nil if lines have no keys.
    private(set) var keyed: KeyedLines?
    let readsKeys: Bool
    private let input: InputOptions
    private let readsNative: Bool
    /// Whether some records may be left out.
    private let isFiltered: Bool
    private let appliesRemovals: Bool
    /// The rules of delivery; nil if changes of settings do not matter.
    private let delivery: DeliveryRules?
    /// Whether the run measures what people get.
    private let measures: Bool
    /// Whether every notification is kept on its own.
    private let tracksAll: Bool
    /// Whether later records may decide some pushes.
    private let hasWaiting: Bool
    /// Whether some notifications are kept on their own though they can't be replaced: all of them, or those that later
    /// records may decide.
    private let tracksOthers: Bool
    private let readsBadges: Bool
    /// The records that are traced; nil for none.
    private let traced: TraceSelection?
    /// Whether neither badges, later records nor measures matter.
    private let readsPlainly: Bool
    /// Whether notifications may have levels that the profile does not have.
    private let countsLevels: Bool
    /// Whether a warning may follow from a notification, or its time is recorded.
    private let isExamined: Bool
    private(set) var levelsIgnored: UInt64 = 0
    private(set) var times = TimeCensus()
    /// Whether the times of records are recorded.
    private let hasTimeline: Bool
    /// The records by shard that are not notifications, while a part of a chunk is decoded.
    private var events: [ContiguousArray<ScreenEvent>] = []
    /// The number of these records that the part has room for.
    private var eventsLeft = 0
    /// Created when the first line is read that is not a native record.
    private var reader: EntryReader?
    /// The number of lines since the last native record.
    private var foreignLines = 0
    /// The number of other lines after which the next one is first read as an entry of another shape.
    private static let foreignRun = 2
    /// The workers that add the same records to other results, while a part of a chunk is decoded.
    var followers: [DecodeWorker.Follower] = [] {
        didSet { hasRules = followers.contains { $0.rule != nil } }
    }
    /// Whether some of them add records with other threads.
    private var hasRules = false
    /// When the part of the chunk ends.
    private var limit = PartLimit(notifications: .max, rejectBytes: .max)

    init(
        _ options: StateOptions, _ input: InputOptions, profile: Profile, apps: AppCensus, keepsRejects: Bool,
        keyed: KeyedLines?, missing: MissingTexts, decidesAtEnd: Bool
    ) {
        self.decidesAtEnd = decidesAtEnd
        self.options = options
        self.missing = missing
        countsMissing = missing.hasTables
        self.input = input
        self.keyed = keyed
        readsKeys = keyed != nil
        readsNative = input.log.readsNative
        isFiltered = !input.filter.isUnlimited
        decoder = RecordDecoder(
            keepsRejectedText: keepsRejects, profile: profile, readsTraits: options.delivery != nil,
            readsBadges: options.readsBadges || !input.filter.devices.isEmpty,
            readsNativeOnly: input.log.readsNativeOnly)
        rules = options.rules
        byDevice = options.byDevice
        isByPerson = options.isByPerson
        appliesRemovals = options.appliesRemovals
        delivery = options.followsSettings ? options.delivery : nil
        tracksAll = options.tracksAll
        measures = options.division != nil
        hasWaiting = options.hasWaiting
        repeats = RepeatCensus(isUsed: !options.isUnique)
        tracksOthers = options.tracksAll || options.hasWaiting && !decidesAtEnd
        readsBadges = options.readsBadges
        traced = options.traced
        readsPlainly = !options.readsBadges && !options.hasWaiting && options.division == nil
        // A local: Swift 6.3 releases `apps` twice in optimized code if a property is read before all of them are set.
        let countsLevels = options.delivery != nil && profile == .ios12
        self.countsLevels = countsLevels
        isExamined = missing.hasTables || countsLevels || options.timeline != nil
        hasTimeline = options.timeline != nil
        self.apps = apps
        self.keepsRejects = keepsRejects
    }

    /// Decodes lines up to the end of the chunk, or until the batches or the rejects have `partBytes`.
    ///
    /// - Returns: where decoding must continue; nil at the end of the chunk.
    mutating func decode(
        _ chunk: Chunk, from start: WorkUnit.Remainder, source: Int, partBytes: Int,
        into part: inout WorkUnit.Decoded
    ) -> WorkUnit.Remainder? {
        begin(chunk, partBytes, &part)
        defer { swap(&part.events, &events) }
        var cursor = start.cursor
        if let (line, _, entries) = start.entries {
            reader = entries
            if let rest = readEntries(line, of: chunk, source, &part) {
                return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
            }
        }
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong: rejectLong(line, of: chunk, source, &part)
            case .content:
                let rest =
                    hasRules
                    ? decodeForRules(line, of: chunk, source, &part) : decode(line, of: chunk, source, &part)
                if let rest {
                    return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
                }
            }
            if isFull(part) {
                return cursor.isAtEnd(of: chunk) ? nil : WorkUnit.Remainder(cursor: cursor)
            }
        }
        return nil
    }

    /// `decode` for keyed lines. A loop of its own, so that keys cost nothing where there are none.
    ///
    /// - Throws: `InvalidKey` if a line has no valid key.
    mutating func decodeKeyed(
        _ chunk: Chunk, from start: WorkUnit.Remainder, partBytes: Int,
        into part: inout WorkUnit.Decoded
    ) throws(InvalidKey) -> WorkUnit.Remainder? {
        begin(chunk, partBytes, &part)
        defer { swap(&part.events, &events) }
        var cursor = start.cursor
        if let (line, source, entries) = start.entries {
            reader = entries
            if let rest = readEntries(line, of: chunk, source, &part) {
                return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
            }
        }
        while let (line, source) = try keyed?.next(&cursor, in: chunk) {
            tally.lines += 1
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong: rejectLong(line, of: chunk, source, &part)
            case .content:
                if let rest = decodeEntry(line, of: chunk, source, &part) {
                    return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
                }
            }
            if isFull(part) {
                return cursor.isAtEnd(of: chunk) ? nil : WorkUnit.Remainder(cursor: cursor)
            }
        }
        return nil
    }

    /// Begins a part of a chunk.
    mutating func begin(_ chunk: Chunk, _ partBytes: Int, _ part: inout WorkUnit.Decoded) {
        swap(&part.events, &events)
        eventsLeft = max(1, partBytes / MemoryLayout<NotificationRecord>.stride)
        if let app = input.defaultApp { decoder.setDefaultApp(chunk.constant(app) ?? .none) }
        limit = PartLimit(
            notifications: tally.notifications
                + UInt64(max(1, partBytes / MemoryLayout<RoutedRecord>.stride)),
            rejectBytes: partBytes)
    }

    /// Ends a part of a chunk that another worker has decoded.
    mutating func end(lines: UInt64, blank: UInt64, _ part: inout WorkUnit.Decoded) {
        swap(&part.events, &events)
        tally.lines += lines
        tally.blank += blank
    }

    @inline(never)
    mutating func rejectLong(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int, _ part: inout WorkUnit.Decoded
    ) {
        for follower in followers { follower.worker.rejectLong(line, source, follower.unit) }
        let quoted = TextRange(
            start: line.text.start, count: min(line.text.count, UInt32(ChunkFiller.quotedBytes)))
        tally.reject(.lineTooLong, source: source, line: line.number)
        guard keepsRejects else { return }
        part.rejects.append(
            .lineTooLong, source: ownSource(source), line: line.number, text: quoted, of: chunk)
    }

    /// The source of a rejected line if lines have sources of their own; nil if it is that of the chunk.
    private func ownSource(_ source: Int) -> Int? { readsKeys ? source : nil }

    /// Whether the part of the chunk has all the records that it has room for.
    @inline(__always)
    private func isFull(_ part: borrowing WorkUnit.Decoded) -> Bool {
        isFull || part.rejects.byteCount >= limit.rejectBytes || followers.contains { $0.worker.isFull }
    }

    /// Whether the part has all the notifications, or all the other records, that it has room for.
    @inline(__always)
    var isFull: Bool { tally.notifications >= limit.notifications || eventsLeft <= 0 }

    /// When a part of a chunk ends.
    private struct PartLimit {
        /// The number of notifications that the worker has decoded by then.
        let notifications: UInt64
        /// The size of the part's rejects.
        let rejectBytes: Int
    }

    /// Decodes a line.
    ///
    /// - Returns: the reader of the line if it has more records than the part has room for.
    @inline(__always)
    private mutating func decode(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int,
        _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        guard readsNative else {
            return beginEntries(line, nil, of: chunk, source, &part)
        }
        if foreignLines >= Self.foreignRun, beginForeign(line, of: chunk) {
            return readEntries(line, of: chunk, source, &part)
        }
        let outcome = decoder.decode(
            line.text, of: chunk, at: RecordPosition(source: source, line: line.number))
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            foreignLines += 1
            return beginEntries(line, reason, of: chunk, source, &part)
        }
        foreignLines = 0
        add(outcome, line, index: nil, of: chunk, source, &part)
        return nil
    }

    /// `decode` for a line whose records other workers add with other threads.
    @inline(never)
    private mutating func decodeForRules(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int, _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        // Decoding changes the line.
        guard let copy = chunk.append(chunk.bytes(of: line.text)) else {
            preconditionFailure("the annex has room for all lines")
        }
        let outcome = decoder.decode(
            line.text, of: chunk, at: RecordPosition(source: source, line: line.number))
        for follower in followers {
            guard let rule = follower.rule else { continue }
            follower.worker.add(
                outcome, of: decoder, by: rule, line.copied(to: copy), source, follower.unit)
        }
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            return beginEntries(line, reason, of: chunk, source, &part)
        }
        addEntry(outcome, line, index: nil, of: chunk, source, &part)
        return nil
    }

    /// Adds a native record that another worker has decoded, with another thread.
    ///
    /// - Parameter copy: the line with a copy of its content, from which the record is decoded unless it is ordinary.
    /// - Returns: the reader of the line if it has more records than the part has room for.
    mutating func add(
        _ outcome: RecordDecoder.Outcome, of other: borrowing RecordDecoder, by rule: ThreadRule,
        _ copy: LineCursor.Line, of chunk: Chunk, _ source: Int, _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        guard outcome == .notification || outcome == .silent, other.isOrdinary,
            let thread = rule.thread(of: other.record, in: chunk)
        else {
            return beginEntries(copy, nil, of: chunk, source, &part)
        }
        decoder.take(other, thread: thread)
        addEntry(outcome, copy, index: nil, of: chunk, source, &part)
        return nil
    }

    /// Decodes the next records of a line.
    ///
    /// - Returns: the reader if there are more than the part has room for.
    mutating func continueLine(
        _ line: LineCursor.Line, _ entries: EntryReader, of chunk: Chunk, _ source: Int,
        _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        reader = entries
        return readEntries(line, of: chunk, source, &part)
    }

    /// `decode` for keyed lines: a second copy of it that is inlined would make the compiler inline less of both.
    private mutating func decodeEntry(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int,
        _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        guard readsNative else {
            return beginEntries(line, nil, of: chunk, source, &part)
        }
        let outcome = decoder.decode(
            line.text, of: chunk, at: RecordPosition(source: source, line: line.number))
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            return beginEntries(line, reason, of: chunk, source, &part)
        }
        addEntry(outcome, line, index: nil, of: chunk, source, &part)
        return nil
    }

    /// Begins a line after others of another shape; false if it may be a native record.
    @inline(never)
    private mutating func beginForeign(_ line: LineCursor.Line, of chunk: Chunk) -> Bool {
        if reader?.beginForeign(line.text, of: chunk, &decoder) == true { return true }
        foreignLines = 0
        return false
    }

    /// Decodes a line that is not a native record.
    ///
    /// - Parameter reason: the reason for rejecting it unless it has another shape.
    @inline(never)
    private mutating func beginEntries(
        _ line: LineCursor.Line, _ reason: RejectReason?, of chunk: Chunk,
        _ source: Int, _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        let reader = reader ?? EntryReader(input.log)
        self.reader = reader
        reader.begin(line.text, of: chunk, reason: reason, &decoder)
        return readEntries(line, of: chunk, source, &part)
    }

    /// Decodes the records of a line that are left.
    private mutating func readEntries(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int,
        _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        guard let reader else { return nil }
        while let item = reader.next(
            in: chunk, &decoder, at: RecordPosition(source: source, line: line.number))
        {
            addEntry(item.outcome, line, index: item.index, of: chunk, source, &part)
            if isFull(part) {
                // The reader stays with the chunk, which another worker may continue.
                self.reader = nil
                return reader
            }
        }
        return nil
    }

    /// Adds a record that another worker has decoded.
    mutating func add(
        _ outcome: RecordDecoder.Outcome, of other: borrowing RecordDecoder, _ line: LineCursor.Line,
        index: UInt32?, of chunk: Chunk, _ source: Int, _ part: inout WorkUnit.Decoded
    ) {
        decoder.take(other)
        addEntry(outcome, line, index: index, of: chunk, source, &part)
    }

    @inline(never)
    private func addToFollowers(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, index: UInt32?, _ source: Int
    ) {
        for follower in followers where follower.rule == nil {
            follower.worker.add(outcome, of: decoder, line, index: index, source, follower.unit)
        }
    }

    /// `add` for entries, and keyed lines, which must not make its inlined copy for native records larger.
    @inline(never)
    private mutating func addEntry(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, index: UInt32?, of chunk: Chunk,
        _ source: Int, _ part: inout WorkUnit.Decoded
    ) {
        add(outcome, line, index: index, of: chunk, source, &part)
    }

    /// Counts a record, and adds a notification to the batch of its shard.
    @inline(__always)
    private mutating func add(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, index: UInt32?, of chunk: Chunk,
        _ source: Int, _ part: inout WorkUnit.Decoded
    ) {
        if !followers.isEmpty { addToFollowers(outcome, line, index: index, source) }
        if traced != nil { trace(outcome, line, index ?? 0, of: chunk, source, &part) }
        switch outcome {
        case .rejected(let reason):
            tally.reject(reason, source: source, line: line.number, index: index)
            if keepsRejects {
                decoder.appendRejected(line, ownSource(source), index, reason, of: chunk, to: &part.rejects)
            }
            return
        case .otherPlatform:
            tally.otherPlatform += 1
            return
        case .settings:
            addSettings(of: chunk)
            return
        case .removal where delivery != nil && decoder.opensApp:
            addOpening(of: chunk)
            return
        case .response:
            addResponse(of: chunk, &part)
            return
        case .result:
            addResult(of: chunk)
            return
        case .outcome:
            addOutcomes(of: chunk, &part)
            return
        case .silent, .notification, .removal, .refused: break
        }
        if apps.hasUnseenApps { recordApp(in: chunk.bytes) }
        if isFiltered, isLeftOut(in: chunk.bytes, isForAll: outcome == .removal) { return }
        if !readsPlainly, addOther(outcome, of: chunk, &part) {
            // It waits for its decision, or is measured.
        } else {
            switch outcome {
            case .notification: addNotification(of: chunk, &part)
            case .removal: addRemovals(of: chunk)
            case .refused: tally.refusals.count(chunk.bytes[decoder.refusal])
            case .silent, .otherPlatform, .settings, .response, .result, .outcome, .rejected:
                tally.silent += 1
            }
        }
        if decoder.isUntimed { tally.untimed += 1 }
        tally.count(decoder.findings)
    }

    /// Adds the decoded record to those that are traced, if it is one of them.
    @inline(never)
    private func trace(
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
    private mutating func addNotification(
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
    private mutating func addOther(
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
            if decoder.answer != .none { add(.outcome(ownOutcome), of: chunk) }
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
            part.waiting.add { $0.append(.outcome(ownOutcome), in: bytes) }
        }
        var grouped = grouped(record, in: bytes)
        // A person may have chosen another grouping.
        if delivery != nil { grouped.thread = record.thread }
        part.waiting.add { $0.append(note, reasonIn: bytes, grouped, in: bytes) }
        eventsLeft -= 1
        return true
    }

    /// The outcome of the decoded push that its own record has.
    private var ownOutcome: OutcomeRecord {
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
    private mutating func addOutcomes(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
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
    private func mayBeRepeat(in bytes: Span<UInt8>) -> Bool {
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
    private mutating func addRemovals(of chunk: Chunk) {
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
    private mutating func addSettings(of chunk: Chunk) {
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
    private mutating func addOpening(of chunk: Chunk) {
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
    private mutating func addResult(of chunk: Chunk) {
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
    private mutating func add(_ event: ScreenEvent, of chunk: Chunk) {
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
    private mutating func add(
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
    private mutating func addResponse(of chunk: Chunk, _ part: inout WorkUnit.Decoded) {
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
    private mutating func isLeftOut(in bytes: Span<UInt8>, isForAll: Bool) -> Bool {
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
    private mutating func recordApp(in bytes: Span<UInt8>) {
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

    /// Whether a notification is kept on its own, because it may be replaced, or removals or settings may concern it.
    @inline(__always)
    private func isTracked(_ record: NotificationRecord) -> Bool {
        record.isReplaceable || tracksOthers && (tracksAll || !record.identifier.isEmpty)
    }

    /// Returns a notification with its grouping, and without the thread that the grouping ignores.
    @inline(__always)
    private func grouped(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> NotificationRecord {
        var record = decoded
        record.grouping = rules.grouping(of: bytes[record.app])
        if record.grouping == .byApp { record.thread = .none }
        return record
    }

    /// Returns a notification with its hashes, and without the key fields that its grouping ignores.
    @inline(__always)
    private func route(_ decoded: NotificationRecord, in bytes: Span<UInt8>) -> RoutedRecord {
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
