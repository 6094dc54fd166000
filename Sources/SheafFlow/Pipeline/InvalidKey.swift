import SheafBytes
import SheafGroups

/// A line without a valid key, which ends a run of keyed lines: the pipe is not what it should be.
struct InvalidKey: Error, Equatable, Sendable {
    /// The number of the line in the stream, which is not that of a source.
    let line: UInt64
    private let problem: Problem
    /// The first bytes of the line.
    private let start: [UInt8]

    enum Problem: Equatable, Sendable {
        case malformed
        case ordinalOutOfRange
        case lineOutOfRange
        /// The ordinal is not that of a listed source.
        case notListed(ordinal: Int)
    }

    /// The number of bytes that a message quotes.
    private static let quotedBytes = 32

    init(_ problem: Problem, line: UInt64, text: Span<UInt8>) {
        self.problem = problem
        self.line = line
        var start: [UInt8] = []
        start.append(text.extracting(first: min(text.count, Self.quotedBytes + 1)))
        self.start = start
    }

    /// What is wrong, as part of a message.
    var reason: String {
        switch problem {
        case .malformed:
            "line \(line) does not begin with an ordinal, a tab, a line number and a tab: it is \(quote)"
        case .ordinalOutOfRange:
            "line \(line) begins with an ordinal that is not below \(OrderKey.maximumSources): it is \(quote)"
        case .lineOutOfRange:
            "line \(line) has a line number that is not from 1 to \(OrderKey.maximumLines - 1): it is \(quote)"
        case .notListed(let ordinal):
            "line \(line) has the ordinal \(ordinal), which none of the listed sources has"
        }
    }

    /// The start of the line, with escapes for control characters.
    private var quote: String {
        var text = ""
        for scalar in String(decoding: start.prefix(Self.quotedBytes), as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "'\(text)\(start.count > Self.quotedBytes ? "…" : "")'"
    }
}
