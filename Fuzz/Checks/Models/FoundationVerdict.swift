import Foundation
import SheafBytes

/// The verdict of Foundation's `JSONSerialization` on a text, corrected where it is known to deviate from RFC 8259 or
/// from the specification's limits.
///
/// Each deviation is a named property of the text. Two of them decide the verdict, three are harmless rewritings after
/// which Foundation follows the rules, and one adds a limit. They have no effect on platforms whose Foundation does not
/// deviate.
package struct FoundationVerdict {
    /// The parsed text; nil if it is invalid.
    package let value: Any?
    /// Whether more than 128 objects and arrays are nested.
    package let isTooDeep: Bool

    package init(_ text: [UInt8]) {
        isTooDeep = text.opensMoreThan(FieldScanner.maximumDepth)
        let isRuledOut = text.startsLikeAnotherEncoding || text.hasTrailingComma
        let rewritten = text.withoutLoneSurrogates.withEscapedByteOrderMarks.withoutNumbersBeyondDouble
        value = isRuledOut ? nil : Self.parse(rewritten)
    }

    package func allows(_ outcome: FieldScanner.Outcome) -> Bool {
        switch outcome {
        case .object: value is [String: Any] && !isTooDeep
        case .notObject: value != nil && !(value is [String: Any]) && !isTooDeep
        // A text that is both invalid and too deep may be either (specification §2).
        case .tooDeep: isTooDeep
        case .invalid: value == nil
        }
    }

    package static func parse(_ text: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }
}

extension [UInt8] {
    /// Whether the text begins with a byte order mark, or has a zero among its first four bytes: Foundation takes it
    /// for UTF-16 or UTF-32, or skips the mark. RFC 8259 (section 8.1) requires UTF-8 without a mark, and allows no
    /// zero bytes.
    var startsLikeAnotherEncoding: Bool {
        starts(with: [0xef, 0xbb, 0xbf]) || starts(with: [0xff, 0xfe]) || starts(with: [0xfe, 0xff])
            || prefix(4).contains(0)
    }

    /// Whether there is a trailing comma, as in `[1,]` or `{"a":1,}`: swift-corelibs-foundation accepts it, RFC 8259
    /// (sections 4 and 5) does not.
    var hasTrailingComma: Bool {
        var followsComma = false
        for token in JSONTokens(self) {
            switch token.bytes.first {
            case 0x20, 0x09, 0x0a, 0x0d: continue
            case 0x5d, 0x7d: if followsComma { return true }
            default: break
            }
            followsComma = token.bytes.first == 0x2c
        }
        return false
    }

    /// The text with escaped lone surrogates replaced by `\ufffd`. RFC 8259's grammar allows them (section 8.2 leaves
    /// their meaning open), and the specification (§2) decodes them to U+FFFD; Foundation rejects them.
    var withoutLoneSurrogates: [UInt8] {
        guard contains(UInt8(ascii: "\\")) else { return self }
        return rewriting(.string) { bytes in
            var rest = bytes
            var output: [UInt8] = []
            while !rest.isEmpty {
                let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
                output += plain
                rest = rest[plain.endIndex...]
                let unit = rest.escapedUnit
                let isHigh = unit.map { $0 & 0xfc00 == 0xd800 } ?? false
                let isLow = unit.map { $0 & 0xfc00 == 0xdc00 } ?? false
                let isPair = isHigh && rest.dropFirst(6).escapedUnit.map { $0 & 0xfc00 == 0xdc00 } ?? false
                let length = isPair ? 12 : unit != nil ? 6 : 2
                let isLone = !isPair && (isHigh || isLow)
                output += isLone ? [UInt8](#"\ufffd"#) : Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            return output
        }
    }

    /// The text with every U+FEFF in strings escaped. swift-corelibs-foundation decodes the parts of a string between
    /// escapes separately and drops a U+FEFF at the start of each; RFC 8259 ignores no character in a string.
    var withEscapedByteOrderMarks: [UInt8] {
        guard contains(0xef) else { return self }
        return rewriting(.string) { bytes in
            var rest = bytes
            var output: [UInt8] = []
            while let byte = rest.first {
                let isMark = rest.starts(with: [0xef, 0xbb, 0xbf])
                let length = isMark ? 3 : byte == UInt8(ascii: "\\") ? 2 : 1
                output += isMark ? [UInt8](#"\ufeff"#) : Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            return output
        }
    }

    /// The text with numbers beyond the range of `Double` replaced. Foundation rejects them; RFC 8259 (section 6) sets
    /// no limit.
    var withoutNumbersBeyondDouble: [UInt8] {
        rewriting(.word) { bytes in
            let word = String(decoding: bytes, as: UTF8.self)
            guard Double(word)?.isInfinite == true else { return Array(bytes) }
            let isNumber = word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
            return isNumber ? [UInt8(ascii: "1")] : Array(bytes)
        }
    }

    /// Whether more than `limit` objects and arrays are nested. Foundation allows 512 levels, the specification (§2)
    /// 128.
    package func opensMoreThan(_ limit: Int) -> Bool {
        guard count > limit else { return false }
        var depth = 0
        for token in JSONTokens(self) {
            switch token.bytes.first {
            case 0x5b, 0x7b: depth += 1
            case 0x5d, 0x7d: depth -= 1
            default: break
            }
            if depth > limit { return true }
        }
        return false
    }

    private func rewriting(_ kind: JSONTokens.Kind, _ rewrite: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for token in JSONTokens(self) {
            if token.kind == kind {
                output += rewrite(token.bytes)
            } else {
                output += token.bytes
            }
        }
        return output
    }
}

extension ArraySlice<UInt8> {
    /// The code unit of the `\uXXXX` that the bytes start with; nil if they do not.
    fileprivate var escapedUnit: Int? {
        guard count >= 6, starts(with: [0x5c, 0x75]) else { return nil }
        let digits = String(decoding: dropFirst(2).prefix(4), as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }
}

/// Splits a text, valid or not, into strings, words (numbers and literals) and single bytes. Every byte of the text is
/// in a token. Simple rather than fast.
package struct JSONTokens: Sequence, IteratorProtocol {
    package enum Kind {
        /// A string with its quotation marks; the last one may lack the closing mark.
        case string
        case word
        case other
    }

    private let text: [UInt8]
    private var offset = 0

    package init(_ text: [UInt8]) { self.text = text }

    package mutating func next() -> (kind: Kind, bytes: ArraySlice<UInt8>)? {
        guard offset < text.count else { return nil }
        let start = offset
        if text[start] == UInt8(ascii: "\"") {
            skipString()
            return (.string, text[start..<offset])
        }
        while offset < text.count, Self.isWordByte(text[offset]) { offset += 1 }
        if offset > start { return (.word, text[start..<offset]) }
        offset += 1
        return (.other, text[start..<offset])
    }

    private mutating func skipString() {
        offset += 1
        while offset < text.count, text[offset] != UInt8(ascii: "\"") {
            offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = Swift.min(offset + 1, text.count)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
