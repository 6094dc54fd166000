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
    ///
    /// Two bytes, because a record's slots are copied for each record that is read.
    @usableFromInline package struct Slot: Sendable, Equatable {
        @usableFromInline let number: UInt16

        /// - Parameter index: less than `maximumSlotCount`. Any other one may become the index of another field.
        @inlinable
        init(index: Int) { number = UInt16(truncatingIfNeeded: index) }

        @inlinable var index: Int { Int(number) }

        /// Returns the slot of the field that was added `count` fields later. The scanner checks that it exists.
        @inlinable
        package func advanced(by count: Int) -> Slot { Slot(index: index + count) }
    }

    /// The slots of consecutive sibling fields.
    @usableFromInline package struct Slots: Sendable {
        /// Invariant: not less than the index of `first`.
        @usableFromInline let end: UInt16
        /// The slot of the first field, which must exist.
        @usableFromInline package let first: Slot

        fileprivate init(indices: Range<Int>) {
            precondition(indices.lowerBound >= 0, "slots count from 0")
            first = Slot(index: indices.lowerBound)
            end = UInt16(indices.upperBound)
        }

        @inlinable var indices: Range<Int> {
            // Safety: the end is not less than the first index, by the invariant.
            unsafe Range(uncheckedBounds: (first.index, Int(end)))
        }

        /// The number of fields.
        package var count: Int { indices.count }

        /// The slot of the field at an index, from 0, in the order in which the fields were added.
        package subscript(index: Int) -> Slot {
            precondition(index >= 0 && index < count, "no such field")
            return first.advanced(by: index)
        }
    }

    /// The largest number of slots.
    private static let maximumSlotCount = Int(UInt16.max)

    /// The fields by slot: the key, which is nil for the field of all other keys, the slot of the field around it, and the
    /// kinds that the value should have.
    private(set) var fields: [(key: [UInt8]?, parent: Int?, expected: FieldKinds)] = []
    /// By the slot of an object: the keys that belong neither to a field nor to the other keys.
    fileprivate private(set) var ignored: [Int: [[UInt8]]] = [:]
    /// The slots from the top down to the last field, to check the numbering.
    private var lastPath: [Int] = []

    package init() {}

    /// The number of slots.
    package var slotCount: Int { fields.count }

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
        add(Array(name.utf8), in: parent, expecting: expected)
    }

    /// Adds a field for all other keys of an object: those without a field of their own that are not among `known`. If there
    /// are several, the last value counts.
    ///
    /// - Parameter known: at most 254 names, with those of the object's fields.
    package mutating func others(in parent: Slot, except known: [String]) -> Slot {
        precondition(ignored[parent.index] == nil, "an object has one field for its other keys")
        let slot = add(nil, in: parent, expecting: .all)
        ignored[parent.index] = known.map { Array($0.utf8) }
        return slot
    }

    private mutating func add(_ key: [UInt8]?, in parent: Slot?, expecting expected: FieldKinds) -> Slot {
        let slot = slotCount
        if let parent {
            precondition(parent.index >= 0 && parent.index < slot, "a slot of another plan")
            while let last = lastPath.last, last != parent.index { lastPath.removeLast() }
            precondition(!lastPath.isEmpty, "the fields inside a field must be added before its next sibling")
        } else {
            lastPath.removeAll()
        }
        lastPath.append(slot)
        precondition(slot < Self.maximumSlotCount, "a slot has 16 bits")
        fields.append((key, parent?.index, expected))
        precondition(slots(in: parent?.index).count < 255, "a node names its keys in 8 bits")
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

    /// Returns the slots of the fields directly inside a field; of those at the top if `parent` is nil.
    func slots(in parent: Int?) -> [Int] { fields.indices.filter { fields[$0].parent == parent } }

    /// For each slot, one more than the last slot inside its field.
    var slotEnds: [Int] {
        var ends = fields.indices.map { $0 + 1 }
        for slot in fields.indices.reversed() {
            if let parent = fields[slot].parent { ends[parent] = max(ends[parent], ends[slot]) }
        }
        return ends
    }
}

/// A set of kinds of JSON values.
@usableFromInline package struct FieldKinds: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8

    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bool = FieldKinds(.bool)
    package static let number = FieldKinds(.number)
    package static let string = FieldKinds(.string)
    package static let object = FieldKinds(.object)
    package static let array = FieldKinds(.array)
    package static let all: FieldKinds = [.bool, .number, .string, .object, .array]

    @inline(__always)
    package init(_ kind: FieldScanner.Kind) { rawValue = 1 << kind.rawValue }

    /// Whether a kind is one of these.
    @inlinable package func contains(_ kind: FieldScanner.Kind) -> Bool { rawValue & 1 << kind.rawValue != 0 }
}

