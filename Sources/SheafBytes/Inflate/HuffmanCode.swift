/// A canonical Huffman code (RFC 1951, section 3.2.2): its symbols in the order of their codes.
///
/// Codes of one length are consecutive numbers, so the number of codes of each length and the sorted symbols are the
/// whole code. Incomplete codes are valid if they have a single code, of one bit, or no code, as in zlib.
struct HuffmanCode {
    /// The number of codes of each length, in bits; 0 for the symbols without a code.
    private(set) var counts = [UInt16](repeating: 0, count: DeflateSymbols.longestCode + 1)
    /// The symbols with a code, the shortest codes first, after `unused` symbols without one.
    private(set) var symbols = [UInt16](repeating: 0, count: DeflateSymbols.fixedLiteralsAndLengths)
    private(set) var isComplete = false
    /// By length: the index of the next symbol to be sorted. Kept, so that no block allocates memory.
    private var next = [UInt16](repeating: 0, count: DeflateSymbols.longestCode + 1)

    /// The number of symbols without a code.
    var unused: Int { Int(counts[0]) }

    /// Sets the codes of the symbols 0 to `lengths.count` - 1. O(count).
    ///
    /// - Parameter lengths: the length of each symbol's code, in bits; 0 for no code.
    /// - Returns: whether the code is valid.
    mutating func assign(_ lengths: Span<UInt8>) -> Bool {
        for length in counts.indices { counts[length] = 0 }
        for symbol in lengths.indices { counts[Int(lengths[symbol])] += 1 }
        var free = 1
        var longest = 0
        for length in 1..<counts.count {
            free = 2 * free - Int(counts[length])
            if free < 0 { return false }
            if counts[length] > 0 { longest = length }
        }
        isComplete = free == 0
        guard isComplete || longest <= 1 else { return false }
        next[0] = 0
        for length in 1..<next.count { next[length] = next[length - 1] + counts[length - 1] }
        for symbol in lengths.indices {
            let length = Int(lengths[symbol])
            symbols[Int(next[length])] = UInt16(truncatingIfNeeded: symbol)
            next[length] += 1
        }
        return true
    }

    /// Returns the code after `code`, both with their first bits lowest; 0 after the last one.
    ///
    /// - Parameter size: 2 to the power of the code's length.
    @inline(__always)
    static func successor(of code: Int, _ size: Int) -> Int {
        let zeros = code ^ (size &- 1)
        guard zeros != 0 else { return 0 }
        // Adding 1 to a code clears the ones after its last zero and sets that zero; here the last bit is highest.
        let bit = 1 &<< (63 &- zeros.leadingZeroBitCount)
        return code & (bit &- 1) | bit
    }

    enum Decoded {
        case symbol(Int, bits: Int)
        /// No code begins with these bits. zlib needs `bits` of them to see that.
        case invalid(bits: Int)
        case needsMoreBits
    }

    /// Decodes the first symbol in the lowest `count` bits of `bits`. O(length of its code).
    func decode(_ bits: UInt64, count: Int) -> Decoded {
        var code = 0
        var first = 0
        var index = unused
        for length in 1...DeflateSymbols.longestCode {
            guard length <= count else { return .needsMoreBits }
            code |= Int(truncatingIfNeeded: bits >> UInt64(length - 1) & 1)
            let codes = Int(counts[length])
            if code - first < codes { return .symbol(Int(symbols[index + code - first]), bits: length) }
            guard isComplete else { return .invalid(bits: 1) }
            index += codes
            first = (first + codes) << 1
            code <<= 1
        }
        preconditionFailure("a complete code has a symbol for all bits")
    }
}

/// The symbols of DEFLATE's codes (RFC 1951, section 3.2.5).
enum DeflateSymbols {
    static let endOfBlock = 256
    /// The number of literals and lengths that a block can use; the fixed code has two more, which are invalid.
    static let literalsAndLengths = 286
    static let fixedLiteralsAndLengths = 288
    static let distances = 30
    static let fixedDistances = 32
    /// The length of the longest code, in bits.
    static let longestCode = 15

    /// The shortest match of each length symbol, from 257 on.
    static let lengths: [UInt16] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
        163, 195, 227, 258,
    ]
    /// The number of bits after the symbol that are added to the length.
    static let extraLengthBits: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    static let longestMatch = 258

    /// The shortest distance of each distance symbol.
    static let nearestDistances: [UInt16] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
        4097, 6145, 8193, 12289, 16385, 24577,
    ]
    /// The number of bits after the symbol that are added to the distance.
    static let extraDistanceBits: [UInt8] = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    /// The order in which a block stores the lengths of the code for code lengths (section 3.2.7).
    static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The code lengths of the fixed codes (section 3.2.6): literals and lengths, then distances.
    static let fixedCodeLengths: [UInt8] =
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
        + Array(repeating: 8, count: 8) + Array(repeating: 5, count: fixedDistances)
}
