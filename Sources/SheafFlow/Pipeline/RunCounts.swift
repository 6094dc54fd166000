import SheafBytes
import SheafGroups

/// The counts of one run, or the sums of several: the basis of the statistics.
///
///     bytes read | bytes inflated | lines | blank | silent | untimed | notifications | updated
///     | rejects: number of reasons, then for each: name | lines
///     | findings: number of names, then for each: name | records
///     | damaged sources: count, then for each: source | reason | offset
///     | first reject: 0, or 1 | source | line, plus (index in the line + 1) << 40 if it has one | reason
///     | with a timeline: 0, or 1 | oldest, signed | newest, signed           the times of notifications and removals
///     | for other platforms, only if there are any, or any of the following
///     | earlier | later, only if there are any, or any of the following
///     | removals applied | ignored, only if there are any, or any of the following
///     | changes of settings applied | ignored, only if there are any, or any of the following
///     | responses, only if there are any, or any badges; if there are any, the number of combinations, then for each:
///         app | category | action | responses
///     | 2 | contents replaced by service extensions | results too late | results ignored, only if there are any
///     | 3 | removed | suppressed, only if there are any: notifications that a slice does not have for that reason
///     | 4 | records of other apps or for other devices, only if there are any
///     | 5 | refused pushes, only if there are any | number of reasons, then for each: reason | pushes
///     | 6 | outcomes that came later applied | ignored, only if there are any
///     | 7 | records of a push besides the first one, only if there are any
///     | 9 | quiet, only if there are any: notifications that a slice does not have for that reason
///     | 10 | banners | sounds, only if there are any: those of notifications that a slice does not have one by one
///     | 11 | changes that open an app | that close one, only if there are any
///     | badges, only if there are any: 1 if more were left out, else 0 | number, then for each: device | app | badge
///         | order
///
/// Sources are identified by ordinals. Numbers and texts are encoded as for `ByteReader`. Time and memory are not
/// included, so that the same records give the same bytes.
package struct RunCounts: Equatable, Sendable {
    var bytesRead: UInt64 = 0
    var bytesInflated: UInt64 = 0
    /// The counts of lines and records, by kind.
    var tally = RecordTally()
    /// The number of notifications that were replaced by newer versions.
    var updated: UInt64 = 0
    /// The number of records of a push besides the first one.
    var repeated: UInt64 = 0
    /// What the verdicts on the notifications of a slice add up to.
    var hidden = VerdictCounts()
    /// The damaged sources, in source order.
    var damages: [DamagedSource] = []

    struct DamagedSource: Equatable, Sendable {
        var source: Int
        var damage: SourceDamage
    }

    /// The maximum of each count, low enough that counts can be added without overflow.
    fileprivate static let maximumSum: UInt64 = 1 << 56

    /// The number of notifications in the state.
    var heldNotifications: UInt64 { tally.notifications - updated - repeated - hidden.offScreen }

    /// Whether every sum is within the maximum for the counts of one run.
    var areReadable: Bool {
        (Counter.all.map { self[$0] } + tally.rejected + tally.findings).allSatisfy { $0 <= Self.maximumSum }
    }

    /// Adds the counts of another run.
    ///
    /// - Parameter sourceOffset: the number of sources that precede those of the other run.
    mutating func add(_ other: RunCounts, sourceOffset: Int) {
        for counter in Counter.all { self[counter] += other[counter] }
        tally.addOthers(other.tally, sourceOffset: sourceOffset)
        damages += other.damages.map { DamagedSource(source: $0.source + sourceOffset, damage: $0.damage) }
        damages = damages.ordered { $0.source < $1.source }
    }

    /// Adds what was found of notifications that were counted before: those that are replaced, repeated or refused.
    mutating func add(found other: RunCounts) {
        tally.notifications -= other.tally.refusals.total
        add(other, sourceOffset: 0)
    }

    /// Adds the counts of a worker.
    mutating func add(_ tally: RecordTally) { add(RunCounts(tally: tally), sourceOffset: 0) }
}

// MARK: - Encoding

