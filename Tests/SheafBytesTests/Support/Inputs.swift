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
