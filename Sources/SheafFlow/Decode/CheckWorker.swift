import SheafBytes
import SheafGroups

/// Checks one parcel at a time; its tally accumulates over all parcels.
final class CheckWorker: ParcelWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var checking: ChunkChecking

    /// - Parameters:
    ///   - known: the known categories, shared by all workers.
    ///   - apps: an empty census; each worker adds to its own copy.
    ///   - countsSources: whether the findings of each source are counted separately.
    init(
        _ known: KnownCategories, _ input: InputOptions = InputOptions(), profile: Profile,
        apps: AppCensus = AppCensus(), countsSources: Bool = false
    ) {
        checking = ChunkChecking(known, input, profile: profile, apps: apps, countsSources: countsSources)
    }

    var tally: CheckTally { checking.tally }
    var census: GroupingCensus { checking.census }
    var apps: AppCensus { checking.apps }

    /// Checks all lines of the parcel's chunk.
    func process(_ parcel: Parcel) -> UInt64 {
        access.begin()
        defer { access.end() }
        parcel.access.begin()
        defer { parcel.access.end() }
        // Decoding changes the bytes in place, so their member's checksum must be computed first.
        parcel.checksum?.settle()
        let before = checking.tally.records
        checking.check(parcel.chunk, source: parcel.source)
        return checking.tally.records - before
    }
}

/// Checks lines and counts findings. A structure separate from the worker, as in `DecodeWorker`.
private struct ChunkChecking: ~Copyable {
    private var checks: PayloadChecks
    private var decoder: RecordDecoder
    private(set) var tally: CheckTally
    private(set) var census: GroupingCensus
    private(set) var apps: AppCensus
    private let known: KnownCategories
    private let profile: Profile
    private let input: InputOptions
    /// Created when the first line is read that is not a native record.
    private var reader: EntryReader?

    init(
        _ known: KnownCategories, _ input: InputOptions, profile: Profile, apps: AppCensus,
        countsSources: Bool
    ) {
        self.apps = apps
        self.known = known
        self.profile = profile
        self.input = input
        checks = PayloadChecks(known, profile: profile)
        decoder = RecordDecoder(
            keepsRejectedText: false, profile: profile, readsTraits: true,
            readsBadges: !input.filter.devices.isEmpty)
        tally = CheckTally(countsSources: countsSources)
        census = GroupingCensus(known)
    }

    mutating func check(_ chunk: Chunk, source: Int) {
        if let app = input.defaultApp { decoder.setDefaultApp(chunk.constant(app) ?? .none) }
        var cursor = LineCursor(chunk)
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            let position = CheckPosition(source: source, position: line.number)
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong:
                tally.records += 1
                tally.note(.rejected(.lineTooLong), at: position)
            case .content: check(line, of: chunk, source)
            }
        }
    }

    private mutating func check(_ line: LineCursor.Line, of chunk: Chunk, _ source: Int) {
        guard input.log.readsNative else { return checkEntries(line, nil, of: chunk, source) }
        // Before decoding, which replaces escapes in place.
        let problems = checks.check(line.text, of: chunk)
        let outcome = decoder.decode(line.text, of: chunk, source: source, line: line.number)
        if case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, line.text, of: chunk) {
            return checkEntries(line, reason, of: chunk, source)
        }
        if let position = add(outcome, line, of: chunk, source) {
            tally.note(
                decoder.findings, problems, isUntimed: decoder.isUntimed, at: position,
                detail: { checks.detail(of: $0) })
        }
    }

    /// Checks the records of a line that is not a native record.
    private mutating func checkEntries(
        _ line: LineCursor.Line, _ reason: RejectReason?, of chunk: Chunk, _ source: Int
    ) {
        let reader =
            reader ?? EntryReader(input.log, checks: PayloadChecks(known, profile: profile))
        self.reader = reader
        reader.begin(line.text, of: chunk, reason: reason, &decoder)
        while let item = reader.next(in: chunk, &decoder, source: source, line: line.number) {
            if let position = add(item.outcome, line, entry: item.entry, of: chunk, source) {
                tally.note(
                    decoder.findings, item.problems, isUntimed: decoder.isUntimed, at: position,
                    detail: { reader.detail(of: $0) })
            }
        }
    }

    /// Counts a record.
    ///
    /// - Returns: the record's position if it is not rejected, so that it may have findings.
    private mutating func add(
        _ outcome: RecordDecoder.Outcome, _ line: LineCursor.Line, entry: UInt32 = 0, of chunk: Chunk,
        _ source: Int
    ) -> CheckPosition? {
        tally.records += 1
        let position = CheckPosition(source: source, position: line.number)
        switch outcome {
        case .rejected, .otherPlatform: break
        case .notification, .silent, .removal, .settings, .response, .modification:
            // A change of settings may be for all apps.
            let (app, device) = (chunk.bytes[decoder.record.app], chunk.bytes[decoder.record.device])
            if apps.hasUnseenApps, !app.isEmpty { apps.note(app, isDefault: decoder.usesDefaultApp) }
            tally.used += 1
            if !input.filter.selects(app: app, device: device, isReport: false) {
                tally.unselected += 1
                return nil
            }
        }
        switch outcome {
        case .rejected(let reason):
            tally.note(.rejected(reason), at: position) { decoder.detail(of: reason) }
            return nil
        case .otherPlatform, .removal, .settings: return nil
        case .modification:
            census.add(result: decoder.record, of: chunk)
            return nil
        case .response:
            let response = decoder.response
            guard let problem = known.problem(of: response, in: chunk.bytes) else { return nil }
            tally.note(.problem(problem), at: position) {
                guard problem == .actionUnknown else { return nil }
                let (action, category) = (chunk.bytes[response.action], chunk.bytes[response.category])
                return "'\(action.string)' of '\(category.string)'"
            }
            return nil
        case .silent: return position
        case .notification:
            census.add(
                decoder.record, of: chunk, isUntimed: decoder.isUntimed,
                at: GroupingCensus.Position(source: source, line: line.number, entry: entry))
            return position
        }
    }
}