extension RunCounts {
    /// - Parameter input: how the records were read.
    func append(to output: inout OutputBuffer, input: InputIdentity) {
        for counter in Counter.all where counter.section == .first { output.appendNumber(self[counter]) }
        let rejects = RejectReason.allCases.filter { tally.rejected[Int($0.rawValue)] > 0 }
        output.appendNumber(UInt64(rejects.count))
        for reason in rejects {
            output.appendText(reason.name)
            output.appendNumber(tally.rejected[Int(reason.rawValue)])
        }
        let findings = Finding.allCases.filter { tally.findings[Int($0.rawValue)] > 0 }
        output.appendNumber(UInt64(findings.count))
        for finding in findings {
            output.appendText(finding.name)
            output.appendNumber(tally.findings[Int(finding.rawValue)])
        }
        output.appendNumber(UInt64(damages.count))
        for item in damages {
            output.appendNumber(UInt64(item.source))
            output.appendText(item.damage.reason.rawValue)
            output.appendNumber(item.damage.offset)
        }
        output.appendNumber(tally.firstReject == nil ? 0 : 1)
        if let first = tally.firstReject {
            output.appendNumber(UInt64(first.source))
            output.appendNumber(OrderKey.pack(line: first.line, number: first.index.map { $0 + 1 } ?? 0))
            output.appendText(first.reason.name)
        }
        if input.timeline != nil {
            output.appendNumber(tally.times == nil ? 0 : 1)
            if let times = tally.times {
                output.appendSignedNumber(times.oldest)
                output.appendSignedNumber(times.newest)
            }
        }
        let hasBadges = !tally.badges.isEmpty
        let marked = Counter.marks.filter { $0.counters.contains { self[$0] > 0 } }
        let isComplete = hasBadges || !marked.isEmpty
        let last = Counter.lastSections.lastIndex { isComplete || $0.contains { self[$0] > 0 } } ?? -1
        for counter in Counter.lastSections.prefix(last + 1).joined() { output.appendNumber(self[counter]) }
        if tally.responses.total > 0 { tally.responses.append(to: &output) }
        for (mark, counters) in marked {
            output.appendNumber(mark)
            for counter in counters { output.appendNumber(self[counter]) }
            if mark == Counter.refusalsMark { tally.refusals.append(to: &output) }
        }
        if hasBadges { tally.badges.append(to: &output) }
    }

    /// Decodes counts; nil if the bytes are invalid.
    ///
    /// - Parameters:
    ///   - sources: the ordinals of the sources.
    ///   - input: how the records were read.
    init?(_ bytes: Span<UInt8>, sources: OrdinalSet, input: InputIdentity) {
        var reader = ByteReader(bytes)
        for counter in Counter.all where counter.section == .first { self[counter] = reader.sum() }
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let name = bytes[reader.text()]
            guard let reason = RejectReason.allCases.first(where: { name.isEqual(to: $0.name) }) else {
                return nil
            }
            tally.rejected[Int(reason.rawValue)] = reader.sum()
        }
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let name = bytes[reader.text()]
            guard let finding = Finding.allCases.first(where: { name.isEqual(to: $0.name) }) else {
                return nil
            }
            tally.findings[Int(finding.rawValue)] = reader.sum()
        }
        let lastSource = UInt64(max(0, sources.bounds.upperBound - 1))
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let source = Int(reader.number(upTo: lastSource))
            guard let reason = SourceDamage.Reason(rawValue: bytes[reader.text()].string) else { return nil }
            damages.append(
                DamagedSource(source: source, damage: SourceDamage(reason: reason, offset: reader.number())))
        }
        if reader.number(upTo: 1) == 1 {
            let source = Int(reader.number(upTo: lastSource))
            let (line, number) = OrderKey.unpack(reader.number())
            let name = bytes[reader.text()]
            guard let reason = RejectReason.allCases.first(where: { name.isEqual(to: $0.name) }) else {
                return nil
            }
            tally.firstReject = RejectPosition(
                source: source, line: line, index: number > 0 ? number - 1 : nil, reason: reason)
        }
        if input.timeline != nil, reader.number(upTo: 1) == 1 {
            let times = TimeRange(oldest: reader.signedNumber(), newest: reader.signedNumber())
            if times.oldest > times.newest || times.oldest <= 0 && times.oldest < times.newest {
                reader.reject()
            }
            tally.times = times
        }
        for counters in Counter.lastSections where reader.isValid && !reader.isAtEnd {
            for counter in counters { self[counter] = reader.sum() }
            if reader.isAtEnd, counters.allSatisfy({ self[$0] == 0 }) { reader.reject() }
        }
        if tally.responses.total > 0 {
            guard tally.responses.read(&reader, in: bytes),
                tally.responses.kinds.entries.allSatisfy({
                    !$0.texts.first.isEmpty && !$0.texts.third.isEmpty
                })
            else { return nil }
        }
        for (mark, counters) in Counter.marks where reader.skip(mark) {
            for counter in counters { self[counter] = reader.sum() }
            if counters.allSatisfy({ self[$0] == 0 }) { reader.reject() }
            if mark == Counter.refusalsMark, !tally.refusals.read(&reader, in: bytes) { return nil }
        }
        if reader.isValid, !reader.isAtEnd,
            !tally.badges.read(&reader, in: bytes, sources: sources)
        {
            return nil
        }
        let named = damages.map(\.source) + [tally.firstReject?.source].compactMap { $0 }
        // A part must not exceed its sum, and a named source must exist.
        guard reader.isValid, reader.isAtEnd, tally.blank <= tally.lines,
            updated + repeated + hidden.offScreen <= tally.notifications,
            named.allSatisfy(sources.contains),
            Counter.all.allSatisfy({ self[$0] == 0 || $0.isPossible(input) })
        else {
            return nil
        }
    }
}