/// A plan in the form that the scanner's inner loop uses: plain memory without bounds checks or reference counts.
///
/// Safety: only functions that take or return addresses are unsafe. All nodes and keys, and what they refer to, are
/// allocated and initialized in `init`, do not change, and live as long as this object. A node has `mask + 1` buckets
/// and `keyCount` keys; a bucket has 0 or the index of a key plus one, and at least one bucket is empty.
@safe final class PlanNodes {
    /// The keys of one object: a small open-addressing table, at most a quarter full.
    @unsafe struct Node {
        fileprivate let buckets: UnsafeMutablePointer<UInt8>
        fileprivate let mask: Int
        fileprivate let shift: UInt64
        fileprivate let keys: UnsafeMutablePointer<Key>
        fileprivate let keyCount: Int
        /// The key that represents all others.
        fileprivate let others: UnsafeMutablePointer<Key>
    }

    /// A key, or one that represents several: all unwanted keys, or the other keys of an object.
    @unsafe struct Key {
        fileprivate let word: UInt64
        fileprivate let count: Int
        /// The bytes of the key, to compare keys that are longer than a word.
        fileprivate let bytes: UnsafeMutablePointer<UInt8>
        /// Its slot, which the slots of the fields inside the field follow; an empty range if it is not wanted.
        let slot: Int
        let slotEnd: Int
        let expected: FieldKinds
        /// The wanted keys of the object that is this key's value.
        let node: UnsafeMutablePointer<Node>

        var isWanted: Bool { unsafe slot < slotEnd }
    }

    private let nodes: UnsafeMutablePointer<Node>
    private let count: Int
    /// The key whose value is the whole text.
    let root: UnsafeMutablePointer<Key>
    /// Represents every key that is not wanted.
    let unwanted: UnsafeMutablePointer<Key>

