import TestSupport

/// A DEFLATE stream written for one rule, with the result that the rule demands.
///
/// The stream ends with the element that ends it or makes it invalid: its length is the number of bytes that a decoder
/// consumes, whatever follows.
package struct DeflateCase: NamedCase {
    package let name: String
    package let stream: [UInt8]
    package let expected: Inflated
    /// zlib's message if the stream is invalid.
    package let complaint: String

    package typealias Element = DeflateWriter.Element
    package typealias Codes = DeflateWriter.Codes
    package typealias Write = @Sendable (inout DeflateWriter) -> Void

    private let write: Write

    package static let all = stored + fixed + headers + codeSets + codes + distances

    private init(
        _ name: String, _ content: [UInt8], _ ending: Inflated.Ending, _ complaint: String,
        dropping count: Int = 0, _ write: @escaping Write
    ) {
        self.name = name
        self.complaint = complaint
        self.write = write
        var writer = DeflateWriter()
        write(&writer)
        stream = Array(writer.bytes.dropLast(count))
        expected = Inflated(content, consumed: stream.count, ending: ending)
    }

    /// Invalid streams after 10, 19, 28 … bits, so that the bit that makes them invalid is each bit of a byte. Without
    /// those whose distances are too far only at the start of a stream.
    package static let shifted: [DeflateCase] = (stored + fixed + headers + codeSets)
        .filter { $0.expected.ending == .corrupt }
        .flatMap { test in
            (0..<8).map { count in
                let literals = [UInt8](repeating: 200, count: count)
                return .invalid(
                    "\(test.name), after \(10 + 9 * count) bits", test.complaint,
                    yields: literals + test.expected.bytes
                ) {
                    $0.fixed(Self.literals(literals) + [.end])
                    test.write(&$0)
                }
            }
        }

    static func valid(
        _ name: String, yields content: [UInt8], _ write: @escaping Write
    ) -> DeflateCase {
        DeflateCase(name, content, .finished, "", write)
    }

    static func invalid(
        _ name: String, _ complaint: String, yields content: [UInt8] = [],
        _ write: @escaping Write
    ) -> DeflateCase {
        DeflateCase(name, content, .corrupt, complaint, write)
    }

    /// - Parameter count: the number of bytes to drop from the end, because the unused bits of a last byte are a code.
    static func cut(
        _ name: String, yields content: [UInt8] = [], dropping count: Int = 0,
        _ write: @escaping Write
    ) -> DeflateCase {
        DeflateCase(name, content, .unfinished, "", dropping: count, write)
    }

    static let (a, b) = (UInt8(ascii: "a"), UInt8(ascii: "b"))

    /// Returns `count` bytes in which nothing repeats for long.
    static func mixed(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 0x9e37 >> 5 ^ $0 >> 8) }
    }

    static func literals(_ bytes: [UInt8]) -> [Element] { bytes.map { .literal($0) } }

    /// Returns the lengths of a complete code that has one code of each length, and two of the longest.
    static func chain(_ symbols: [Int]) -> [Int: Int] {
        var lengths: [Int: Int] = [:]
        for (index, symbol) in symbols.enumerated() { lengths[symbol] = min(index + 1, symbols.count - 1) }
        return lengths
    }
}

// MARK: - Blocks without codes of their own

