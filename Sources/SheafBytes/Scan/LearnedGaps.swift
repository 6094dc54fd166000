/// The gaps that a scanner has met, and which ones followed which: the next one is guessed and compared before it
/// is read byte by byte.
///
///     start ──▶ {"timestamp": ──▶ ,"app":" ──▶ ","device":" ──▶ …        a gap's guesses: those that came
///           └─▶ {"ts":        ──▶ …                                      behind it, by their first bytes
///
/// Holds at most `capacity` gaps. When it is full it learns no more, until it is old enough to be emptied and begin
/// anew: a log whose keys never repeat costs little more than without, and one that changes its ways is learned
/// again. What a scan finds never depends on what is in here.
@safe struct LearnedGaps: ~Copyable {
    /// Stands for the place before a text's first byte.
    static let start = 1
    /// Stands for a gap that is not kept. Nothing is guessed behind it.
    static let unlearned = 2
    /// What is open before a text's first byte.
    static let startState = 0
    /// What is open is not among the states that are kept.
    static let unknownState = -1

    private static let capacity = 1024
    private static let stateCapacity = 512
    private static let openingCapacity = 4096
    private static let textsBeforeRenewal = 1 << 16

    /// What a kept gap is behind its first bytes, and what is open around it.
    private struct Ends {
        let source: Int
        var target: Int
    }

    /// From 1; the first two are not gaps that were read.
    let gaps: UnsafeMutablePointer<Gap>
    /// By gap: its bytes behind those of the first block.
    let seconds: UnsafeMutablePointer<ByteBlock>
    let guesses: Guesses
    /// The openings of all gaps, each gap's one after the other.
    let openings: UnsafeMutablePointer<Opening>
    private var openingCount = 0
    private var count = LearnedGaps.unlearned
    private var ends: [Ends]
    private var gapIndex = HashIndex()
    /// What is open: each a list of containers, the outermost first.
    private var states: [[Container]] = [[]]
    private var stateIndex = HashIndex()
    /// How many texts were scanned since it was empty.
    private var texts = 0

    init(_ nodes: PlanNodes) {
        // Safety: allocated here for good, plain memory, given back in `deinit`. A gap is written before a guess
        // names it; the start is never compared.
        unsafe gaps = UnsafeMutableRawPointer.allocate(
            byteCount: (Self.capacity + 1) * MemoryLayout<Gap>.stride, alignment: 64
        ).bindMemory(to: Gap.self, capacity: Self.capacity + 1)
        unsafe seconds = .allocate(capacity: Self.capacity + 1)
        unsafe guesses = Guesses(gaps: Self.capacity + 1)
        unsafe openings = .allocate(capacity: Self.openingCapacity)
        ends = Array(
            repeating: Ends(source: Self.startState, target: Self.startState), count: Self.capacity + 1)
        for stand in [Self.start, Self.unlearned] {
            unsafe (gaps + stand).initialize(to: Gap([], kind: .beforeScalar, key: nodes.root))
        }
    }

    deinit {
        unsafe gaps.deallocate()
        unsafe seconds.deallocate()
        unsafe guesses.deallocate()
        unsafe openings.deallocate()
    }

    /// The state in which the value behind a gap stands.
    func state(behind gap: Int) -> Int { ends[gap].target }

    /// The containers of a state.
    func containers(of state: Int) -> [Container] { states[state] }

    /// Counts a text that is about to be scanned. Only here, between two texts, everything may be forgotten.
    @inline(__always)
    mutating func beginText() {
        texts &+= 1
        if count == Self.capacity, texts >= Self.textsBeforeRenewal { forget() }
    }

