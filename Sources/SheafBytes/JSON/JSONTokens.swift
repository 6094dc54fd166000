/// The rules of JSON's tokens (RFC 8259), in text whose end is marked by a zero byte, which no token may contain:
/// no function looks for the end.
///
/// Every function takes a place at the first byte of a token to the byte behind it, or to the byte at which the
/// token turned out to be none, and says which. At most 64 bytes behind the end mark are loaded and not looked at,
/// which a chunk's slack allows.
enum JSONTokens {
    typealias Place = UnsafeMutablePointer<UInt8>

    @inline(__always)
    static func skipWhitespace(_ place: inout Place) {
        // Compact logs have none: one comparison decides that.
        while unsafe place.pointee <= 0x20 {
            let byte = unsafe place.pointee
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            unsafe place += 1
        }
    }

    /// A string's content, from behind its opening quote to its closing one. Sets `escaped` where it has escapes.
    @inline(__always)
    static func string(_ place: inout Place, escaped: inout Bool) -> Bool {
        while true {
            let notPlain = unsafe ByteBlock(place).notPlain
            if notPlain == 0 {
                unsafe place += ByteBlock.count
                continue
            }
            unsafe place += notPlain.trailingZeroBitCount
            if unsafe place.pointee == 0x22 { return true }
            // Out of line, by way of copies, so that the caller's own stay in registers.
            let rest = unsafe restOfString(place)
            unsafe place = unsafe rest.place
            escaped = unsafe escaped || rest.hasEscapes
            return unsafe rest.isValid
        }
    }

    @unsafe private struct RestOfString {
        var place: Place
        var hasEscapes = false
        var isValid = false
    }

    /// The content of a string from a byte on that is not plain.
    ///
    /// A block at a time: up to the first byte that can't stand there as it is the characters are checked together.
    @inline(never)
    private static func restOfString(_ start: Place) -> RestOfString {
        var rest = unsafe RestOfString(place: start)
        while true {
            let block = unsafe ByteBlock(rest.place)
            let ends = block.needsEscape
            // All bits when there is none.
            let before = (ends & (0 &- ends)) &- 1
            var count = ends.trailingZeroBitCount
            if block.notASCII & before != 0 {
                guard let whole = block.wholeCharacters(in: before) else {
                    unsafe rest.place = unsafe invalidCharacter(from: rest.place)
                    return unsafe rest
                }
                count = whole
            }
            unsafe rest.place += count
            if ends == 0 { continue }
            switch unsafe rest.place.pointee {
            case 0x22:
                unsafe rest.isValid = true
                return unsafe rest
            case 0x5c:
                unsafe rest.hasEscapes = true
                repeat {
                    guard unsafe escape(&rest.place) else { return unsafe rest }
                } while unsafe rest.place.pointee == 0x5c
            default: return unsafe rest
            }
        }
    }

    private static func escape(_ place: inout Place) -> Bool {
        switch unsafe place[1] {
        case 0x75:
            guard unsafe HexDigits(place + 2).areValid else { return false }
            unsafe place += 6
            return true
        case 0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74:
            unsafe place += 2
            return true
        default:
            return false
        }
    }

    /// Where the first character stands that is not UTF-8, of which there is one.
    private static func invalidCharacter(from start: Place) -> Place {
        var place = unsafe start
        while true {
            if unsafe place.pointee < 0x80 {
                unsafe place += 1
            } else {
                guard unsafe multibyteCharacter(&place) else { return unsafe place }
            }
        }
    }

    /// One character of two to four bytes, as UTF-8 allows them: no overlong form, no surrogate, none above
    /// U+10FFFF. The masks look at one 32-bit load instead of byte after byte.
    private static func multibyteCharacter(_ place: inout Place) -> Bool {
        let word = unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
        if word & 0x00c0_c0f0 == 0x0080_80e0 {
            let bits = word & 0x0000_200f
            guard bits != 0, bits != 0x0000_200d else { return false }
            unsafe place += 3
            return true
        }
        if word & 0x0000_c0e0 == 0x0000_80c0 {
            guard word & 0x0000_001e != 0 else { return false }
            unsafe place += 2
            return true
        }
        if word & 0xc0c0_c0f8 == 0x8080_80f0 {
            guard word & 0x0000_3007 != 0, word & 0x4 == 0 || word & 0x3003 == 0 else { return false }
            unsafe place += 4
            return true
        }
        return false
    }

    /// The length of a number that is at most 15 digits and nothing else, as nearly all are; 0 where none stands.
    @inline(__always)
    static func shortNumber(_ place: Place) -> Int {
        let count = unsafe ByteBlock.digits(at: place)
        let behind = unsafe place[count]
        let isWhole = behind != 0x2e && behind | 0x20 != 0x65 && count < 16
        return unsafe isWhole && (place.pointee != 0x30 || count == 1) ? count : 0
    }

    /// A number of any form, from its sign or first digit.
    static func number(_ place: inout Place) -> Bool {
        if unsafe place.pointee == 0x2d { unsafe place += 1 }
        if unsafe place.pointee == 0x30 {
            unsafe place += 1
        } else {
            guard unsafe digits(&place) else { return false }
        }
        if unsafe place.pointee == 0x2e {
            unsafe place += 1
            guard unsafe digits(&place) else { return false }
        }
        if unsafe place.pointee | 0x20 == 0x65 {
            unsafe place += 1
            if unsafe place.pointee == 0x2b || place.pointee == 0x2d { unsafe place += 1 }
            guard unsafe digits(&place) else { return false }
        }
        return true
    }

    private static func digits(_ place: inout Place) -> Bool {
        let start = unsafe place
        while true {
            let count = unsafe ByteBlock.digits(at: place)
            unsafe place += count
            if count < 16 { return unsafe place > start }
        }
    }

    /// `true`, `false` or `null`, from the first letter.
    @inline(__always)
    static func literal(_ place: inout Place) -> Bool {
        let word = unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
        // "true" and "null", read as numbers.
        if word == 0x6575_7274 || word == 0x6c6c_756e {
            unsafe place += 4
            return true
        }
        // "fals" and an "e".
        guard word == 0x736c_6166, unsafe place[4] == 0x65 else { return false }
        unsafe place += 5
        return true
    }
}
