/// The tables that the fast loop decodes a block with: an entry for each value of the next bits.
///
///     next 12 bits ──▶ literals  [4096 entries][subtables]     an entry decodes one symbol, or two if both fit
///     next 9 bits  ──▶ distances [512 entries][subtables]
///
/// An entry consists of fields, the lowest bits first:
///
///     literals     bits (6) · – · 1 | first byte (8) | second byte (8) | – · has second
///     a length     bits (6) · has literal · 0 | code bits (4) · 0 | length - 3 (8) | literal (8)
///     a distance   bits (6) | code bits (4) · 0 | shortest distance (16)
///     a subtable   bits (6) | index bits (4) · subtable · exceptional | start (16)
///     other        bits (6) | – · end of block · exceptional
///
/// `bits` is the number of bits to consume, with those that are added to a length or distance; they follow the `code
/// bits`. A match after a literal has both in one entry. The entry of an invalid code has as many bits as zlib needs to
/// see that it is invalid.
///
/// Two symbols in one entry save a lookup and an unpredictable branch where codes are short.
///
/// Safety: the tables are allocated in `init` and freed in `deinit`. `build` fills all entries of both tables; an index
/// of `literalBits` or `distanceBits` bits is inside them. A subtable's start and number of index bits come from
/// `build`, which leaves room for all subtables that codes of up to 15 bits need.
@safe struct DeflateTables: ~Copyable {
    static let literalBits = 12
    static let distanceBits = 9

    let literals: Table
    let distances: Table
    /// The codes of the block's literals and lengths that the table has without a subtable, the shortest first.
    private let literalCodes: UnsafeMutablePointer<Coded>
    private let lengthCodes: UnsafeMutablePointer<Coded>
    /// The number of these codes.
    private var literalCount = 0
    private var lengthCount = 0

    /// A table of 2^`indexBits` entries and subtables. Unsafe because of the addresses.
    @unsafe struct Table {
        let indexBits: Int
        let entries: UnsafeMutablePointer<UInt32>
        /// The entries of all symbols, for codes without bits.
        fileprivate let symbols: UnsafeMutablePointer<UInt32>

        /// - Parameter entry: returns the entry of a symbol.
        fileprivate init(
            indexBits: Int, entries count: Int, symbols symbolCount: Int, _ entry: (Int) -> UInt32
        ) {
            unsafe self.indexBits = indexBits
            unsafe entries = .allocate(capacity: count)
            unsafe entries.initialize(repeating: Entry.exceptional, count: count)
            unsafe symbols = .allocate(capacity: symbolCount)
            for symbol in 0..<symbolCount {
                // Safety: the symbol is less than the capacity.
                unsafe (symbols + symbol).initialize(to: entry(symbol))
            }
        }

        fileprivate func deallocate() {
            unsafe entries.deallocate()
            unsafe symbols.deallocate()
        }
    }

    /// A symbol's entry, and its code with the first bit lowest.
    private struct Coded: BitwiseCopyable {
        var entry: UInt32
        var code: UInt32
    }

    /// The number of entries. A subtable has at least two codes, so there are at most half as many as symbols, and its
    /// codes have at most 15 bits.
    private static let literalEntries =
        1 << literalBits
        + (DeflateSymbols.fixedLiteralsAndLengths / 2) << (DeflateSymbols.longestCode - literalBits)
    private static let distanceEntries =
        1 << distanceBits + (DeflateSymbols.fixedDistances / 2) << (DeflateSymbols.longestCode - distanceBits)

    init() {
        unsafe literals = unsafe Table(
            indexBits: Self.literalBits, entries: Self.literalEntries,
            symbols: DeflateSymbols.fixedLiteralsAndLengths, Entry.literalOrLength)
        unsafe distances = unsafe Table(
            indexBits: Self.distanceBits, entries: Self.distanceEntries,
            symbols: DeflateSymbols.fixedDistances, Entry.distance)
        unsafe literalCodes = .allocate(capacity: DeflateSymbols.fixedLiteralsAndLengths)
        unsafe lengthCodes = .allocate(capacity: DeflateSymbols.fixedLiteralsAndLengths)
    }

    deinit {
        unsafe literals.deallocate()
        unsafe distances.deallocate()
        unsafe literalCodes.deallocate()
        unsafe lengthCodes.deallocate()
    }

    /// The fields of an entry.
    enum Entry {
        static var literal: UInt32 { 1 << 7 }
        static var second: UInt32 { 1 << 30 }
        /// In an entry with a length: a literal precedes it.
        static var afterLiteral: UInt32 { 1 << 6 }
        /// Neither a literal nor a length or distance.
        static var exceptional: UInt32 { 1 << 15 }
        static var subtable: UInt32 { 1 << 14 }
        static var endOfBlock: UInt32 { 1 << 13 }

