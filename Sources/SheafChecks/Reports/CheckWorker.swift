import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// Checks one work unit at a time; its tally accumulates over all work units.
///
/// If findings are written, a work unit with very many of them is checked in parts, so that their memory is bounded.
package final class CheckWorker: ChunkWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var checking: ChunkChecking
    private let partBytes: Int

    /// - Parameters:
    ///   - known: the known categories, shared by all workers.
    ///   - limits: the limits of rules that differ from the usual ones.
    ///   - apps: an empty census; each worker adds to its own copy.
    ///   - countsSources: whether the findings of each source are counted separately.
    ///   - format: the format of findings, which are added to work units; nil if they are only counted.
    ///   - partBytes: the size of a work unit's findings after which a part ends.
    init(
        _ known: KnownCategories, _ input: InputOptions = InputOptions(), profile: Profile,
        limits: [CheckFinding: Int] = [:], apps: AppCensus = AppCensus(), countsSources: Bool = false,
        format: FindingFormat? = nil,
        partBytes: Int = .max
    ) {
        checking = ChunkChecking(
            known, input, profile: profile, limits: limits, apps: apps, countsSources: countsSources,
            format: format)
        self.partBytes = partBytes
    }

    var tally: CheckTally { checking.tally }
    var census: GroupingCensus { checking.census }
    var apps: AppCensus { checking.apps }

    /// Checks the next part of the work unit's chunk: in most cases all of its lines.
    package func process(_ unit: WorkUnit) -> UInt64 {
        access.begin()
        defer { access.end() }
        unit.access.begin()
        defer { unit.access.end() }
        unit.removeRecords()
        // Decoding changes the bytes in place, so their member's checksum must be computed first.
        unit.checksum?.settle()
        let before = checking.tally.records
        let start = unit.remainder ?? WorkUnit.Remainder(cursor: LineCursor(unit.chunk))
        unit.remainder = checking.check(
            unit.chunk, from: start, source: unit.source, partBytes: partBytes, findings: &unit.findings
        )
        return checking.tally.records - before
    }
}

/// Checks lines and counts findings. A structure separate from the worker, as in `DecodeWorker`.
private struct ChunkChecking: ~Copyable {
    private let checks: PayloadChecks
    private var decoder: RecordDecoder
    private(set) var tally: CheckTally
    private(set) var census: GroupingCensus
    private(set) var apps: AppCensus
    private let known: KnownCategories
    private let profile: Profile
    private let input: InputOptions
    /// nil if findings are only counted.
    private let format: FindingFormat?
    /// The findings of the part of a chunk, while it is checked.
    private var findings = OutputBuffer()
    /// Created when the first line is read that is not a native record.
    private var reader: EntryReader?

    init(
        _ known: KnownCategories, _ input: InputOptions, profile: Profile, limits: [CheckFinding: Int],
        apps: AppCensus, countsSources: Bool, format: FindingFormat?
    ) {
        self.apps = apps
        self.known = known
        self.profile = profile
        self.input = input
        self.format = format
        checks = PayloadChecks(known, profile: profile, keepsValues: format != nil)
        decoder = RecordDecoder(
            keepsRejectedText: format != nil, profile: profile, readsTraits: true,
            readsBadges: format != nil || !input.filter.devices.isEmpty,
            readsNativeOnly: input.log.readsNativeOnly, keepsTextForMappings: input.log.keepsTextForMappings,
            inspector: checks)
        tally = CheckTally(countsSources: countsSources)
        census = GroupingCensus(known, profile: profile, limits: limits)
    }

