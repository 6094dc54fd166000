import SheafBytes
import SheafGroups

/// Decodes lines into notifications, and adds each one to the batch of its shard.
///
/// Owns its decoder and counts, so that decoding shares no state: no lock, allocation or reference counting per record.
/// A structure separate from the worker, so that exclusive access to the worker's storage is checked once per chunk,
/// not once per record.
struct ChunkDecoding: ~Copyable {
    var decoder: RecordDecoder
    let options: StateOptions
    let decidesAtEnd: Bool
    let rules: GroupingRules
    let byDevice: Bool
    let isByPerson: Bool
    private let keepsRejects: Bool
    var tally = RecordTally()
    var census = DeviceCensus()
    var apps: AppCensus
    /// Counts nothing if repeated records do not count.
    var repeats: RepeatCensus
    var missing: MissingTexts
    /// Whether some notifications may show keys instead of texts.
    let countsMissing: Bool
    /// nil if lines have no keys.
    private(set) var keyed: KeyedLines?
    let readsKeys: Bool
    let input: InputOptions
    private let readsNative: Bool
    /// Whether some records may be left out.
    let isFiltered: Bool
    let appliesRemovals: Bool
    /// The rules of delivery; nil if changes of settings do not matter.
    let delivery: DeliveryRules?
    /// Whether the run measures what people get.
    let measures: Bool
    /// Whether every notification is kept separately.
    let tracksAll: Bool
    /// Whether later records may decide some pushes.
    let hasWaiting: Bool
    /// Whether some notifications are kept separately though they can't be replaced: all of them, or those that later
    /// records may decide.
    let tracksOthers: Bool
    let readsBadges: Bool
    /// The records that are traced; nil for none.
    let traced: TraceSelection?
    /// Whether neither badges, later records nor measures matter.
    private let readsPlainly: Bool
    /// Whether notifications may have levels that the profile does not have.
    let countsLevels: Bool
    /// Whether a warning may follow from a notification, or its time is recorded.
    let isExamined: Bool
    var levelsIgnored: UInt64 = 0
    var times = TimeCensus()
    /// Whether the times of records are recorded.
    let hasTimeline: Bool
    /// The records by shard that are not notifications, while a part of a chunk is decoded.
    var events: [ContiguousArray<ScreenEvent>] = []
    /// The number of these records that the part has room for.
    var eventsLeft = 0
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
            readsNativeOnly: input.log.readsNativeOnly, keepsTextForMappings: input.log.keepsTextForMappings)
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
            if let rest = continueLine(line, entries, of: chunk, source, &part) {
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
                    ? decodeEntry(line, of: chunk, source, &part) : decode(line, of: chunk, source, &part)
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
            if let rest = continueLine(line, entries, of: chunk, source, &part) {
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
    private mutating func ownSource(_ source: Int) -> Int? { readsKeys ? source : nil }

    /// Whether the part of the chunk has all the records that it has room for.
    @inline(__always)
    private mutating func isFull(_ part: borrowing WorkUnit.Decoded) -> Bool {
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
            decoder.restoreText(in: chunk)
            foreignLines += 1
            return beginEntries(line, reason, of: chunk, source, &part)
        }
        foreignLines = 0
        add(outcome, line, index: nil, of: chunk, source, &part)
        return nil
    }

    /// Returns the line with a copy of its content, which decoding changes, in the chunk's annex.
    private mutating func copy(of line: LineCursor.Line, in chunk: Chunk) -> LineCursor.Line {
        guard let text = chunk.append(chunk.bytes(of: line.text)) else {
            preconditionFailure("the annex has room for all lines")
        }
        return line.copied(to: text)
    }

    /// Passes the decoded record to the workers that add it with another thread.
    private mutating func addByRules(_ outcome: RecordDecoder.Outcome, _ copy: LineCursor.Line, _ source: Int)
    {
        for follower in followers {
            guard let rule = follower.rule else { continue }
            follower.worker.add(outcome, of: decoder, by: rule, copy, source, follower.unit)
        }
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

    /// `decode` for keyed lines, and for those whose records other workers add with other threads: a second copy of it that
    /// is inlined would make the compiler inline less of both.
    private mutating func decodeEntry(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int,
        _ part: inout WorkUnit.Decoded
    ) -> EntryReader? {
        guard readsNative else {
            return beginEntries(line, nil, of: chunk, source, &part)
        }
        let copy = hasRules ? copy(of: line, in: chunk) : nil
        let outcome = decoder.decode(
            line.text, of: chunk, at: RecordPosition(source: source, line: line.number))
        if let copy { addByRules(outcome, copy, source) }
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            decoder.restoreText(in: chunk)
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
    private mutating func addToFollowers(
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
}
