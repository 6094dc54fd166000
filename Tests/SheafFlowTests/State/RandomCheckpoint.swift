import SheafBytes
import SheafGroups
import TestSupport

@testable import SheafFlow

/// Generates checkpoints with random contents.
struct RandomCheckpoint {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A restart point of every kind.
    static let restartPoints: [(name: String, point: RestartPoint)] = {
        let window = [UInt8]((0..<RestartPoint.Block.windowBytes).map { UInt8(truncatingIfNeeded: $0) })
        let blocks = [
            RestartPoint.Block(restoring: 0, bits: 0, window: [], checksum: 0, length: 0),
            RestartPoint.Block(restoring: 7, bits: 127, window: window, checksum: .max, length: .max),
            RestartPoint.Block(restoring: 3, bits: 5, window: [9], checksum: 1, length: 1),
        ].compactMap { $0 }
        let points: [(String, RestartPoint?)] =
            [
                ("start", .start),
                ("plain", RestartPoint(restoring: .plain, offset: 90, bytesInflated: 90)),
                ("after a frame", RestartPoint(restoring: .betweenFrames, offset: 20, bytesInflated: 90)),
                ("after a member", RestartPoint(restoring: .betweenMembers, offset: 20, bytesInflated: 90)),
            ]
            + blocks.map { block in
                (
                    "block after \(block.unusedBits) bits",
                    RestartPoint(restoring: .block(block), offset: 20, bytesInflated: 90)
                )
            }
        return points.compactMap { name, point in point.map { (name, $0) } }
    }()

    mutating func checkpoint() -> Checkpoint {
        var options = ReplayOptions(sources: [])
        options.byDevice = random.chance(50)
        options.maximumArguments = random.pick([1, 16, 1_024])
        for index in 0..<random.below(3) {
            options.settings.apps["app \(index)"] = AppSettings()
            options.settings.apps["app \(index)"]?.grouping = random.pick([.byApp, .off, .automatic])
        }
        options.use(
            random.pick([
                InputIdentity(), InputIdentity(name: "fcm"), InputIdentity(app: ""),
                InputIdentity(digest: "d"),
                InputIdentity(name: "m.json", digest: "0123abcd", app: "com.example"),
            ]))
        options.since = random.chance(30) ? random.pick([.min, -1, 0, 1_700_000_000_000, .max]) : nil
        options.until = random.chance(30) ? random.pick([.min, -1, 0, 1_700_000_000_000, .max]) : nil
        let sources = (0..<random.below(5)).map { "logs/\($0) \"é\"" }
        var rejects: [Int: SpoolContents] = [:]
        for source in sources.indices where random.chance(50) {
            rejects[source] = SpoolContents(
                byteCount: number(), checksum: random.pick([nil, 0, 7, .max]))
        }
        let counts = counts(sources.count, options.filter)
        return Checkpoint(
            header: options.header(of: SourceTable(paths: sources)),
            maximumLine: random.pick([1, 1 << 20, 1 << 30]),
            keepsRejects: random.chance(50), profile: random.pick([nil, .ios12, .ios15]),
            identities: sources.map { _ in identity() },
            progress: sources.map { _ in progress() }, rejects: rejects, counts: counts,
            runs: (0..<random.below(4)).map { CheckpointNames.spill($0) },
            dumps: (0..<random.below(4)).map { CheckpointNames.dump(7, shard: $0) },
            stream: random.chance(40) ? streamProgress(sources.count) : nil,
            nextNumber: random.below(1 << 20))
    }

    private mutating func streamProgress(_ sourceCount: Int) -> StreamProgress {
        var progress = StreamProgress(style: random.pick(["", "the format csv", "é"]))
        progress.outputBytes = number()
        progress.hasWritten = random.chance(50)
        progress.written = random.pick([nil, .min, 0, 7, .max])
        progress.late = number()
        (progress.hidden.removed, progress.hidden.suppressed) = (number(), number())
        if random.chance(30) { progress.hidden.quiet = number() }
        if random.chance(30) { (progress.hidden.banners, progress.hidden.sounds) = (number(), number()) }
        progress.times = random.chance(50) ? TimeRange(oldest: 1, newest: 1_700_000_000_000) : nil
        func order() -> OrderKey? {
            random.chance(50)
                ? OrderKey(timestamp: -5, source: 3, line: 9, index: UInt32(random.below(4))) : nil
        }
        (progress.newestAdded, progress.oldestChange) = (order(), order())
        for source in 0..<sourceCount where random.chance(50) {
            var time = SourceTime(newest: random.pick([nil, -1, 1_700_000_000_000]))
            if random.chance(20) {
                time.future = SourceTime.FutureRecords(
                    count: 1 + number(), times: TimeRange(oldest: 1, newest: 4_102_444_800_000))
            }
            progress.sources[source] = time
        }
        if random.chance(30) {
            (progress.bounds.ahead, progress.bounds.leftOut) = (number(), number())
            progress.bounds.newestAhead = random.pick([nil, 4_102_444_800_000])
        }
        progress.nextSource = random.below(sourceCount + 1)
        return progress
    }