        fileprivate static func literalOrLength(_ symbol: Int) -> UInt32 {
            if symbol < DeflateSymbols.endOfBlock { return literal | UInt32(symbol) << 8 }
            if symbol == DeflateSymbols.endOfBlock { return exceptional | endOfBlock }
            guard symbol < DeflateSymbols.literalsAndLengths else { return exceptional }
            let index = symbol - DeflateSymbols.endOfBlock - 1
            return UInt32(DeflateSymbols.lengths[index] - 3) << 16
                | UInt32(DeflateSymbols.extraLengthBits[index])
        }

        fileprivate static func distance(_ symbol: Int) -> UInt32 {
            guard symbol < DeflateSymbols.distances else { return exceptional }
            return UInt32(DeflateSymbols.nearestDistances[symbol]) << 16
                | UInt32(DeflateSymbols.extraDistanceBits[symbol])
        }

        /// Returns a symbol's entry for a code of `bits` bits.
        @inline(__always)
        fileprivate static func coded(_ symbol: UInt32, bits: Int) -> UInt32 {
            let bits = UInt32(truncatingIfNeeded: bits)
            return symbol &+ bits | (symbol & literal == 0 ? bits << 8 : 0)
        }
    }

    /// Fills the tables for a block. O(entries), about 5 µs.
    mutating func build(literals code: borrowing HuffmanCode, distances distanceCode: borrowing HuffmanCode) {
        literalCount = 0
        lengthCount = 0
        // Safety: the tables have room for the entries of both codes, and there is an entry for each symbol.
        unsafe fill(literals, code, collects: true)
        unsafe fill(distances, distanceCode)
        combineLiterals()
    }

    /// Fills a table, first for codes of one bit, then for one bit more at a time.
    ///
    /// The table for codes of up to n bits has 2ⁿ entries, with the code's first bit as the lowest bit of the index: it
    /// is the table for up to n - 1 bits twice, and the codes of n bits.
    ///
    /// Safety: `table` must have room for the subtables of `code`, and an entry for each of its symbols.
    ///
    /// - Parameter collects: whether to add the codes to `literalCodes` and `lengthCodes`.
    private mutating func fill(_ table: Table, _ code: borrowing HuffmanCode, collects: Bool = false) {
        guard code.isComplete else { return unsafe fillIncomplete(table, code) }
        let (indexBits, entries, symbols) = unsafe (table.indexBits, table.entries, table.symbols)
        let sorted = code.symbols.span, counts = code.counts.span
        var next = Int(counts[0])
        var reversed = 0
        var length = 1
        var size = 2
        while length <= indexBits {
            for _ in 0..<counts[length] {
                // Safety: a code of `length` bits is less than `size`, which is at most the number of entries. The code
                // has only symbols that `symbols` has.
                let entry = unsafe Entry.coded(symbols[Int(sorted[next])], bits: length)
                unsafe entries[reversed] = entry
                if collects { collect(entry, code: reversed) }
                next &+= 1
                reversed = HuffmanCode.successor(of: reversed, size)
            }
            if length < indexBits {
                // Safety: the table has twice as many entries, since `length` is less than `indexBits`.
                unsafe (entries + size).update(from: entries, count: size)
                size <<= 1
            }
            length += 1
        }
        guard next < Int(counts[0]) + Self.coded(counts) else { return }
        unsafe fillSubtables(table, code, next: next, firstCode: reversed, length: length)
    }

    private static func coded(_ counts: Span<UInt16>) -> Int {
        var sum = 0
        for length in 1..<counts.count { sum &+= Int(counts[length]) }
        return sum
    }

    /// Fills a table for a code that has one symbol, with one bit, or no symbols.
    ///
    /// Safety: as for `fill`.
    private func fillIncomplete(_ table: Table, _ code: borrowing HuffmanCode) {
        let invalid = Entry.coded(Entry.exceptional, bits: 1)
        var entry = invalid
        if code.counts[1] > 0 {
            // Safety: the code has only symbols that `symbols` has.
            entry = unsafe Entry.coded(table.symbols[Int(code.symbols[code.unused])], bits: 1)
        }
        for index in unsafe 0..<(1 << table.indexBits) {
            // Safety: the table has 2^`indexBits` entries.
            unsafe table.entries[index] = index & 1 == 0 ? entry : invalid
        }
    }

