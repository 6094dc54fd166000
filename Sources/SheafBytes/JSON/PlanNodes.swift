/// A plan in the form that the scanner's inner loop uses: plain memory without bounds checks or reference counts.
@safe final class PlanNodes {
    /// The keys of one object.
    @unsafe struct Node {
        fileprivate let buckets: UnsafeMutablePointer<UInt8>
        fileprivate let mask: Int
        fileprivate let shift: UInt64
        fileprivate let keys: UnsafeMutablePointer<Key>
        fileprivate let keyCount: Int
    }

    /// A wanted key, or the one that represents all unwanted keys.
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
        count = plan.nodes.count + 1
        // Safety: all allocations live until `deinit`, and every element is initialized below. The last node has no
        // keys.
        unsafe nodes = .allocate(capacity: count)
        let empty = unsafe nodes + plan.nodes.count
        for (index, node) in (plan.nodes + [FieldPlan.Node()]).enumerated() {
            let keys = UnsafeMutablePointer<Key>.allocate(capacity: node.keys.count)
            for (place, key) in node.keys.enumerated() {
                unsafe (keys + place).initialize(
                    to: Self.makeKey(
                        key.bytes, word: key.word, slots: key.slot..<key.slotEnd, expected: key.expected,
                        node: key.node < 0 ? empty : nodes + key.node))
            }
            let buckets = UnsafeMutablePointer<UInt8>.allocate(capacity: node.buckets.count)
            for (place, bucket) in node.buckets.enumerated() {
                unsafe (buckets + place).initialize(to: bucket)
            }
            unsafe (nodes + index).initialize(
                to: Node(
                    buckets: buckets, mask: node.buckets.count - 1, shift: node.shift, keys: keys,
                    keyCount: node.keys.count))
        }
        let none = plan.slotCount..<plan.slotCount
        unsafe root = .allocate(capacity: 1)
        unsafe root.initialize(to: Self.makeKey([], word: 0, slots: none, expected: .all, node: nodes))
        unsafe unwanted = .allocate(capacity: 1)
        unsafe unwanted.initialize(to: Self.makeKey([], word: 0, slots: none, expected: .all, node: empty))
    }

    private static func makeKey(
        _ bytes: [UInt8], word: UInt64, slots: Range<Int>, expected: FieldKinds,
        node: UnsafeMutablePointer<Node>
    ) -> Key {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
        return unsafe Key(
            word: word, count: bytes.count, bytes: copy, slot: slots.lowerBound, slotEnd: slots.upperBound,
            expected: expected.union(.init(.null)), node: node)
    }

    deinit {
        for index in 0..<count {
            let node = unsafe nodes[index]
            for place in 0..<(unsafe node.keyCount) { unsafe node.keys[place].bytes.deallocate() }
            unsafe node.keys.deallocate()
            unsafe node.buckets.deallocate()
        }
        unsafe nodes.deallocate()
        unsafe root.pointee.bytes.deallocate()
        unsafe root.deallocate()
        unsafe unwanted.pointee.bytes.deallocate()
        unsafe unwanted.deallocate()
    }

    /// Returns the wanted key of `node` with the `count` bytes at `start`, or `unwanted`.
    ///
    /// Reads eight bytes at `start`, whatever the count. O(1) expected, plus the length of the key.
    @inline(__always)
    func find(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, in node: UnsafeMutablePointer<Node>
    ) -> UnsafeMutablePointer<Key> {
        guard unsafe node.pointee.keyCount > 0 else { return unsafe unwanted }
        // Safety: the eight bytes at the start of a key are inside the chunk or its slack.
        var word = unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        if count < 8 { word &= (1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1 }
        var bucket = unsafe Int(truncatingIfNeeded: FieldPlan.mix(word, count) >> node.pointee.shift)
        while true {
            // Safety: the number of buckets is the mask plus one, so the index is inside. A bucket has 0 or the index
            // of a key plus one.
            let entry = unsafe node.pointee.buckets[bucket & node.pointee.mask]
            if entry == 0 { return unsafe unwanted }
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
    @inline(__always)
    private static func isRestEqual(
        _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Bool {
        guard count > 8 else { return true }
        var offset = 8
        while offset < count {
            // Safety: both keys have `count` bytes, and `place` is at most `count - 8`, so the word is inside both.
            let place = min(offset, count &- 8)
            let mine = unsafe UnsafeRawPointer(a).loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let theirs = unsafe UnsafeRawPointer(b).loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard mine == theirs else { return false }
            offset &+= 8
        }
        return true
    }
}
