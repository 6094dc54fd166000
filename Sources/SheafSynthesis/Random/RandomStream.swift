/// A stream of random numbers that is the same on every machine: xoshiro256**, seeded by SplitMix64.
///
/// A pinned log needs a stable sequence, which the standard library's generators do not promise.
struct RandomStream: Sendable {
    /// The generator's state, never all zero: SplitMix64 yields each number once per period, so at most one of the four
    /// words is zero.
    private var state: (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
        state = (
            Self.mix(seed &+ Self.step), Self.mix(seed &+ 2 &* Self.step),
            Self.mix(seed &+ 3 &* Self.step), Self.mix(seed &+ 4 &* Self.step)
        )
    }

    /// - Parameter state: not all zero, because the generator would never leave that state.
    init(state: (UInt64, UInt64, UInt64, UInt64)) {
        self.state = state
    }

    mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 &<< 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, by: 45)
        return result
    }

    /// Returns a number in `0..<bound`. The bias is below bound / 2^64, too small to show in any log.
    mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// Returns a number in `0..<bound`; `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: below(UInt64(bound)))
    }

    /// Returns true with a probability of `perMille` in 1,000.
    mutating func chance(perMille: Int) -> Bool {
        below(1_000) < perMille
    }

    /// SplitMix64's output function: a bijection in which every input bit affects every output bit.
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// SplitMix64's increment: 2^64 divided by the golden ratio, made odd.
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
        (value &<< count) | (value &>> (64 &- count))
    }
}
