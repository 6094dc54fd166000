/// Stores texts of hexadecimal digits in half the bytes: device tokens, and the UUIDs that identify notifications.
///
///     packed          [form | bytes …]        the empty text becomes no bytes at all
///
///     plain           the text's own bytes
///     lowercaseHex    an even number of digits 0-9 a-f, two per byte
///     uppercaseUUID   digits 0-9 A-F in groups of 8, 4, 4, 4 and 12 with dashes between, two per byte: 16 bytes
///     lowercaseUUID   the same with a-f
///
/// Invariants: every sequence of bytes has exactly one packed form, which unpacks to the same sequence. Texts are
/// therefore equal exactly when their packed forms are.
package enum CompactText {
    private enum Form: UInt8 {
        case plain, lowercaseHex, uppercaseUUID, lowercaseUUID
    }

    private static let uuidBytes = 16
    private static let uuidCharacters = 36
    private static let dash = UInt8(ascii: "-")

    /// The number of bytes that the packed form of a text may have in addition to those of the text.
    package static var additionalBytes: Int { 1 }

    /// Writes the packed form of `text` at `offset`, which is advanced past it. O(n). Traps unless the target has room
    /// for the text and `additionalBytes`.
    package static func pack(_ text: Span<UInt8>, to target: inout MutableSpan<UInt8>, at offset: inout Int) {
        guard !text.isEmpty else { return }
        precondition(offset >= 0 && text.count < target.count - offset, "packed text outside its buffer")
        if let uuid = UUID(text) { return uuid.write(to: &target, at: &offset) }
        // Safety: the target has room for as many bytes as the text has after the form, by the precondition. This form has
        // half as many.
        guard text.count % 2 == 0, unsafe packHex(text, to: &target, at: offset + 1) else {
            return writePlain(text, to: &target, at: &offset)
        }
        target[offset] = Form.lowercaseHex.rawValue
        offset += 1 + text.count / 2
    }

    /// Returns the number of bytes of the text with the packed form `packed`. O(1).
    package static func unpackedCount(_ packed: Span<UInt8>) -> Int {
        guard !packed.isEmpty else { return 0 }
        return switch form(of: packed) {
        case .plain: packed.count - 1
        case .lowercaseHex: 2 * (packed.count - 1)
        case .uppercaseUUID, .lowercaseUUID: uuidCharacters
        }
    }

    /// Writes the text with the packed form `packed` at `offset`, which is advanced past it. O(n). Traps unless the
    /// target has room for `unpackedCount` bytes.
    package static func unpack(
        _ packed: Span<UInt8>, to target: inout MutableSpan<UInt8>, at offset: inout Int
    ) {
        guard !packed.isEmpty else { return }
        let count = unpackedCount(packed)
        precondition(offset >= 0 && count <= target.count - offset, "unpacked text outside its buffer")
        let bytes = packed.extracting(droppingFirst: 1)
        // Safety: the target has room for `count` bytes, by the precondition.
        switch form(of: packed) {
        case .plain: target.write(bytes, at: offset)
        case .lowercaseHex: unsafe unpackHex(bytes, to: &target, at: offset)
        case .uppercaseUUID: unsafe unpackUUID(bytes, .upper, to: &target, at: offset)
        case .lowercaseUUID: unsafe unpackUUID(bytes, .lower, to: &target, at: offset)
        }
        offset += count
    }

    /// Writes the packed form of a text that stays as it is, like `pack`. Several packed forms of one text are then possible,
    /// so that texts are no longer equal exactly when these are.
    package static func writePlain(
        _ text: Span<UInt8>, to target: inout MutableSpan<UInt8>, at offset: inout Int
    ) {
        guard !text.isEmpty else { return }
        target[offset] = Form.plain.rawValue
        target.write(text, at: offset + 1)
        offset += 1 + text.count
    }

    /// Returns the text with the packed form `packed`. O(n).
    package static func string(_ packed: Span<UInt8>) -> String {
        var text = OutputBuffer()
        text.append(unpacked: packed)
        return text.bytes.string
    }

    /// Returns the part of a packed form that is the text itself; nil if it has to be unpacked. No text that has to be
    /// unpacked needs escapes in JSON, or quotes in CSV.
    @_lifetime(copy packed)
    fileprivate static func plain(_ packed: Span<UInt8>) -> Span<UInt8>? {
        guard !packed.isEmpty else { return packed }
        return form(of: packed) == .plain ? packed.extracting(droppingFirst: 1) : nil
    }

    private static func form(of packed: Span<UInt8>) -> Form {
        guard let form = Form(rawValue: packed[0]) else {
            preconditionFailure("unknown form of a packed text: \(packed[0])")
        }
        return form
    }

    /// Safety: the target must have half as many bytes as the text after `start`.
    @unsafe
    private static func packHex(
        _ text: Span<UInt8>, to target: inout MutableSpan<UInt8>, at start: Int
    ) -> Bool {
        unsafe text.withUnsafeBytes { text in
            unsafe target.withUnsafeMutableBytes { target in
                var index = 0
                // Safety: `text` has an even number of bytes, so by the conditions every load is inside it. The
                // target has half as many bytes after `start`, which the caller has checked.
                func word(_ number: Int) -> UInt64 {
                    let bytes = unsafe text.loadUnaligned(fromByteOffset: index + 8 * number, as: UInt64.self)
                    return UInt64(littleEndian: bytes)
                }
                while index + 8 <= text.count {
                    let isBlock = index + 32 <= text.count
                    let digits =
                        isBlock
                        ? SIMD4(word(0), word(1), word(2), word(3))
                        : SIMD4(word(0), HexLetters.zeros, HexLetters.zeros, HexLetters.zeros)
                    guard let packed = HexLetters.lower.pack(digits) else { return false }
                    for number in 0..<(isBlock ? 4 : 1) {
                        unsafe target.storeBytes(
                            of: packed[number].littleEndian, toByteOffset: start + index / 2 + 4 * number,
                            as: UInt32.self)
                    }
                    index += isBlock ? 32 : 8
                }
                while index < text.count {
                    guard let byte = unsafe HexLetters.lower.byte(text[index], text[index + 1]) else {
                        return false
                    }
                    unsafe target[start + index / 2] = byte
                    index += 2
                }
                return true
            }
        }
    }

    /// Safety: the target must have twice as many bytes after `start`.
    @unsafe
    private static func unpackHex(_ bytes: Span<UInt8>, to target: inout MutableSpan<UInt8>, at start: Int) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe target.withUnsafeMutableBytes { target in
                var index = 0
                // Safety: by the conditions, every load is inside `bytes`. The target has two bytes for each of them
                // after `start`, which the caller has checked.
                func word(_ number: Int) -> UInt32 {
                    let four = unsafe bytes.loadUnaligned(fromByteOffset: index + 4 * number, as: UInt32.self)
                    return UInt32(littleEndian: four)
                }
                while index + 4 <= bytes.count {
                    let isBlock = index + 16 <= bytes.count
                    let digits = HexLetters.lower.unpack(
                        isBlock ? SIMD4(word(0), word(1), word(2), word(3)) : SIMD4(word(0), 0, 0, 0))
                    for number in 0..<(isBlock ? 4 : 1) {
                        unsafe target.storeBytes(
                            of: digits[number].littleEndian, toByteOffset: start + 2 * index + 8 * number,
                            as: UInt64.self)
                    }
                    index += isBlock ? 16 : 4
                }
                while index < bytes.count {
                    unsafe target[start + 2 * index] = unsafe HexLetters.lower.digit(bytes[index] >> 4)
                    unsafe target[start + 2 * index + 1] = unsafe HexLetters.lower.digit(bytes[index] & 0xf)
                    index += 1
                }
            }
        }
    }

    /// Returns the offsets of the two groups of four digits that form one of a UUID's four words. Dashes are between
    /// the groups.
    @inline(__always)
    private static func uuidDigitOffsets(_ word: Int) -> (Int, Int) {
        switch word {
        case 0: (0, 4)
        case 1: (9, 14)
        case 2: (19, 24)
        default: (28, 32)
        }
    }

    /// Safety: the target must have 36 bytes after `start`.
    @unsafe
    private static func unpackUUID(
        _ bytes: Span<UInt8>, _ letters: HexLetters, to target: inout MutableSpan<UInt8>, at start: Int
    ) {
        precondition(bytes.count == uuidBytes, "a packed UUID has 16 bytes")
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe target.withUnsafeMutableBytes { target in
                // Safety: the packed UUID has 16 bytes, by the precondition. The caller has checked that the target
                // has 36 bytes after `start`.
                func word(_ number: Int) -> UInt32 {
                    let four = unsafe bytes.loadUnaligned(fromByteOffset: 4 * number, as: UInt32.self)
                    return UInt32(littleEndian: four)
                }
                let digits = letters.unpack(SIMD4(word(0), word(1), word(2), word(3)))
                for number in 0..<4 {
                    let offsets = uuidDigitOffsets(number)
                    let (low, high) = (
                        UInt32(truncatingIfNeeded: digits[number]), UInt32(digits[number] >> 32)
                    )
                    unsafe target.storeBytes(
                        of: low.littleEndian, toByteOffset: start + offsets.0, as: UInt32.self)
                    unsafe target.storeBytes(
                        of: high.littleEndian, toByteOffset: start + offsets.1, as: UInt32.self)
                }
                unsafe target[start + 8] = dash
                unsafe target[start + 13] = dash
                unsafe target[start + 18] = dash
                unsafe target[start + 23] = dash
            }
        }
    }
}

