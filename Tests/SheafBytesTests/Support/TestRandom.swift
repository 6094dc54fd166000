import Foundation

/// The random numbers of property tests: SplitMix64, the same from one seed on every machine.
///
/// `SHEAF_TEST_SEED` (decimal, or hexadecimal behind `0x`) sets the seed. A test that fails prints the random
/// stream it used, which names the seed.
struct TestRandom: RandomNumberGenerator, CustomStringConvertible {
    static let seed: UInt64 = {
        guard let text = ProcessInfo.processInfo.environment["SHEAF_TEST_SEED"] else { return 20_260_131 }
        let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        guard let seed else { preconditionFailure("SHEAF_TEST_SEED is no number: \(text)") }
        return seed
    }()

    /// `count` rounds, or so many times more as `SHEAF_TEST_ROUNDS` says.
    static func rounds(_ count: Int) -> Range<Int> {
        let factor = ProcessInfo.processInfo.environment["SHEAF_TEST_ROUNDS"].flatMap { Int($0) } ?? 1
        return 0..<(count * max(1, factor))
    }

    private let stream: Int
    private var state: UInt64

    /// - Parameter stream: keeps the runs of one test apart.
    init(stream: Int = 0) {
        self.stream = stream
        state = Self.seed &+ UInt64(stream) &* 0xd1b5_4a32_d192_ed03
    }

    var description: String { "SHEAF_TEST_SEED=\(Self.seed), stream \(stream)" }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    mutating func below(_ bound: Int) -> Int { .random(in: 0..<bound, using: &self) }

    /// True once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
