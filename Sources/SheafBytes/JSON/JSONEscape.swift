/// How a byte is written inside a JSON string where it can't stand as it is (specification §10).
struct JSONEscape {
    /// The escape's bytes, the first one lowest; zeros behind them.
    let bytes: UInt64
    let count: Int

    /// The longest escape, in bytes.
    static let maximumCount = 6

    /// - Parameter byte: a control character, a quote or a backslash.
    init(of byte: UInt8) {
        let letter: UInt8
        switch byte {
        case 0x22, 0x5c: letter = byte
        case 0x08: letter = 0x62
        case 0x0c: letter = 0x66
        case 0x0a: letter = 0x6e
        case 0x0d: letter = 0x72
        case 0x09: letter = 0x74
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
        UInt64(nibble < 10 ? 0x30 + nibble : 0x61 - 10 + nibble)
    }
}
