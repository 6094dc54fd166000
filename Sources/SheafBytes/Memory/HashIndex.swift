import CSheaf

/// Where elements are, by their hash: open addressing over indices, with half of each hash beside its index.
///
///     buckets   [ hash 32 | index + 1 32 ] …     a power of two, at most two thirds used, linear probing
///
/// The elements themselves are its owner's, in an array that only grows. Invariant: an index is in one bucket at
/// most. A look-up costs one bucket's cache line when the element is not there; only equal hash bits lead to a
/// comparison.
public struct HashIndex: Sendable {
    @usableFromInline var buckets: [UInt64]
    private var used = 0

    /// The most elements that can be told apart.
    public static let maximumCount = Int(UInt32.max) - 1

    public init() { buckets = [UInt64](repeating: 0, count: 64) }

    /// Bytes of memory in use, and as much again for the larger buckets beside them while the index grows.
    public var heldBytes: Int { 2 * buckets.count * MemoryLayout<UInt64>.stride }

    /// The index of the element with this hash for which `isEqual` holds. O(1) expected.
    @inlinable
    public func find(_ hash: UInt64, where isEqual: (Int) -> Bool) -> Int? {
        let tag = hash & 0xffff_ffff
        var bucket = Int(tag) & (buckets.count - 1)
        while true {
            let entry = buckets[bucket]
            if entry == 0 { return nil }
            if entry >> 32 == tag {
                let index = Int(entry & 0xffff_ffff) - 1
                if isEqual(index) { return index }
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
    }

    /// Starts to load the bucket in which the hash is looked for.
    public func prefetch(_ hash: UInt64) {
        unsafe buckets.withUnsafeBufferPointer { buckets in
            // Safety: the bucket is inside; nothing is read.
            unsafe sheaf_prefetch(buckets.baseAddress! + Int(hash & 0xffff_ffff) & (buckets.count - 1))
        }
    }

    /// The index that `find` would look at first; nothing is known of its element yet.
    public func candidate(_ hash: UInt64) -> Int? { find(hash) { _ in true } }

    /// Adds the index of an element that is not there yet. O(1) amortized.
    public mutating func insert(_ index: Int, hash: UInt64) {
        precondition(index < Self.maximumCount, "an index holds at most 2^32 - 2 elements")
        place((hash & 0xffff_ffff) << 32 | UInt64(index + 1))
        used += 1
        if used * 3 > buckets.count * 2 { grow() }
    }

    private mutating func place(_ entry: UInt64) {
        var bucket = Int(entry >> 32) & (buckets.count - 1)
        while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = entry
    }

    private mutating func grow() {
        let old = buckets
        buckets = [UInt64](repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }
}
