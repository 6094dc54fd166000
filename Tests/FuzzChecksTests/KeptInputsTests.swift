import FuzzChecks
import TestSupport
import Testing

/// Every check passes for the seeds of fuzzing, and for the inputs that fuzzing once found.
@Suite struct KeptInputsTests {
    struct Input: CustomTestStringConvertible, Sendable {
        let check: any FuzzCheck.Type
        let file: String

        var testDescription: String { "\(check.name)/\(file)" }
    }

    static let inputs = fuzzChecks.flatMap { check in
        names(in: "Fuzz/Inputs/\(check.name)").map { Input(check: check, file: $0) }
    }

    @Test(arguments: inputs)
    func keptInputPasses(_ input: Input) throws {
        let content = try Repository.contents(of: "Fuzz/Inputs/\(input.check.name)/\(input.file)")
        #expect(input.check.violations(in: [UInt8](content)) == [])
    }

    @Test(arguments: fuzzChecks.indices)
    func seedsPass(_ index: Int) {
        let check = fuzzChecks[index]
        for (number, seed) in check.seeds.enumerated() {
            #expect(check.violations(in: seed) == [], "\(check.name), seed \(number)")
        }
    }

    /// Inputs of a target whose check is not listed would never be tested.
    @Test func everyTargetIsListed() {
        let listed = fuzzChecks.map { $0.name }.sorted()
        #expect(Self.names(in: "Fuzz/Targets").map { $0.replacing(".swift", with: "") }.sorted() == listed)
        #expect(Set(Self.names(in: "Fuzz/Inputs")).isSubset(of: listed))
    }

    /// The names in a folder of this repository, in order; empty if the folder is missing.
    private static func names(in folder: String) -> [String] {
        ((try? Repository.names(in: folder)) ?? []).sorted()
    }
}