extension DeflateCase {
    /// Section 3.2.4, and the types of blocks.
    static let stored: [DeflateCase] = [
        .valid("stored: nothing", yields: []) { $0.stored([], isLast: true) },
        .valid("stored: a byte", yields: [a]) { $0.stored([a], isLast: true) },
        .valid("stored: nothing, before a byte", yields: [a]) {
            $0.stored([])
            $0.stored([a], isLast: true)
        },
        .valid("stored: nothing, many times", yields: []) { writer in
            for _ in 0..<300 { writer.stored([]) }
            writer.stored([], isLast: true)
        },
        .valid("stored: the longest", yields: mixed(65_535)) { $0.stored(mixed(65_535), isLast: true) },
        .valid("stored: 1 to 70 bytes", yields: (1...70).flatMap { mixed($0) }) { writer in
            for count in 1...70 { writer.stored(mixed(count)) }
            writer.stored([], isLast: true)
        },
        .valid(
            "stored: after each number of bits",
            yields: (0..<8).flatMap { Array(repeating: 200, count: $0) + [a] }
        ) {
            writer in
            // Each literal takes 9 bits.
            for count in 0..<8 {
                writer.fixed([Element](repeating: .literal(200), count: count) + [.end])
                writer.stored([a])
            }
            writer.stored([], isLast: true)
        },
        .valid("stored: other bits than zeros in the padding", yields: [a]) {
            $0.beginBlock(type: 0, isLast: true)
            $0.write(0b11111, bits: 5)
            $0.write(1, bits: 16)
            $0.write(~1, bits: 16)
            $0.write(Int(a), bits: 8)
        },
        .valid("stored: a match across blocks", yields: mixed(300) + mixed(300).prefix(258) + [a]) {
            $0.stored(Array(mixed(300).prefix(100)))
            $0.stored(Array(mixed(300).dropFirst(100)))
            $0.fixed([.match(length: 258, distance: 300), .end])
            $0.stored([a], isLast: true)
        },
        .invalid("stored: another complement, first bit", "invalid stored block lengths") {
            $0.stored([], isLast: true, error: 1)
        },
        .invalid("stored: another complement, last bit", "invalid stored block lengths") {
            $0.stored([], isLast: true, error: 1 << 15)
        },
        .invalid("stored: no complement", "invalid stored block lengths", yields: [a]) {
            $0.stored([a])
            $0.beginBlock(type: 0, isLast: true)
            $0.write(0, bits: 5)
            $0.write(0x0101_0101, bits: 32)
        },
        .invalid("stored: another complement after bits", "invalid stored block lengths", yields: [200]) {
            $0.fixed([.literal(200), .end])
            $0.stored([], error: 0x100)
        },
        .cut("stored: no length") { $0.beginBlock(type: 0, isLast: true) },
        .cut("stored: half a length") {
            $0.beginBlock(type: 0, isLast: true)
            $0.write(0, bits: 5)
            $0.write(3, bits: 16)
            $0.write(0, bits: 8)
        },
        .cut("stored: no content") {
            $0.beginBlock(type: 0, isLast: true)
            $0.write(0, bits: 5)
            $0.write(0xfffe_0001, bits: 32)
        },
        .cut("stored: half the content", yields: [a, b]) {
            $0.beginBlock(type: 0, isLast: true)
            $0.write(0, bits: 5)
            $0.write(0xfffb_0004, bits: 32)
            $0.write(Int(a), bits: 8)
            $0.write(Int(b), bits: 8)
        },
        .cut("stored: no other block", yields: [a]) { $0.stored([a]) },
        .cut("nothing") { _ in },
        .invalid("a reserved type", "invalid block type") { $0.beginBlock(type: 3, isLast: true) },
        .invalid("a reserved type, not the last", "invalid block type") {
            $0.beginBlock(type: 3, isLast: false)
        },
        .invalid("a reserved type after a block", "invalid block type", yields: [a]) {
            $0.stored([a])
            $0.beginBlock(type: 3, isLast: true)
        },
        .invalid("a reserved type across bytes", "invalid block type", yields: [200, 200, 200, 200]) {
            // 3 + 36 + 7 bits: the block's first bit is the last but one of a byte.
            $0.fixed([.literal(200), .literal(200), .literal(200), .literal(200), .end])
            $0.beginBlock(type: 3, isLast: true)
        },
    ]

