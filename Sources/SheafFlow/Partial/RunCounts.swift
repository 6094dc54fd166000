import SheafBytes
import SheafGroups

/// What a run counted, or several runs together; what statistics are made of.
///
///     bytes read | bytes inflated | lines | blank | silent | untimed | notifications | updated
///     | rejects: how many reasons, then each: name | lines
///     | findings: how many names, then each: name | records
///     | damaged sources: how many, then each: source | reason | offset
///     | first reject: 0, or 1 | source | line | reason
///
/// Sources are ordinals. Numbers and texts are those of `ByteReader`. How long it took and how much memory are not among
/// them: the same records give the same bytes.
struct RunCounts: Equatable, Sendable {
    var bytesRead: UInt64 = 0
    var bytesInflated: UInt64 = 0
    /// Of what lines turned out to be.
    var tally = RecordTally()
    /// How many notifications were replaced by newer versions.
    var updated: UInt64 = 0
    /// By source, in their order.
    var damages: [DamagedSource] = []

    struct DamagedSource: Equatable, Sendable {
        var source: Int
        var damage: SourceDamage
    }

    /// The most that one of them may be, so that they can be added to others without end.
    fileprivate static let maximumSum: UInt64 = 1 << 56

    /// Whether what several runs counted together is still what one could have counted.
    var areReadable: Bool {
        let sums = [
            bytesRead, bytesInflated, tally.lines, tally.blank, tally.silent, tally.untimed,
            tally.notifications, updated,
        ]
        return (sums + tally.rejected + tally.findings).allSatisfy { $0 <= Self.maximumSum }
    }

    /// Adds what another run counted.
    ///
    /// - Parameter sourceOffset: how many sources come before its own.
    mutating func add(_ other: RunCounts, sourceOffset: Int) {
        bytesRead += other.bytesRead
        bytesInflated += other.bytesInflated
        updated += other.updated
        var tally = other.tally
        tally.firstReject?.source += sourceOffset
        self.tally.add(tally)
        damages += other.damages.map { DamagedSource(source: $0.source + sourceOffset, damage: $0.damage) }
    }
}

// MARK: - As bytes

extension RunCounts {
    func append(to output: inout OutputBuffer) {
        for number in [
            bytesRead, bytesInflated, tally.lines, tally.blank, tally.silent, tally.untimed,
            tally.notifications, updated,
        ] {
            output.appendNumber(number)
        }
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
        if let place = tally.firstReject {
            output.appendNumber(UInt64(place.source))
            output.appendNumber(place.line)
            output.appendText(place.reason.name)
        }
    }

    /// nil when the bytes are none.
    ///
    /// - Parameter sourceCount: how many sources there are to be named.
    init?(_ bytes: Span<UInt8>, sourceCount: Int) {
        var reader = ByteReader(bytes)
        bytesRead = reader.sum()
        bytesInflated = reader.sum()
        tally.lines = reader.sum()
        tally.blank = reader.sum()
        tally.silent = reader.sum()
        tally.untimed = reader.sum()
        tally.notifications = reader.sum()
        updated = reader.sum()
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
        let lastSource = UInt64(max(0, sourceCount - 1))
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let source = Int(reader.number(upTo: lastSource))
            guard let reason = SourceDamage.Reason(rawValue: bytes[reader.text()].string) else { return nil }
            damages.append(
                DamagedSource(source: source, damage: SourceDamage(reason: reason, offset: reader.number())))
        }
        if reader.number(upTo: 1) == 1 {
            let (source, line) = (Int(reader.number(upTo: lastSource)), reader.number())
            let name = bytes[reader.text()]
            guard let reason = RejectReason.allCases.first(where: { name.isEqual(to: $0.name) }) else {
                return nil
            }
            tally.firstReject = RejectPlace(source: source, line: line, reason: reason)
        }
        let namesNone = damages.isEmpty && tally.firstReject == nil
        // What is taken from a sum must be in it, and what is named must be there.
        guard reader.isValid, reader.isAtEnd, tally.blank <= tally.lines, updated <= tally.notifications,
            sourceCount > 0 || namesNone
        else {
            return nil
        }
    }
}

extension ByteReader {
    /// A count that can be added to others without end.
    fileprivate mutating func sum() -> UInt64 { number(upTo: RunCounts.maximumSum) }
}

extension OutputBuffer {
    /// Appends a text behind its length.
    fileprivate mutating func appendText(_ text: StaticString) {
        appendNumber(UInt64(text.utf8CodeUnitCount))
        append(text)
    }
}
