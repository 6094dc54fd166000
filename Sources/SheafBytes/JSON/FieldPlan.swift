/// The fields of a JSON object that are wanted, as a tree of keys. Each field has a slot for what the scanner finds.
///
///     root ─┬─ "payload" (slot 0) ─┬─ "aps" (slot 1) ─── "alert" (slot 2)
///           │                      └─ "Simulator Target Bundle" (slot 3)
///           └─ "timestamp" (slot 4)
///
/// Invariant: the fields inside a field have the slots that directly follow its own. If a key is repeated, the last
/// value counts, so finding a field again clears one contiguous range of slots.
@usableFromInline package struct FieldPlan: Sendable {
    /// The index of a wanted field among the results.
    @usableFromInline package struct Slot: Sendable, Equatable {
        @usableFromInline let index: Int

        @inlinable
        init(index: Int) { self.index = index }

        /// Returns the slot of the field that was added `count` fields later. The scanner checks that there is one.
        @inlinable
        package func advanced(by count: Int) -> Slot { Slot(index: index + count) }
    }

    /// The slots of consecutive sibling fields.
    @usableFromInline package struct Slots: Sendable {
        /// Invariant: not negative.
        @usableFromInline let indices: Range<Int>

        /// The slot of the first field. There must be one.
        package var first: Slot { Slot(index: indices.lowerBound) }

        fileprivate init(indices: Range<Int>) {
            precondition(indices.lowerBound >= 0, "slots count from 0")
            self.indices = indices
        }

        /// The number of fields.
        package var count: Int { indices.count }

        /// The slot of the field at an index, from 0, in the order in which the fields were added.
        package subscript(index: Int) -> Slot {
            precondition(index >= 0 && index < count, "no such field")
            return Slot(index: indices.lowerBound + index)
        }
    }

    /// A key, with its first bytes as a word: keys of up to 8 bytes are compared as numbers.
    struct Key: Sendable {
        let bytes: [UInt8]
        let word: UInt64
        let slot: Int
        /// The node for the object that is the key's value; -1 if nothing in it is wanted.
        var node: Int
        /// One more than the last slot inside the field.
        var slotEnd: Int
        /// The kinds that the field's value should have.
        let expected: FieldKinds
    }

    /// The wanted keys of one object: a small open-addressing table, at most a quarter full.
    struct Node: Sendable {
        var keys: [Key] = []
        /// Indices into `keys`, plus one; 0 for an empty bucket.
        var buckets: [UInt8] = [0]
        var shift: UInt64 = 64
    }

    private(set) var nodes: [Node] = [Node()]
    /// The number of slots.
    package private(set) var slotCount = 0
    /// Where the key of each slot is.
    private var locations: [(node: Int, key: Int)] = []
    /// The slots from the top down to the last field, to check the numbering.
    private var lastPath: [Int] = []

    package init() {}

    /// Adds a wanted field, inside `parent` or at the top.
    ///
    /// The fields inside a field must be added before its next sibling. Any other order traps, since the slots would
    /// not have the numbers that the scanner needs.
    ///
    /// - Parameter expected: the kinds that the field's value should have. The scanner reports a value of any other
    ///   kind, except for `null`, as mistyped.
    package mutating func field(
        _ name: String, in parent: Slot? = nil, expecting expected: FieldKinds = .all
    ) -> Slot {
        let node = parent.map { nodeForObject(at: $0.index) } ?? 0
        let bytes = Array(name.utf8)
        let slot = slotCount
        slotCount += 1
        nodes[node].keys.append(
            Key(
                bytes: bytes, word: Self.word(of: bytes), slot: slot, node: -1, slotEnd: slot + 1,
                expected: expected))
        locations.append((node, nodes[node].keys.count - 1))
        nodes[node].rebuild()
        if let parent {
            while let last = lastPath.last, last != parent.index { lastPath.removeLast() }
            precondition(!lastPath.isEmpty, "the fields inside a field must be added before its next sibling")
            for ancestor in lastPath { setSlotEnd(slot + 1, ofSlot: ancestor) }
        } else {
            lastPath.removeAll()
        }
        lastPath.append(slot)
        return Slot(index: slot)
    }

    /// Adds sibling fields that are alternatives for one value: the first name that has a value counts.
    package mutating func fields(
        _ names: [String], in parent: Slot? = nil, expecting expected: FieldKinds = .all
    ) -> Slots {
        let first = slotCount
        for name in names { _ = field(name, in: parent, expecting: expected) }
        return Slots(indices: first..<slotCount)
    }

    private mutating func nodeForObject(at slot: Int) -> Int {
        let (node, key) = indices(of: slot)
        if nodes[node].keys[key].node < 0 {
            nodes[node].keys[key].node = nodes.count
            nodes.append(Node())
        }
        return nodes[node].keys[key].node
    }

    private mutating func setSlotEnd(_ end: Int, ofSlot slot: Int) {
        let (node, key) = indices(of: slot)
        nodes[node].keys[key].slotEnd = end
    }

    private func indices(of slot: Int) -> (node: Int, key: Int) {
        precondition(locations.indices.contains(slot), "a slot of another plan")
        return locations[slot]
    }

    /// Returns the first 8 bytes as a little-endian number, with zeros after a shorter key.
    static func word(of bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Mixes a key's first word and length; the top bits choose the bucket.
    @inline(__always)
    static func mix(_ word: UInt64, _ count: Int) -> UInt64 {
        (word ^ UInt64(truncatingIfNeeded: count) &* HashFactor.golden) &* 0xff51_afd7_ed55_8ccd
    }
}

/// A set of kinds of JSON values.
package struct FieldKinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bool = FieldKinds(.bool)
    package static let number = FieldKinds(.number)
    package static let string = FieldKinds(.string)
    package static let object = FieldKinds(.object)
    package static let array = FieldKinds(.array)
    package static let all: FieldKinds = [.bool, .number, .string, .object, .array]

    @inline(__always)
    package init(_ kind: FieldScanner.Kind) { rawValue = 1 << kind.rawValue }
}

extension FieldPlan.Node {
    fileprivate mutating func rebuild() {
        var bits: UInt64 = 2
        while 1 << bits < keys.count * 4 { bits += 1 }
        shift = 64 - bits
        buckets = [UInt8](repeating: 0, count: 1 << Int(bits))
        precondition(keys.count < 255, "a node names its keys in 8 bits")
        for (index, key) in keys.enumerated() {
            var bucket = Int(FieldPlan.mix(key.word, key.bytes.count) >> shift)
            while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = UInt8(index + 1)
        }
    }
}
