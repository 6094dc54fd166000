/// The gaps that a scanner has met, and which ones followed which, so that the next gap can be predicted and compared
/// instead of being parsed byte by byte.
///
///     start ──▶ {"timestamp": ──▶ ,"app":" ──▶ ,"device":" ──▶ …         each gap's usual successor, and a table of
///           └─▶ {"ts":        ──▶ …                                      all gaps by their state and first bytes
///
/// Holds a bounded number of gaps. When it is full, it stops learning until it is old enough to be cleared: a log
/// whose keys never repeat costs little more than without learning, and a log whose structure changes is learned
/// again. The results of a scan never depend on its contents.
///
/// Safety: only functions that take or return addresses are unsafe. The nodes and the results to which gaps, openings
/// and containers refer belong to the scanner that owns this value, so they outlive it. The numbers of gaps are at
/// most `bounds.gaps`, and so inside `gaps` and `rests`; a gap and its remainder are initialized before the table, the
/// index or another gap refers to it, and `removeAll` only makes them unreachable. Nothing is moved or freed before
/// `deinit`.
@safe struct LearnedGaps: ~Copyable {
    /// Represents the position before the first byte of a text.
    static let start = 1
    /// Represents a gap that is not kept. It has no usual successor: it is overwritten each time.
    static let unlearned = 2
    /// The state before the first byte of a text: nothing is open, and a value may follow.
    static let startState = 0
    /// The state in which nothing is open, and nothing may follow.
    static let endState = 1
    /// A state that is not kept.
    static let unknownState = -1

    /// Limits on the number of gaps and on how long they are kept.
    struct Bounds {
        /// The maximum number of gaps: about as many as fit into a core's second-level cache together with a chunk,
        /// and at most a quarter of the table's buckets.
        var gaps = 1024
        var states = 512
        /// The maximum number of openings of all gaps together.
        var openings = 4096
        /// The minimum number of scanned texts before a full table is cleared.
        var textsBeforeRenewal = 1 << 16
    }

    private let bounds: Bounds
    /// The gaps by number. The first three were not parsed: 0 for no gap, `start` and `unlearned`.
    let gaps: UnsafeMutablePointer<Gap>
    let rests: UnsafeMutablePointer<GapRest>
    // Safety: freed in `deinit`. The scanner's copies of it are local to its functions.
    let table = unsafe GapTable()
    /// The openings of all gaps, contiguous for each gap.
    let openings: UnsafeMutablePointer<Opening>
    private var openingCount = 0
    private var count = LearnedGaps.unlearned
    private var gapIndex = HashIndex()
    /// The open objects and arrays of each state, outermost first.
    private var states: [[Container]] = [[], []]
    private var stateIndex = HashIndex()
    /// The number of texts scanned since the gaps were last cleared.
    private var texts = 0

    /// Safety: the nodes and `found` must outlive this value.
    ///
    /// - Parameter found: where the values of unwanted keys may be recorded.
    init(_ nodes: PlanNodes, unwanted found: UnsafeMutablePointer<FieldScanner.FoundValue>, _ bounds: Bounds)
    {
        precondition(bounds.gaps >= 2 && bounds.gaps <= 1024, "the table has four buckets for each gap")
        precondition(
            bounds.states <= Int(Int16.max) && bounds.openings <= Int(Int16.max), "gaps store both in 16 bits"
        )
        self.bounds = bounds
        // Safety: the allocations live until `deinit` and hold plain values. The first three of `gaps` and `rests`,
        // which have at least that many elements, are initialized here.
        unsafe gaps = UnsafeMutableRawPointer.allocate(
            byteCount: (bounds.gaps + 1) * MemoryLayout<Gap>.stride, alignment: 64
        ).bindMemory(to: Gap.self, capacity: bounds.gaps + 1)
        unsafe rests = .allocate(capacity: bounds.gaps + 1)
        unsafe openings = .allocate(capacity: bounds.openings)
        for number in 0...Self.unlearned {
            unsafe (gaps + number).initialize(to: Gap(none: nodes.root, found: found))
            unsafe (rests + number).initialize(to: GapRest(bytes: Gap.block([]), key: nodes.root))
        }
    }

