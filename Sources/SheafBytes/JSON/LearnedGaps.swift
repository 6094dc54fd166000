/// The gaps that a scanner has met, and which ones followed which: the next one is guessed and compared before it
/// is read byte by byte.
///
///     start ──▶ {"timestamp": ──▶ ,"app":" ──▶ ,"device":" ──▶ …         each gap's usual next one, and a table of
///           └─▶ {"ts":        ──▶ …                                      all by what is open and their first bytes
///
/// Holds a bounded number of gaps. When it is full it learns no more, until it is old enough to be emptied and begin
/// anew: a log whose keys never repeat costs little more than without, and one that changes its ways is learned
/// again. What a scan finds never depends on what is in here.
@safe struct LearnedGaps: ~Copyable {
    /// Stands for the place before a text's first byte.
    static let start = 1
    /// Stands for a gap that is not kept. None is usual behind it: it is written anew each time.
    static let unlearned = 2
    /// The state before a text's first byte: nothing is open, and a value may come.
    static let startState = 0
    /// Nothing is open, and nothing may come.
    static let endState = 1
    /// A state that is not kept.
    static let unknownState = -1

    /// How much is kept, and for how long.
    struct Bounds {
        /// The most gaps: about as many as a core's second cache has room for beside a chunk, and at most a quarter
        /// of the table's places.
        var gaps = 1024
        var states = 512
        /// The most openings of all gaps together.
        var openings = 4096
        /// How many texts are scanned at the least before what was learned is forgotten, when it is full.
        var textsBeforeRenewal = 1 << 16
    }

    private let bounds: Bounds
    /// The first three are not gaps that were read; number 0 is none.
    let gaps: UnsafeMutablePointer<Gap>
    let rests: UnsafeMutablePointer<GapRest>
    let table = GapTable()
    /// The openings of all gaps, each gap's one after the other.
    let openings: UnsafeMutablePointer<Opening>
    private var openingCount = 0
    private var count = LearnedGaps.unlearned
    private var gapIndex = HashIndex()
    /// What is open in a state: containers, the outermost first.
    private var states: [[Container]] = [[], []]
    private var stateIndex = HashIndex()
    /// How many texts were scanned since it was empty.
    private var texts = 0

    /// - Parameter found: where what is found for unwanted keys may be noted.
    init(_ nodes: PlanNodes, unwanted found: UnsafeMutablePointer<FieldScanner.Found>, _ bounds: Bounds) {
        precondition(bounds.gaps >= 2 && bounds.gaps <= 1024, "the table has four places a gap")
        precondition(
            bounds.states <= Int(Int16.max) && bounds.openings <= Int(Int16.max), "16 bits name them")
        self.bounds = bounds
        // Safety: allocated here for good, plain memory, given back in `deinit`. A gap is written before the table
        // names it; the start is never compared.
        unsafe gaps = UnsafeMutableRawPointer.allocate(
            byteCount: (bounds.gaps + 1) * MemoryLayout<Gap>.stride, alignment: 64
        ).bindMemory(to: Gap.self, capacity: bounds.gaps + 1)
        unsafe rests = .allocate(capacity: bounds.gaps + 1)
        unsafe openings = .allocate(capacity: bounds.openings)
        for stand in 0...Self.unlearned {
            unsafe (gaps + stand).initialize(to: Gap(none: nodes.root, found: found))
            unsafe (rests + stand).initialize(to: GapRest(bytes: Gap.block([]), key: nodes.root))
        }
    }

    deinit {
        unsafe gaps.deallocate()
        unsafe rests.deallocate()
        table.deallocate()
        unsafe openings.deallocate()
    }

    /// The containers of a state.
    func containers(of state: Int) -> [Container] { states[state] }

    /// Counts a text that is about to be scanned. Only here, between two texts, everything may be forgotten.
    @inline(__always)
    mutating func beginText() {
        texts &+= 1
        if count == bounds.gaps, texts >= bounds.textsBeforeRenewal { forget() }
    }

    /// The number of the state in which `containers` are open; `unknownState` when it can't be kept.
    mutating func state(of containers: [Container]) -> Int {
        if containers.isEmpty { return Self.endState }
        let secret = HashSecret.process
        var hash = secret.start
        for container in containers {
            let node = unsafe UInt64(UInt(bitPattern: container.node))
            hash = HashSecret.mix(node ^ UInt64(container.closer) ^ secret.word, hash)
        }
        if let known = stateIndex.find(hash, where: { Self.isSame(states[$0], containers) }) { return known }
        guard states.count < bounds.states else { return Self.unknownState }
        stateIndex.insert(states.count, hash: hash)
        states.append(containers)
        return states.count - 1
    }

    private static func isSame(_ a: [Container], _ b: [Container]) -> Bool {
        guard a.count == b.count else { return false }
        for (one, other) in zip(a, b) {
            guard unsafe one.node == other.node, one.isObject == other.isObject else { return false }
        }
        return true
    }

    /// Whether a state is inside an array.
    private func isArray(_ state: Int) -> Bool { states[state].last.map { !$0.isObject } ?? false }

    /// Keeps a gap that was read, if it can be kept.
    ///
    /// - Parameters:
    ///   - bytes: the gap's.
    ///   - gap: the same, with what is known of it.
    ///   - key: of the value behind it.
    /// - Returns: its number, or `unlearned`.
    mutating func learn(
        _ bytes: [UInt8], _ gap: Gap, behind key: UnsafeMutablePointer<PlanNodes.Key>, openings: [Opening]
    ) -> Int {
        let rest = unsafe GapRest(
            bytes: Gap.block(bytes.dropFirst(ByteBlock.count).prefix(ByteBlock.count)), key: key)
        let isKept =
            unsafe !bytes.isEmpty && bytes.count <= Gap.maximumLength
            && Int(gap.source) != Self.unknownState && Int(gap.target) != Self.unknownState
        guard isKept, let number = unsafe find(gap, rest) ?? add(bytes, gap, rest, openings) else {
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
        for opening in openings {
            unsafe (self.openings + openingCount).initialize(to: opening)
            openingCount += 1
        }
        unsafe (gaps + count).initialize(to: gap)
        unsafe (rests + count).initialize(to: rest)
        gapIndex.insert(count, hash: unsafe Self.hash(gap))
        let state = unsafe gap.source
        table.add(count, bytes, in: state, isArray: isArray(Int(state)))
        return count
    }

    @inline(never)
    private mutating func forget() {
        count = Self.unlearned
        gapIndex = HashIndex()
        openingCount = 0
        states.removeSubrange(2...)
        stateIndex = HashIndex()
        table.clear()
        // Named apart, as in `FieldScanner.readGap`.
        let gaps = unsafe gaps
        unsafe gaps[Self.start].forgetUsual()
        texts = 0
    }
}
