/// One pass over a JSON object: every byte validated (RFC 8259), only the wanted fields noted.
///
///     { "payload" : { "aps" : { "alert" : "…" } , "custom" : [ … ] } , "ts" : 1700000000 }
///       wanted        wanted    wanted │            skipped, validated    wanted │
///                                      ▼                                         ▼
///                              slot: string, where                       slot: number, where
///
/// Nothing is copied or decoded: a slot says what kind of value was there and where its bytes stand. Texts with
/// escapes are decoded in place by `Chunk.decodeEscapes` for those who want them.
///
/// Owns its slots and a copy of the plan; allocates nothing per record. Results stand until the next scan.
@safe public struct FieldScanner: ~Copyable {
    public enum Outcome: Equatable, Sendable {
        case object
        /// One valid JSON value that is not an object.
        case notObject
        case invalid
        /// More than `maximumDepth` objects and arrays inside each other.
        case tooDeep
    }

    public enum Kind: UInt8, Sendable {
        case absent, null, bool, number, string, object, array
    }

    /// What was found for a wanted field.
    public struct Value: Sendable, Equatable {
        public let kind: Kind
        /// A string's bytes between its quotes, a number's digits; of other kinds the value's first byte; none when
        /// absent.
        public let text: TextRange
        /// Whether a string has escapes, so that its bytes are not yet its text.
        public let hasEscapes: Bool
    }

    /// Objects and arrays may stand this deep inside each other (specification §2).
    public static let maximumDepth = 128

    let plan: FieldPlan
    let nodes: UnsafeMutablePointer<PlanNode>
    /// What is in each slot; its text holds only when this is not `absent`, its escapes only when it is `string`.
    let kinds: UnsafeMutablePointer<Kind>
    let texts: UnsafeMutablePointer<TextRange>
    let escapes: UnsafeMutablePointer<Bool>
    private let slotCount: Int
    /// Where the last scan ended, when it found the text invalid: an offset in the chunk.
    public private(set) var invalidOffset = 0

    public init(_ plan: FieldPlan) {
        self.plan = plan
        slotCount = plan.slotCount
        // Safety: allocated here for good, given back in `deinit`; the plan that the nodes point into is kept
        // beside them and never changes.
        unsafe nodes = .allocate(capacity: plan.nodes.count)
        for (index, node) in plan.nodes.enumerated() {
            unsafe (nodes + index).initialize(to: PlanNode(node))
        }
        unsafe kinds = .allocate(capacity: slotCount)
        unsafe kinds.initialize(repeating: .absent, count: slotCount)
        unsafe texts = .allocate(capacity: slotCount)
        unsafe texts.initialize(repeating: .none, count: slotCount)
        unsafe escapes = .allocate(capacity: slotCount)
        unsafe escapes.initialize(repeating: false, count: slotCount)
    }

    deinit {
        for index in 0..<plan.nodes.count { unsafe nodes[index].deallocate() }
        unsafe nodes.deallocate()
        unsafe kinds.deallocate()
        unsafe texts.deallocate()
        unsafe escapes.deallocate()
    }

    /// Scans the JSON text at `text` of `chunk`. O(length).
    ///
    /// Writes one byte behind the text while it runs and puts the old one back: the scan's end mark.
    public mutating func scan(_ text: TextRange, of chunk: Chunk) -> Outcome {
        let range = text.range
        precondition(range.upperBound <= chunk.capacity, "text outside its chunk")
        unsafe kinds.update(repeating: .absent, count: slotCount)
        // Safety: the byte behind a line is its ending, the byte behind an embedded text the closing quote or
        // what was left by decoding: inside the buffer in every case, and the worker that scans owns it.
        let end = unsafe chunk.base + range.upperBound
        let behind = unsafe end.pointee
        unsafe end.pointee = 0
        defer { unsafe end.pointee = behind }
        var cursor = unsafe ScanCursor(at: chunk.base + range.lowerBound, base: chunk.base, end: end)
        let outcome = unsafe scanDocument(&cursor)
        if outcome == .invalid || outcome == .tooDeep { invalidOffset = unsafe cursor.place - cursor.base }
        return outcome
    }

    /// What the last scan found for a field.
    public subscript(slot: FieldPlan.Slot) -> Value {
        // What is noted beside a kind is what the last value that had it left there.
        let kind = kind(of: slot)
        guard kind != .absent else { return Value(kind: .absent, text: .none, hasEscapes: false) }
        // Safety: the slot is one of those allocated, checked above.
        return unsafe Value(
            kind: kind, text: texts[slot.index], hasEscapes: kind == .string && escapes[slot.index])
    }

    /// The kind of value that the last scan found for a field.
    public func kind(of slot: FieldPlan.Slot) -> Kind {
        precondition(slot.index < slotCount, "a slot of another plan")
        // Safety: the slot is one of those allocated, by the line above.
        return unsafe kinds[slot.index]
    }
}

/// A plan's node as the scanner's inner loop reads it: plain memory without bounds checks.
@unsafe struct PlanNode {
    @unsafe struct Key {
        let word: UInt64
        let count: Int
        /// The key's bytes, for what is longer than a word.
        let bytes: UnsafeMutablePointer<UInt8>
        let slot: Int
        let slotEnd: Int
        let node: Int
    }

    let buckets: UnsafeMutablePointer<UInt8>
    let mask: Int
    let shift: UInt64
    let keys: UnsafeMutablePointer<Key>
    let keyCount: Int

    init(_ node: FieldPlan.Node) {
        unsafe buckets = .allocate(capacity: node.buckets.count)
        for (index, bucket) in node.buckets.enumerated() {
            unsafe (buckets + index).initialize(to: bucket)
        }
        unsafe mask = node.buckets.count - 1
        unsafe shift = node.shift
        unsafe keys = .allocate(capacity: node.keys.count)
        unsafe keyCount = node.keys.count
        for (index, key) in node.keys.enumerated() {
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: key.bytes.count)
            for (offset, byte) in key.bytes.enumerated() { unsafe (bytes + offset).initialize(to: byte) }
            unsafe (keys + index).initialize(
                to: Key(
                    word: key.word, count: key.bytes.count, bytes: bytes, slot: key.slot,
                    slotEnd: key.slotEnd, node: key.node))
        }
    }

    func deallocate() {
        for index in 0..<(unsafe keyCount) { unsafe keys[index].bytes.deallocate() }
        unsafe keys.deallocate()
        unsafe buckets.deallocate()
    }
}
