import TestTags
import Testing

@testable import SheafFlow
@testable import SheafTool

/// The totals of a run, for logs whose lines have several records.
@Suite(.tags(.spilling)) struct TotalsTests {
    private static func totals(_ change: (inout Statistics) -> Void) -> Totals {
        var statistics = Statistics()
        statistics.sources = 1
        statistics.lines = 2
        statistics.grouped = 5
        statistics.groups = 3
        change(&statistics)
        return Totals(statistics, maximumRejects: 0, rejects: .merge)
    }

    @Test func recordsForOtherPlatformsAreShownIfThereAreAny() {
        #expect(
            Self.totals { _ in }.text
                == "5 records from 1 source, 3 groups, 0 silent, 0 updated, 0 rejected, 0.0 s")
        #expect(
            Self.totals { $0.otherPlatform = 1_200 }.text
                == "1,205 records from 1 source, 3 groups, 0 silent, 0 updated, 1,200 for other platforms, "
                + "0 rejected, 0.0 s")
    }

    @Test func suppressedNotificationsAreShownIfDeliveryIsTracked() {
        #expect(
            Self.totals { $0.delivery = .init(settings: 1, suppressed: 2_000, modified: 0, expired: 0) }
                .text
                == "2,006 records from 1 source, 3 groups, 0 silent, 0 updated, 2,000 suppressed, 0 rejected, 0.0 s"
        )
    }

    @Test func resultsOfServiceExtensionsAreShownIfThereAreAny() {
        #expect(
            Self.totals { $0.delivery = .init(settings: 0, suppressed: 0, modified: 1_000, expired: 2) }
                .text
                == "1,007 records from 1 source, 3 groups, 0 silent, 0 updated, 0 suppressed, 1,000 modified, "
                + "2 expired, 0 rejected, 0.0 s")
    }

    @Test func responsesAreShownIfThereAreAny() {
        #expect(
            Self.totals { $0.responses = .init(total: 1_200, counts: [], others: 0) }.text
                == "1,205 records from 1 source, 3 groups, 0 silent, 0 updated, 1,200 responses, 0 rejected, 0.0 s"
        )
    }

    @Test func aRejectedRecordIsNamedByItsIndex() {
        let problems = Self.totals {
            $0.rejected = [(.appMissing, 2)]
            $0.firstReject = Statistics.RejectedLine(source: "a", line: 2, index: 1, reason: .appMissing)
        }.problems
        #expect(
            problems == [
                "2 records rejected (2 app.missing), the first at a:2, index 1; "
                    + "use --rejects FILE with sheaf replay to keep them"
            ])
    }

    @Test func linesWithOneRecordAreRejectedAsLines() {
        let problems = Self.totals {
            $0.grouped = 1
            $0.rejected = [(.jsonInvalid, 1)]
            $0.firstReject = Statistics.RejectedLine(source: "a", line: 2, index: nil, reason: .jsonInvalid)
        }.problems
        #expect(
            problems == [
                "1 line rejected (1 json.invalid), the first at a:2; "
                    + "use --rejects FILE with sheaf replay to keep them"
            ])
    }
}
