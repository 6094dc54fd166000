import SheafBytes
import SheafGroups
import SheafText

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

    init(capacity: Int) { self.capacity = capacity }

    /// Records something about the key with this hash.
    ///
    /// - Returns: whether the key is new.
    @discardableResult
    mutating func record(_ value: Value, for hash: UInt64) -> Bool {
        record(for: hash, { value }, { $0.merge(value) })
    }

    /// Records something about the key with this hash, whose value is only made if the key is new.
    ///
    /// - Parameters:
    ///   - make: returns the value of a new key.
    ///   - change: adds to that of a known one what merging it with a new value would.
    /// - Returns: whether the key is new.
    mutating func record(for hash: UInt64, _ make: () -> Value, _ change: (inout Value) -> Void) -> Bool {
        guard hash <= limit else { return false }
        if let index = values.index(forKey: hash) {
            change(&values.values[index])
            return false
        }
        values[hash] = make()
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
        values = values.filter { $0.key <= newLimit }
    }
}

/// What a sample records about a key.
protocol SampledValue: Sendable {
    /// Adds what other records show about the same key: associative and commutative.
    mutating func merge(_ other: Self)
}

// MARK: - What is recorded about a key

/// The notifications with a key: a thread, a collapse identifier, or an identifier on a device.
struct KeyUse: SampledValue {
    let app: UInt64
    private(set) var count: UInt64 = 1
    /// The first and the last entry: one with several device tokens is one push, although each token has a record.
    private(set) var first: RecordPosition
    private var last: RecordPosition
    /// The least of the notifications' values: the number of the format for a thread.
    private var value: UInt64
    private(set) var hasSeveralValues = false
    /// Whether one of a thread's formats takes arguments.
    var takesArguments = false
    /// Whether a thread has an identifier, as opposed to the thread of all notifications without one.
    var isNamed = true

    init(app: UInt64, value: UInt64 = 0, at position: RecordPosition) {
        self.app = app
        self.value = value
        (first, last) = (position, position)
    }

    mutating func merge(_ other: KeyUse) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
        if other.hasSeveralValues || other.value != value { hasSeveralValues = true }
        // The same in any order.
        value = min(value, other.value)
        if other.takesArguments { takesArguments = true }
    }

    /// Whether there is only one entry.
    var isSingle: Bool { first == last }

    /// Whether a thread's summary has the default format (specification §7).
    var hasDefaultFormat: Bool { hasSeveralValues && takesArguments }
}

/// The pushes with an identifier, and the results of service extensions for them.
struct PushUse: SampledValue {
    let app: UInt64
    /// Whether any of the pushes has `mutable-content`.
    private var isMutable = false
    /// The oldest push, and the first one in the log; nil for results alone.
    private var oldest: OrderKey?
    private(set) var first: RecordPosition?
    private var newestResult: OrderKey?

    init(app: UInt64, isMutable: Bool, at order: OrderKey, _ position: RecordPosition) {
        self.app = app
        self.isMutable = isMutable
        (oldest, first) = (order, position)
    }

    init(app: UInt64, resultAt order: OrderKey) {
        self.app = app
        newestResult = order
    }

    mutating func merge(_ other: PushUse) {
        if other.isMutable { isMutable = true }
        oldest = Self.merged(oldest, other.oldest, min)
        first = Self.merged(first, other.first, min)
        newestResult = Self.merged(newestResult, other.newestResult, max)
    }

    private static func merged<Value>(_ a: Value?, _ b: Value?, _ choose: (Value, Value) -> Value) -> Value? {
        guard let a, let b else { return a ?? b }
        return choose(a, b)
    }

    /// Whether a service extension returned something for one of the pushes.
    var hasResult: Bool {
        guard let newestResult, let oldest else { return false }
        return oldest < newestResult
    }

    /// Whether no device starts a service extension for any of the pushes.
    var startsNone: Bool { oldest != nil && !isMutable }
}
