import TestSupport

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    /// Returns true with a probability of 1 in `count`.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &self) }
    }
}
