import SheafBytes

/// A set of hashes of scopes, which may also seem to have hashes that it does not have: a few in a hundred, unless it is
/// full.
struct ScopeFilter: Sendable {
    private var words: [UInt64]
    /// The number of bits that are set.
    private var count = 0

    private static let bitsPerHash = 16

    init() { words = [0] }

    /// Creates an empty set with room for four times as many hashes as `other`.
    init(replacing other: ScopeFilter) { words = [UInt64](repeating: 0, count: 4 * other.words.count) }

    /// Whether the set needs a larger one, to which all hashes are added again.
    var isFull: Bool { count * Self.bitsPerHash > words.count * UInt64.bitWidth }

    /// The memory in use, in bytes.
    var heldBytes: Int { words.capacity * MemoryLayout<UInt64>.stride }

    /// Returns the hash of the app of a device, or of all devices.
    static func owner(device: Span<UInt8>, app: Span<UInt8>) -> UInt64 {
        device.hash(seed: app.hash(seed: 10))
    }

    /// Returns the hash of a scope of an owner.
    static func scope(_ kind: EventScope.Kind, _ text: Span<UInt8>, of owner: UInt64) -> UInt64 {
        text.hash(seed: owner &+ UInt64(kind.rawValue) &* UInt64.goldenRatio)
    }

    mutating func add(_ hash: UInt64) {
        if mayHave(hash) { return }
        count += 1
        words[place(of: hash)] |= 1 << (hash & 63)
    }

    /// Whether the set may have a hash; false if it surely does not.
    @inline(__always)
    func mayHave(_ hash: UInt64) -> Bool { words[place(of: hash)] & 1 << (hash & 63) != 0 }

    /// The number of words is a power of two.
    @inline(__always)
    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 6) & (words.count - 1) }
}
