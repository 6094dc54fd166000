/// Texts that many records share (apps, categories), each kept once and named by a small number.
///
/// Numbers count from 1 in the order of first sight; 0 is no text. They mean something only inside the table
/// that gave them: between tables texts are compared. A value, like the arena in it. O(1) look-up.
public struct SymbolTable: Sendable {
    private struct Entry: Sendable {
        let block: ByteArena.Block
        let count: UInt32
    }

    private var arena = ByteArena()
    private var entries: [Entry] = []
    private var index = HashIndex()

    public init() {}

    /// How many texts there are; symbols are 1 ... count.
    public var count: Int { entries.count }

    /// Bytes of memory in use.
    public var heldBytes: Int {
        arena.heldBytes + entries.capacity * MemoryLayout<Entry>.stride + index.heldBytes
    }

    /// The symbol of `text`, which is added when it is new. The empty text's is 0.
    public mutating func symbol(for text: Span<UInt8>) -> UInt32 {
        guard text.count > 0 else { return 0 }
        let hash = text.hash(seed: 0)
        if let symbol = find(text, hash: hash) { return symbol }
        let block = arena.allocate(text.count)
        arena.write(text, to: block)
        index.insert(entries.count, hash: hash)
        entries.append(Entry(block: block, count: UInt32(text.count)))
        return UInt32(entries.count)
    }

    /// The symbol of `text`, nil when the table does not have it. The empty text's is 0.
    public func find(_ text: Span<UInt8>) -> UInt32? {
        text.isEmpty ? 0 : find(text, hash: text.hash(seed: 0))
    }

    private func find(_ text: Span<UInt8>, hash: UInt64) -> UInt32? {
        index.find(hash) { self.text(of: UInt32($0 + 1)).isEqual(to: text) }.map { UInt32($0 + 1) }
    }

    /// The text of a symbol that this table gave.
    @_lifetime(borrow self)
    public func text(of symbol: UInt32) -> Span<UInt8> {
        guard symbol != 0 else { return Span() }
        let entry = entries[Int(symbol) - 1]
        return arena.bytes(of: entry.block).extracting(first: Int(entry.count))
    }
}

extension SymbolTable {
    /// The symbols in byte order of their texts, that of no text first.
    public var ordered: [UInt32] {
        Array(0...UInt32(count)).sorted { text(of: $0).compare(to: text(of: $1)) < 0 }
    }

    /// By symbol: its text's place in byte order, from 0, which is that of no text.
    public var ranks: [UInt32] {
        var ranks = [UInt32](repeating: 0, count: count + 1)
        for (rank, symbol) in ordered.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
        return ranks
    }
}
