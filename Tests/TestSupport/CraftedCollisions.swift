/// Texts that an attacker would send: they all have the same hash under multiply-and-fold without a secret.
///
/// A second word that equals the state makes the product zero, which discards everything hashed before it.
package enum CraftedCollisions {
    /// Returns `count` distinct texts with the same hash.
    ///
    /// - Parameters:
    ///   - seed: the seed of the hash under attack.
    ///   - suffix: the bytes after the sixteen crafted bytes of each text.
    package static func texts(_ count: Int, seed: UInt64, suffix: [UInt8] = []) -> [[UInt8]] {
        (0..<UInt64(count)).map { number in
            let first = 0x6161_6161_6161_6161 + number
            let state = fold(seed ^ 0x9e37_79b9_7f4a_7c15 ^ first, 0xa076_1d64_78bd_642f)
            return bytes(first) + bytes(state) + suffix
        }
    }

    /// The hash under attack.
    package static func hash(_ text: [UInt8], seed: UInt64) -> UInt64 {
        var state = seed ^ 0x9e37_79b9_7f4a_7c15
        let words = text.count / 8
        for index in 0..<words {
            state = fold(state ^ word(text[(8 * index)..<(8 * index + 8)]), 0xa076_1d64_78bd_642f)
        }
        state = fold(state ^ word(text[(8 * words)...]), 0xe703_7ed1_a0b4_28db)
        return fold(state ^ UInt64(text.count), 0x8ebc_6af0_9c88_c6e3)
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
}
