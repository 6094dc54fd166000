/// The style of a JSON library, which affects the bytes of a JSON text but not its values.
struct JSONDialect: Sendable, Equatable {
    /// Whether `/` is written as `\/`.
    var escapesSlashes: Bool
    /// Whether every scalar outside ASCII is written as `\uXXXX`.
    var isASCII: Bool
    /// Whether a space follows `,` and `:`.
    var isSpaced: Bool

    static let all = [
        JSONDialect(escapesSlashes: false, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: true, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: false, isASCII: true, isSpaced: true),
        JSONDialect(escapesSlashes: true, isASCII: true, isSpaced: false),
    ]

    var separator: [UInt8] { Array((isSpaced ? ", " : ",").utf8) }

    var colon: [UInt8] { Array((isSpaced ? ": " : ":").utf8) }

    /// Returns `text` encoded as the contents of a JSON string, without quotation marks.
    func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            append(scalar, to: &bytes)
        }
        return bytes
    }

    /// Appends a scalar of a text, escaped if JSON or the dialect requires it.
    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
        case "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
        case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        default: appendPlain(scalar, to: &bytes)
        }
    }

    /// Appends a scalar of a JSON text, in which quotation marks and backslashes are already escaped.
    func appendPlain(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar == "/" && escapesSlashes {
            bytes += [UInt8(ascii: "\\"), UInt8(ascii: "/")]
        } else if scalar.isASCII || !isASCII {
            bytes += Array(scalar.utf8)
        } else {
            for unit in scalar.utf16 {
                bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
                bytes.appendHexadecimal(UInt64(unit), digits: 4)
            }
        }
    }
}
