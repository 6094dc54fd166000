/// The habits of one JSON library: the same values, other bytes.
struct JSONDialect: Sendable, Equatable {
    /// `\/` for `/`.
    var escapesSlashes: Bool
    /// `\uXXXX` for every scalar outside ASCII.
    var isASCII: Bool
    /// A space after `,` and `:`.
    var isSpaced: Bool

    static let all = [
        JSONDialect(escapesSlashes: false, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: true, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: false, isASCII: true, isSpaced: true),
        JSONDialect(escapesSlashes: true, isASCII: true, isSpaced: false),
    ]

    var separator: [UInt8] { Array((isSpaced ? ", " : ",").utf8) }

    var colon: [UInt8] { Array((isSpaced ? ": " : ":").utf8) }

    /// `text` as the inside of a JSON string, without its quotation marks.
    func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            append(scalar, to: &bytes)
        }
        return bytes
    }

    /// Appends one scalar of a text, escaped where JSON or the dialect wants it.
    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
        case "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
        case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        default: appendPlain(scalar, to: &bytes)
        }
    }

    /// Appends one scalar of a JSON source, in which quotation marks and escapes are already what they should
    /// be.
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
