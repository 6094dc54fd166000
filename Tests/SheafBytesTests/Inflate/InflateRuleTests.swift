import FuzzChecks
import SheafBytes
import TestSupport
import Testing

/// Each rule of RFC 1951, and each error that zlib reports, by a stream written for it.
@Suite struct InflateRuleTests {
    /// What follows a stream: nothing, a few bytes or more than any decoder reads ahead.
    private static let followers: [[UInt8]] = [
        [], [UInt8](repeating: 0, count: 7), [UInt8](repeating: 0xff, count: 20),
        [UInt8](repeating: 0x55, count: 600),
    ]

    /// zlib itself agrees with what the cases claim.
    @Test(arguments: DeflateCase.all)
    func caseIsRight(_ test: DeflateCase) {
        for follower in test.expected.ending == .unfinished ? [[]] : Self.followers {
            let model = DeflateModel(test.stream + follower)
            var expected = test.expected
            expected.adopt(endsOf: model.result)
            #expect(model.result == expected)
            #expect(model.complaint == test.complaint)
        }
    }

    /// The offset of an error is that of the byte with the bit that shows it, whichever bit of the byte it is.
    @Test(arguments: Inflater.allCases)
    func errorsAreFoundAtTheirBits(by inflater: Inflater) {
        let reused = InflateStream(inflater)
        for test in DeflateCase.shifted {
            for follower in [Self.followers[0], Self.followers[2], Self.followers[3]] {
                let stream = test.stream + follower
                let model = DeflateModel(stream)
                var expected = test.expected
                expected.adopt(endsOf: model.result)
                #expect(model.result == expected, "\(test)")
                #expect(model.complaint == test.complaint, "\(test)")
                for pieceBytes in [Int.max, 1] {
                    let run = InflateRun(
                        reused, stream, .init(input: pieceBytes), limit: expected.bytes.count + 600)
                    let violations = run.violations + run.result.differences(from: expected)
                    #expect(violations == [], "\(test), \(follower.count) bytes after it")
                }
            }
        }
    }

    @Test(arguments: DeflateCase.all, Inflater.allCases)
    func streamIsInflatedOrRefused(_ test: DeflateCase, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        let count = test.expected.bytes.count
        // Every size of output is tried for small streams; the others would take too long.
        let cuts: [(input: Int, output: Int)] =
            count < 2_000
            ? [(.max, .max), (1, .max), (.max, 1), (1, 1), (3, 7), (50, 40), (9, .max), (.max, 300)]
            : [(.max, .max), (13, .max), (.max, 259), (1_000, 40_000)]
        for follower in test.expected.ending == .unfinished ? [[]] : Self.followers {
            let stream = test.stream + follower
            let ends = DeflateModel(stream).result
            for (input, output) in cuts {
                for stops in [false, true] {
                    var expected = test.expected
                    expected.adopt(endsOf: ends)
                    let run = InflateRun(
                        reused, stream, .init(input: input, output: output, stops: stops),
                        limit: count + 600)
                    let violations =
                        run.violations + run.result.differences(from: expected, stopsAlways: stops)
                    #expect(
                        violations == [],
                        "input \(input), output \(output), stops \(stops), \(follower.count) bytes after it")
                }
            }
        }
    }
}
