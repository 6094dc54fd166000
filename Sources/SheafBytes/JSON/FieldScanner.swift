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

        @inlinable static var absent: Value { Value(kind: .absent, text: .none, hasEscapes: false) }

        @inlinable
        init(kind: Kind, text: TextRange, hasEscapes: Bool) {
            self.kind = kind
            self.text = text
            self.hasEscapes = hasEscapes
        }
    }

    /// Objects and arrays may stand this deep inside each other (specification §2).
    public static let maximumDepth = 128

    /// Whether the last scan found a value of a kind that the plan does not expect.
    public internal(set) var hasMistyped = false
    /// Where the last scan ended, when it found the text invalid: an offset in the chunk.
    public internal(set) var invalidOffset = 0

    let nodes: PlanNodes
    /// Apart, so that a scanner is small: where one is lent, its own words are copied.
    let learned: UnsafeMutablePointer<LearnedGaps>
    /// The objects and arrays that are open behind a gap that was read, the outermost first.
    var open: [Container] = []
    /// By slot.
    @usableFromInline let found: UnsafeMutablePointer<Found>
    @usableFromInline let slotCount: Int
    /// The number of the last scan, from 1; what an earlier one found does not count.
    @usableFromInline var scanNumber: UInt32 = 0

    /// A value as it is noted: 16 bytes.
    @usableFromInline struct Found {
        @usableFromInline var start: UInt32
        @usableFromInline var count: UInt32
        /// The scan that found it; 0 is none.
        @usableFromInline var scan: UInt32
        @usableFromInline var kind: Kind
        @usableFromInline var hasEscapes: Bool
        @usableFromInline var isMistyped: Bool
    }

    public init(_ plan: FieldPlan) { self.init(plan, learning: LearnedGaps.Bounds()) }

    init(_ plan: FieldPlan, learning bounds: LearnedGaps.Bounds) {
        slotCount = plan.slotCount
        nodes = PlanNodes(plan)
        // Safety: allocated here for good, plain memory, and given back in `deinit`. One more than there are slots:
        // for what is noted of unwanted values, so that nobody has to ask whether one is wanted.
        unsafe found = .allocate(capacity: slotCount + 1)
        unsafe learned = .allocate(capacity: 1)
        unsafe learned.initialize(to: LearnedGaps(nodes, unwanted: found + slotCount, bounds))
        forget()
    }

    deinit {
        unsafe learned.deinitialize(count: 1)
        unsafe learned.deallocate()
        unsafe found.deallocate()
    }

    /// Forgets what was found by every scan.
    mutating func forget() {
        unsafe found.initialize(
            repeating: Found(
                start: 0, count: 0, scan: 0, kind: .absent, hasEscapes: false, isMistyped: false),
            count: slotCount + 1)
        hasMistyped = false
    }

    /// Scans the JSON text at `text` of `chunk`. O(length).
    ///
    /// Writes one byte behind the text while it runs and puts the old one back: the scan's end mark.
    public mutating func scan(_ text: TextRange, of chunk: Chunk) -> Outcome {
        let range = text.range
        precondition(range.upperBound <= chunk.capacity, "text outside its chunk")
        scanNumber &+= 1
        if scanNumber == 0 {
            forget()
            scanNumber = 1
        }
        // Safety: the byte behind a line is its ending, the byte behind an embedded text the closing quote or
        // what was left by decoding: inside the buffer in every case, and the worker that scans owns it.
        let end = unsafe chunk.base + range.upperBound
        let behind = unsafe end.pointee
        unsafe end.pointee = 0
        defer { unsafe end.pointee = behind }
        return unsafe scan(from: chunk.base + range.lowerBound, to: end, base: chunk.base)
    }

    /// What the last scan found for a field.
    public subscript(slot: FieldPlan.Slot) -> Value {
        @inlinable @inline(__always)
        get {
            precondition(slot.index < slotCount, "a slot of another plan")
            return value(at: slot.index)
        }
    }

    /// The kind of value that the last scan found for a field.
    @inlinable @inline(__always)
    public func kind(of slot: FieldPlan.Slot) -> Kind {
        precondition(slot.index < slotCount, "a slot of another plan")
        // Safety: the slot is one of those allocated.
        let place = unsafe found + slot.index
        return unsafe place.pointee.scan == scanNumber ? place.pointee.kind : .absent
    }

    /// The first string that is not empty among some fields; an absent value when there is none.
    @inlinable @inline(__always)
    public func firstText(_ slots: FieldPlan.Slots) -> Value {
        precondition(slots.indices.upperBound <= slotCount, "slots of another plan")
        for index in slots.indices {
            // Safety: the slot is one of those allocated.
            let place = unsafe found + index
            if unsafe place.pointee.scan == scanNumber && place.pointee.kind == .string
                && place.pointee.count > 0
            {
                return value(at: index)
            }
        }
        return .absent
    }

    /// The first value that is not `null` among some fields; an absent one when there is none.
    @inlinable @inline(__always)
    public func firstValue(_ slots: FieldPlan.Slots) -> Value {
        for index in slots.indices {
            let value = self[FieldPlan.Slot(index: index)]
            if value.kind != .absent, value.kind != .null { return value }
        }
        return .absent
    }

    /// Whether the field's value is of a kind that the plan does not expect, and not `null`.
    public func isMistyped(_ slot: FieldPlan.Slot) -> Bool {
        guard kind(of: slot) != .absent else { return false }
        // Safety: the slot is one of those allocated, as was checked.
        return unsafe found[slot.index].isMistyped
    }

    @inlinable @inline(__always)
    func value(at index: Int) -> Value {
        // Safety: the slot is one of those allocated, as was checked.
        let place = unsafe found + index
        guard unsafe place.pointee.scan == scanNumber else { return .absent }
        return unsafe Value(
            kind: place.pointee.kind,
            text: TextRange(start: place.pointee.start, count: place.pointee.count),
            hasEscapes: place.pointee.hasEscapes)
    }
}
