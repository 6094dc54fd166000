import TestSupport
import Testing

@testable import SheafFlow

/// The sources whose records are all rejected.
@Suite struct SourceCensusTests {
    @Test(arguments: Seeds.several(20)) func theSumOfSharesIsTheWhole(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var shares = Array(repeating: SourceCensus(), count: 3)
        var read: Set<Int> = []
        var rejected: [Int: UInt64] = [:]
        for _ in 0..<random.below(300) {
            let source = random.below(random.pick([5, 64, 200]))
            let (records, rejects) = (UInt64(random.below(3) / 2), UInt64(random.below(3)))
            shares[random.below(3)].count(source, records: records, rejected: rejects)
            if records > 0 { read.insert(source) }
            if rejects > 0 { rejected[source, default: 0] += rejects }
        }
        var census = SourceCensus()
        for share in shares.shuffled(using: &random) { census.add(share) }
        let unread = rejected.filter { !read.contains($0.key) }.sorted { $0.key < $1.key }
        #expect(census.unread.map(\.source) == unread.map(\.key))
        #expect(census.unread.map(\.rejected) == unread.map(\.value))
    }
}
