import SheafBytes
import SheafGroups

/// Decodes one work unit at a time; its counts accumulate over all work units.
///
/// A work unit with very many records is decoded in parts, so that its batches and rejects are bounded: lines can have
/// far more records than bytes of text would suggest.
package final class DecodeWorker: ChunkWorker, @unchecked Sendable {
    // Unchecked because a worker is taken from the run's list of idle ones by one job at a time, which `access` checks.
    let access = AccessCheck()
    private var decoding: ChunkDecoding
    private let partBytes: Int
    /// The census of sources; empty if each line has a source of its own.
    private(set) var sources = SourceCensus()

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
    package func process(_ unit: WorkUnit) -> UInt64 { process(unit, followers: [], hasLines: true) }

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
        let rejectedBefore = decoding.tally.rejectedTotal
        let start = unit.remainder ?? WorkUnit.Remainder(cursor: LineCursor(unit.chunk))
        if decoding.readsKeys {
            processKeyed(unit, from: start)
        } else {
            unit.remainder = decoding.decode(
                unit.chunk, from: start, source: unit.ordinal, partBytes: partBytes,
                into: &unit.decoded)
            let rejected = decoding.tally.rejectedTotal - rejectedBefore
            sources.count(
                unit.ordinal, records: decoding.tally.records - before - rejected, rejected: rejected)
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

    var isFull: Bool { decoding.isFull }

    /// Adds a record that another worker has decoded.
    func add(
        _ outcome: RecordDecoder.Outcome, of decoder: borrowing RecordDecoder, _ line: LineCursor.Line,
        index: UInt32?, _ source: Int, _ unit: WorkUnit
    ) {
        decoding.add(outcome, of: decoder, line, index: index, of: unit.chunk, source, &unit.decoded)
    }

    /// Adds a record that another worker has decoded, with another thread; unless it is an ordinary one, decodes a copy of
    /// the line.
    func add(
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
    func rejectLong(_ line: LineCursor.Line, _ source: Int, _ unit: WorkUnit) {
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