    init(_ plan: FieldPlan) {
        let parents = [nil] + plan.fields.indices.filter { !plan.slots(in: $0).isEmpty }
        let ends = plan.slotEnds
        count = parents.count + 1
        let none = plan.slotCount..<plan.slotCount
        // Safety: every element of every allocation is initialized here. A key's node is that of its field, or the last
        // node, which has no keys. No key is read before all are initialized.
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: parents.count + 1)
        let empty = unsafe nodes + parents.count
        let unwanted = UnsafeMutablePointer<Key>.allocate(capacity: 1)
        unsafe unwanted.initialize(to: Self.makeKey([], slots: none, expected: .all, node: empty))
        for (index, parent) in parents.enumerated() {
            let slots = plan.slots(in: parent)
            var keys = unsafe [Key]()
            var others: Key?
            for slot in slots {
                let (bytes, _, expected) = plan.fields[slot]
                let node = unsafe parents.firstIndex(of: slot).map { unsafe nodes + $0 } ?? empty
                let key = unsafe Self.makeKey(
                    bytes ?? [], slots: slot..<ends[slot], expected: expected, node: node)
                if bytes == nil { unsafe others = unsafe key } else { unsafe keys.append(key) }
            }
            for bytes in parent.flatMap({ plan.ignored[$0] }) ?? []
            where !slots.contains(where: { plan.fields[$0].key == bytes }) {
                unsafe keys.append(Self.makeKey(bytes, slots: none, expected: .all, node: empty))
            }
            unsafe (nodes + index).initialize(to: Self.makeNode(keys, others: others, unwanted))
        }
        unsafe empty.initialize(to: Self.makeNode([], others: nil, unwanted))
        unsafe self.nodes = unsafe nodes
        unsafe self.unwanted = unsafe unwanted
        unsafe root = .allocate(capacity: 1)
        unsafe root.initialize(to: Self.makeKey([], slots: none, expected: .all, node: nodes))
    }

    private static func makeKey(
        _ bytes: [UInt8], slots: Range<Int>, expected: FieldKinds, node: UnsafeMutablePointer<Node>
    ) -> Key {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        // Safety: the copy has room for all bytes.
        for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
        return unsafe Key(
            word: bytes.leadingWord, count: bytes.count, bytes: copy, slot: slots.lowerBound,
            slotEnd: slots.upperBound, expected: expected.union(.init(.null)), node: node)
    }

    /// Creates a node, which owns copies of its keys.
    ///
    /// - Parameters:
    ///   - others: the key that represents all others; nil if those are unwanted.
    ///   - unwanted: the key that represents all unwanted keys.
    private static func makeNode(_ list: [Key], others: Key?, _ unwanted: UnsafeMutablePointer<Key>) -> Node {
        let count = unsafe list.count
        precondition(count < 255, "a node names its keys in 8 bits")
        var bits: UInt64 = 2
        while 1 << bits < count * 4 { bits += 1 }
        let mask = 1 << Int(bits) - 1
        let buckets = UnsafeMutablePointer<UInt8>.allocate(capacity: mask + 1)
        unsafe buckets.initialize(repeating: 0, count: mask + 1)
        // The key of all others follows the keys, but has no bucket.
        let keys = UnsafeMutablePointer<Key>.allocate(capacity: count + 1)
        for index in 0..<count {
            unsafe (keys + index).initialize(to: list[index])
            // Safety: the mask keeps the bucket below the number of buckets, and the index is less than `count`.
            var bucket = unsafe Int(mix(keys[index].word, keys[index].count) >> (64 - bits))
            while unsafe buckets[bucket] != 0 { bucket = (bucket + 1) & mask }
            unsafe buckets[bucket] = UInt8(index + 1)
        }
        if let others = unsafe others { unsafe (keys + count).initialize(to: others) }
        return unsafe Node(
            buckets: buckets, mask: mask, shift: 64 - bits, keys: keys, keyCount: count,
            others: others == nil ? unwanted : keys + count)
    }

    /// Mixes a key's first word and length; the top bits choose the bucket.
    @inline(__always)
    private static func mix(_ word: UInt64, _ count: Int) -> UInt64 {
        (word ^ UInt64(truncatingIfNeeded: count) &* UInt64.goldenRatio) &* 0xff51_afd7_ed55_8ccd
    }

    deinit {
        // Safety: each allocation of `init` is freed once. Each key has bytes of its own.
        for index in 0..<count {
            let node = unsafe nodes[index]
            for keyIndex in 0..<(unsafe node.keyCount) { unsafe node.keys[keyIndex].bytes.deallocate() }
            if unsafe node.others != unwanted { unsafe node.others.pointee.bytes.deallocate() }
            unsafe node.keys.deallocate()
            unsafe node.buckets.deallocate()
        }
        unsafe nodes.deallocate()
        unsafe root.pointee.bytes.deallocate()
        unsafe root.deallocate()
        unsafe unwanted.pointee.bytes.deallocate()
        unsafe unwanted.deallocate()
    }

    /// Returns the key of `node` with the `count` bytes at `start`, or the one that represents all others.
    ///
    /// O(1) expected, plus the length of the key.
    ///
    /// Safety: `count` bytes at `start` must be readable, and at least eight. The node must belong to this object.
    @inline(__always)
    func find(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, in node: UnsafeMutablePointer<Node>
    ) -> UnsafeMutablePointer<Key> {
        guard unsafe node.pointee.keyCount > 0 else { return unsafe node.pointee.others }
        var word = unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        if count < 8 { word &= (1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1 }
        var bucket = unsafe Int(truncatingIfNeeded: Self.mix(word, count) >> node.pointee.shift)
        while true {
            // Safety: the number of buckets is the mask plus one, so the index is inside. A bucket has 0 or the index
            // of a key plus one.
            let entry = unsafe node.pointee.buckets[bucket & node.pointee.mask]
            if entry == 0 { return unsafe node.pointee.others }
            let key = unsafe node.pointee.keys + (Int(entry) &- 1)
            if unsafe key.pointee.word == word && key.pointee.count == count
                && Self.isRestEqual(key.pointee.bytes, start, count)
            {
                return unsafe key
            }
            bucket &+= 1
        }
    }

    /// Like `find`, for a key with escapes. Such keys are rare, so this decodes a small copy.
    ///
    /// Safety: `count` bytes at `start` must be readable. The node must belong to this object.
    @inline(never)
    func findEscaped(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, in node: UnsafeMutablePointer<Node>
    ) -> UnsafeMutablePointer<Key> {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count + Chunk.slack)
        // Safety: the copy has room for the key and for the loads past its end. It is freed here, and the result does
        // not refer to it.
        defer { unsafe copy.deallocate() }
        unsafe copy.initialize(repeating: 0, count: count + Chunk.slack)
        unsafe copy.update(from: start, count: count)
        let decoded = unsafe decodeEscapes(at: copy, count: count)
        return unsafe find(copy, count: decoded, in: node)
    }

    /// Returns whether both keys are equal after their first eight bytes. Compares words, the last of which may
    /// overlap the previous one.
    ///
    /// Safety: both must have `count` readable bytes.
    @inline(__always)
    private static func isRestEqual(
        _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Bool {
        guard count > 8 else { return true }
        var offset = 8
        while offset < count {
            // Safety: `wordOffset` is at most `count - 8`, so the word is inside both keys.
            let wordOffset = min(offset, count &- 8)
            let mine = unsafe UnsafeRawPointer(a).loadUnaligned(fromByteOffset: wordOffset, as: UInt64.self)
            let theirs = unsafe UnsafeRawPointer(b).loadUnaligned(fromByteOffset: wordOffset, as: UInt64.self)
            guard mine == theirs else { return false }
            offset &+= 8
        }
        return true
    }
}
