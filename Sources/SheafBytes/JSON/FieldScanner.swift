/// Scans a JSON object in one pass: validates every byte (RFC 8259) and records only the wanted fields.
///
///     { "payload" : { "aps" : { "alert" : "…" } , "custom" : [ … ] } , "ts" : 1700000000 }
///       wanted        wanted    wanted │            skipped, validated    wanted │
///                                      ▼                                         ▼
///                              slot: string, range                       slot: number, range
///
/// Nothing is copied or decoded: a slot has the kind of a value and the range of its bytes. Callers that need a text
/// with escapes decode it in place with `Chunk.decodeEscapes`.
///
/// Owns its slots and a copy of the plan; allocates nothing per record. Results are valid until the next scan.
@usableFromInline @safe package struct FieldScanner: ~Copyable {
    @usableFromInline package enum Outcome: Equatable, Sendable {
        case object
        /// One valid JSON value that is not an object.
        case notObject
        case invalid
        /// More than `maximumDepth` nested objects and arrays.
        case tooDeep
    }

    @usableFromInline package enum Kind: UInt8, Sendable {
        case absent, null, bool, number, string, object, array
    }

    /// The value that was found for a wanted field.
    @usableFromInline package struct Value: Sendable, Equatable {
        @usableFromInline package let kind: Kind
        /// The bytes of a string between its quotes, or the digits of a number; for other kinds, the first byte of
        /// the value; empty if absent.
        @usableFromInline package let text: TextRange
        /// Whether a string has escapes, so that its bytes are not its text yet.
        @usableFromInline package let hasEscapes: Bool

        @inlinable package static var absent: Value { Value(kind: .absent, text: .none, hasEscapes: false) }

        @inlinable
        package init(kind: Kind, text: TextRange, hasEscapes: Bool) {
            self.kind = kind
            self.text = text
            self.hasEscapes = hasEscapes
        }
    }

    /// The maximum nesting depth of objects and arrays (specification §2).
    package static let maximumDepth = 128

    /// Whether the last scan found a value of a kind that the plan does not expect.
    package internal(set) var hasMistypedValue = false
    /// Whether one of these values is of a field that may have other kinds, rather than of one that should have no value.
    package internal(set) var hasWrongKind = false
    /// Whether one of these values is an object or an array.
    package internal(set) var hasMistypedContainer = false
    /// The offset in the chunk at which the last scan ended, if it found the text invalid.
    package internal(set) var invalidOffset = 0

    let nodes: PlanNodes
    /// Stored separately, so that a scanner is small: lending it copies its own words.
    let learned: UnsafeMutablePointer<LearnedGaps>
    /// The objects and arrays that are open after a parsed gap, outermost first.
    var open: [Container] = []
    /// The results by slot, followed by one for all unwanted values.
    @usableFromInline let found: UnsafeMutablePointer<FoundValue>
    @usableFromInline let slotCount: Int
    /// The slots that the last scan found objects and arrays for, and other values if it lists them, in their order.
    let listed: UnsafeMutablePointer<UInt32>
    var listedCount = 0
    /// Whether the last scan met a key twice in an object, so that `listed` is incomplete.
    var hasRepeatedKey = false
    /// The number of the last scan, from 1. Results of earlier scans are ignored.
    @usableFromInline var scanNumber: UInt32 = 0

    /// The value that a scan found, in 16 bytes.
    @usableFromInline struct FoundValue {
        @usableFromInline var start: UInt32
        @usableFromInline var count: UInt32
        /// The number of the scan that found it; 0 for no scan.
        @usableFromInline var scan: UInt32
        @usableFromInline var kind: Kind
        @usableFromInline var hasEscapes: Bool
        @usableFromInline var isMistyped: Bool
    }

    package init(_ plan: FieldPlan) { self.init(plan, learning: LearnedGaps.Bounds()) }

    init(_ plan: FieldPlan, learning bounds: LearnedGaps.Bounds) {
        slotCount = plan.slotCount
        nodes = PlanNodes(plan)
        // Safety: the allocations live until `deinit`, `learned` is initialized below, and `clearResults` initializes
        // `found`. It has one more element than there are slots, for unwanted values, so that recording a value need not
        // check whether it is wanted. So has `listed`, for the number after the last wanted one.
        unsafe found = .allocate(capacity: slotCount + 1)
        unsafe listed = .allocate(capacity: slotCount + 1)
        unsafe learned = .allocate(capacity: 1)
        unsafe learned.initialize(to: LearnedGaps(nodes, unwanted: found + slotCount, bounds))
        clearResults()
    }

    deinit {
        // Safety: `init` allocated all of them. The pointers that `learned` has to `found` and to the nodes are not used while
        // it is destroyed.
        unsafe learned.deinitialize(count: 1)
        unsafe learned.deallocate()
        unsafe found.deallocate()
        unsafe listed.deallocate()
    }

    /// Clears the results of all scans.
    mutating func clearResults() {
        // Safety: `found` has one element more than there are slots, and its elements are plain values.
        unsafe found.initialize(
            repeating: FoundValue(
                start: 0, count: 0, scan: 0, kind: .absent, hasEscapes: false, isMistyped: false),
            count: slotCount + 1)
        clearMistyped()
    }

    /// Clears what the last scan reported of values of kinds that the plan does not expect.
    @inline(__always)
    mutating func clearMistyped() {
        (hasMistypedValue, hasWrongKind, hasMistypedContainer) = (false, false, false)
    }

    /// Scans the JSON text at `text` of `chunk`. O(length).
    ///
    /// While it runs, the byte after the text is 0, the scan's end mark; its old value is restored afterwards.
    package mutating func scan(_ text: TextRange, of chunk: Chunk) -> Outcome {
        scan(text, of: chunk, listsValues: false)
    }

    /// Scans a text, and lists the fields that have a value.
    ///
    /// - Parameter slots: gets the indices of their slots, in ascending order: slots are numbered in the order in which
    ///   their fields were added to the plan.
    mutating func scan(_ text: TextRange, of chunk: Chunk, listing slots: inout [Int]) -> Outcome {
        let outcome = scan(text, of: chunk, listsValues: true)
        slots.removeAll(keepingCapacity: true)
        guard !hasRepeatedKey else {
            slots += (0..<slotCount).filter { kind(of: FieldPlan.Slot(index: $0)) != .absent }
            return outcome
        }
        for position in 0..<listedCount {
            // Safety: as many elements were initialized.
            let slot = unsafe Int(listed[position])
            var place = slots.count
            slots.append(slot)
            while place > 0, slots[place - 1] > slot {
                slots.swapAt(place - 1, place)
                place -= 1
            }
        }
        return outcome
    }

    @inline(__always)
    private mutating func scan(_ text: TextRange, of chunk: Chunk, listsValues: Bool) -> Outcome {
        let range = text.range
        precondition(range.upperBound <= chunk.textCapacity, "text outside its chunk")
        scanNumber &+= 1
        if scanNumber == 0 {
            clearResults()
            scanNumber = 1
        }
        (listedCount, hasRepeatedKey) = (0, false)
        // Safety: the text ends at the end of the annex or before, by the precondition, so the byte after it is inside
        // the buffer or its slack. It is a line ending, the closing quote of an embedded text, or a byte that decoding
        // left, or that the annex does not use yet. The scanning worker owns the chunk.
        let end = unsafe chunk.base + range.upperBound
        let saved = unsafe end.pointee
        unsafe end.pointee = 0
        defer { unsafe end.pointee = saved }
        let start = unsafe chunk.base + range.lowerBound
        return unsafe listsValues
            ? scanListing(from: start, to: end, base: chunk.base)
            : scan(from: start, to: end, base: chunk.base)
    }

    /// The value that the last scan found for a field.
    @usableFromInline package subscript(slot: FieldPlan.Slot) -> Value {
        @inlinable @inline(__always)
        get {
            check(slot)
            // Safety: the index was checked.
            return unsafe value(at: slot.index)
        }
    }

    /// Returns the kind of value that the last scan found for a field.
    @inlinable @inline(__always)
    package func kind(of slot: FieldPlan.Slot) -> Kind {
        check(slot)
        // Safety: the index was checked, so the result is inside `found`.
        let result = unsafe found + slot.index
        return unsafe result.pointee.scan == scanNumber ? result.pointee.kind : .absent
    }

    /// Returns the first non-empty string among some fields, or an absent value.
    @inlinable @inline(__always)
    package func firstText(_ slots: FieldPlan.Slots) -> Value {
        precondition(slots.indices.upperBound <= slotCount, "slots of another plan")
        for index in slots.indices {
            // Safety: every index is less than `slotCount`, by the precondition, and not negative, by the invariant of
            // the slots. The result is therefore inside `found`.
            let result = unsafe found + index
            if unsafe result.pointee.scan == scanNumber && result.pointee.kind == .string
                && result.pointee.count > 0
            {
                return unsafe value(at: index)
            }
        }
        return .absent
    }

    /// Returns the first value that is not `null` among some fields, or an absent value.
    @inlinable @inline(__always)
    package func firstValue(_ slots: FieldPlan.Slots) -> Value {
        for index in slots.indices {
            let value = self[FieldPlan.Slot(index: index)]
            if value.kind != .absent, value.kind != .null { return value }
        }
        return .absent
    }

    /// Returns whether the field's value has a kind that the plan does not expect. `null` never counts as mistyped.
    @inlinable @inline(__always)
    package func isMistyped(_ slot: FieldPlan.Slot) -> Bool {
        guard kind(of: slot) != .absent else { return false }
        // Safety: `kind(of:)` has checked the index.
        return unsafe found[slot.index].isMistyped
    }

    /// Traps unless the scanner has a result for the slot. The comparison is unsigned, so that it finds negative
    /// indices, too.
    @inlinable @inline(__always)
    func check(_ slot: FieldPlan.Slot) {
        precondition(UInt(bitPattern: slot.index) < UInt(bitPattern: slotCount), "a slot of another plan")
    }

    /// Safety: the index must not be negative and must be less than `slotCount`, so that the result is inside `found`.
    @inlinable @inline(__always) @unsafe
    func value(at index: Int) -> Value {
        let result = unsafe found + index
        guard unsafe result.pointee.scan == scanNumber else { return .absent }
        return unsafe Value(
            kind: result.pointee.kind,
            text: TextRange(start: result.pointee.start, count: result.pointee.count),
            hasEscapes: result.pointee.hasEscapes)
    }
}

