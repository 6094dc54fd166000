/// Learned gaps by the state that they begin in and their first bytes: open addressing with linear probing.
@safe struct GapTable {
    /// 0 is none.
    private let places: UnsafeMutablePointer<UInt16>
    private static let count = 4096

    init() {
        // Safety: allocated for good, given back by `deallocate`.
        unsafe places = .allocate(capacity: Self.count)
        unsafe places.initialize(repeating: 0, count: Self.count)
    }

    func deallocate() { unsafe places.deallocate() }

    func clear() { unsafe places.update(repeating: 0, count: Self.count) }

    /// Where a text that begins with the bytes of `word` is looked for first.
    ///
    /// Of an object five bytes count: the comma, the quote and three letters of a key; fewer when the text ends
    /// before. Of an array one: behind its comma stands what is different every time.
    @inline(__always)
    private static func home(_ word: UInt64, _ state: Int16, isArray: Bool) -> Int {
        let kept: UInt64
        if isArray {
            kept = word & 0xff
        } else {
            let five = word & 0xff_ffff_ffff
            let zeros = (five &- 0x01_0101_0101) & ~five & 0x80_8080_8080
            // What is below the lowest bit that marks a zero byte.
            kept = zeros == 0 ? five : five & ((zeros & (0 &- zeros)) &- 1)
        }
        let hash = (kept ^ UInt64(truncatingIfNeeded: state) &<< 40) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: hash &>> 52)
    }

    /// A learned gap that the text at `place` begins with, behind `gap`, of which it is neither the usual nor the
    /// second one; 0 when there is none.
    @inline(never)
    func find(
        at place: JSONTokens.Place, behind gap: UnsafeMutablePointer<Gap>,
        _ gaps: UnsafeMutablePointer<Gap>, _ rests: UnsafeMutablePointer<GapRest>
    ) -> Int {
        let state = unsafe gap.pointee.target
        // Safety: eight bytes from every place of a text may be read, in the chunk or its slack.
        let word = unsafe UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
        var home = unsafe Self.home(word, state, isArray: gap.pointee.isInArray)
        while true {
            // Safety: homes are below the count, a power of two; numbers are those of gaps.
            let candidate = unsafe Int(places[home])
            if unsafe candidate == 0
                || (gaps[candidate].source == state
                    && Gap.matches(gaps + candidate, rests + candidate, place))
            {
                return candidate
            }
            home = (home &+ 1) & (Self.count &- 1)
        }
    }

    /// Adds a gap with the first bytes of `bytes`. There is always room: the table has four places for every gap
    /// that can be learned.
    func add(_ number: Int, _ bytes: [UInt8], in state: Int16, isArray: Bool) {
        let word = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var home = Self.home(word, state, isArray: isArray)
        while unsafe places[home] != 0 { home = (home + 1) & (Self.count - 1) }
        unsafe places[home] = UInt16(number)
    }
}
