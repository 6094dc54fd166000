import Foundation
import FuzzChecks
import Testing

/// What fuzzing starts from, and what it once found: every promise holds for it.
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
    func keptInput(_ input: Input) throws {
        let path = "\(Repository.root)Fuzz/Inputs/\(input.check.name)/\(input.file)"
        let content = try Data(contentsOf: URL(filePath: path))
        #expect(input.check.mistakes(about: [UInt8](content)) == [])
    }

    @Test(arguments: fuzzChecks.indices)
    func seeds(_ index: Int) {
        let check = fuzzChecks[index]
        for (number, seed) in check.seeds.enumerated() {
            #expect(check.mistakes(about: seed) == [], "\(check.name), seed \(number)")
        }
    }

    /// A target whose check is not listed would have inputs that nobody runs.
    @Test func everyTargetIsListed() {
        let listed = fuzzChecks.map { $0.name }.sorted()
        #expect(Self.names(in: "Fuzz/Targets").map { $0.replacing(".swift", with: "") }.sorted() == listed)
        #expect(Set(Self.names(in: "Fuzz/Inputs")).isSubset(of: listed))
    }

    /// The names in a folder of this repository, none where it is not there.
    private static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: Repository.root + folder)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }
}
