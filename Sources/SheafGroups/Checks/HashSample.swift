import SheafBytes

/// A sample of the keys that occur in records, with something about each: those whose hash is below a limit.
///
///     hashes   0 ──■──■────■─■──┬──■───■────────■──■────■──── 2⁶⁴
///                    kept       limit      not kept
///
/// The limit is halved whenever there are more than `capacity` keys. The number of keys below a limit only grows, so
/// the last limit is the largest power of two, or all keys, that leaves at most `capacity` of those that occur,
/// whatever their order; and each kept key was below all earlier limits, so everything about it was recorded. The sample
/// is therefore a function of the set of records alone, and so is the union of samples of its parts.
///
/// Memory: `capacity` keys. The hash is the same in every process, which is why other keys may be crafted to have
/// the hash of a given one: they count as one key.
struct HashSample<Value: SampledValue>: Sendable {
    private(set) var values: [UInt64: Value] = [:]
    /// Hashes up to this one are kept.
    private(set) var limit = UInt64.max
    private let capacity: Int
    /// The number of times that keys were dropped.
    private(set) var lowerings = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Records something about the key with this hash.
    ///
    /// - Returns: whether the key is new.
    @discardableResult
    mutating func record(_ value: Value, for hash: UInt64) -> Bool {
        guard hash <= limit else { return false }
        if let index = values.index(forKey: hash) {
            values.values[index].merge(value)
            return false
        }
        values[hash] = value
        while values.count > capacity { lower(to: limit / 2) }
        return true
    }

    /// Adds another sample with the same capacity.
    mutating func add(_ other: HashSample) {
        lower(to: other.limit)
        for (hash, value) in other.values { record(value, for: hash) }
    }

    private mutating func lower(to newLimit: UInt64) {
        guard newLimit < limit else { return }
        limit = newLimit
        lowerings += 1
        values = values.filter { $0.key <= newLimit }
    }
}

/// What a sample records about a key.
protocol SampledValue: Sendable {
    /// Adds what other records show about the same key: associative and commutative.
    mutating func merge(_ other: Self)
}
