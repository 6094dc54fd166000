@testable import SheafBytes

/// An input that fails behind its bytes.
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

/// An input that makes its bytes as they are read, and counts what was asked of it.
struct RepeatingInput: ByteInput {
    let pattern: [UInt8]
    var left: Int

    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        var count = 0
        while left > 0, count + pattern.count <= buffer.count {
            buffer.write(pattern.span, at: count)
            count += pattern.count
            left -= 1
        }
        return count
    }
}

/// Everything that a source yields, and how it ended.
struct Drained: Equatable {
    var bytes: [UInt8] = []
    var damage: SourceDamage?
    var failure: StorageError?
    var failureOffset: UInt64?
    var bytesRead: UInt64 = 0
    var bytesInflated: UInt64 = 0

    /// - Parameters:
    ///   - bufferBytes: the source's own buffer.
    ///   - outputBytes: how much is asked for at once.
    init(_ input: any ByteInput, bufferBytes: Int = 1 << 16, outputBytes: Int = 1 << 12) {
        self.init(SourceInput(input, bufferBytes: bufferBytes), outputBytes: outputBytes)
    }

    /// - Parameter outputBytes: how much is asked for at once.
    init(_ source: consuming SourceInput, outputBytes: Int = 1 << 12) {
        var output = [UInt8](repeating: 0xaa, count: outputBytes)
        do throws(SourceError) {
            while true {
                var target = output.mutableSpan
                let count = try source.read(into: &target)
                if count == 0 { break }
                bytes += output[..<count]
            }
        } catch {
            switch error {
            case .damaged(let damage): self.damage = damage
            case .unreadable(let failure, let offset):
                self.failure = failure
                failureOffset = offset
            }
        }
        bytesRead = source.bytesRead
        bytesInflated = source.bytesInflated
        source.close()
    }

    init(_ bytes: [UInt8]) { self.init(MemoryInput(bytes)) }
}

extension SourceDamage {
    init(_ reason: Reason, _ offset: Int) { self.init(reason: reason, offset: UInt64(offset)) }
}
