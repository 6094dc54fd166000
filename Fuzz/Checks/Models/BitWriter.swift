/// Writes a DEFLATE stream bit by bit (RFC 1951, section 3.1.1).
package struct BitWriter: Sendable {
    /// The stream so far; the unused bits of the last byte are 0.
    package private(set) var bytes: [UInt8] = []
    private var unusedBits = 0

    package init() {}

    /// Writes the lowest `count` bits of a number, the lowest one first.
    package mutating func write(_ value: Int, bits count: Int) {
        for bit in 0..<count { write(bit: value >> bit & 1) }
    }

    /// Writes a code of `length` bits, the highest one first.
    package mutating func write(code: Int, length: Int) {
        for bit in (0..<length).reversed() { write(bit: code >> bit & 1) }
    }

    /// Skips to the start of the next byte, unless this is the start of one.
    package mutating func align() { unusedBits = 0 }

    /// Writes whole bytes at the start of the next byte.
    package mutating func append(_ content: [UInt8]) {
        align()
        bytes += content
    }

    private mutating func write(bit: Int) {
        if unusedBits == 0 {
            bytes.append(0)
            unusedBits = 8
        }
        bytes[bytes.count - 1] |= UInt8(bit) << UInt8(8 - unusedBits)
        unusedBits -= 1
    }
}

/// A Huffman code given by the lengths of its codes (RFC 1951, section 3.2.2).
package struct PrefixCode: Sendable {
    private let lengths: [Int]
    private var codes: [Int] = []

    /// - Parameter lengths: the length of each symbol's code in bits; 0 for a symbol without a code. The set of codes
    ///   may be incomplete or over-subscribed.
    package init(_ lengths: [Int]) {
        self.lengths = lengths
        var next = 0
        codes = [Int](repeating: 0, count: lengths.count)
        for length in 1...15 {
            next <<= 1
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = next
                next += 1
            }
        }
    }

    /// Writes the code of a symbol, which has one.
    package func write(_ symbol: Int, to bits: inout BitWriter) {
        precondition(lengths[symbol] > 0, "symbol \(symbol) has no code")
        bits.write(code: codes[symbol], length: lengths[symbol])
    }
}
