/// Writes DEFLATE blocks, valid or not, exactly as they are described (RFC 1951).
package struct DeflateWriter: Sendable {
    /// A part of a compressed block's data.
    package enum Element: Sendable {
        case literal(UInt8)
        case match(length: Int, distance: Int)
        /// A symbol of the literal and length code, without the bits that may follow it.
        case symbol(Int)
        /// A symbol of the distance code, without the bits that may follow it.
        case distanceSymbol(Int)
        /// The lowest `count` bits of a number, the lowest one first.
        case bits(Int, count: Int)

        /// The symbol that ends a block.
        package static let end = Element.symbol(DeflateWriter.endOfBlock)
    }

    /// Returns what the literals and matches of `elements` stand for.
    ///
    /// - Parameter history: what was inflated before them.
    package static func content(of elements: [Element], after history: [UInt8] = []) -> [UInt8] {
        var content = history
        for element in elements {
            switch element {
            case .literal(let byte): content.append(byte)
            case .match(let length, let distance):
                for _ in 0..<length { content.append(content[content.count - distance]) }
            case .symbol, .distanceSymbol, .bits: continue
            }
        }
        return Array(content[history.count...])
    }

    /// The codes of a dynamic block, and how its header writes them (RFC 1951, section 3.2.7).
    package struct Codes: Sendable {
        /// The lengths of the codes for literals and lengths.
        package var literals: [Int]
        /// The lengths of the codes for distances.
        package var distances: [Int]
        /// The numbers of lengths that the header announces, if they are not those above.
        package var literalCount: Int?
        package var distanceCount: Int?
        /// The symbols that the lengths are written with; nil for one symbol for each length.
        package var runs: [Run]?
        /// The lengths of the codes for those symbols: a complete set, unless it is changed.
        package var lengthCodes = [Int](repeating: 4, count: 13) + [Int](repeating: 5, count: 6)
        /// The number of lengths of those codes that the header has, 4 to 19.
        package var lengthCodeCount = 19

        package init(literals: [Int], distances: [Int]) {
            self.literals = literals
            self.distances = distances
        }

        /// - Parameter literals: the lengths of the codes of some symbols; the others have none.
        package init(literals: [Int: Int], distances: [Int: Int]) {
            self.init(
                literals: Self.list(literals, atLeast: endOfBlock + 1),
                distances: Self.list(distances, atLeast: 1))
        }

        private static func list(_ lengths: [Int: Int], atLeast count: Int) -> [Int] {
            (0..<max(count, (lengths.keys.max() ?? 0) + 1)).map { lengths[$0] ?? 0 }
        }
    }

    /// A symbol of a dynamic block's header.
    package enum Run: Sendable {
        case length(Int)
        /// Symbol 16: the previous length, 3 to 6 times.
        case previous(Int)
        /// Symbol 17: 3 to 10 zeros.
        case zeros(Int)
        /// Symbol 18: 11 to 138 zeros.
        case manyZeros(Int)
    }

    package static let endOfBlock = 256

    package private(set) var bits = BitWriter()

    package init() {}

    package var bytes: [UInt8] { bits.bytes }

    /// Writes the three bits that begin a block.
    package mutating func beginBlock(type: Int, isLast: Bool) {
        bits.write(isLast ? 1 : 0, bits: 1)
        bits.write(type, bits: 2)
    }

    /// Writes a block that is not compressed, of at most 65,535 bytes.
    ///
    /// - Parameter error: XORed with the complement of the length.
    package mutating func stored(_ content: [UInt8], isLast: Bool = false, error: Int = 0) {
        beginBlock(type: 0, isLast: isLast)
        bits.align()
        bits.write(content.count, bits: 16)
        bits.write(~content.count ^ error, bits: 16)
        bits.append(content)
    }

    /// Writes a block with fixed codes, of exactly these elements.
    package mutating func fixed(_ elements: [Element], isLast: Bool = false) {
        beginBlock(type: 1, isLast: isLast)
        write(elements, Self.fixedLiterals, Self.fixedDistances)
    }

    /// Writes a block with its own codes, of exactly these elements.
    package mutating func dynamic(_ codes: Codes, _ elements: [Element], isLast: Bool = false) {
        beginBlock(type: 2, isLast: isLast)
        writeHeader(codes)
        write(elements, PrefixCode(codes.literals), PrefixCode(codes.distances))
    }

    /// Writes the lowest `count` bits of a number.
    package mutating func write(_ value: Int, bits count: Int) { bits.write(value, bits: count) }

    private mutating func writeHeader(_ codes: Codes) {
        bits.write((codes.literalCount ?? codes.literals.count) - 257, bits: 5)
        bits.write((codes.distanceCount ?? codes.distances.count) - 1, bits: 5)
        bits.write(codes.lengthCodeCount - 4, bits: 4)
        for symbol in Self.lengthCodeOrder.prefix(codes.lengthCodeCount) {
            bits.write(codes.lengthCodes[symbol], bits: 3)
        }
        let code = PrefixCode(codes.lengthCodes)
        for run in codes.runs ?? (codes.literals + codes.distances).map(Run.length) {
            switch run {
            case .length(let length): code.write(length, to: &bits)
            case .previous(let count):
                code.write(16, to: &bits)
                bits.write(count - 3, bits: 2)
            case .zeros(let count):
                code.write(17, to: &bits)
                bits.write(count - 3, bits: 3)
            case .manyZeros(let count):
                code.write(18, to: &bits)
                bits.write(count - 11, bits: 7)
            }
        }
    }

    private mutating func write(_ elements: [Element], _ literals: PrefixCode, _ distances: PrefixCode) {
        for element in elements {
            switch element {
            case .literal(let byte): literals.write(Int(byte), to: &bits)
            case .symbol(let symbol): literals.write(symbol, to: &bits)
            case .distanceSymbol(let symbol): distances.write(symbol, to: &bits)
            case .bits(let value, let count): bits.write(value, bits: count)
            case .match(let length, let distance):
                let (lengthSymbol, lengthExtra, lengthBits) = Self.lengthSymbol(length)
                literals.write(lengthSymbol, to: &bits)
                bits.write(lengthExtra, bits: lengthBits)
                let (symbol, extra, count) = Self.distanceSymbol(distance)
                distances.write(symbol, to: &bits)
                bits.write(extra, bits: count)
            }
        }
    }

    // MARK: - Tables of RFC 1951

    private static let fixedLiterals = PrefixCode(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = PrefixCode([Int](repeating: 5, count: 32))

    /// The order in which a header has the lengths of the codes for lengths (section 3.2.7).
    private static let lengthCodeOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    /// Returns the symbol for a length from 3 to 258, and the bits after it (section 3.2.5).
    package static func lengthSymbol(_ length: Int) -> (symbol: Int, extra: Int, count: Int) {
        if length == 258 { return (285, 0, 0) }
        if length < 11 { return (254 + length, 0, 0) }
        // Four symbols for each number of bits: 11, 13, 15, 17 with one bit, then 19, 23, 27, 31 with two …
        let count = (length - 3).bitWidth - (length - 3).leadingZeroBitCount - 3
        let part = (length - 3) >> count
        return (257 + 4 * count + part, (length - 3) & ((1 << count) - 1), count)
    }

    /// Returns the symbol for a distance from 1 to 32,768, and the bits after it (section 3.2.5).
    package static func distanceSymbol(_ distance: Int) -> (symbol: Int, extra: Int, count: Int) {
        if distance < 5 { return (distance - 1, 0, 0) }
        let count = (distance - 1).bitWidth - (distance - 1).leadingZeroBitCount - 2
        let part = (distance - 1) >> count
        return (2 * count + part, (distance - 1) & ((1 << count) - 1), count)
    }
}
