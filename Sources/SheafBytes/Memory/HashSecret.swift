/// Random numbers that seed every hash table of this process.
///
/// Logs are untrusted: if hashes could be computed in advance, someone could craft a log whose texts all collide. No
/// result depends on these numbers.
struct HashSecret: Sendable {
    let start: UInt64
    let word: UInt64
    let end: UInt64

    static let process = HashSecret()

    private init() {
        var random = SystemRandomNumberGenerator()
        (start, word, end) = (random.next(), random.next(), random.next())
    }

    /// Mixes two numbers: XORs their folded product with both of them, so that if one is zero, the result is the
    /// other one instead of zero.
    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 { foldedProduct(a, b) ^ a ^ b }
}