    /// Adds subtables for the codes that are longer than `indexBits`.
    ///
    /// Safety: as for `fill`.
    private func fillSubtables(
        _ table: Table, _ code: borrowing HuffmanCode, next firstIndex: Int, firstCode: Int,
        length firstLength: Int
    ) {
        let (indexBits, entries, symbols) = unsafe (table.indexBits, table.entries, table.symbols)
        let sorted = code.symbols.span, counts = code.counts.span
        let mask = 1 << indexBits - 1
        var next = firstIndex
        var reversed = firstCode
        var prefix = -1
        var start = 0
        var end = 1 << indexBits
        for length in firstLength...DeflateSymbols.longestCode {
            let size = 1 << length
            for remaining in stride(from: Int(counts[length]), to: 0, by: -1) {
                if reversed & mask != prefix {
                    prefix = reversed & mask
                    let bits = Self.subtableBits(counts, length: length, remaining, indexBits)
                    start = end
                    end = start + 1 << bits
                    // Safety: the prefix has `indexBits` bits.
                    unsafe entries[prefix] =
                        Entry.exceptional | Entry.subtable | UInt32(start) << 16 | UInt32(bits) << 8
                        | UInt32(indexBits)
                }
                // Safety: the code has only symbols that `symbols` has.
                let entry = unsafe Entry.coded(symbols[Int(sorted[next])], bits: length - indexBits)
                for index in stride(from: start + reversed >> indexBits, to: end, by: size >> indexBits) {
                    // Safety: the index is less than `end`, for which the table has room.
                    unsafe entries[index] = entry
                }
                next += 1
                reversed = HuffmanCode.successor(of: reversed, size)
            }
        }
    }

    /// Returns the number of index bits of the subtable whose first code has `length` bits: as many as its longest code
    /// needs.
    ///
    /// - Parameter remaining: the number of codes of that length from the first one on.
    private static func subtableBits(
        _ counts: Span<UInt16>, length: Int, _ remaining: Int, _ indexBits: Int
    ) -> Int {
        var bits = length - indexBits
        var used = remaining
        while used < 1 << bits {
            bits += 1
            used = 2 * used + Int(counts[indexBits + bits])
        }
        return bits
    }

    /// Adds the code of a literal or a length to `literalCodes` or `lengthCodes`.
    ///
    /// Safety: at most one call for each symbol of a block.
    @inline(__always)
    private mutating func collect(_ entry: UInt32, code: Int) {
        let coded = Coded(entry: entry, code: UInt32(truncatingIfNeeded: code))
        if entry & Entry.literal != 0 {
            unsafe literalCodes[literalCount] = coded
            literalCount &+= 1
        } else if entry & Entry.exceptional == 0 {
            unsafe lengthCodes[lengthCount] = coded
            lengthCount &+= 1
        }
    }

    /// Replaces the entries of literals whose next symbol fits into the table, too, by entries for both.
    private func combineLiterals() {
        for index in 0..<literalCount {
            // Safety: `literalCodes` has that many codes.
            let first = unsafe literalCodes[index]
            let bits = first.entry & 0x3f
            // Not even a code of one bit fits after it.
            guard bits < Self.literalBits else { return }
            for index in 0..<literalCount {
                // Safety: as above.
                let second = unsafe literalCodes[index]
                let sum = bits &+ second.entry & 0x3f
                if sum > Self.literalBits { break }
                replace(
                    first, second, bits: sum,
                    Entry.literal | Entry.second | sum | first.entry & 0xff00
                        | (second.entry & 0xff00) &<< 8)
            }
            for index in 0..<lengthCount {
                // Safety: `lengthCodes` has that many codes.
                let length = unsafe lengthCodes[index]
                let sum = bits &+ length.entry &>> 8 & 0xf
                if sum > Self.literalBits { break }
                replace(
                    first, length, bits: sum,
                    Entry.afterLiteral | (first.entry & 0xff00) &<< 16
                        | (length.entry &+ bits &+ bits &<< 8))
            }
        }
    }

    /// Sets the entries of all indices that begin with two codes, which together have `bits` bits.
    @inline(__always)
    private func replace(_ first: Coded, _ second: Coded, bits: UInt32, _ entry: UInt32) {
        var index = Int(truncatingIfNeeded: first.code | second.code &<< (first.entry & 0x3f))
        while index < 1 << Self.literalBits {
            // Safety: the index is less than the number of entries without subtables.
            unsafe literals.entries[index] = entry
            index &+= 1 &<< Int(truncatingIfNeeded: bits)
        }
    }
}
