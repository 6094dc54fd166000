/// Texts that many records share (apps, categories), each stored once and identified by a small number, its symbol.
///
/// Symbols count from 1 in the order in which texts are first added; 0 is the empty text. A symbol is valid only in
/// the table that returned it: across tables, texts are compared. A value type, like its arena. O(1) lookup.
@usableFromInline package struct SymbolTable: Sendable {
    private var arena = ByteArena()
    private var entries: [(block: ByteArena.Block, count: UInt32)] = []
    private var index = HashIndex()

    package init() {}

    /// The number of texts; symbols are 1 ... count.
    package var count: Int { entries.count }

    /// The memory in use, in bytes.
    package var heldBytes: Int {
        arena.heldBytes + entries.capacity * MemoryLayout<(ByteArena.Block, UInt32)>.stride + index.heldBytes
    }

    /// Returns the symbol of `text`, which is added if it is new. The symbol of the empty text is 0.
    package mutating func symbol(for text: Span<UInt8>) -> UInt32 {
        guard text.count > 0 else { return 0 }
        let hash = text.hash(seed: 0)
        if let symbol = find(text, hash: hash) { return symbol }
        let block = arena.allocate(copyOf: text)
        index.insert(entries.count, hash: hash)
        entries.append((block, UInt32(text.count)))
        return UInt32(entries.count)
    }

    /// Returns the symbol of `text`, or nil if the table does not contain it. The symbol of the empty text is 0.
    package func find(_ text: Span<UInt8>) -> UInt32? {
        text.isEmpty ? 0 : find(text, hash: text.hash(seed: 0))
    }

    private func find(_ text: Span<UInt8>, hash: UInt64) -> UInt32? {
        index.find(hash) { self.text(of: UInt32($0 + 1)).isEqual(to: text) }.map { UInt32($0 + 1) }
    }

    /// Returns the text of a symbol that this table returned.
    @_lifetime(borrow self)
    @usableFromInline package func text(of symbol: UInt32) -> Span<UInt8> {
        guard symbol != 0 else { return Span() }
        let entry = entries[Int(symbol) - 1]
        return arena.bytes(of: entry.block).extracting(first: Int(entry.count))
    }
}

extension SymbolTable {
    /// All symbols in byte order of their texts, starting with 0, the empty text.
    package var ordered: [UInt32] {
        Array(0...UInt32(count)).sorted { text(of: $0).compare(to: text(of: $1)) < 0 }
    }

    /// The rank of each text in byte order, indexed by symbol. The empty text has rank 0.
    package var ranks: [UInt32] {
        var ranks = [UInt32](repeating: 0, count: count + 1)
        for (rank, symbol) in ordered.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
        return ranks
    }
}
