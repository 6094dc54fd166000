/// A comparison's lanes, 0xff where it holds: as two words, whose zeros at the end count lanes.
///
/// Vectors of one concrete type and plain words throughout: the library's operators between a vector and a scalar
/// and those on masks are generic and not always turned into vector instructions.
@inline(__always)
func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
    // Safety: both are 16 bytes of plain memory; every masked vector of 16 bytes has this mask type.
    unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
}
