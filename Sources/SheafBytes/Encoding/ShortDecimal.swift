extension Span where Element == UInt8 {
    /// The number that 1 to 16 digits are; nil when there are more or fewer, or something else among them.
    ///
    /// Eight digits at a time: each step makes numbers of twice as many digits from neighbours.
    public var shortDecimal: UInt64? {
        guard count >= 1, count <= 16 else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard bytes.count > 8 else {
                // Safety: as many bytes as there are.
                return unsafe eightDigits(digitWord(bytes, count: bytes.count))
            }
            // Safety: eight bytes end where the text ends; those before are at most eight.
            let low = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            guard let high = unsafe eightDigits(digitWord(bytes, count: bytes.count - 8)),
                let rest = eightDigits(UInt64(littleEndian: low))
            else { return nil }
            return high * 100_000_000 + rest
        }
    }
}

/// The first `count` bytes, 1 to 8, behind as many zero digits as are missing: the first digit's byte is the lowest.
@inline(__always)
private func digitWord(_ bytes: UnsafeRawBufferPointer, count: Int) -> UInt64 {
    let zeros: UInt64 = 0x3030_3030_3030_3030
    // Safety: eight bytes are there, by the condition; of fewer all are wanted, as the caller says.
    let word =
        bytes.count >= 8
        ? UInt64(littleEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
        : unsafe lastBytes(of: bytes, count: count)
    let missing = UInt64(8 * (8 - count))
    return missing == 0 ? word : word << missing | zeros >> (64 - missing)
}

/// The number that eight digits are; nil when one of them is none.
@inline(__always)
private func eightDigits(_ word: UInt64) -> UInt64? {
    // A digit's upper half is 3, and stays that when 6 is added.
    let upper: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
    let raised = (word &+ 0x0606_0606_0606_0606) & upper
    guard word & upper | raised >> 4 == 0x3333_3333_3333_3333 else { return nil }
    var number = ((word & 0x0f0f_0f0f_0f0f_0f0f) &* (10 << 8 + 1)) >> 8
    number = ((number & 0x00ff_00ff_00ff_00ff) &* (100 << 16 + 1)) >> 16
    return ((number & 0x0000_ffff_0000_ffff) &* (10_000 << 32 + 1)) >> 32
}