    deinit {
        // Safety: `init` allocated all of them, and only the scanner that owns this value has copies of the addresses.
        unsafe gaps.deallocate()
        unsafe rests.deallocate()
        unsafe table.deallocate()
        unsafe openings.deallocate()
    }

    /// Returns the open objects and arrays of a state.
    func containers(of state: Int) -> [Container] { states[state] }

    /// Counts a text that is about to be scanned. The gaps may be cleared only here, between two texts.
    @inline(__always)
    mutating func beginText() {
        texts &+= 1
        if count == bounds.gaps, texts >= bounds.textsBeforeRenewal { removeAll() }
    }

    /// Returns the number of the state in which `containers` are open, or `unknownState` if it can't be kept.
    mutating func state(of containers: [Container]) -> Int {
        if containers.isEmpty { return Self.endState }
        let secret = HashSecret.process
        var hash = secret.start
        for container in containers {
            // Safety: the address is only a number here.
            let node = unsafe UInt64(UInt(bitPattern: container.node))
            hash = HashSecret.mix(node ^ UInt64(container.closer) ^ secret.word, hash)
        }
        if let known = stateIndex.find(hash, where: { Self.isSame(states[$0], containers) }) { return known }
        guard states.count < bounds.states else { return Self.unknownState }
        stateIndex.insert(states.count, hash: hash)
        states.append(containers)
        return states.count - 1
    }

    // Safety: the addresses are only compared.
    private static func isSame(_ a: [Container], _ b: [Container]) -> Bool {
        guard a.count == b.count else { return false }
        for (one, other) in zip(a, b) {
            guard unsafe one.node == other.node, one.isObject == other.isObject else { return false }
        }
        return true
    }

    /// Returns whether a state is inside an array.
    private func isArray(_ state: Int) -> Bool { states[state].last.map { !$0.isObject } ?? false }

    /// Keeps a parsed gap if possible.
    ///
    /// Safety: `key`, the gap and the openings must refer to the nodes and the results that `init` received.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the gap.
    ///   - gap: the same gap with its properties.
    ///   - key: the key of the value after it.
    /// - Returns: the number of the gap, or `unlearned`.
    mutating func learn(
        _ bytes: [UInt8], _ gap: Gap, key: UnsafeMutablePointer<PlanNodes.Key>, openings: [Opening]
    ) -> Int {
        let rest = unsafe GapRest(
            bytes: Gap.block(bytes.dropFirst(ByteBlock.count).prefix(ByteBlock.count)), key: key)
        let isKept =
            unsafe !bytes.isEmpty && bytes.count <= Gap.maximumLength
            && Int(gap.source) != Self.unknownState && Int(gap.target) != Self.unknownState
        guard isKept, let number = unsafe find(gap, rest) ?? add(bytes, gap, rest, openings) else {
            // Safety: this element is always initialized.
            unsafe gaps[Self.unlearned] = unsafe gap
            unsafe rests[Self.unlearned] = unsafe rest
            return Self.unlearned
        }
        return number
    }

    private static func hash(_ gap: Gap) -> UInt64 {
        let secret = HashSecret.process
        return unsafe HashSecret.mix(gap.hash, UInt64(truncatingIfNeeded: Int(gap.source)) ^ secret.end)
    }

    private func find(_ gap: Gap, _ rest: GapRest) -> Int? {
        gapIndex.find(unsafe Self.hash(gap)) { number in
            // Safety: the index has only the numbers of learned gaps, which are initialized.
            unsafe gaps[number].isSame(as: gap) && rests[number].bytes.equal(rest.bytes) == .max
        }
    }

    private mutating func add(_ bytes: [UInt8], _ gap: Gap, _ rest: GapRest, _ openings: [Opening]) -> Int? {
        guard count < bounds.gaps, openingCount + openings.count <= bounds.openings, openings.count <= 128
        else {
            return nil
        }
        count += 1
        var gap = unsafe gap
        unsafe gap.firstOpening = Int16(openingCount)
        unsafe gap.openingCount = UInt8(openings.count)
        // Safety: the gap, its remainder and its openings are inside their allocations, by the checks above. The table
        // has an empty bucket: it has four for each gap.
        for opening in openings {
            unsafe (self.openings + openingCount).initialize(to: opening)
            openingCount += 1
        }
        unsafe (gaps + count).initialize(to: gap)
        unsafe (rests + count).initialize(to: rest)
        gapIndex.insert(count, hash: unsafe Self.hash(gap))
        let state = unsafe gap.source
        unsafe table.add(count, bytes, in: state, isArray: isArray(Int(state)))
        return count
    }

