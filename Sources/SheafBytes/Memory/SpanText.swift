import CSheaf

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

    /// Returns the first offset in `range` at which `byte` is; nil if it is not there. O(length).
    package func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        return unsafe extracting(range).withUnsafeBytes { bytes in
            // Safety: the buffer is not empty, by the check above, and `memchr` searches only its bytes.
            guard let place = unsafe memchr(bytes.baseAddress!, Int32(byte), bytes.count) else { return nil }
            return unsafe range.lowerBound + (UnsafeRawPointer(place) - bytes.baseAddress!)
        }
    }

    /// Returns whether some of the bytes are those of `text`. O(length × length of the text).
    package func contains(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return true }
        var start = 0
        while start + text.count <= count {
            guard let found = firstOffset(of: text[0], in: start..<count - text.count + 1) else {
                return false
            }
            if extracting(found..<found + text.count).isEqual(to: text) { return true }
            start = found + 1
        }
        return false
    }

    /// Whether the text is not empty and has only hexadecimal digits, in either case. O(length).
    package var isHexadecimal: Bool {
        var index = 0
        while index + ByteBlock.count <= count {
            guard block(at: index).hexDigits == .max else { return false }
            index += ByteBlock.count
        }
        while index < count {
            guard self[index].isHexDigit else { return false }
            index += 1
        }
        return count > 0
    }

    /// Whether the text is 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, in either case, with hyphens between them.
    package var isUUID: Bool {
        guard count == 36 else { return false }
        let hyphens: UInt32 = 1 << 8 | 1 << 13 | 1 << 18 | 1 << 23
        let block = block(at: 0)
        return block.hexDigits == ~hyphens && block.equal(UInt8(ascii: "-")) == hyphens
            && extracting(last: count - ByteBlock.count).isHexadecimal
    }

    /// The bytes from an offset on. Traps if there are fewer than 32.
    func block(at offset: Int) -> ByteBlock {
        unsafe extracting(offset..<offset + ByteBlock.count).withUnsafeBufferPointer { bytes in
            // Safety: the buffer has as many bytes as a block.
            unsafe ByteBlock(ends: bytes.baseAddress!, count: ByteBlock.count)
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

    /// Returns the `count` bytes at `offset`, at most eight, as a number, the first one lowest.
    func number(at offset: Int, count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in (offset..<offset + count).reversed() { number = number << 8 | UInt64(self[index]) }
        return number
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

    /// The text as a `String`; invalid UTF-8 becomes U+FFFD.
    package var string: String {
        // Safety: the initializer copies the bytes of the buffer, which outlives the call.
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the bytes are valid UTF-8.
    package var isValidUTF8: Bool {
        // Safety: the initializer reads only the bytes of the buffer, which outlives the call.
        unsafe withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) != nil }
    }
}

extension Array where Element == UInt8 {
    /// Appends the bytes of `span`.
    package mutating func append(_ span: Span<UInt8>) {
        unsafe span.withUnsafeBytes { bytes in
            // Safety: the bytes of the buffer, which outlives the call, are copied.
            unsafe append(contentsOf: bytes)
        }
    }

    /// The first eight bytes as a number, the first one lowest, with zeros past the end.
    var leadingWord: UInt64 { span.number(at: 0, count: Swift.min(8, count)) }

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

extension UInt8 {
    /// Whether the byte is one of the digits 0 to 9.
    @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    fileprivate var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

    /// Whether the byte may be between JSON tokens (RFC 8259, section 2).
    @inlinable package var isJSONWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
            || self == UInt8(ascii: "\t")
    }

    /// Whether the byte is a space, a tab, or one of the other control characters that move the cursor: LF, VT, FF, CR.
    @inlinable package var isWhiteSpace: Bool {
        self == UInt8(ascii: " ") || UInt8(ascii: "\t")...UInt8(ascii: "\r") ~= self
    }
}

extension UTF8 {
    /// U+FEFF, with which some editors begin a file.
    package static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Returns the contents of a file without the byte order mark that some editors write before the text.
    package static func text(of contents: [UInt8]) -> ArraySlice<UInt8> {
        contents.starts(with: byteOrderMark) ? contents.dropFirst(byteOrderMark.count) : contents[...]
    }
}
