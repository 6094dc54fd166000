#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// Most texts of a notification have fewer than a hundred bytes. For them, a few loads and stores that may overlap cost
// less than a call of the C library, which first has to find out the length and what the processor can do.

/// The length from which on the C library's functions are faster, in bytes.
private let longCount = 256

/// Copies a text.
///
/// Safety: the source must have `count` bytes, at least 1, and the target must have room for them. The two must not
/// overlap.
@inline(__always)
func copyText(_ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>) {
    typealias Block = SIMD32<UInt8>
    let bytes = unsafe UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(target)
    // Safety: every load and store starts at a multiple of the block's size or ends with the text, and is no longer
    // than the text.
    if count >= 32 {
        if count >= longCount {
            unsafe target.update(from: source, count: count)
            return
        }
        var index = 0
        while index &+ 32 < count {
            let block = unsafe bytes.loadUnaligned(fromByteOffset: index, as: Block.self)
            unsafe output.storeBytes(of: block, toByteOffset: index, as: Block.self)
            index &+= 32
        }
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 32, as: Block.self)
        unsafe output.storeBytes(of: last, toByteOffset: count &- 32, as: Block.self)
    } else if count >= 16 {
        unsafe copyEnds(bytes, count: count, to: output, as: SIMD16<UInt8>.self)
    } else if count >= 8 {
        unsafe copyEnds(bytes, count: count, to: output, as: UInt64.self)
    } else if count >= 4 {
        unsafe copyEnds(bytes, count: count, to: output, as: UInt32.self)
    } else {
        let offsets = (count / 2, count &- 1)
        let (first, middle, last) = unsafe (source[0], source[offsets.0], source[offsets.1])
        unsafe target[0] = first
        unsafe target[offsets.0] = middle
        unsafe target[offsets.1] = last
    }
}

/// Copies a text's first and last bytes, which meet or overlap.
///
/// Safety: as for `copyText`. The text must have at least as many bytes as a `Part`, and at most twice as many.
@inline(__always)
private func copyEnds<Part: BitwiseCopyable>(
    _ source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer, as part: Part.Type
) {
    let end = count &- MemoryLayout<Part>.size
    let first = unsafe source.loadUnaligned(as: part)
    let last = unsafe source.loadUnaligned(fromByteOffset: end, as: part)
    unsafe target.storeBytes(of: first, as: part)
    unsafe target.storeBytes(of: last, toByteOffset: end, as: part)
}

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