    private mutating func number() -> UInt64 { random.next() >> UInt64(8 + random.below(56)) }

    private mutating func identity() -> SourceIdentity {
        SourceIdentity(
            size: random.next() >> UInt64(random.below(64)),
            modified: random.pick([.min, -1, 0, 1_700_000_000_123_456_789, .max]),
            head: UInt32(truncatingIfNeeded: random.next()))
    }

    private mutating func progress() -> SourceProgress {
        if random.chance(20) { return .ended }
        let point = random.pick(Self.restartPoints).point
        let position = SourcePosition(
            restoring: point, bytesInflated: point.bytesInflated + UInt64(random.below(1 << 20)),
            nextLine: 1 + UInt64(random.below(Int(point.bytesInflated) + 1)))
        return .position(position ?? .start)
    }

    private mutating func counts(_ sources: Int, _ window: RecordFilter) -> RunCounts {
        var counts = RunCounts()
        counts.bytesRead = number()
        counts.bytesInflated = number()
        counts.tally.notifications = number()
        counts.updated = counts.tally.notifications / 2
        counts.tally.lines = number()
        counts.tally.blank = counts.tally.lines / 3
        if random.chance(30) { counts.tally.otherPlatform = number() }
        if random.chance(30) {
            for reason in ["", "Unregistered", "\u{e9}"].prefix(random.below(4)) {
                let count = (number() >> 4) + 1
                counts.tally.refusals.total += count
                counts.tally.refusals.kinds.update(Array(reason.utf8).span, Span(), Span(), count) {
                    $0 += count
                }
            }
            if random.chance(30) {
                counts.tally.refusals.total += 1
                counts.tally.refusals.kinds.cut()
            }
        }
        if random.chance(50) {
            let app = Array("a".utf8)
            for _ in 0..<random.below(9) {
                let category = Array(random.pick(["", "c"]).utf8)
                let action = Array(random.pick(["R", "S\u{e9}", "T"]).utf8)
                let count = (number() >> 4) + 1
                counts.tally.responses.total += count
                counts.tally.responses.kinds.update(app.span, category.span, action.span, count) {
                    $0 += count
                }
            }
            if random.chance(30) {
                counts.tally.responses.total += 1
                counts.tally.responses.kinds.cut()
            }
        }
        if sources > 0, random.chance(50) {
            let bytes = Array("appdevice".utf8)
            for _ in 0..<random.below(9) {
                let order = OrderKey(
                    timestamp: Int64(bitPattern: random.next()), source: random.below(sources),
                    line: number() & (OrderKey.maximumLines - 1))
                counts.tally.badges.record(
                    number() & 0xff, device: TextRange(3..<3 + random.below(4)),
                    app: TextRange(0..<1 + random.below(3)), order, in: bytes.span)
            }
            if random.chance(30) { counts.tally.badges.table.cut() }
        }
        if window.since != nil, random.chance(50) { counts.tally.earlier = number() }
        if window.until != nil, random.chance(50) { counts.tally.later = number() }
        for index in counts.tally.rejected.indices where random.chance(30) {
            counts.tally.rejected[index] = number()
        }
        for index in counts.tally.findings.indices where random.chance(30) {
            counts.tally.findings[index] = number()
        }
        for source in 0..<sources where random.chance(30) {
            let damage = SourceDamage(
                reason: random.pick(SourceDamage.Reason.allCases), offset: random.next())
            counts.damages.append(RunCounts.DamagedSource(source: source, damage: damage))
        }
        if sources > 0, random.chance(50) {
            counts.tally.firstReject = RejectPosition(
                source: random.below(sources), line: number() & (OrderKey.maximumLines - 1),
                index: random.pick([nil, 0, 1, OrderKey.maximumRecords - 1]),
                reason: random.pick(RejectReason.allCases))
        }
        return counts
    }
}
