#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// Most texts of a notification are short. For them, a few loads that may overlap cost less than a call of the C
// library, which first has to find out the length and what the processor can do.

/// Returns whether two texts of the same length are equal.
///
/// Safety: both must have `count` bytes, at least 1.
@inline(__always)
func isEqualText(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int) -> Bool {
    // Safety: each load starts or ends with its text, and is no longer than the text.
    if count > 32 { return unsafe memcmp(first, second, count) == 0 }
    if count >= 16 {
        return unsafe difference(first, second, at: 0) | difference(first, second, at: 8)
            | difference(first, second, at: count &- 16) | difference(first, second, at: count &- 8) == 0
    }
    if count >= 8 {
        return unsafe difference(first, second, at: 0) | difference(first, second, at: count &- 8) == 0
    }
    return unsafe lastBytes(of: UnsafeRawBufferPointer(start: first, count: count), count: count)
        == lastBytes(of: UnsafeRawBufferPointer(start: second, count: count), count: count)
}

/// Returns the bits in which eight bytes of two texts differ.
///
/// Safety: both texts must have eight bytes at `offset`.
@inline(__always)
private func difference(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, at offset: Int) -> UInt64 {
    unsafe first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}
