import SheafBytes

/// All bytes that a source yields, and how it ended.
package struct Drained: Equatable {
    package internal(set) var bytes: [UInt8] = []
    package internal(set) var damage: SourceDamage?
    package internal(set) var failure: StorageError?
    package internal(set) var failureOffset: UInt64?
    package internal(set) var bytesRead: UInt64 = 0
    package internal(set) var bytesInflated: UInt64 = 0

    /// - Parameters:
    ///   - bufferBytes: the size of the source's own buffer.
    ///   - outputBytes: the number of bytes requested at a time.
    package init(_ input: any ByteInput, bufferBytes: Int = 1 << 16, outputBytes: Int = 1 << 12) {
        self.init(SourceInput(input, bufferBytes: bufferBytes), outputBytes: outputBytes)
    }

    /// - Parameter outputBytes: the number of bytes requested at a time.
    package init(_ source: consuming SourceInput, outputBytes: Int = 1 << 12) {
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
            case .tooLarge(let bytes, _): preconditionFailure("\(bytes) bytes without a limit on memory")
            }
        }
        bytesRead = source.bytesRead
        bytesInflated = source.bytesInflated
        source.close()
    }

    package init(_ bytes: [UInt8]) { self.init(MemoryInput(bytes)) }
}
