/// The header of a dynamic block (RFC 1951, section 3.2.7): the lengths of its codes, which are encoded themselves.
///
///     counts ──▶ lengths of the length code ──▶ lengths of literals, lengths and distances
struct DynamicHeader {
    private enum Part {
        case counts, lengthCode, lengths
    }

    private var part = Part.counts
    /// The number of literals and lengths, from 257 on.
    private(set) var literalCount = 0
    private var distanceCount = 0
    private var lengthCodeCount = 0
    /// The number of elements of the current part that were read.
    private var index = 0
    private var lengths = [UInt8](
        repeating: 0, count: DeflateSymbols.literalsAndLengths + DeflateSymbols.distances)
    private var codeOfLengths = HuffmanCode()
    /// By the next seven bits: a symbol of the length code, and in the lowest three bits the length of its code.
    private var table = [UInt8](repeating: 0, count: 1 << lengthCodeBits)

    /// The length of the longest code of the length code, in bits.
    private static let lengthCodeBits = 7

    /// The lengths of all codes, in bits, once the header was read.
    var codeLengths: ArraySlice<UInt8> { lengths[..<(literalCount + distanceCount)] }

    mutating func begin() { part = .counts }

    /// Reads the remainder of the header. Resumes after `needsInput`.
    mutating func read(_ cursor: inout DeflateCursor) -> DeflateDecoder.Step {
        if part == .counts {
            let step = readCounts(&cursor)
            guard step == .advanced else { return step }
        }
        if part == .lengthCode {
            let step = readLengthCode(&cursor)
            guard step == .advanced else { return step }
        }
        while index < literalCount + distanceCount {
            let step = readLength(&cursor)
            guard step == .advanced else { return step }
        }
        return .advanced
    }

    private mutating func readCounts(_ cursor: inout DeflateCursor) -> DeflateDecoder.Step {
        guard cursor.hasBits(14) else { return .needsInput }
        literalCount = cursor.take(5) + 257
        distanceCount = cursor.take(5) + 1
        lengthCodeCount = cursor.take(4) + 4
        guard literalCount <= DeflateSymbols.literalsAndLengths, distanceCount <= DeflateSymbols.distances
        else { return .corrupt }
        part = .lengthCode
        index = 0
        for symbol in DeflateSymbols.codeLengthOrder { lengths[symbol] = 0 }
        return .advanced
    }

    private mutating func readLengthCode(_ cursor: inout DeflateCursor) -> DeflateDecoder.Step {
        while index < lengthCodeCount {
            guard cursor.hasBits(3) else { return .needsInput }
            lengths[DeflateSymbols.codeLengthOrder[index]] = UInt8(cursor.take(3))
            index += 1
        }
        let read = lengths[..<DeflateSymbols.codeLengthOrder.count]
        guard codeOfLengths.assign(read.span), fillTable() else { return .corrupt }
        part = .lengths
        index = 0
        return .advanced
    }

    /// Fills the table; false if the code is incomplete.
    private mutating func fillTable() -> Bool {
        guard codeOfLengths.isComplete else {
            // Without any code, each bit is read as a zero, as in zlib. That leaves the block without an end.
            for index in table.indices { table[index] = 1 }
            return codeOfLengths.unused == DeflateSymbols.codeLengthOrder.count
        }
        var next = codeOfLengths.unused
        var reversed = 0
        for length in 1...Self.lengthCodeBits {
            for _ in 0..<codeOfLengths.counts[length] {
                let entry = UInt8(codeOfLengths.symbols[next] << 3) | UInt8(length)
                for index in stride(from: reversed, to: table.count, by: 1 << length) { table[index] = entry }
                reversed = HuffmanCode.successor(of: reversed, 1 << length)
                next += 1
            }
        }
        return true
    }

    /// Reads the length of one code, or a repetition.
    private mutating func readLength(_ cursor: inout DeflateCursor) -> DeflateDecoder.Step {
        // The longest element has 14 bits; zeros after the last bits don't change the entry of a code that is whole.
        _ = cursor.hasBits(14)
        let entry = table[cursor.peek(Self.lengthCodeBits)]
        let (symbol, bits) = (entry >> 3, Int(entry & 7))
        if symbol < 16 {
            guard cursor.bitCount >= bits else { return .needsInput }
            cursor.drop(bits)
            lengths[index] = symbol
            index += 1
            return .advanced
        }
        let (extraBits, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
        guard cursor.bitCount >= bits + extraBits else { return .needsInput }
        cursor.drop(bits)
        let count = least + cursor.take(extraBits)
        guard index + count <= literalCount + distanceCount, symbol != 16 || index > 0 else {
            return .corrupt
        }
        let repeated = symbol == 16 ? lengths[index - 1] : 0
        for _ in 0..<count {
            lengths[index] = repeated
            index += 1
        }
        return .advanced
    }
}
