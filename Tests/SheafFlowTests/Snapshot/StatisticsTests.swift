import SheafBytes
import SheafGroups
import TestTags
import Testing

@testable import SheafFlow

/// The statistics' JSON, byte for byte (specification §10).
@Suite(.tags(.spilling)) struct StatisticsTests {
    private func json(_ change: (inout Statistics) -> Void) -> String {
        var statistics = Statistics()
        change(&statistics)
        return String(decoding: statistics.json(), as: UTF8.self)
    }

    @Test func emptyStatistics() {
        #expect(
            json { _ in }
                == #"{"sources":0,"bytesRead":0,"bytesInflated":0,"lines":0,"blank":0,"linesRead":0,"records":0,"#
                + #""grouped":0,"updated":0,"silent":0,"otherPlatform":0,"untimed":0,"rejected":{"total":0},"findings":{},"sourceErrors":[],"#
                + #""groups":0,"spilledBytes":0,"peakResidentBytes":0,"seconds":0.000}"# + "\n")
    }

    @Test func statisticsWithEveryField() {
        let text = json {
            $0.sources = 3
            $0.bytesRead = 1_000
            $0.bytesInflated = 18_446_744_073_709_551_615
            $0.lines = 100
            $0.blank = 10
            $0.grouped = 50
            $0.updated = 15
            $0.silent = 20
            $0.otherPlatform = 3
            $0.untimed = 7
            $0.rejected = [(.lineTooLong, 1), (.appMissing, 4)]
            $0.findings = [(.threadMisplaced, 2), (.badgeType, 3)]
            $0.sourceErrors = [
                Statistics.DamagedSource(
                    source: "a/\"b\".gz", damage: SourceDamage(reason: .truncated, offset: 17)),
                Statistics.DamagedSource(
                    source: "-", damage: SourceDamage(reason: .badChecksum, offset: 4_294_967_296)),
            ]
            $0.groups = 40
            $0.peakResidentBytes = 123_456_789
            $0.seconds = 12.3456
        }
        #expect(
            text
                == #"{"sources":3,"bytesRead":1000,"bytesInflated":18446744073709551615,"lines":100,"blank":10,"#
                + #""linesRead":90,"records":93,"grouped":50,"updated":15,"silent":20,"otherPlatform":3,"#
                + #""untimed":7,"#
                + #""rejected":{"total":5,"line.too-long":1,"app.missing":4},"#
                + #""findings":{"thread-id.misplaced":2,"badge.type":3},"#
                + #""sourceErrors":[{"source":"a/\"b\".gz","reason":"gzip.truncated","offset":17},"#
                + #"{"source":"-","reason":"gzip.crc","offset":4294967296}],"#
                + #""groups":40,"spilledBytes":0,"peakResidentBytes":123456789,"seconds":12.346}"# + "\n")
    }

    @Test func responsesAreBeforeTheRecordsWithoutTime() {
        let text = json {
            $0.grouped = 1
            $0.responses = Statistics.Responses(
                total: 9,
                counts: [
                    .init(app: "a", category: nil, action: "R\"", count: 1),
                    .init(app: "a", category: "c", action: "R", count: 6),
                ], others: 2)
        }
        #expect(text.contains(#""records":10,"grouped":1,"#))
        #expect(
            text.contains(
                #""otherPlatform":0,"responses":{"total":9,"counts":["#
                    + #"{"app":"a","category":null,"action":"R\"","count":1},"#
                    + #"{"app":"a","category":"c","action":"R","count":6}],"others":2},"untimed":0,"#))
    }

    @Test(arguments: [
        (0.0004, "0.000"), (0.0005, "0.001"), (0.05, "0.050"), (0.9996, "1.000"), (1.001, "1.001"),
        (3_600, "3600.000"),
    ])
    func secondsAreRoundedToMilliseconds(_ seconds: Double, _ text: String) {
        #expect(json { $0.seconds = seconds }.hasSuffix("\"seconds\":\(text)}\n"))
    }

    @Test func talliesAddUp() {
        var first = RecordTally()
        first.lines = 5
        first.blank = 1
        first.reject(.appMissing, source: 1, line: 2)
        first.reject(.jsonInvalid, source: 1, line: 9)
        var findings = FindingSet()
        findings.insert(.badgeType)
        findings.insert(.alertType)
        first.count(findings)
        var second = RecordTally()
        second.lines = 3
        second.silent = 1
        second.otherPlatform = 2
        second.untimed = 2
        second.notifications = 1
        second.reject(.appMissing, source: 0, line: 40)
        second.count(findings)
        var counts = RunCounts(tally: first)
        counts.add(second)
        let sum = counts.tally
        #expect(sum.lines == 8)
        #expect(sum.records == 7)
        #expect(sum.silent == 1 && sum.otherPlatform == 2 && sum.untimed == 2 && sum.notifications == 1)
        #expect(sum.rejectedTotal == 3)
        #expect(sum.rejected[Int(RejectReason.appMissing.rawValue)] == 2)
        #expect(sum.findings[Int(Finding.badgeType.rawValue)] == 2)
        #expect(sum.findings.reduce(0, +) == 4)
        #expect(sum.firstReject?.source == 0)
        #expect(sum.firstReject?.line == 40)
        var reversed = RunCounts(tally: second)
        reversed.add(first)
        #expect(reversed == counts)
    }

    /// The first reject has the smallest source, line and index, in whatever order rejects are added.
    @Test func theFirstRejectIsTheFirstOfItsLine() {
        let positions: [(source: Int, line: UInt64, index: UInt32?)] = [
            (0, 3, 2), (0, 3, 0), (0, 3, 1), (0, 4, nil), (1, 1, nil),
        ]
        for shift in positions.indices {
            var counts = RunCounts()
            for position in positions[shift...] + positions[..<shift] {
                var other = RecordTally()
                other.reject(
                    .appMissing, source: position.source, line: position.line, index: position.index)
                counts.add(other)
            }
            #expect(
                counts.tally.firstReject == RejectPosition(source: 0, line: 3, index: 0, reason: .appMissing))
        }
    }
}
