/// Random numbers that every hash table of this process depends on.
///
/// Logs come from strangers: where hashes can be computed in advance, a log can be made whose texts all collide. No
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

    /// Both numbers mixed: the halves of their product, folded, and themselves, so that a zero on one side leaves the
    /// other side's number instead of zero.
    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 { foldedProduct(a, b) ^ a ^ b }
}
