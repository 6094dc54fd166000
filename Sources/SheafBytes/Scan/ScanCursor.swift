/// A place in the text being scanned, and the rules of JSON's tokens (RFC 8259).
///
/// Every function takes the cursor from the first byte of a token to the byte behind it and says whether the
/// token was valid. The byte at `end` is 0, which no token may contain, so no function checks for the end; at
/// most 32 bytes behind it are loaded and not looked at, which a chunk's slack allows.
@unsafe struct ScanCursor {
    var place: UnsafeMutablePointer<UInt8>
    let base: UnsafeMutablePointer<UInt8>
    let end: UnsafeMutablePointer<UInt8>
    /// Objects and arrays that are open here.
    var depth = 0
    /// Set when scanning ended for depth and not for a byte.
    var isTooDeep = false

    init(
        at place: UnsafeMutablePointer<UInt8>, base: UnsafeMutablePointer<UInt8>,
        end: UnsafeMutablePointer<UInt8>
    ) {
        unsafe self.place = unsafe place
        unsafe self.base = unsafe base
        unsafe self.end = unsafe end
    }

    var byte: UInt8 {
        @inline(__always) get { unsafe place.pointee }
    }

    @inline(__always)
    mutating func skipWhitespace() {
        // Compact logs have none: one comparison decides that.
        guard unsafe byte <= 0x20 else { return }
        while unsafe byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { unsafe place += 1 }
    }

    /// A string's content and closing quote, from behind the opening one. Sets `escaped` where it has escapes.
    @inline(__always)
    mutating func string(escaped: inout Bool) -> Bool {
        while true {
            // As signed numbers, control characters and bytes of 0x80 and above are both below 0x20.
            let block = unsafe UnsafeRawPointer(place).loadUnaligned(as: SIMD16<Int8>.self)
            let lanes =
                words(block .< SIMD16(repeating: 0x20)) | words(block .== SIMD16(repeating: 0x22))
                | words(block .== SIMD16(repeating: 0x5c))
            if lanes[0] != 0 {
                unsafe place += UInt64(littleEndian: lanes[0]).trailingZeroBitCount >> 3
            } else if lanes[1] != 0 {
                unsafe place += 8 + UInt64(littleEndian: lanes[1]).trailingZeroBitCount >> 3
            } else {
                unsafe place += 16
                continue
            }
            let found = unsafe byte
            if found == 0x22 {
                unsafe place += 1
                return true
            }
            if found == 0x5c {
                escaped = true
                guard unsafe escape() else { return false }
            } else if found >= 0x80 {
                repeat {
                    guard unsafe multibyteCharacter() else { return false }
                } while unsafe byte >= 0x80
            } else {
                return false
            }
        }
    }

    private mutating func escape() -> Bool {
        switch unsafe place[1] {
        case 0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74:
            unsafe place += 2
            return true
        case 0x75:
            for index in 2..<6 {
                guard unsafe isHexDigit(place[index]) else { return false }
            }
            unsafe place += 6
            return true
        default:
            return false
        }
    }

    /// One character of two to four bytes, as UTF-8 allows them: no overlong form, no surrogate, none above
    /// U+10FFFF. The masks look at one 32-bit load instead of byte after byte.
    @inline(__always)
    private mutating func multibyteCharacter() -> Bool {
        let word = unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
        if word & 0x0000_c0e0 == 0x0000_80c0 {
            guard word & 0x0000_001e != 0 else { return false }
            unsafe place += 2
            return true
        }
        if word & 0x00c0_c0f0 == 0x0080_80e0 {
            let bits = word & 0x0000_200f
            guard bits != 0, bits != 0x0000_200d else { return false }
            unsafe place += 3
            return true
        }
        if word & 0xc0c0_c0f8 == 0x8080_80f0 {
            guard word & 0x0000_3007 != 0, word & 0x4 == 0 || word & 0x3003 == 0 else { return false }
            unsafe place += 4
            return true
        }
        return false
    }

    /// A number, from its sign or first digit.
    @inline(__always)
    mutating func number() -> Bool {
        if unsafe byte == 0x2d { unsafe place += 1 }
        if unsafe byte == 0x30 {
            unsafe place += 1
        } else {
            guard unsafe digits() else { return false }
        }
        if unsafe byte == 0x2e {
            unsafe place += 1
            guard unsafe digits() else { return false }
        }
        if unsafe byte | 0x20 == 0x65 {
            unsafe place += 1
            if unsafe byte == 0x2b || byte == 0x2d { unsafe place += 1 }
            guard unsafe digits() else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func digits() -> Bool {
        guard unsafe isDigit(byte) else { return false }
        repeat { unsafe place += 1 } while unsafe isDigit(byte)
        return true
    }

    /// `true`, `false` or `null`, from the first letter.
    @inline(__always)
    mutating func literal() -> Bool {
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

    @inline(__always)
    mutating func open() -> Bool {
        unsafe depth += 1
        if unsafe depth > FieldScanner.maximumDepth {
            unsafe isTooDeep = true
            return false
        }
        return true
    }
}

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

@inline(__always)
private func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
