/// SHA-256 (FIPS 180-4), with which a page names the only script that it runs.
///
/// For short texts: it takes about a second for 100 MB.
package enum SHA256 {
    /// Returns the 32 bytes of the digest.
    package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
            0x5be0_cd19,
        ]
        var padded: [UInt8] = []
        padded.append(bytes)
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(bytes.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded, from: start, to: &state) }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Returns the digest in base64, as a Content-Security-Policy has it.
    package static func base64(of bytes: Span<UInt8>) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var digest = digest(of: bytes)
        // 32 bytes are ten groups of three, and two that need one padding character.
        digest.append(0)
        var text = ""
        for start in stride(from: 0, to: digest.count, by: 3) {
            let word = Int(digest[start]) << 16 | Int(digest[start + 1]) << 8 | Int(digest[start + 2])
            for shift in [18, 12, 6, 0] { text.append(alphabet[word >> shift & 63]) }
        }
        return text.dropLast() + "="
    }

    private static func add(_ bytes: [UInt8], from start: Int, to state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            for offset in 0..<4 {
                words[index] = words[index] << 8 | UInt32(bytes[start + 4 * index + offset])
            }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let first = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
            let second = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var v = state
        for index in 0..<64 {
            let first = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let sum = v[7] &+ first &+ choice &+ constants[index] &+ words[index]
            let second = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [sum &+ second &+ majority, v[0], v[1], v[2], v[3] &+ sum, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ v[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [UInt32] = []
        var candidate: UInt32 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map(cubeRootFraction)
    }()

    /// Returns the first 32 bits of the fractional part of a number's cube root, exactly.
    private static func cubeRootFraction(_ number: UInt32) -> UInt32 {
        // The largest r with r³ ≤ number · 2⁹⁶ is the root times 2³².
        let target = UInt128(number) << 96
        var root: UInt128 = 0
        for bit in stride(from: 35, through: 0, by: -1) {
            let next = root | 1 << UInt128(bit)
            if next * next * next <= target { root = next }
        }
        return UInt32(truncatingIfNeeded: root)
    }
}