extension CompactText {
    /// The packed form of a UUID.
    package struct UUID {
        private let form: Form
        /// Its 16 bytes.
        private let halves: (UInt64, UInt64)

        /// The number of bytes that it takes.
        package static var byteCount: Int { 1 + uuidBytes }

        /// Packs a text; nil if it is not a UUID with letters of one case.
        @inline(__always)
        package init?(_ text: Span<UInt8>) {
            guard text.count == uuidCharacters, text[8] == dash, text[13] == dash, text[18] == dash,
                text[23] == dash
            else { return nil }
            let digits = unsafe text.withUnsafeBytes { text in
                // Safety: the text has 36 bytes, by the condition, so that all digits are inside it.
                func digits(_ word: Int) -> UInt64 {
                    let offsets = uuidDigitOffsets(word)
                    let low = unsafe text.loadUnaligned(fromByteOffset: offsets.0, as: UInt32.self)
                    let high = unsafe text.loadUnaligned(fromByteOffset: offsets.1, as: UInt32.self)
                    return UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high)) << 32
                }
                return SIMD4(digits(0), digits(1), digits(2), digits(3))
            }
            // Lowercase letters have bits 5 and 6, digits and uppercase letters one of them.
            let isLower = HexLetters.hasAny(digits & digits &<< 1, 0x4040_4040_4040_4040)
            guard let bytes = (isLower ? HexLetters.lower : HexLetters.upper).pack(digits) else { return nil }
            form = isLower ? .lowercaseUUID : .uppercaseUUID
            halves = (
                UInt64(bytes[0]) | UInt64(bytes[1]) << 32, UInt64(bytes[2]) | UInt64(bytes[3]) << 32
            )
        }

        /// Writes the packed form at `offset`, which is advanced past it. Traps unless the target has room for it.
        @inline(__always)
        package func write(to target: inout MutableSpan<UInt8>, at offset: inout Int) {
            precondition(
                offset >= 0 && Self.byteCount <= target.count - offset, "packed UUID outside its buffer")
            target[offset] = form.rawValue
            unsafe target.withUnsafeMutableBytes { target in
                // Safety: the target has 17 bytes after the offset, by the precondition.
                unsafe target.storeBytes(of: halves.0.littleEndian, toByteOffset: offset + 1, as: UInt64.self)
                unsafe target.storeBytes(of: halves.1.littleEndian, toByteOffset: offset + 9, as: UInt64.self)
            }
            offset += Self.byteCount
        }
    }
}

