/// Odd numbers whose bits are evenly distributed: multiplying by one of them mixes the bits of a hash.
@usableFromInline package enum HashFactor {
    /// 2^64 divided by the golden ratio.
    @inlinable package static var golden: UInt64 { 0x9e37_79b9_7f4a_7c15 }

    /// The secrets of wyhash.
    @inlinable static var wyhash: (UInt64, UInt64, UInt64) {
        (0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3)
    }
}
