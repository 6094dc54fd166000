import CSheaf

/// 32 bytes that are looked at together: which of them are what, one bit a byte, the first byte's the lowest.
///
/// Vectors of one concrete type throughout: signed bytes are what the standard library has vector instructions
/// for. Comparisons are signed, so a byte of 0x80 and above is below every other.
struct ByteBlock {
    static let count = 32

    private let low: SIMD16<Int8>
    private let high: SIMD16<Int8>

    /// The 32 bytes from `start` on, all of which may be read.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        let bytes = UnsafeRawPointer(start)
        low = unsafe bytes.loadUnaligned(as: SIMD16<Int8>.self)
        high = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: SIMD16<Int8>.self)
    }

    /// A text of 16 to 32 bytes: its first sixteen and its last sixteen, some of them twice.
    @inline(__always)
    init(ends start: UnsafePointer<UInt8>, count: Int) {
        let bytes = unsafe UnsafeRawPointer(start)
        low = unsafe bytes.loadUnaligned(as: SIMD16<Int8>.self)
        high = unsafe bytes.loadUnaligned(fromByteOffset: count - 16, as: SIMD16<Int8>.self)
    }

    /// Sixteen bytes, twice.
    @inline(__always)
    init(first: UInt64, last: UInt64) {
        // Safety: both are sixteen bytes of plain memory.
        low = unsafe unsafeBitCast(SIMD2(first, last), to: SIMD16<Int8>.self)
        high = low
    }

    /// Bytes that can't stand as they are in a JSON string: quotes, backslashes and control characters.
    @inline(__always)
    var needsEscape: UInt32 { notPlain & ~notASCII }

    /// Bytes that end a run of plain text in a JSON string: quotes, backslashes, control characters, and all above
    /// U+007F.
    @inline(__always)
    var notPlain: UInt32 {
        // With their second bit turned around quotes stand just above the control characters, and spaces above
        // quotes: one comparison for control characters, quotes and what is above U+007F.
        bits {
            lanes($0 ^ SIMD16(repeating: 0x02) .< SIMD16(repeating: 0x21))
                | lanes($0 .== SIMD16(repeating: 0x5c))
        }
    }

    /// Bytes of 0x80 and above.
    @inline(__always)
    var notASCII: UInt32 {
        bits { $0 }
    }

    /// How many digits stand one after the other at `start`, 16 at most: of so many bytes, all of which may be read.
    @inline(__always)
    static func digits(at start: UnsafeMutablePointer<UInt8>) -> Int {
        let bytes = unsafe UnsafeRawPointer(start).loadUnaligned(as: SIMD16<Int8>.self)
        let others = lanes(bytes .< SIMD16(repeating: 0x30)) | lanes(bytes .> SIMD16(repeating: 0x39))
        return (sheaf_lane_signs(others) | 1 << 16).trailingZeroBitCount
    }

    /// Bytes below `bound`, which is above U+007F, and above U+007F themselves.
    @inline(__always)
    private func wide(below bound: UInt8) -> UInt32 {
        bits { lanes($0 .< SIMD16(repeating: Int8(bitPattern: bound))) }
    }

    /// How many of the bytes in `range`, a run of bits from the lowest one on, are whole characters of UTF-8: all of
    /// them, or where the range is the whole block up to 3 fewer. nil when one is no character: an overlong form, a
    /// surrogate, above U+10FFFF, cut off or no start (the Unicode Standard, table 3-7).
    @inline(__always)
    func wholeCharacters(in range: UInt32) -> Int? {
        let behind = wide(below: 0xc0) & range
        let first = notASCII & range & ~behind
        let ofThree = first & ~wide(below: 0xe0)
        var bad = first & wide(below: 0xc2)
        var expected = UInt64(first) << 1 | UInt64(ofThree) << 2
        if ofThree != 0 {
            let low = wide(below: 0xa0)
            bad |= equal(0xe0) << 1 & low | equal(0xed) << 1 & behind & ~low
            let ofFour = ofThree & ~wide(below: 0xf0)
            if ofFour != 0 {
                let lowest = wide(below: 0x90)
                bad |= ofFour & ~wide(below: 0xf5)
                bad |= equal(0xf0) << 1 & lowest | equal(0xf4) << 1 & behind & ~lowest
                expected |= UInt64(ofFour) << 3
            }
        }
        bad |= UInt32(truncatingIfNeeded: expected) ^ behind
        guard bad == 0 else { return nil }
        // The last character goes on behind the block: it is the next one's first.
        if expected >> 32 != 0 { return 31 - first.leadingZeroBitCount }
        return 32 - range.leadingZeroBitCount
    }

    @inline(__always)
    func equal(_ byte: UInt8) -> UInt32 {
        bits { lanes($0 .== SIMD16(repeating: Int8(bitPattern: byte))) }
    }

    /// How often `byte` is among `bytes`.
    static func count(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        let wanted = SIMD16(repeating: Int8(bitPattern: byte))
        var total = 0
        var index = 0
        while index + count <= bytes.count {
            // Each lane counts its own, down from 0, as often as it can.
            let end = index + min((bytes.count - index) / count, 64) * count
            var lanes = SIMD16<Int8>()
            while index < end {
                // Safety: a block from `index` is inside, by the condition.
                let block = unsafe ByteBlock(UnsafeMutablePointer(mutating: start + index))
                lanes &+= SheafBytes.lanes(block.low .== wanted)
                lanes &+= SheafBytes.lanes(block.high .== wanted)
                index += count
            }
            for lane in lanes.indices { total -= Int(lanes[lane]) }
        }
        while index < bytes.count {
            // Safety: inside, by the condition.
            total += unsafe start[index] == byte ? 1 : 0
            index += 1
        }
        return total
    }

    /// Writes all bytes to `target`.
    @inline(__always)
    func store(to target: UnsafeMutablePointer<UInt8>) {
        let bytes = UnsafeMutableRawPointer(target)
        unsafe bytes.storeBytes(of: low, as: SIMD16<Int8>.self)
        unsafe bytes.storeBytes(of: high, toByteOffset: 16, as: SIMD16<Int8>.self)
    }

    /// Writes the first half to `target` and the second one so that it ends where the text of `count` bytes does.
    @inline(__always)
    func storeEnds(to target: UnsafeMutablePointer<UInt8>, count: Int) {
        let bytes = UnsafeMutableRawPointer(target)
        unsafe bytes.storeBytes(of: low, as: SIMD16<Int8>.self)
        unsafe bytes.storeBytes(of: high, toByteOffset: count - 16, as: SIMD16<Int8>.self)
    }

    /// Bytes that are the same in the other block.
    @inline(__always)
    func equal(_ other: ByteBlock) -> UInt32 {
        sheaf_lane_signs(lanes(low .== other.low)) | sheaf_lane_signs(lanes(high .== other.high)) << 16
    }

    /// A hash of every byte, the same within this process alone.
    var hash: UInt64 {
        // Safety: both are sixteen bytes of plain memory.
        let (first, second) = unsafe (
            unsafeBitCast(low, to: SIMD2<UInt64>.self), unsafeBitCast(high, to: SIMD2<UInt64>.self)
        )
        let secret = HashSecret.process
        let state = HashSecret.mix(first[0] ^ secret.word, first[1] ^ secret.start)
        return HashSecret.mix(second[0] ^ secret.word, second[1] ^ state)
    }

    @inline(__always)
    private func bits(_ lanes: (SIMD16<Int8>) -> SIMD16<Int8>) -> UInt32 {
        sheaf_lane_signs(lanes(low)) | sheaf_lane_signs(lanes(high)) << 16
    }
}

/// A comparison's lanes: all bits set where it holds.
@inlinable
@inline(__always)
func lanes(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<Int8> {
    // Safety: a mask is a vector of such lanes.
    unsafe unsafeBitCast(mask, to: SIMD16<Int8>.self)
}
