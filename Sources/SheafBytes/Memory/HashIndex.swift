import CSheaf

/// A hash table from hashes to element indices: open addressing, with half of each hash stored next to its index.
///
///     buckets   [ hash 32 | index + 1 32 ] …     a power of two, at most two thirds used, linear probing
///
/// The owner stores the elements, in an array that only grows. Invariant: an index is in at most one bucket. Looking
/// up a missing element costs the cache line of one bucket; elements are compared only if their hash bits are equal.
@usableFromInline package struct HashIndex: Sendable {
    @usableFromInline var buckets: [UInt64]
    private var used = 0

    /// The maximum number of elements.
    package static let maximumCount = Int(UInt32.max) - 1

    package init() { buckets = [UInt64](repeating: 0, count: 64) }

    /// The memory in use, in bytes, and the same amount again for the buckets that exist twice while the index grows.
    package var heldBytes: Int { 2 * buckets.count * MemoryLayout<UInt64>.stride }

    /// Returns the index of the element with this hash for which `isEqual` returns true, or nil. O(1) expected.
    @inlinable
    package func find(_ hash: UInt64, where isEqual: (Int) -> Bool) -> Int? {
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

    /// Starts loading the bucket at which the search for the hash begins.
    package func prefetch(_ hash: UInt64) {
        unsafe buckets.withUnsafeBufferPointer { buckets in
            // Safety: the mask keeps the index below the number of buckets, which is never 0, and a prefetch reads
            // nothing.
            unsafe sheaf_prefetch(buckets.baseAddress! + Int(hash & 0xffff_ffff) & (buckets.count - 1))
        }
    }

    /// Returns the first index that `find` would compare. Its element may be a different element.
    @inlinable
    @inline(__always)
    package func candidate(_ hash: UInt64) -> Int? { find(hash) { _ in true } }

    /// Inserts the index of an element that is not in the table yet. O(1) amortized.
    package mutating func insert(_ index: Int, hash: UInt64) {
        precondition(index < Self.maximumCount, "an index holds at most 2^32 - 2 elements")
        store((hash & 0xffff_ffff) << 32 | UInt64(index + 1))
        used += 1
        if used * 3 > buckets.count * 2 { grow() }
    }

    private mutating func store(_ entry: UInt64) {
        var bucket = Int(entry >> 32) & (buckets.count - 1)
        while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = entry
    }

    private mutating func grow() {
        let old = buckets
        buckets = [UInt64](repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { store(entry) }
    }
}
