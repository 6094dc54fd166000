import CSheaf

/// Random numbers that seed every hash table of this process.
///
/// Logs are untrusted: if hashes could be computed in advance, someone could craft a log whose texts all collide. No
/// result depends on these numbers.
struct HashSecret: Sendable {
    let start: UInt64
    let word: UInt64
    let end: UInt64

    @inline(__always)
    static var process: HashSecret {
        HashSecret(start: sheaf_secret.0, word: sheaf_secret.1, end: sheaf_secret.2)
    }

    /// Mixes two numbers: XORs their folded product with both of them, so that if one is zero, the result is the
    /// other one instead of zero.
    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 { foldedProduct(a, b) ^ a ^ b }
}

extension UInt64 {
    /// 2^64 divided by the golden ratio: an odd number whose bits are evenly distributed. Multiplying by it mixes the
    /// bits of a hash.
    @inlinable package static var goldenRatio: UInt64 { 0x9e37_79b9_7f4a_7c15 }

    /// The secrets of wyhash, numbers of the same kind.
    @inlinable static var wyhash: (UInt64, UInt64, UInt64) {
        (0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3)
    }
}

extension Span where Element == UInt8 {
    /// Returns a 64-bit hash of the bytes, continued from `seed`, for tables and shards.
    ///
    /// The hash is the same only within this process: it depends on `HashSecret`, so that colliding texts cannot be
    /// prepared. It multiplies and folds 16 bytes at a time (the construction of wyhash), with secrets in both
    /// factors of every product.
    package func hash(seed: UInt64) -> UInt64 {
        let secret = HashSecret.process
        return unsafe withUnsafeBytes { bytes in
            var state = seed ^ secret.start
            var offset = 0
            // Safety: more than sixteen bytes follow `offset`, by the condition, so both loads are inside the buffer.
            while bytes.count &- offset > 16 {
                let (first, second) = unsafe (bytes.word(at: offset), bytes.word(at: offset &+ 8))
                state = HashSecret.mix(first ^ secret.word, second ^ state)
                offset &+= 16
            }
            // One to sixteen bytes are left, unless the text is empty. If the text is long enough, these loads
            // overlap bytes that were already hashed: together with the length, they still determine every byte.
            //
            // Safety: each branch has checked that the buffer has the 8 or 16 bytes that it loads from the start or
            // the end.
            let first: UInt64
            let second: UInt64
            if bytes.count >= 16 {
                first = unsafe bytes.word(at: bytes.count &- 16)
                second = unsafe bytes.word(at: bytes.count &- 8)
            } else if bytes.count >= 8 {
                first = unsafe bytes.word(at: 0)
                second = unsafe bytes.word(at: bytes.count &- 8)
            } else {
                first = unsafe lastBytes(of: bytes, count: bytes.count)
                second = 0
            }
            state = HashSecret.mix(first ^ secret.word, second ^ state)
            return HashSecret.mix(state ^ secret.end, UInt64(truncatingIfNeeded: bytes.count) ^ secret.word)
        }
    }

    /// Returns a 64-bit hash of the bytes that is the same in every process and on every machine.
    ///
    /// For samples that a result depends on, and for the inputs that a fuzzer keeps. Colliding texts are easy to
    /// construct, so no table may use it.
    @usableFromInline package func stableHash(seed: UInt64) -> UInt64 {
        unsafe withUnsafeBytes { bytes in
            var state = seed ^ UInt64.goldenRatio
            var offset = 0
            while offset + 8 <= bytes.count {
                // Safety: eight bytes follow `offset`, by the condition, so the load is inside the buffer.
                state = foldedProduct(state ^ (unsafe bytes.word(at: offset)), UInt64.wyhash.0)
                offset += 8
            }
            let tail = unsafe lastBytes(of: bytes, count: bytes.count - offset)
            state = foldedProduct(state ^ tail, UInt64.wyhash.1)
            return foldedProduct(state ^ UInt64(truncatingIfNeeded: bytes.count), UInt64.wyhash.2)
        }
    }

    /// A hash of the first eight bytes, the last eight bytes and the length, the same in every process. It counts
    /// texts in a sketch: different names differ at one of their ends.
    @inlinable
    @inline(__always)
    package var endsHash: UInt64 {
        unsafe withUnsafeBytes { bytes in
            // Safety: the buffer has at least eight bytes, by the condition, so both loads are inside it.
            guard bytes.count >= 8 else { return stableHash(seed: 0) }
            let first = unsafe bytes.loadUnaligned(as: UInt64.self)
            let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            let (a, b) = (UInt64(littleEndian: first), UInt64(littleEndian: last))
            let product = foldedProduct(
                a ^ UInt64.wyhash.0, b ^ UInt64.wyhash.1 ^ UInt64(truncatingIfNeeded: bytes.count))
            // Differences in the low bits of the factors spread only upwards, so the product is mixed once more.
            return foldedProduct(product, UInt64.goldenRatio)
        }
    }

    /// A number whose upper bits select a sample of ids, the same in every process: UUIDs by both of their ends, which
    /// differ, and other ids by all of their bytes.
    @inlinable
    @inline(__always)
    package var sampleHash: UInt64 {
        unsafe withUnsafeBytes { bytes in
            // Safety: the buffer has 36 bytes, by the condition, so both loads are inside it.
            guard bytes.count == 36 else { return stableHash(seed: 0) }
            let first = unsafe bytes.loadUnaligned(as: UInt64.self)
            let last = unsafe bytes.loadUnaligned(fromByteOffset: 28, as: UInt64.self)
            let (a, b) = (UInt64(littleEndian: first), UInt64(littleEndian: last))
            // The halves are exchanged, so that the upper bits follow from all digits.
            return (a ^ (b &>> 32 | b &<< 32)) &* UInt64.goldenRatio
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the eight bytes at `offset`, the first one lowest.
    ///
    /// Safety: all eight must be inside the buffer, which is not checked.
    @inline(__always)
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// Returns the XOR of the two halves of the 128-bit product.
@inlinable
@inline(__always)
func foldedProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
}

/// Returns the last `count` bytes of a buffer, 0 to 7, as a number, the first of them lowest.
///
/// Uses overlapping loads instead of a loop over the bytes.
///
/// Safety: the buffer must have at least eight bytes, or exactly `count`.
@inlinable
@inline(__always)
func lastBytes(of bytes: UnsafeRawBufferPointer, count: Int) -> UInt64 {
    // Safety: each branch loads no more than the buffer is required to have.
    if count == 0 { return 0 }
    if bytes.count >= 8 {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        return UInt64(littleEndian: word) >> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
    if count >= 4 {
        let low = UInt32(littleEndian: unsafe bytes.loadUnaligned(as: UInt32.self))
        let high = UInt32(
            littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        return UInt64(low) | UInt64(high) << UInt64(truncatingIfNeeded: 8 &* count &- 32)
    }
    let (middle, last) = (count / 2, count &- 1)
    return unsafe UInt64(bytes[0]) | UInt64(bytes[middle]) << UInt64(truncatingIfNeeded: 8 &* middle)
        | UInt64(bytes[last]) << UInt64(truncatingIfNeeded: 8 &* last)
}