    @inline(never)
    private mutating func removeAll() {
        count = Self.unlearned
        gapIndex = HashIndex()
        openingCount = 0
        states.removeSubrange(2...)
        stateIndex = HashIndex()
        unsafe table.clear()
        // A local copy, as in `FieldScanner.parseGap`.
        //
        // Safety: the start is always initialized. All other gaps stay so, but nothing refers to them any more.
        let gaps = unsafe gaps
        unsafe gaps[Self.start].clearSuccessors()
        texts = 0
    }
}

/// A hash table of learned gaps by the state in which they begin and their first bytes: open addressing with linear
/// probing.
///
/// Safety: the owner calls `deallocate` once and uses neither the table nor a copy of it afterwards. Buckets are
/// indexed by numbers less than `count`: the 12 bits of a hash, and increments of those that are masked.
@unsafe struct GapTable {
    /// The numbers of gaps; 0 for an empty bucket. Invariant: `count` of them, at least one of them empty.
    private let buckets: UnsafeMutablePointer<UInt16>
    private static var count: Int { 4096 }

    init() {
        unsafe buckets = .allocate(capacity: Self.count)
        unsafe buckets.initialize(repeating: 0, count: Self.count)
    }

    func deallocate() { unsafe buckets.deallocate() }

    func clear() { unsafe buckets.update(repeating: 0, count: Self.count) }

    /// Returns the first bucket in which to look for a gap that begins with the bytes of `word`.
    ///
    /// In an object, five bytes count: the comma, the quote and three letters of a key, or fewer if the text ends
    /// before. In an array, only one byte counts: the bytes after the comma are different every time.
    @inline(__always)
    private static func firstBucket(_ word: UInt64, _ state: Int16, isArray: Bool) -> Int {
        let key: UInt64
        if isArray {
            key = word & 0xff
        } else {
            let five = word & 0xff_ffff_ffff
            let zeros = (five &- 0x01_0101_0101) & ~five & 0x80_8080_8080
            // The bits below the lowest one that marks a zero byte.
            key = zeros == 0 ? five : five & ((zeros & (0 &- zeros)) &- 1)
        }
        let hash = (key ^ UInt64(truncatingIfNeeded: state) &<< 40) &* UInt64.goldenRatio
        return Int(truncatingIfNeeded: hash &>> 52)
    }

    /// Returns a learned gap with which the text at `cursor` begins and which can follow `gap`, or 0. The caller has
    /// already compared the usual and the second gap.
    ///
    /// Safety: as for `Gap.matches`. `gaps` and `rests` must have every gap whose number was added since the table was
    /// cleared.
    @inline(never)
    func find(
        at cursor: JSONTokens.Cursor, after gap: UnsafeMutablePointer<Gap>,
        _ gaps: UnsafeMutablePointer<Gap>, _ rests: UnsafeMutablePointer<GapRest>
    ) -> Int {
        let state = unsafe gap.pointee.target
        // Safety: eight bytes are readable at any position up to the end mark, in the chunk or its slack.
        let word = unsafe UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
        var bucket = unsafe Self.firstBucket(word, state, isArray: gap.pointee.isInArray)
        while true {
            let candidate = unsafe Int(buckets[bucket])
            if unsafe candidate == 0
                || (gaps[candidate].source == state
                    && Gap.matches(gaps + candidate, rests + candidate, cursor))
            {
                return candidate
            }
            bucket = unsafe (bucket &+ 1) & (Self.count &- 1)
        }
    }

    /// Adds a gap with the first bytes of `bytes`.
    ///
    /// Safety: `find` will look at the gap with this number. There must be an empty bucket left after it: the table
    /// has four buckets for every gap that can be learned.
    func add(_ number: Int, _ bytes: [UInt8], in state: Int16, isArray: Bool) {
        var bucket = unsafe Self.firstBucket(bytes.leadingWord, state, isArray: isArray)
        while unsafe buckets[bucket] != 0 { bucket = unsafe (bucket + 1) & (Self.count - 1) }
        unsafe buckets[bucket] = UInt16(number)
    }
}
