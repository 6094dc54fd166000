/// Texts of hexadecimal digits in half the bytes: device tokens, and the UUIDs that name notifications.
///
///     packed          [form | bytes …]        the empty text is no bytes at all
///
///     plain           the text's own bytes
///     lowercaseHex    an even number of digits 0-9 a-f, two a byte
///     uppercaseUUID   digits 0-9 A-F in groups of 8, 4, 4, 4 and 12 with dashes between, two a byte: 16 bytes
///     lowercaseUUID   the same with a-f
///
/// Invariants: every sequence of bytes has one packed form, and unpacks to what it was. So texts are equal exactly
/// when their packed forms are.
public enum CompactText {
    private enum Form: UInt8 {
        case plain, lowercaseHex, uppercaseUUID, lowercaseUUID
    }

    private static let uuidBytes = 16
    private static let uuidCharacters = 36
    private static let dash: UInt8 = 0x2d

    /// Appends the packed form of `text`, which is at most a byte longer than the text. O(n).
    public static func pack(_ text: Span<UInt8>, to target: inout [UInt8]) {
        guard !text.isEmpty else { return }
        if text.count == uuidCharacters, text[8] == dash {
            if packUUID(text, .upper, as: .uppercaseUUID, to: &target) { return }
            if packUUID(text, .lower, as: .lowercaseUUID, to: &target) { return }
        } else if text.count % 2 == 0, packHex(text, to: &target) {
            return
        }
        target.append(Form.plain.rawValue)
        target.append(text)
    }

    /// Appends the text whose packed form this is. O(n).
    public static func unpack(_ packed: Span<UInt8>, to target: inout [UInt8]) {
        guard !packed.isEmpty else { return }
        guard let form = Form(rawValue: packed[0]) else {
            preconditionFailure("no form of a text: \(packed[0])")
        }
        let bytes = packed.extracting(droppingFirst: 1)
        switch form {
        case .plain: target.append(bytes)
        case .lowercaseHex: unpackHex(bytes, to: &target)
        case .uppercaseUUID: unpackUUID(bytes, .upper, to: &target)
        case .lowercaseUUID: unpackUUID(bytes, .lower, to: &target)
        }
    }

    // Both ways write into bytes that were appended at once: appending one by one would look for room each time.

    private static func packHex(_ text: Span<UInt8>, to target: inout [UInt8]) -> Bool {
        // Most texts that are no digits are so from the start: nothing is appended and taken back for them.
        guard HexLetters.lower.byte(text[0], text[1]) != nil else { return false }
        let start = extend(&target, by: 1 + text.count / 2)
        var packed = target.mutableSpan
        packed[start] = Form.lowercaseHex.rawValue
        for index in 0..<text.count / 2 {
            guard let byte = HexLetters.lower.byte(text[2 * index], text[2 * index + 1]) else {
                target.removeSubrange(start...)
                return false
            }
            packed[start + 1 + index] = byte
        }
        return true
    }

    private static func unpackHex(_ bytes: Span<UInt8>, to target: inout [UInt8]) {
        let start = extend(&target, by: 2 * bytes.count)
        var text = target.mutableSpan
        for index in bytes.indices {
            text[start + 2 * index] = HexLetters.lower.digit(bytes[index] >> 4)
            text[start + 2 * index + 1] = HexLetters.lower.digit(bytes[index] & 0xf)
        }
    }

    private static func packUUID(
        _ text: Span<UInt8>, _ letters: HexLetters, as form: Form, to target: inout [UInt8]
    ) -> Bool {
        let start = extend(&target, by: 1 + uuidBytes)
        var packed = target.mutableSpan
        packed[start] = form.rawValue
        var place = 0
        for index in 0..<uuidBytes {
            let isDashed = !isAfterDash(index) || text[place] == dash
            if isAfterDash(index) { place += 1 }
            guard isDashed, let byte = letters.byte(text[place], text[place + 1]) else {
                target.removeSubrange(start...)
                return false
            }
            packed[start + 1 + index] = byte
            place += 2
        }
        return true
    }

    private static func unpackUUID(_ bytes: Span<UInt8>, _ letters: HexLetters, to target: inout [UInt8]) {
        var place = extend(&target, by: uuidCharacters)
        var text = target.mutableSpan
        for index in 0..<uuidBytes {
            if isAfterDash(index) {
                text[place] = dash
                place += 1
            }
            text[place] = letters.digit(bytes[index] >> 4)
            text[place + 1] = letters.digit(bytes[index] & 0xf)
            place += 2
        }
    }

    /// Whether a dash stands before the UUID's byte of this index.
    @inline(__always)
    private static func isAfterDash(_ index: Int) -> Bool { index & 1 == 0 && 4...10 ~= index }

    /// Makes room behind `target` and returns where it starts.
    private static func extend(_ target: inout [UInt8], by count: Int) -> Int {
        target.append(contentsOf: repeatElement(0, count: count))
        return target.count - count
    }
}

/// Hexadecimal digits whose letters are of one case; named by their "a".
private enum HexLetters: UInt8 {
    case upper = 0x41
    case lower = 0x61

    /// The byte that two digits make, nil when one of them is no digit of these.
    @inline(__always)
    func byte(_ first: UInt8, _ second: UInt8) -> UInt8? {
        let (high, low) = (value(first), value(second))
        return (high | low) < 0x10 ? high << 4 | low : nil
    }

    /// The digit's value, 0x10 when it is none.
    @inline(__always)
    private func value(_ character: UInt8) -> UInt8 {
        let (digit, letter) = (character &- 0x30, character &- rawValue)
        return digit < 10 ? digit : letter < 6 ? letter + 10 : 0x10
    }

    @inline(__always)
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : rawValue + (value - 10) }
}
