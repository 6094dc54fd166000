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
    /// before. In an array, only one counts: the bytes after the comma are different every time.
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
        let hash = (key ^ UInt64(truncatingIfNeeded: state) &<< 40) &* HashFactor.golden
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
        let word = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var bucket = unsafe Self.firstBucket(word, state, isArray: isArray)
        while unsafe buckets[bucket] != 0 { bucket = unsafe (bucket + 1) & (Self.count - 1) }
        unsafe buckets[bucket] = UInt16(number)
    }
}
