import Foundation
import SheafBytes

/// What Foundation's `JSONSerialization` says of a text, put right where it is known to deviate from RFC 8259 or
/// from the specification's limits.
///
/// Each deviation is a named property of the text. Two of them decide the verdict, three name a harmless rewriting
/// after which Foundation judges by the rules, and one adds a limit. Where a platform's Foundation does not
/// deviate, they change nothing.
public struct FoundationVerdict {
    /// The parsed text; nil when it is not valid.
    public let value: Any?
    /// Whether more than 128 objects and arrays stand inside each other.
    public let isTooDeep: Bool

    public init(_ text: [UInt8]) {
        isTooDeep = text.opensMoreThan(FieldScanner.maximumDepth)
        let isRuledOut = text.startsLikeAnotherEncoding || text.hasTrailingComma
        let rewritten = text.withoutLoneSurrogates.withEscapedByteOrderMarks.withoutNumbersBeyondDouble
        value = isRuledOut ? nil : Self.parse(rewritten)
    }

    public func allows(_ outcome: FieldScanner.Outcome) -> Bool {
        switch outcome {
        case .object: value is [String: Any] && !isTooDeep
        case .notObject: value != nil && !(value is [String: Any]) && !isTooDeep
        // A text that is both invalid and too deep may be either (specification §2).
        case .tooDeep: isTooDeep
        case .invalid: value == nil
        }
    }

    public static func parse(_ text: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }
}

extension [UInt8] {
    /// A byte order mark, or a zero among the first four bytes: Foundation takes the text for UTF-16 or UTF-32, or
    /// skips the mark. RFC 8259 (section 8.1) has UTF-8 without a mark; a zero byte can stand nowhere.
    var startsLikeAnotherEncoding: Bool {
        starts(with: [0xef, 0xbb, 0xbf]) || starts(with: [0xff, 0xfe]) || starts(with: [0xfe, 0xff])
            || prefix(4).contains(0)
    }

    /// `[1,]` or `{"a":1,}`: swift-corelibs-foundation accepts one comma too many, RFC 8259 (sections 4 and 5)
    /// does not.
    var hasTrailingComma: Bool {
        var isBehindComma = false
        for token in JSONTokens(self) {
            switch token.bytes.first {
            case 0x20, 0x09, 0x0a, 0x0d: continue
            case 0x5d, 0x7d: if isBehindComma { return true }
            default: break
            }
            isBehindComma = token.bytes.first == 0x2c
        }
        return false
    }

    /// An escape of half a surrogate pair is allowed by RFC 8259's grammar (section 8.2 leaves its meaning open)
    /// and decoded to U+FFFD by the specification (§2); Foundation rejects it.
    var withoutLoneSurrogates: [UInt8] {
        guard contains(0x5c) else { return self }
        return rewriting(.string) { bytes in
            var rest = bytes
            var output: [UInt8] = []
            while !rest.isEmpty {
                let plain = rest.prefix { $0 != 0x5c }
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

    /// swift-corelibs-foundation decodes the pieces of a string between its escapes one by one, and drops a U+FEFF
    /// at the start of each; RFC 8259 has no character that does not count.
    var withEscapedByteOrderMarks: [UInt8] {
        guard contains(0xef) else { return self }
        return rewriting(.string) { bytes in
            var rest = bytes
            var output: [UInt8] = []
            while let byte = rest.first {
                let isMark = rest.starts(with: [0xef, 0xbb, 0xbf])
                let length = isMark ? 3 : byte == 0x5c ? 2 : 1
                output += isMark ? [UInt8](#"\ufeff"#) : Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            return output
        }
    }

    /// A number that no `Double` holds is rejected by Foundation; RFC 8259 (section 6) has no largest number.
    var withoutNumbersBeyondDouble: [UInt8] {
        rewriting(.word) { bytes in
            let word = String(decoding: bytes, as: UTF8.self)
            guard Double(word)?.isInfinite == true else { return Array(bytes) }
            let isNumber = word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
            return isNumber ? [0x31] : Array(bytes)
        }
    }

    /// Foundation goes 512 levels deep, the specification (§2) 128.
    public func opensMoreThan(_ limit: Int) -> Bool {
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
    /// The number in the `\uXXXX` that the bytes start with.
    fileprivate var escapedUnit: Int? {
        guard count >= 6, starts(with: [0x5c, 0x75]) else { return nil }
        let digits = String(decoding: dropFirst(2).prefix(4), as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }
}

/// A text cut into strings, words (numbers, literals) and single bytes, whether it is valid or not: all its bytes
/// are in the tokens. Slow and obvious.
public struct JSONTokens: Sequence, IteratorProtocol {
    public enum Kind {
        /// From quote to quote; without the second where there is none.
        case string
        case word
        case other
    }

    private let text: [UInt8]
    private var place = 0

    public init(_ text: [UInt8]) { self.text = text }

    public mutating func next() -> (kind: Kind, bytes: ArraySlice<UInt8>)? {
        guard place < text.count else { return nil }
        let start = place
        if text[start] == 0x22 {
            skipString()
            return (.string, text[start..<place])
        }
        while place < text.count, Self.isWordByte(text[place]) { place += 1 }
        if place > start { return (.word, text[start..<place]) }
        place += 1
        return (.other, text[start..<place])
    }

    private mutating func skipString() {
        place += 1
        while place < text.count, text[place] != 0x22 { place += text[place] == 0x5c ? 2 : 1 }
        place = Swift.min(place + 1, text.count)
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
