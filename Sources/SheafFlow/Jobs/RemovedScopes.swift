import SheafBytes
import SheafGroups

/// Hashes of the scopes of the removals in all partial results of a job. No removal applies to a notification that has
/// none of these scopes, so that it can be added to its group before any other partial result is read.
///
/// Memory: four bytes for each removal, at most twice the limit of them, and as many while they are sorted.
struct RemovedScopes: Equatable, Sendable {
    /// In ascending order, each once, after `sort`.
    private(set) var hashes: [UInt32] = []
    /// The number of first hashes that are in order.
    private var sortedCount = 0
    /// Whether there were more scopes than are kept: then none is.
    private(set) var areTooMany = false
    private let limit: Int

    /// - Parameters:
    ///   - hashes: in ascending order, each once.
    ///   - limit: the number of scopes that are kept.
    init(sorted hashes: [UInt32] = [], limit: Int = Limits.removedScopes) {
        (self.hashes, sortedCount, self.limit) = (hashes, hashes.count, limit)
    }

    /// Adds the scope of a record, if it is a removal.
    mutating func add(_ entry: NotificationEntry, in bytes: Span<UInt8>) {
        guard let hash = Self.hash(of: entry, in: bytes) else { return }
        hashes.append(hash)
        sortIfNeeded()
    }

    mutating func add(_ other: RemovedScopes) {
        areTooMany = areTooMany || other.areTooMany
        hashes += other.hashes
        sortIfNeeded()
    }

    /// Sorts when as many hashes were added as there were, so that all of it takes O(n log n).
    private mutating func sortIfNeeded() {
        if hashes.count >= 2 * sortedCount + Limits.groupsPerPiece || hashes.count > 2 * limit {
            sort()
        }
    }

    /// Brings the hashes into order, and leaves each out that is repeated.
    mutating func sort() {
        hashes.sort()
        var last: UInt32?
        hashes.removeAll { hash in
            defer { last = hash }
            return hash == last
        }
        if hashes.count > limit { areTooMany = true }
        if areTooMany { hashes = [] }
        sortedCount = hashes.count
    }

    /// Identifies the scopes. They must be in order.
    var digest: UInt64 { hashes.reduce(1) { ($0 ^ UInt64($1)) &* UInt64.goldenRatio } }

    /// Returns the hash of a removal's scope; nil for another record.
    private static func hash(of entry: NotificationEntry, in bytes: Span<UInt8>) -> UInt32? {
        guard case .removal(let removal) = entry.event else { return nil }
        let owner = owner(device: bytes[removal.device], app: bytes[removal.app])
        return hash(removal.scope, bytes[removal.text], of: owner)
    }

    /// Returns the hash of the app of a device, or of all devices.
    private static func owner(device: Span<UInt8>, app: Span<UInt8>) -> UInt64 {
        device.stableHash(seed: app.stableHash(seed: 0))
    }

    private static func hash(_ scope: RemovalScope, _ text: Span<UInt8>, of owner: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: text.stableHash(seed: owner &+ UInt64(scope.rawValue)) >> 32)
    }

    /// Whether a record is one that the set has the scope of, or not a removal. The scopes must be in order.
    func knows(_ entry: NotificationEntry, in bytes: Span<UInt8>) -> Bool {
        Self.hash(of: entry, in: bytes).map(contains) ?? true
    }

    /// Whether a removal may apply to a notification: false if it surely does not. The scopes must be in order. O(log n)
    /// for n removals.
    func mayApply(to record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        func mayApply(_ device: TextRange) -> Bool {
            let owner = Self.owner(device: bytes[device], app: bytes[record.app])
            func has(_ scope: RemovalScope, _ text: TextRange) -> Bool {
                contains(Self.hash(scope, bytes[text], of: owner))
            }
            return has(.app, .none) || has(.thread, record.thread)
                || !record.removalIdentifier.isEmpty && has(.identifier, record.removalIdentifier)
        }
        return mayApply(record.device) || !record.device.isEmpty && mayApply(.none)
    }

    private func contains(_ hash: UInt32) -> Bool {
        let index = hashes.partitioningIndex { hash <= $0 }
        return index < hashes.count && hashes[index] == hash
    }
}
