/// The grammar of JSON's tokens (RFC 8259), in text whose end is marked by a zero byte. No token may contain a zero, so
/// no function checks for the end.
///
/// Every function moves `cursor` from the first byte of a token to the byte after it, or to the byte at which the
/// token is invalid, and returns whether it is valid. Bytes after the end mark are loaded but have no effect.
///
/// Safety, for all functions: `cursor` must be at the end mark or before, in the same allocation, and `Chunk.slack`
/// bytes must be readable from the mark on. Since a function moves past a byte only after it has found that the byte is
/// not zero, `cursor` never passes the mark; so a load of up to 64 bytes at `cursor` is inside the allocation.
enum JSONTokens {
    typealias Cursor = UnsafeMutablePointer<UInt8>

    @inline(__always)
    static func skipWhitespace(_ cursor: inout Cursor) {
        // Compact logs have no white space, which a single comparison detects.
        while unsafe cursor.pointee <= UInt8(ascii: " ") {
            guard unsafe cursor.pointee.isJSONWhiteSpace else { return }
            unsafe cursor += 1
        }
    }

    /// Moves over the content of a string, from after its opening quote to its closing quote. Sets `escaped` if it
    /// has escapes.
    @inline(__always)
    static func string(_ cursor: inout Cursor, escaped: inout Bool) -> Bool {
        while true {
            let notPlain = unsafe ByteBlock(cursor).notPlain
            if notPlain == 0 {
                // Safety: a zero is not plain, so the block has no zero.
                unsafe cursor += ByteBlock.count
                continue
            }
            unsafe cursor += notPlain.trailingZeroBitCount
            if unsafe cursor.pointee == UInt8(ascii: "\"") { return true }
            // Out of line and with copies, so that the caller's own variables stay in registers.
            let rest = unsafe restOfString(cursor)
            unsafe cursor = unsafe rest.cursor
            escaped = unsafe escaped || rest.hasEscapes
            return unsafe rest.isValid
        }
    }

    /// Parses the content of a string from a byte that is not plain.
    ///
    /// Works on one block at a time. A text that holds JSON has an escape every few bytes, so that a block of ASCII is
    /// checked as a whole up to the closing quote, with its escaped quotes and backslashes. If it has only such
    /// escapes, where the next block begins does not depend on what is in it, which would have to be known first.
    @inline(never)
    private static func restOfString(_ start: Cursor) -> (cursor: Cursor, hasEscapes: Bool, isValid: Bool) {
        var rest = unsafe (cursor: start, hasEscapes: false, isValid: false)
        // 1 if the block's first byte is escaped by the last one of the block before.
        var isEscaped: UInt32 = 0
        while true {
            let block = unsafe ByteBlock(rest.cursor)
            let ends = block.needsEscape
            if block.notASCII != 0 {
                if isEscaped == 0 {
                    // The characters up to the first byte that must be escaped. All bits if there is no such byte.
                    let before = (ends & (0 &- ends)) &- 1
                    guard let whole = block.wholeCharacters(in: before) else {
                        unsafe rest.cursor = unsafe invalidCharacter(from: rest.cursor)
                        return unsafe rest
                    }
                    // Safety: a zero must be escaped, so these bytes contain no zero.
                    unsafe rest.cursor += whole
                    if ends == 0 { continue }
                } else {
                    unsafe rest.cursor -= 1
                }
            } else if ends | isEscaped == 0 {
                unsafe rest.cursor += ByteBlock.count
                continue
            } else {
                let quotes = block.equal(UInt8(ascii: "\""))
                let backslashes = block.equal(UInt8(ascii: "\\"))
                let escapes = escaping(backslashes & ~isEscaped)
                let escaped = escapes << 1 | isEscaped
                let closing = quotes & ~escaped
                // Control characters, and what is neither a quote nor a backslash after a backslash.
                let others = (ends | escaped) & ~(quotes | backslashes)
                // Safety: a zero is one of the others, so these bytes contain no zero.
                if closing | others == 0 {
                    if escapes != 0 { unsafe rest.hasEscapes = true }
                    unsafe rest.cursor += ByteBlock.count
                    isEscaped = escapes >> 31
                    continue
                }
                let first = (closing | others).trailingZeroBitCount
                // If it is escaped, so is the backslash before it, which may be in the block before.
                let count = others >> UInt32(first) & escaped >> UInt32(first) & 1 != 0 ? first - 1 : first
                if escapes.trailingZeroBitCount < count { unsafe rest.hasEscapes = true }
                unsafe rest.cursor += count
            }
            isEscaped = 0
            switch unsafe rest.cursor.pointee {
            case UInt8(ascii: "\""):
                unsafe rest.isValid = true
                return unsafe rest
            case UInt8(ascii: "\\"):
                unsafe rest.hasEscapes = true
                guard unsafe escape(&rest.cursor) else { return unsafe rest }
            default: return unsafe rest
            }
        }
    }