extension ByteReader {
    /// Reads a count, which is at most `RunCounts.maximumSum`.
    fileprivate mutating func sum() -> UInt64 { number(upTo: RunCounts.maximumSum) }

    /// Skips a number if it is the next one.
    fileprivate mutating func skip(_ mark: UInt64) -> Bool {
        var ahead = self
        guard isValid, !isAtEnd, ahead.number() == mark else { return false }
        self = ahead
        return true
    }
}

extension OutputBuffer {
    /// Appends a text, preceded by its length.
    fileprivate mutating func appendText(_ text: StaticString) {
        appendNumber(UInt64(text.utf8CodeUnitCount))
        append(text)
    }
}

/// What verdicts add up to: the newest versions of notifications that are not on screen at the end, and what interrupted
/// when it arrived, whether or not it was replaced or removed later.
struct VerdictCounts: Equatable, Sendable {
    /// Those that were removed (specification §15).
    var removed: UInt64 = 0
    /// Those that settings suppressed when they arrived (§16), removed or not.
    var suppressed: UInt64 = 0
    /// Those that are not on the lock screen, because they are quiet (§16), removed or not.
    var quiet: UInt64 = 0
    /// The banners and the sounds with which pushes arrived (§16).
    var banners: UInt64 = 0
    var sounds: UInt64 = 0

    /// The number of newest versions that are not on screen.
    var offScreen: UInt64 { removed + suppressed + quiet }

    static func += (counts: inout VerdictCounts, other: VerdictCounts) {
        for path in all { counts[keyPath: path] &+= other[keyPath: path] }
    }

    static func -= (counts: inout VerdictCounts, other: VerdictCounts) {
        for path in all { counts[keyPath: path] &-= other[keyPath: path] }
    }

    private static var all: [WritableKeyPath<VerdictCounts, UInt64>] {
        [\.removed, \.suppressed, \.quiet, \.banners, \.sounds]
    }

    /// Counts how a push arrived.
    mutating func count(arrival: DeliveryEffect?) {
        guard let arrival else { return }
        if arrival.showsBanner { banners &+= 1 }
        if arrival.playsSound { sounds &+= 1 }
    }

    /// Counts how a newest version arrived, and the version if it is not on screen; else returns its effect.
    mutating func count(_ verdict: Verdict) -> DeliveryEffect? {
        count(arrival: verdict.arrival)
        guard let effect = verdict.effect else {
            countHidden(verdict, 1)
            return nil
        }
        guard verdict.removal == nil else {
            removed += 1
            return nil
        }
        return effect
    }

    /// Counts newest versions that settings keep off the screen.
    mutating func countHidden(_ verdict: Verdict, _ count: UInt64) {
        if verdict.isQuiet { quiet += count } else { suppressed += count }
    }
}
