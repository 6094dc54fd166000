import SheafBytes
import SheafGroups

/// Checks one parcel at a time; its tally accumulates over all parcels.
final class CheckWorker: ParcelWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var checking: ChunkChecking

    /// - Parameters:
    ///   - known: the known categories, shared by all workers.
    ///   - countsSources: whether the findings of each source are counted separately.
    init(_ known: KnownCategories, profile: Profile, countsSources: Bool = false) {
        checking = ChunkChecking(known, profile: profile, countsSources: countsSources)
    }

    var tally: CheckTally { checking.tally }
    var census: GroupingCensus { checking.census }

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

    init(_ known: KnownCategories, profile: Profile, countsSources: Bool) {
        checks = PayloadChecks(known, profile: profile)
        decoder = RecordDecoder(keepsRejectedText: false, profile: profile)
        tally = CheckTally(countsSources: countsSources)
        census = GroupingCensus(known)
    }

    mutating func check(_ chunk: Chunk, source: Int) {
        var cursor = LineCursor(chunk)
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            let position = CheckPosition(source: source, position: line.number)
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong:
                tally.records += 1
                tally.note(.rejected(.lineTooLong), at: position)
            case .content:
                tally.records += 1
                // Before decoding, which replaces escapes in place.
                let problems = checks.check(line.text, of: chunk)
                switch decoder.decode(line.text, of: chunk, source: source, line: line.number) {
                case .rejected(let reason): tally.note(.rejected(reason), at: position)
                case .otherPlatform: break
                case .silent: note(problems, at: position)
                case .notification:
                    note(problems, at: position)
                    census.add(
                        decoder.record, of: chunk, isUntimed: decoder.isUntimed,
                        at: GroupingCensus.Position(source: source, line: line.number))
                }
            }
        }
    }

    private mutating func note(_ problems: ProblemSet, at position: CheckPosition) {
        tally.note(
            decoder.findings, problems, isUntimed: decoder.isUntimed, at: position,
            detail: { checks.detail(of: $0) })
    }
}
