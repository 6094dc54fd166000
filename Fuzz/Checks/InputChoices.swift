import SheafBytes

/// Choices derived from an input, such as the sizes of the pieces it is read in: they vary between inputs, but are the
/// same every time that an input runs.
struct InputChoices {
    private var state: UInt64

    init(_ bytes: [UInt8]) { state = bytes.span.stableHash(seed: 0) | 1 }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// Returns a number from 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int {
        // Xorshift (Marsaglia, 2003); the upper half of its state is random enough here.
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 32) % bound
    }
}

/// Bytes in memory that are read in pieces of varying lengths, as from a pipe.
struct UnevenInput: ByteInput {
    private let bytes: [UInt8]
    private var choices: InputChoices
    private let longest: Int
    private var offset = 0

    init(_ bytes: [UInt8], _ choices: inout InputChoices) {
        self.bytes = bytes
        longest = choices.pick([1, 2, 7, 100, 5000])
        self.choices = choices
    }

    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = min(1 + choices.below(longest), buffer.count, bytes.count - offset)
        guard count > 0 else { return 0 }
        buffer.write(bytes.span.extracting(offset..<(offset + count)), at: 0)
        offset += count
        return count
    }
}