    /// Moves over an escape, from its backslash, and over the `\u` escapes that follow such an escape.
    private static func escape(_ cursor: inout Cursor) -> Bool {
        // Safety: the backslash is not the mark, so the byte after it is the mark at most. The digits of an escape are
        // loaded after a letter and are valid only if they contain no zero.
        if unsafe HexDigits.follow(cursor) {
            repeat {
                guard unsafe HexDigits(cursor + 2).areValid else { return false }
                unsafe cursor += HexDigits.escapeLength
            } while unsafe HexDigits.follow(cursor)
            return true
        }
        switch unsafe cursor[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            unsafe cursor += 2
            return true
        default: return false
        }
    }

    /// Returns the position of the first character that is not UTF-8, or of the end mark.
    private static func invalidCharacter(from start: Cursor) -> Cursor {
        var cursor = unsafe start
        while unsafe cursor.pointee != 0 {
            if unsafe cursor.pointee < 0x80 {
                unsafe cursor += 1
            } else {
                guard unsafe multibyteCharacter(&cursor) else { break }
            }
        }
        return unsafe cursor
    }

    /// Moves over one character of two to four bytes that is valid UTF-8: not overlong, not a surrogate, not above
    /// U+10FFFF. Masks test a single 32-bit load instead of byte after byte.
    private static func multibyteCharacter(_ cursor: inout Cursor) -> Bool {
        // Safety: the bytes of a valid character all have their top bit set, so they contain no zero.
        let word = unsafe UInt32(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt32.self))
        if word & 0x00c0_c0f0 == 0x0080_80e0 {
            let bits = word & 0x0000_200f
            guard bits != 0, bits != 0x0000_200d else { return false }
            unsafe cursor += 3
            return true
        }
        if word & 0x0000_c0e0 == 0x0000_80c0 {
            guard word & 0x0000_001e != 0 else { return false }
            unsafe cursor += 2
            return true
        }
        if word & 0xc0c0_c0f8 == 0x8080_80f0 {
            guard word & 0x0000_3007 != 0, word & 0x4 == 0 || word & 0x3003 == 0 else { return false }
            unsafe cursor += 4
            return true
        }
        return false
    }

    /// Returns the length of a number of at most 15 digits, without a sign, fraction or exponent, as nearly all
    /// numbers are; 0 for anything else.
    @inline(__always)
    static func shortNumber(_ cursor: Cursor) -> Int {
        // Safety: a zero is not a digit, so the byte after the digits is the mark at most.
        let count = unsafe ByteBlock.digits(at: cursor)
        let next = unsafe cursor[count]
        let isWhole = next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e") && count < 16
        return unsafe isWhole && (cursor.pointee != UInt8(ascii: "0") || count == 1) ? count : 0
    }

    /// Moves over a number of any form, from its sign or first digit.
    static func number(_ cursor: inout Cursor) -> Bool {
        if unsafe cursor.pointee == UInt8(ascii: "-") { unsafe cursor += 1 }
        if unsafe cursor.pointee == UInt8(ascii: "0") {
            unsafe cursor += 1
        } else {
            guard unsafe digits(&cursor) else { return false }
        }
        if unsafe cursor.pointee == UInt8(ascii: ".") {
            unsafe cursor += 1
            guard unsafe digits(&cursor) else { return false }
        }
        if unsafe cursor.pointee | 0x20 == UInt8(ascii: "e") {
            unsafe cursor += 1
            if unsafe cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") {
                unsafe cursor += 1
            }
            guard unsafe digits(&cursor) else { return false }
        }
        return true
    }

    private static func digits(_ cursor: inout Cursor) -> Bool {
        let start = unsafe cursor
        while true {
            let count = unsafe ByteBlock.digits(at: cursor)
            unsafe cursor += count
            if count < 16 { return unsafe cursor > start }
        }
    }

    /// Moves over `true`, `false` or `null`, from the first letter.
    @inline(__always)
    static func literal(_ cursor: inout Cursor) -> Bool {
        let word = unsafe UInt32(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt32.self))
        // "true" and "null", as little-endian numbers.
        if word == 0x6575_7274 || word == 0x6c6c_756e {
            unsafe cursor += 4
            return true
        }
        // "fals" and an "e".
        guard word == 0x736c_6166, unsafe cursor[4] == UInt8(ascii: "e") else { return false }
        unsafe cursor += 5
        return true
    }
}
