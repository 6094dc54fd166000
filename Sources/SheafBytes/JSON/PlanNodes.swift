/// A plan in the form that the scanner's inner loop uses: plain memory without bounds checks or reference counts.
///
/// Safety: only functions that take or return addresses are unsafe. All nodes and keys, and what they refer to, are
/// allocated and initialized in `init`, do not change, and live as long as this object. A node has `mask + 1` buckets
/// and `keyCount` keys; a bucket has 0 or the index of a key plus one, and at least one bucket is empty.
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
        // Safety: every element of every allocation is initialized here. A key's node is one of the plan's nodes, or
        // the last one, which has no keys.
        unsafe nodes = .allocate(capacity: count)
        let empty = unsafe nodes + plan.nodes.count
        for (index, node) in (plan.nodes + [FieldPlan.Node()]).enumerated() {
            let keys = UnsafeMutablePointer<Key>.allocate(capacity: node.keys.count)
            for (keyIndex, key) in node.keys.enumerated() {
                unsafe (keys + keyIndex).initialize(
                    to: Self.makeKey(
                        key.bytes, word: key.word, slots: key.slot..<key.slotEnd, expected: key.expected,
                        node: key.node < 0 ? empty : nodes + key.node))
            }
            let buckets = UnsafeMutablePointer<UInt8>.allocate(capacity: node.buckets.count)
            for (bucketIndex, bucket) in node.buckets.enumerated() {
                unsafe (buckets + bucketIndex).initialize(to: bucket)
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
        // Safety: the copy has room for all bytes.
        for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
        return unsafe Key(
            word: word, count: bytes.count, bytes: copy, slot: slots.lowerBound, slotEnd: slots.upperBound,
            expected: expected.union(.init(.null)), node: node)
    }

    deinit {
        // Safety: each allocation of `init` is freed once. Each key has bytes of its own.
        for index in 0..<count {
            let node = unsafe nodes[index]
            for keyIndex in 0..<(unsafe node.keyCount) { unsafe node.keys[keyIndex].bytes.deallocate() }
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
    /// O(1) expected, plus the length of the key.
    ///
    /// Safety: `count` bytes at `start` must be readable, and at least eight. The node must belong to this object.
    @inline(__always)
    func find(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, in node: UnsafeMutablePointer<Node>
    ) -> UnsafeMutablePointer<Key> {
        guard unsafe node.pointee.keyCount > 0 else { return unsafe unwanted }
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