/// Results that are set rather than scanned, for fields whose values were found elsewhere in a text.
extension FieldScanner {
    /// Clears the last results, so that others can be set.
    package mutating func beginResults() {
        scanNumber &+= 1
        if scanNumber == 0 {
            clearResults()
            scanNumber = 1
        }
        clearMistyped()
    }

    /// Sets the value of a field, as if the scan had found it.
    ///
    /// - Parameter isMistyped: whether the field's value should have another kind.
    package mutating func set(_ value: Value, for slot: FieldPlan.Slot, isMistyped: Bool = false) {
        check(slot)
        if isMistyped {
            (hasMistypedValue, hasWrongKind) = (true, true)
            if value.kind == .object || value.kind == .array { hasMistypedContainer = true }
        }
        // Safety: the index was checked.
        unsafe found[slot.index] = FoundValue(
            start: value.text.start, count: value.text.count, scan: scanNumber, kind: value.kind,
            hasEscapes: value.hasEscapes, isMistyped: isMistyped)
    }
}

/// A reference to a scanner, for callers that keep several scanners in an array. One thread at a time may use it.
///
/// Safety: accesses to the scanner are not checked for exclusivity. None of the functions calls anything that could
/// refer to this object, so an access ends before the next one begins.
@usableFromInline @safe package final class ScannerReference {
    @exclusivity(unchecked) @usableFromInline var scanner: FieldScanner

    package init(_ plan: FieldPlan) { unsafe scanner = FieldScanner(plan) }

    /// Scans a text, as `FieldScanner.scan` does.
    package func scan(_ text: TextRange, of chunk: Chunk) -> FieldScanner.Outcome {
        unsafe scanner.scan(text, of: chunk)
    }

    /// Scans a text and lists the slots with a value, as `FieldScanner.scan(_:of:listing:)` does.
    package func scan(_ text: TextRange, of chunk: Chunk, listing slots: inout [Int]) -> FieldScanner.Outcome
    {
        unsafe scanner.scan(text, of: chunk, listing: &slots)
    }

    /// The value that the last scan found for a field, or that was set since.
    @inlinable package subscript(slot: FieldPlan.Slot) -> FieldScanner.Value {
        unsafe scanner[slot]
    }

    /// Sets the value of a field, as `FieldScanner.set` does.
    package func set(_ value: FieldScanner.Value, for slot: FieldPlan.Slot) {
        unsafe scanner.set(value, for: slot)
    }
}