extension OutputBuffer {
    /// Appends the text with a packed form.
    package mutating func append(unpacked packed: Span<UInt8>) {
        if let text = CompactText.plain(packed) { return append(text) }
        let count = CompactText.unpackedCount(packed)
        // Safety: `tail` makes room for `count` bytes. All bytes of the buffer are initialized.
        let room = unsafe UnsafeMutableBufferPointer(start: tail(count), count: count)
        var target = unsafe room.mutableSpan
        var offset = 0
        CompactText.unpack(packed, to: &target, at: &offset)
        unsafe advance(count)
    }

    /// Appends the text with a packed form as a JSON string, or `null` if it is empty.
    package mutating func appendJSONStringOrNull(unpacked packed: Span<UInt8>) {
        if let text = CompactText.plain(packed) { return appendJSONStringOrNull(text) }
        append("\"")
        append(unpacked: packed)
        append("\"")
    }

    /// Appends the text with a packed form as a CSV cell.
    package mutating func appendCSVCell(unpacked packed: Span<UInt8>) {
        if let text = CompactText.plain(packed) { appendCSVCell(text) } else { append(unpacked: packed) }
    }
}

/// Hexadecimal digits whose letters have one case. The raw value is the letter A in that case.
private enum HexLetters: UInt8 {
    case upper = 0x41
    case lower = 0x61