    /// Checks lines up to the end of the chunk, or until their findings have `partBytes`.
    ///
    /// - Returns: where checking must continue; nil at the end of the chunk.
    mutating func check(
        _ chunk: Chunk, from start: WorkUnit.Remainder, source: Int, partBytes: Int,
        findings: inout OutputBuffer
    ) -> WorkUnit.Remainder? {
        swap(&findings, &self.findings)
        defer { swap(&findings, &self.findings) }
        if let app = input.defaultApp { decoder.setDefaultApp(chunk.constant(app) ?? .none) }
        var cursor = start.cursor
        if let (line, _, entries) = start.entries {
            reader = entries
            if let rest = checkEntries(of: line, chunk, source, partBytes) {
                return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
            }
        }
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong:
                tally.records += 1
                reject(.lineTooLong, line, index: 0, of: chunk, source)
            case .content:
                if let rest = check(line, of: chunk, source, partBytes) {
                    return WorkUnit.Remainder(cursor: cursor, entries: (line, source, rest))
                }
            }
            if self.findings.count >= partBytes {
                return cursor.isAtEnd(of: chunk) ? nil : WorkUnit.Remainder(cursor: cursor)
            }
        }
        return nil
    }

    /// - Returns: the reader of the line if it has more records than the part has room for.
    private mutating func check(
        _ line: LineCursor.Line, of chunk: Chunk, _ source: Int, _ partBytes: Int
    ) -> EntryReader? {
        guard input.log.readsNative else { return beginEntries(line, nil, of: chunk, source, partBytes) }
        let outcome = decoder.decode(
            line.text, of: chunk, at: RecordPosition(source: source, line: line.number))
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            decoder.restoreText(in: chunk)
            return beginEntries(line, reason, of: chunk, source, partBytes)
        }
        let timestamp =
            outcome == .rejected(.timestampInvalid) ? checks.value(of: .rejected(.timestampInvalid)) : nil
        guard let position = add(outcome, line, index: 0, timestamp, of: chunk, source) else { return nil }
        tally.count(
            decoder.findings, checks.problems, isUntimed: decoder.isUntimed, at: position,
            detail: { checks.detail(of: $0) })
        format?.append(
            decoder.findings, checks.problems, isUntimed: decoder.isUntimed, at: position,
            app: chunk.bytes[decoder.record.app], device: chunk.bytes[decoder.record.device],
            value: { Self.size(of: $0, decoder) ?? checks.value(of: $0) }, detail: { checks.detail(of: $0) },
            to: &findings)
        return nil
    }

    /// Checks the records of a line that is not a native record.
    private mutating func beginEntries(
        _ line: LineCursor.Line, _ reason: RejectReason?, of chunk: Chunk, _ source: Int, _ partBytes: Int
    ) -> EntryReader? {
        let reader =
            reader
            ?? EntryReader(
                input.log, inspector: PayloadChecks(known, profile: profile, keepsValues: format != nil))
        self.reader = reader
        reader.begin(line.text, of: chunk, reason: reason, &decoder)
        return checkEntries(of: line, chunk, source, partBytes)
    }

    /// Checks the records of a line that are left.
    private mutating func checkEntries(
        of line: LineCursor.Line, _ chunk: Chunk, _ source: Int, _ partBytes: Int
    ) -> EntryReader? {
        guard let reader else { return nil }
        while let item = reader.next(
            in: chunk, &decoder, at: RecordPosition(source: source, line: line.number))
        {
            let index = item.index ?? 0
            let timestamp =
                item.outcome == .rejected(.timestampInvalid)
                ? reader.value(of: .rejected(.timestampInvalid)) : nil
            let position = add(
                item.outcome, line, index: index, entry: item.entry, timestamp, of: chunk, source)
            if let position {
                tally.count(
                    decoder.findings, item.problems, isUntimed: decoder.isUntimed, at: position,
                    detail: { reader.detail(of: $0) })
                format?.append(
                    decoder.findings, item.problems, isUntimed: decoder.isUntimed,
                    at: position, app: chunk.bytes[decoder.record.app],
                    device: chunk.bytes[decoder.record.device],
                    value: { Self.size(of: $0, decoder) ?? reader.value(of: $0) },
                    detail: { reader.detail(of: $0) }, to: &findings)
            }
            if findings.count >= partBytes {
                // The reader stays with the chunk, which another worker may continue.
                self.reader = nil
                return reader
            }
        }
        return nil
    }

    /// Returns the size of a payload that is too large; nil for other findings.
    private static func size(of finding: CheckFinding, _ decoder: borrowing RecordDecoder) -> [UInt8]? {
        finding == .record(.payloadTooLarge) ? Array("\(decoder.payloadBytes)".utf8) : nil
    }

    /// Counts a record.
    ///
    /// - Parameters:
    ///   - index: the record's index in its line.
    ///   - entry: the index of the first record of its entry.
    ///   - timestamp: the timestamp, if the record is rejected for it.
    /// - Returns: the record's position if it is not rejected, so that it may have findings.
    private mutating func add(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, index: UInt32, entry: UInt32 = 0,
        _ timestamp: [UInt8]?, of chunk: Chunk, _ source: Int
    ) -> RecordPosition? {
        tally.records += 1
        let position = RecordPosition(source: source, line: line.number, index: index)
        switch outcome {
        // The decoder's record may be an earlier one.
        case .rejected, .otherPlatform: break
        case .notification, .silent, .refused, .removal, .settings, .response, .result, .outcome:
            let (app, device) = (chunk.bytes[decoder.record.app], chunk.bytes[decoder.record.device])
            // A change of settings may be for all apps.
            if apps.hasUnseenApps, !app.isEmpty { apps.record(app, isDefault: decoder.usesDefaultApp) }
            tally.used += 1
            if !input.filter.selects(app: app, device: device, isForAll: false) {
                tally.unselected += 1
                return nil
            }
        }
        switch outcome {
        case .rejected(let reason):
            reject(reason, line, index: index, timestamp, of: chunk, source)
            return nil
        case .otherPlatform, .removal, .settings: return nil
        case .outcome:
            tally.count(
                decoder.findings, ProblemSet(), isUntimed: decoder.isUntimed, at: position)
            format?.append(
                decoder.findings, ProblemSet(), isUntimed: decoder.isUntimed, at: position,
                app: chunk.bytes[decoder.record.app], device: chunk.bytes[decoder.record.device],
                value: { _ in nil }, detail: { _ in nil }, to: &findings)
            for outcome in decoder.outcomes where outcome.answer == .refused {
                tally.laterRefusals.count(chunk.bytes[outcome.reason])
            }
            return nil
        case .result:
            census.add(result: decoder.record, of: chunk)
            return nil
        case .response:
            let response = decoder.response
            guard let problem = known.problem(of: response, in: chunk.bytes) else { return nil }
            let (action, category) = (chunk.bytes[response.action], chunk.bytes[response.category])
            let detail = problem == .actionUnknown ? "'\(action.string)' of '\(category.string)'" : nil
            tally.count(.problem(problem), at: position) { detail }
            format?.append(
                .problem(problem), at: position,
                app: chunk.bytes[decoder.record.app], device: chunk.bytes[decoder.record.device],
                value: FindingFormat.start(of: problem == .actionUnknown ? action : category),
                detail: detail, to: &findings)
            return nil
        case .silent: return position
        case .refused:
            tally.refusals.count(chunk.bytes[decoder.refusal])
            return position
        case .notification:
            census.add(
                decoder.record, of: chunk, isUntimed: decoder.isUntimed,
                at: RecordPosition(source: source, line: line.number, index: entry))
            return position
        }
    }

    /// Counts a rejected line or record.
    ///
    /// - Parameter timestamp: the timestamp, if that is the reason; otherwise the finding has the start of the text.
    private mutating func reject(
        _ reason: RejectReason, _ line: LineCursor.Line, index: UInt32, _ timestamp: [UInt8]? = nil,
        of chunk: Chunk, _ source: Int
    ) {
        let position = RecordPosition(source: source, line: line.number, index: index)
        tally.count(.rejected(reason), at: position) { decoder.detail(of: reason) }
        guard let format else { return }
        // The record of another reason may be an earlier one's.
        let app = reason == .timestampInvalid ? decoder.record.app : .none
        let text: [UInt8]
        if reason != .lineTooLong, let original = timestamp ?? decoder.rejectedCopy {
            text = original
        } else {
            text = FindingFormat.start(of: chunk.bytes(of: line.text))
        }
        format.append(
            .rejected(reason), at: position, app: chunk.bytes[app], value: text,
            detail: decoder.detail(of: reason), to: &findings)
    }
}