    /// Section 3.2.6.
    static let fixed: [DeflateCase] =
        [
            .valid("fixed: nothing", yields: []) { $0.fixed([.end], isLast: true) },
            .valid("fixed: nothing, many times", yields: []) { writer in
                for _ in 0..<300 { writer.fixed([.end]) }
                writer.fixed([.end], isLast: true)
            },
            .valid("fixed: every literal", yields: Array(0...255)) {
                $0.fixed(literals(Array(0...255)) + [.end], isLast: true)
            },
            matches("fixed: every length", everyLength), matches("fixed: every distance", everyDistance),
            .valid("fixed: 258 as symbol 284 and 31", yields: [UInt8](repeating: a, count: 518)) {
                $0.fixed(
                    [
                        .literal(a), .symbol(284), .bits(31, count: 5), .distanceSymbol(0),
                        .match(length: 258, distance: 1), .literal(a), .end,
                    ], isLast: true)
            },
            .invalid("fixed: distance symbol 30", "invalid distance code", yields: [a]) {
                $0.fixed([.literal(a), .symbol(257), .distanceSymbol(30)], isLast: true)
            },
            .invalid("fixed: distance symbol 31", "invalid distance code", yields: [a]) {
                $0.fixed([.literal(a), .symbol(284), .bits(7, count: 5), .distanceSymbol(31)], isLast: true)
            },
            .cut("fixed: no end", yields: [a]) { $0.fixed([.literal(a)], isLast: true) },
            .cut("fixed: a length without a distance", yields: [200, 200]) {
                // 3 + 18 + 7 bits: the last byte has 4 more, and a distance 5.
                $0.fixed([.literal(200), .literal(200), .symbol(257)], isLast: true)
            },
            .cut("fixed: no other block", yields: [a]) { $0.fixed([.literal(a), .end]) },
        ] + reservedSymbols

    /// Two symbols have codes but no meaning.
    private static let reservedSymbols: [DeflateCase] = [286, 287].flatMap { symbol in
        (0..<8).map { count in
            let elements = [Element](repeating: .literal(200), count: count)
            return .invalid(
                "fixed: symbol \(symbol) after \(count) literals", "invalid literal/length code",
                yields: [UInt8](repeating: 200, count: count)
            ) { $0.fixed(elements + [.symbol(symbol)]) }
        }
    }

    private static let everyLength: [Element] =
        literals(mixed(300)) + (3...258).map { .match(length: $0, distance: 300) }

    /// The first and the last distance of each symbol.
    private static let everyDistance: [Element] = {
        var elements = literals(mixed(100))
        elements += [Element](repeating: .match(length: 258, distance: 99), count: 127)
        for symbol in 0..<30 {
            let count = max(0, symbol / 2 - 1)
            let first = symbol < 2 ? symbol + 1 : 1 + (2 + symbol % 2) << count
            elements.append(.match(length: 3, distance: first))
            elements.append(.match(length: 3, distance: first + (1 << count) - 1))
        }
        return elements
    }()

    private static func matches(_ name: String, _ elements: [Element]) -> DeflateCase {
        .valid(name, yields: DeflateWriter.content(of: elements)) {
            $0.fixed(elements + [.end], isLast: true)
        }
    }
}

// MARK: - Distances

extension DeflateCase {
    static let distances: [DeflateCase] =
        [
            .valid("distance: as far as the start", yields: [a, b, a, b, a]) {
                $0.fixed([.literal(a), .literal(b), .match(length: 3, distance: 2), .end], isLast: true)
            },
            .valid(
                "distance: as far as a window",
                yields: mixed(33_000) + mixed(33_000)[232..<490] + mixed(33_000)[491..<494] + [a]
            ) {
                $0.stored(mixed(33_000))
                $0.fixed(
                    [
                        .match(length: 258, distance: 32_768), .match(length: 3, distance: 32_767),
                        .literal(a), .end,
                    ], isLast: true)
            },
            tooFar("distance: before the start", [], 1),
            tooFar("distance: a byte before the start", [a], 2),
            tooFar("distance: a byte before the start, again", [a, b], 3),
            tooFar("distance: far before the start", mixed(200), 32_768),
            tooFar("distance: a byte before a long text", mixed(32_767), 32_768),
            tooFar("distance: a byte before a block", mixed(6_000), 6_001),
            .invalid("distance: before the start after a match", tooFarBack, yields: [a, a, a, a, a]) {
                $0.fixed([.literal(a), .match(length: 4, distance: 1), .match(length: 3, distance: 6)])
            },
        ]

    private static let tooFarBack = "invalid distance too far back"

    private static func tooFar(_ name: String, _ content: [UInt8], _ distance: Int) -> DeflateCase {
        .invalid(name, tooFarBack, yields: content) {
            if !content.isEmpty { $0.stored(content) }
            $0.fixed([.match(length: 5, distance: distance)])
        }
    }
}