    /// Returns the byte that two digits form, or nil if one of them is not such a digit.
    @inline(__always)
    func byte(_ first: UInt8, _ second: UInt8) -> UInt8? {
        let (high, low) = (value(first), value(second))
        return (high | low) < 0x10 ? high << 4 | low : nil
    }

    /// Returns the value of a digit, or 0x10 for any other character.
    @inline(__always)
    private func value(_ character: UInt8) -> UInt8 {
        let (digit, letter) = (character &- UInt8(ascii: "0"), character &- rawValue)
        return digit < 10 ? digit : letter < 6 ? letter + 10 : 0x10
    }

    @inline(__always)
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : rawValue + (value - 10) }

    /// A word of eight digits 0.
    @inline(__always)
    static var zeros: UInt64 { 0x3030_3030_3030_3030 }

    // A vector has four words, which are computed at once. The first of a word's eight digits, and the first of its four
    // bytes, is the lowest byte.

    /// Returns the bytes that digits form, or nil if one of them is not such a digit.
    @inline(__always)
    func pack(_ digits: SIMD4<UInt64>) -> SIMD4<UInt32>? {
        let ones = SIMD4<UInt64>(repeating: 0x0101_0101_0101_0101)
        // The top bit of each byte shows the result: adding 0x80 - bound to a byte below 0x80 sets it if the byte is
        // at least the bound.
        func atLeast(_ bound: UInt8) -> SIMD4<UInt64> {
            digits &+ SIMD4(repeating: UInt64(0x80 - bound) &* 0x0101_0101_0101_0101)
        }
        let isDigit = atLeast(0x30) & ~atLeast(0x3a)
        let isLetter = atLeast(rawValue) & ~atLeast(rawValue + 6)
        guard !Self.hasAny(~(isDigit | isLetter) | digits, 0x8080_8080_8080_8080) else { return nil }
        // Letters have bit 6 set, which digits do not, and the low bits of letters count from 1.
        let letters = digits &>> 6 & ones
        let values = (digits & (ones &<< 4 &- ones)) &+ letters &+ letters &<< 3
        let pairs = (values &<< 4 | values &>> 8) & SIMD4(repeating: 0x00ff_00ff_00ff_00ff)
        let fours = (pairs | pairs &>> 8) & SIMD4(repeating: 0x0000_ffff_0000_ffff)
        return SIMD4<UInt32>(truncatingIfNeeded: fours | fours &>> 16)
    }

    /// Whether a word has some of these bits.
    @inline(__always)
    static func hasAny(_ words: SIMD4<UInt64>, _ bits: UInt64) -> Bool {
        (words[0] | words[1] | words[2] | words[3]) & bits != 0
    }

    /// Returns the digits of bytes.
    @inline(__always)
    func unpack(_ bytes: SIMD4<UInt32>) -> SIMD4<UInt64> {
        let ones = SIMD4<UInt64>(repeating: 0x0101_0101_0101_0101)
        let words = SIMD4<UInt64>(truncatingIfNeeded: bytes)
        let halves = (words | words &<< 16) & SIMD4(repeating: 0x0000_ffff_0000_ffff)
        let pairs = (halves | halves &<< 8) & SIMD4(repeating: 0x00ff_00ff_00ff_00ff)
        let values = (pairs &>> 4 | pairs &<< 8) & (ones &<< 4 &- ones)
        // Values from 10 on need a letter.
        let letters = (values &+ SIMD4(repeating: 0x7676_7676_7676_7676)) &>> 7 & ones
        let distances = SIMD4(repeating: UInt64(rawValue - 10 - 0x30) &* 0x0101_0101_0101_0101)
        return values &+ SIMD4(repeating: Self.zeros) &+ ((letters &<< 8 &- letters) & distances)
    }
}
