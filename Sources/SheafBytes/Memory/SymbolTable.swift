/// Texts that many records share (apps, categories), each kept once and named by a small number.
///
/// Numbers count from 1 in the order of first sight; 0 is no text. They mean something only inside the table
/// that gave them: between tables texts are compared. A value, like the arena in it. O(1) look-up.
public struct SymbolTable: Sendable {
    private struct Entry: Sendable {
        let hash: UInt64
        let block: ByteArena.Block
        let count: UInt32
    }

    private var arena = ByteArena()
    private var entries: [Entry] = []
    /// Open addressing with linear probing: a symbol in each used bucket, at most half of them used.
    private var buckets = [UInt32](repeating: 0, count: 64)

    public init() {}

    /// How many texts there are; symbols are 1 ... count.
    public var count: Int { entries.count }

    /// The symbol of `text`, which is added when it is new. The empty text's is 0.
    public mutating func symbol(for text: Span<UInt8>) -> UInt32 {
        guard text.count > 0 else { return 0 }
        let hash = text.hash(seed: 0)
        let bucket = bucket(of: text, hash: hash)
        if buckets[bucket] != 0 { return buckets[bucket] }
        let block = arena.allocate(text.count)
        arena.write(text, to: block)
        entries.append(Entry(hash: hash, block: block, count: UInt32(text.count)))
        let symbol = UInt32(entries.count)
        buckets[bucket] = symbol
        if entries.count * 2 > buckets.count { grow() }
        return symbol
    }

    /// The symbol of `text`, nil when the table does not have it. The empty text's is 0.
    public func find(_ text: Span<UInt8>) -> UInt32? {
        guard text.count > 0 else { return 0 }
        let symbol = buckets[bucket(of: text, hash: text.hash(seed: 0))]
        return symbol == 0 ? nil : symbol
    }

    /// The bucket that holds `text`, or the empty one where it would go.
    private func bucket(of text: Span<UInt8>, hash: UInt64) -> Int {
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] != 0 {
            let symbol = buckets[bucket]
            if entries[Int(symbol) - 1].hash == hash, self.text(of: symbol).isEqual(to: text) { break }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return bucket
    }

    /// The text of a symbol that this table gave.
    @_lifetime(borrow self)
    public func text(of symbol: UInt32) -> Span<UInt8> {
        guard symbol != 0 else { return Span() }
        let entry = entries[Int(symbol) - 1]
        return arena.bytes(of: entry.block).extracting(first: Int(entry.count))
    }

    private mutating func grow() {
        buckets = [UInt32](repeating: 0, count: buckets.count * 2)
        for (index, entry) in entries.enumerated() {
            var bucket = Int(truncatingIfNeeded: entry.hash) & (buckets.count - 1)
            while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = UInt32(index + 1)
        }
    }
}
