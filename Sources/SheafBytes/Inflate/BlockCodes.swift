/// The codes of a block, and the tables for its fast loop.
struct BlockCodes: ~Copyable {
    private(set) var literals = HuffmanCode()
    private(set) var distances = HuffmanCode()
    private(set) var tables = DeflateTables()
    private var areFixed = false

    /// Takes the codes of a dynamic block.
    ///
    /// - Parameters:
    ///   - lengths: the lengths of the codes of literals and lengths, and then of distances, in bits; 0 for none.
    ///   - count: the number of literals and lengths.
    /// - Returns: whether the codes are valid.
    mutating func use(_ lengths: Span<UInt8>, literals count: Int) -> Bool {
        areFixed = false
        // Without a code for it, the block could not end.
        guard lengths[DeflateSymbols.endOfBlock] > 0, literals.assign(lengths.extracting(..<count)),
            distances.assign(lengths.extracting(count...))
        else { return false }
        tables.build(literals: literals, distances: distances)
        return true
    }

    /// Takes the codes of fixed blocks. O(1) if the previous block had them, too.
    mutating func useFixed() {
        guard !areFixed else { return }
        let lengths = DeflateSymbols.fixedCodeLengths
        let isValid = use(lengths.span, literals: DeflateSymbols.fixedLiteralsAndLengths)
        precondition(isValid, "the fixed codes are complete")
        areFixed = true
    }
}