    /// The number of the state in which `containers` are open; `unknownState` when it can't be kept.
    mutating func state(of containers: [Container]) -> Int {
        var hash: UInt64 = 0
        for container in containers {
            let node = unsafe UInt64(UInt(bitPattern: container.node))
            hash = (hash ^ node ^ UInt64(container.closer)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
        }
        if containers.isEmpty { return Self.startState }
        if let known = stateIndex.find(hash, where: { Self.isSame(states[$0], containers) }) {
            return known
        }
        guard states.count < Self.stateCapacity else { return Self.unknownState }
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

    /// Keeps a gap that was read, if it can be kept, and guesses it from now on behind the one `before` it.
    ///
    /// - Parameters:
    ///   - bytes: the gap's.
    ///   - gap: the same, with its kind and key.
    ///   - source: the state before it.
    ///   - target: the state behind it.
    /// - Returns: its number, or `unlearned`.
    mutating func learn(
        _ bytes: [UInt8], _ gap: Gap, openings: [Opening], behind before: Int, source: Int, target: Int
    ) -> Int {
        let isKept =
            unsafe !bytes.isEmpty && bytes.count <= Gap.maximumLength && source != Self.unknownState
            && target != Self.unknownState
        guard isKept,
            let number = unsafe find(bytes, gap, source) ?? add(bytes, gap, openings, source, target)
        else {
            unsafe gaps[Self.unlearned] = unsafe gap
            ends[Self.unlearned].target = target
            return Self.unlearned
        }
        if before != Self.unlearned { unsafe guesses.add(number, bytes, behind: before) }
        return number
    }

    private static func hash(_ gap: Gap, _ source: Int) -> UInt64 {
        unsafe ((gap.hash ^ UInt64(truncatingIfNeeded: source)) &* 0x9e37_79b9_7f4a_7c15) >> 16
    }

    private func find(_ bytes: [UInt8], _ gap: Gap, _ source: Int) -> Int? {
        gapIndex.find(unsafe Self.hash(gap, source)) { number in
            unsafe ends[number].source == source && gaps[number].isSame(as: gap)
                && (bytes.count <= ByteBlock.count
                    || seconds[number].equal(Gap.block(bytes[ByteBlock.count...])) == .max)
        }
    }

    private mutating func add(
        _ bytes: [UInt8], _ gap: Gap, _ openings: [Opening], _ source: Int, _ target: Int
    ) -> Int? {
        guard count < Self.capacity, openingCount + openings.count <= Self.openingCapacity else {
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
        unsafe (seconds + count).initialize(to: Gap.block(bytes.dropFirst(ByteBlock.count)))
        ends[count] = Ends(source: source, target: target)
        gapIndex.insert(count, hash: unsafe Self.hash(gap, source))
        return count
    }

    @inline(never)
    private mutating func forget() {
        count = Self.unlearned
        gapIndex = HashIndex()
        openingCount = 0
        states.removeSubrange(1...)
        stateIndex = HashIndex()
        unsafe guesses.clear()
        unsafe gaps[Self.start].usual = 0
        texts = 0
    }
}

/// By gap: those that came behind it, in a small table by their first bytes, so that the first one that is looked
/// at is nearly always the right one.
@unsafe struct Guesses {
    /// Sixteen places a gap; 0 is none.
    private let places: UnsafeMutablePointer<UInt16>
    private let count: Int

    private static let perGap = 16

    init(gaps: Int) {
        unsafe count = gaps * Self.perGap
        unsafe places = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
        unsafe places.initialize(repeating: 0, count: count)
    }

    func deallocate() { unsafe places.deallocate() }

    func clear() { unsafe places.update(repeating: 0, count: count) }

    /// The place of the table at which text that begins with the bytes of `word` is looked for first.
    @inline(__always)
    private static func home(_ word: UInt64) -> Int {
        // Five bytes: the comma, the quote and three letters of a key. A gap may have no more.
        Int(truncatingIfNeeded: ((word & 0xff_ffff_ffff) &* 0x9e37_79b9_7f4a_7c15) >> 60)
    }

    /// A learned gap that the text at `place` begins with, of those that came behind `gap`; 0 when there is none.
    @inline(__always)
    func find(
        at place: JSONTokens.Place, behind gap: Int, _ gaps: UnsafeMutablePointer<Gap>,
        _ seconds: UnsafeMutablePointer<ByteBlock>
    ) -> Int {
        let table = unsafe places + gap &* Self.perGap
        let word = unsafe UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
        var home = unsafe Self.home(word)
        for _ in unsafe 0..<Self.perGap {
            let candidate = unsafe Int(table[home])
            if candidate == 0 { return 0 }
            if unsafe Gap.matches(gaps + candidate, seconds + candidate, place) { return candidate }
            home = unsafe (home &+ 1) & (Self.perGap &- 1)
        }
        return 0
    }

    /// Adds a gap; when the table is full it takes the place of the one at its home.
    func add(_ number: Int, _ bytes: [UInt8], behind gap: Int) {
        let table = unsafe places + gap * Self.perGap
        let word = bytes.prefix(5).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let first = unsafe Self.home(word)
        var home = first
        repeat {
            if unsafe table[home] == 0 {
                unsafe table[home] = UInt16(number)
                return
            }
            home = unsafe (home + 1) & (Self.perGap - 1)
        } while home != first
        unsafe table[first] = UInt16(number)
    }
}
