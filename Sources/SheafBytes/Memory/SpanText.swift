import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Texts are compared, ordered and hashed as bytes, never by locale or Unicode normalization.
extension Span where Element == UInt8 {
    /// Returns whether both spans contain the same bytes.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count > 0 else { return true }
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                // Safety: both have `count` bytes and are not empty, by the checks above, so neither address is nil.
                unsafe isEqualText(mine.baseAddress!, theirs.baseAddress!, count: mine.count)
            }
        }
    }

    /// The first eight bytes as a number, the first one lowest. Traps if there are fewer.
    @inlinable
    @inline(__always)
    package var firstWord: UInt64 {
        precondition(count >= 8, "fewer than eight bytes")
        return unsafe withUnsafeBytes { bytes in
            // Safety: the buffer has at least eight bytes, by the precondition.
            UInt64(littleEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
        }
    }

    /// Returns whether these are the bytes of `literal`.
    package func isEqual(to literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        guard count > 0 else { return true }
        return unsafe withUnsafeBytes { mine in
            // Safety: both have `count` bytes and are not empty, by the checks above. A static string lives as long
            // as the program.
            unsafe memcmp(mine.baseAddress!, literal.utf8Start, mine.count) == 0
        }
    }

    /// Returns whether these are the letters of `literal`, in either case.
    ///
    /// - Parameter literal: only lower-case ASCII letters.
    package func isEqualIgnoringCase(to literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        for index in indices {
            // Safety: the literal has `count` bytes, by the check above, and lives as long as the program.
            let letter = unsafe literal.utf8Start[index]
            if self[index] | 0x20 != letter { return false }
        }
        return true
    }

    /// Returns the index of the last occurrence of `byte`, searching from the end sixteen bytes at a time.
    @inlinable
    @inline(__always)
    package func lastIndex(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            var end = bytes.count
            while end >= 16 {
                // Safety: `end` is at least 16 and at most the number of bytes, so the load is inside the buffer.
                let block = unsafe bytes.loadUnaligned(fromByteOffset: end &- 16, as: SIMD16<Int8>.self)
                let signs = sheaf_lane_signs(lanes(block .== SIMD16(repeating: Int8(bitPattern: byte))))
                if signs != 0 { return end &- 16 &+ (31 &- signs.leadingZeroBitCount) }
                end &-= 16
            }
            while end > 0 {
                end &-= 1
                // Safety: `end` is less than the number of bytes and not negative, by the condition.
                if unsafe bytes[end] == byte { return end }
            }
            return nil
        }
    }

    /// Returns whether the bytes end with those of `literal`.
    package func hasSuffix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        return count >= length && extracting(last: length).isEqual(to: literal)
    }

    /// Compares two texts in byte order: returns a negative number if these bytes come first, 0 if both are equal,
    /// and a positive number otherwise. A prefix comes first.
    package func compare(to other: Span<UInt8>) -> Int {
        let shared = Swift.min(count, other.count)
        if shared > 0 {
            let order = unsafe withUnsafeBytes { mine in
                unsafe other.withUnsafeBytes { theirs in
                    // Safety: both have at least `shared` bytes, and `shared` is not 0, so neither address is nil.
                    unsafe memcmp(mine.baseAddress!, theirs.baseAddress!, shared)
                }
            }
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }

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
            var state = seed ^ HashFactor.golden
            var offset = 0
            while offset + 8 <= bytes.count {
                // Safety: eight bytes follow `offset`, by the condition, so the load is inside the buffer.
                state = foldedProduct(state ^ (unsafe bytes.word(at: offset)), HashFactor.wyhash.0)
                offset += 8
            }
            let tail = unsafe lastBytes(of: bytes, count: bytes.count - offset)
            state = foldedProduct(state ^ tail, HashFactor.wyhash.1)
            return foldedProduct(state ^ UInt64(truncatingIfNeeded: bytes.count), HashFactor.wyhash.2)
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
                a ^ HashFactor.wyhash.0, b ^ HashFactor.wyhash.1 ^ UInt64(truncatingIfNeeded: bytes.count))
            // Differences in the low bits of the factors spread only upwards, so the product is mixed once more.
            return foldedProduct(product, HashFactor.golden)
        }
    }

    /// The text as a `String`; invalid UTF-8 becomes U+FFFD.
    package var string: String {
        // Safety: the initializer copies the bytes of the buffer, which outlives the call.
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
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

extension Array where Element == UInt8 {
    /// Appends the bytes of `span`.
    package mutating func append(_ span: Span<UInt8>) {
        unsafe span.withUnsafeBytes { bytes in
            // Safety: the bytes of the buffer, which outlives the call, are copied.
            unsafe append(contentsOf: bytes)
        }
    }

    /// Appends the bytes of a text, and returns where they are.
    package mutating func appendText(_ text: Span<UInt8>) -> TextRange {
        let start = count
        append(text)
        return TextRange(start..<count)
    }

    /// Appends the bytes of `literal`.
    package mutating func append(_ literal: StaticString) {
        // Safety: a static string lives as long as the program, and the count is its own.
        let bytes = unsafe UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        unsafe append(contentsOf: bytes)
    }
}

extension MutableSpan where Element == UInt8 {
    /// Writes a number to the first eight bytes, its lowest byte first. Traps if there are fewer.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func write(firstWord word: UInt64) {
        precondition(count >= 8, "fewer than eight bytes")
        unsafe withUnsafeMutableBytes { target in
            // Safety: the buffer has at least eight bytes, by the precondition.
            unsafe target.storeBytes(of: word.littleEndian, as: UInt64.self)
        }
    }

    /// Copies `source` into this span at `offset`. Traps if it does not fit.
    @_lifetime(self: copy self)
    package mutating func write(_ source: Span<UInt8>, at offset: Int) {
        precondition(offset >= 0 && source.count <= count - offset, "text outside its buffer")
        guard source.count > 0 else { return }
        unsafe withUnsafeMutableBufferPointer { target in
            unsafe source.withUnsafeBufferPointer { bytes in
                // Safety: the target has room after the offset, by the precondition. Neither buffer is empty, so
                // neither address is nil.
                unsafe (target.baseAddress! + offset).update(from: bytes.baseAddress!, count: bytes.count)
            }
        }
    }
}
