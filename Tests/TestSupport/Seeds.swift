import Foundation

/// The seeds of property tests: fixed ones, so that a failure can be reproduced, or the one that `SHEAF_TEST_SEED`
/// names. `SHEAF_TEST_ROUNDS` multiplies their number. A seed is an argument of the test, and therefore part of every
/// failure's message.
package enum Seeds {
    package static func several(_ count: Int) -> [UInt64] {
        if let seed = number("SHEAF_TEST_SEED") { return [seed] }
        return (0..<UInt64(count) * (number("SHEAF_TEST_ROUNDS") ?? 1)).map { 1_000 + $0 }
    }

    private static func number(_ name: String) -> UInt64? {
        guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
        guard let number = UInt64(text) else { fatalError("\(name) is not a number: '\(text)'") }
        return number
    }
}

/// SplitMix64, which yields the same numbers for a seed on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x2545_f491_4f6c_dd1d &+ 1 }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// Returns a number from 0 to `bound` - 1.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// Changes, removes, inserts or copies one of the bytes, if there are any.
    package mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = below(bytes.count)
        switch below(5) {
        case 0: bytes[index] ^= 1 << UInt8(below(8))
        case 1: bytes[index] = pick([0, 1, 0x7f, 0x80, 0xff])
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8(below(256)), at: index)
        default: bytes[index] = bytes[below(bytes.count)]
        }
    }
}
