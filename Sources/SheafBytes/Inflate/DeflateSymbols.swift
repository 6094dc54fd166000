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
