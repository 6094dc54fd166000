import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The pages list the rules with their severities and sources.
@Suite struct DocumentedRulesTests {
    private static let checking = "Documentation/guide/checking.md"
    private static let records = "Documentation/reference/records.md"

    @Test(arguments: CheckFinding.Severity.allCases)
    func thePageHasEveryRuleInOrder(_ severity: CheckFinding.Severity) throws {
        let names = try DocumentedTable.names("| \(severity.rawValue) | condition |", of: Self.checking)
        #expect(names == CheckFinding.all.filter { $0.severity == severity }.map(\.name))
    }

    @Test func thePageHasEveryRuleAboutApps() throws {
        let names = try DocumentedTable.names("| rule | condition |", of: Self.checking)
        #expect(names == CheckProblem.allCases.filter(\.isOfApp).map { "\($0.name)" })
    }

    @Test func thePageHasEveryRejectReasonInOrder() throws {
        let names = try DocumentedTable.names("| reason | condition |", of: Self.records)
        #expect(names == RejectReason.allCases.map { "\($0.name)" })
    }

    @Test func thePageHasTheSourceOfEachRule() throws {
        let rows = try DocumentedTable.rows("| rules | source |", of: Self.checking)
        for rule in CheckFinding.rules {
            let rows = rows.filter { $0.names.contains("\(rule.name)") }
            guard let row = rows.first else {
                #expect(rule.page == .generating || rule.page == .records, "\(rule.name)")
                continue
            }
            #expect(rows.count == 1, "\(rule.name)")
            let title = rule.page.rawValue.split(separator: ": ")[1].split(separator: ", ").last ?? ""
            #expect(row.text.contains(title), "\(rule.name)")
            if let error = rule.serviceError {
                #expect(row.names.contains(error) || row.text.contains("`\(error)`"), "\(rule.name)")
            }
        }
    }
}
