import CZlib
import FuzzChecks
import TestSupport

@testable import SheafBytes

/// An input that fails after its last byte.
struct FailingInput: ByteInput {
    static let failure = StorageError(.read, path: "log", code: 5)

    private var bytes: MemoryInput

    init(_ bytes: [UInt8], step: Int = .max) { self.bytes = MemoryInput(bytes, step: step) }

    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = try bytes.read(into: &buffer)
        if count == 0 { throw Self.failure }
        return count
    }
}

/// An input that repeats a pattern `remaining` times, generated as it is read.
struct RepeatingInput: ByteInput {
    let pattern: [UInt8]
    var remaining: Int

    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        var count = 0
        while remaining > 0, count + pattern.count <= buffer.count {
            buffer.write(pattern.span, at: count)
            count += pattern.count
            remaining -= 1
        }
        return count
    }
}

extension SourceDamage {
    init(_ reason: Reason, _ offset: Int) { self.init(reason: reason, offset: UInt64(offset)) }
}

// Short names for the models that the tests share with the fuzzers.
typealias Drained = FuzzChecks.Drained
typealias FoundationVerdict = FuzzChecks.FoundationVerdict
typealias Framing = FuzzChecks.Framing
typealias JSONTokens = FuzzChecks.JSONTokens
typealias LineModel = FuzzChecks.LineModel
typealias SeenLine = FuzzChecks.SeenLine

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    /// Returns true with a probability of 1 in `count`.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &self) }
    }
}

extension DeflateBlocks {
    static let one = DeflateBlocks()
    static let small = DeflateBlocks(memory: 1)
    static let smallFixed = DeflateBlocks(memory: 1, strategy: Z_FIXED)

    static func stored(every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(level: 0, flush: Z_BLOCK, pieceBytes: pieceBytes)
    }

    /// Ends a block after each piece; zlib's manual defines what each `flush` value writes between the pieces.
    static func flushed(_ flush: Int32, every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(flush: flush, pieceBytes: pieceBytes)
    }
}
