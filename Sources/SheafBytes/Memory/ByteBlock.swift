import CSheaf

/// A block of 32 bytes that are classified together. The result is a mask with one bit for each byte, the first
/// byte's bit lowest.
///
/// All vectors have the same concrete type, with signed bytes, for which the standard library has vector
/// instructions. Comparisons are signed, so bytes of 0x80 and above are less than all others.
struct ByteBlock {
    static let count = 32

    private let low: SIMD16<Int8>
    private let high: SIMD16<Int8>

    /// Loads the 32 bytes at `start`.
    ///
    /// Safety: all 32 bytes must be readable.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        let bytes = UnsafeRawPointer(start)
        low = unsafe bytes.loadUnaligned(as: SIMD16<Int8>.self)
        high = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: SIMD16<Int8>.self)
    }

    /// Loads the first sixteen and the last sixteen bytes of a text of 16 to 32 bytes. The two halves may overlap.
    ///
    /// Safety: the `count` bytes at `start` must be readable, and `count` must be at least 16.
    @inline(__always)
    init(ends start: UnsafePointer<UInt8>, count: Int) {
        let bytes = unsafe UnsafeRawPointer(start)
        low = unsafe bytes.loadUnaligned(as: SIMD16<Int8>.self)
        high = unsafe bytes.loadUnaligned(fromByteOffset: count - 16, as: SIMD16<Int8>.self)
    }

    /// Creates a block that contains the same sixteen bytes twice.
    @inline(__always)
    init(first: UInt64, last: UInt64) {
        // Safety: both types have sixteen bytes, and every bit pattern is valid for both.
        low = unsafe unsafeBitCast(SIMD2(first, last), to: SIMD16<Int8>.self)
        high = low
    }

    /// The bytes that must be escaped in a JSON string: quotes, backslashes and control characters.
    @inline(__always)
    var needsEscape: UInt32 { notPlain & ~notASCII }

    /// The bytes that end a run of plain text in a JSON string: quotes, backslashes, control characters, and bytes of
    /// 0x80 and above.
    @inline(__always)
    var notPlain: UInt32 {
        // With bit 1 flipped, the quote becomes 0x20, just above the control characters, and the space becomes 0x22,
        // above the quote. A single signed comparison then finds control characters, quotes, and bytes of 0x80 and
        // above.
        bits {
            lanes($0 ^ SIMD16(repeating: 0x02) .< SIMD16(repeating: 0x21))
                | lanes($0 .== SIMD16(repeating: 0x5c))
        }
    }

    /// The bytes for which a CSV cell needs quotes (RFC 4180): commas, quotes and line breaks.
    @inline(__always)
    var needsCSVQuotes: UInt32 {
        bits {
            lanes($0 .== SIMD16(repeating: 0x2c)) | lanes($0 .== SIMD16(repeating: 0x22))
                | lanes($0 .== SIMD16(repeating: 0x0a)) | lanes($0 .== SIMD16(repeating: 0x0d))
        }
    }

    /// The bytes of 0x80 and above.
    @inline(__always)
    var notASCII: UInt32 {
        bits { $0 }
    }

    /// The hexadecimal digits, in either case.
    @inline(__always)
    var hexDigits: UInt32 {
        bits {
            let letters = $0 | SIMD16(repeating: 0x20)
            return lanes($0 .> SIMD16(repeating: 0x2f)) & lanes($0 .< SIMD16(repeating: 0x3a))
                | lanes(letters .> SIMD16(repeating: 0x60)) & lanes(letters .< SIMD16(repeating: 0x67))
        }
    }

    /// Returns the number of consecutive digits at `start`, at most 16.
    ///
    /// Safety: 16 bytes at `start` must be readable.
    @inline(__always)
    static func digits(at start: UnsafeMutablePointer<UInt8>) -> Int {
        let bytes = unsafe UnsafeRawPointer(start).loadUnaligned(as: SIMD16<Int8>.self)
        let others = lanes(bytes .< SIMD16(repeating: 0x30)) | lanes(bytes .> SIMD16(repeating: 0x39))
        return (sheaf_lane_signs(others) | 1 << 16).trailingZeroBitCount
    }

    /// The bytes from 0x80 up to, but not including, `bound`, which is greater than 0x80.
    @inline(__always)
    private func wide(below bound: UInt8) -> UInt32 {
        bits { lanes($0 .< SIMD16(repeating: Int8(bitPattern: bound))) }
    }

    /// Returns how many bytes of `range` form whole UTF-8 characters, or nil if one of its characters is invalid: an
    /// overlong form, a surrogate, above U+10FFFF, truncated, or a continuation byte without a lead byte (the Unicode
    /// Standard, table 3-7).
    ///
    /// The result is the length of the range, or up to 3 less if the range is the whole block and the last character
    /// continues after it.
    ///
    /// - Parameter range: a run of bits that starts at the lowest bit.
    @inline(__always)
    func wholeCharacters(in range: UInt32) -> Int? {
        let continuation = wide(below: 0xc0) & range
        let first = notASCII & range & ~continuation
        let ofThree = first & ~wide(below: 0xe0)
        var bad = first & wide(below: 0xc2)
        var expected = UInt64(first) << 1 | UInt64(ofThree) << 2
        if ofThree != 0 {
            let low = wide(below: 0xa0)
            bad |= equal(0xe0) << 1 & low | equal(0xed) << 1 & continuation & ~low
            let ofFour = ofThree & ~wide(below: 0xf0)
            if ofFour != 0 {
                let lowest = wide(below: 0x90)
                bad |= ofFour & ~wide(below: 0xf5)
                bad |= equal(0xf0) << 1 & lowest | equal(0xf4) << 1 & continuation & ~lowest
                expected |= UInt64(ofFour) << 3
            }
        }
        bad |= UInt32(truncatingIfNeeded: expected) ^ continuation
        guard bad == 0 else { return nil }
        // The last character continues in the next block, so the count excludes it.
        if expected >> 32 != 0 { return 31 - first.leadingZeroBitCount }
        return 32 - range.leadingZeroBitCount
    }

    @inline(__always)
    func equal(_ byte: UInt8) -> UInt32 {
        bits { lanes($0 .== SIMD16(repeating: Int8(bitPattern: byte))) }
    }

    /// Stores all 32 bytes at `target`.
    ///
    /// Safety: all 32 bytes must be writable.
    @inline(__always)
    func store(to target: UnsafeMutablePointer<UInt8>) {
        let bytes = UnsafeMutableRawPointer(target)
        unsafe bytes.storeBytes(of: low, as: SIMD16<Int8>.self)
        unsafe bytes.storeBytes(of: high, toByteOffset: 16, as: SIMD16<Int8>.self)
    }

    /// Stores the first half at the start of a text of `count` bytes and the second half at its end.
    ///
    /// Safety: the `count` bytes at `target` must be writable, and `count` must be at least 16.
    @inline(__always)
    func storeEnds(to target: UnsafeMutablePointer<UInt8>, count: Int) {
        let bytes = UnsafeMutableRawPointer(target)
        unsafe bytes.storeBytes(of: low, as: SIMD16<Int8>.self)
        unsafe bytes.storeBytes(of: high, toByteOffset: count - 16, as: SIMD16<Int8>.self)
    }

    /// The bytes that are equal in both blocks.
    @inline(__always)
    func equal(_ other: ByteBlock) -> UInt32 {
        sheaf_lane_signs(lanes(low .== other.low)) | sheaf_lane_signs(lanes(high .== other.high)) << 16
    }

    /// A hash of all bytes, the same only within this process.
    var hash: UInt64 {
        // Safety: both types have sixteen bytes, and every bit pattern is valid for both.
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

/// Returns the result of a comparison as lanes: all bits are set where it holds, and clear elsewhere.
@inlinable
@inline(__always)
func lanes(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<Int8> {
    // Safety: a mask is stored as a vector of 16 such lanes, so both types have the same layout.
    unsafe unsafeBitCast(mask, to: SIMD16<Int8>.self)
}
