/// The escape for a byte that must be escaped in a JSON string (specification §10).
struct JSONEscape {
    /// The bytes of the escape, the first one lowest, followed by zeros.
    let bytes: UInt64
    let count: Int

    /// The longest escape, in bytes.
    static let maximumCount = 6

    /// - Parameter byte: a control character, a quote or a backslash.
    init(of byte: UInt8) {
        let letter: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0c: letter = UInt8(ascii: "f")
        case UInt8(ascii: "\n"): letter = UInt8(ascii: "n")
        case UInt8(ascii: "\r"): letter = UInt8(ascii: "r")
        case UInt8(ascii: "\t"): letter = UInt8(ascii: "t")
        default:
            let unicode: UInt64 = 0x3030_755c  // \u00
            bytes = unicode | Self.hexadecimal(byte >> 4) << 32 | Self.hexadecimal(byte & 15) << 40
            count = 6
            return
        }
        bytes = 0x5c | UInt64(letter) << 8
        count = 2
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt64 {
        UInt64(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
    }
}
