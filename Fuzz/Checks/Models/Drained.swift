import SheafBytes

/// All bytes that a source yields, and how it ended.
public struct Drained: Equatable {
    public internal(set) var bytes: [UInt8] = []
    public internal(set) var damage: SourceDamage?
    public internal(set) var failure: StorageError?
    public internal(set) var failureOffset: UInt64?
    public internal(set) var bytesRead: UInt64 = 0
    public internal(set) var bytesInflated: UInt64 = 0

    /// - Parameters:
    ///   - bufferBytes: the size of the source's own buffer.
    ///   - outputBytes: the number of bytes requested at a time.
    public init(_ input: any ByteInput, bufferBytes: Int = 1 << 16, outputBytes: Int = 1 << 12) {
        self.init(SourceInput(input, bufferBytes: bufferBytes), outputBytes: outputBytes)
    }

    /// - Parameter outputBytes: the number of bytes requested at a time.
    public init(_ source: consuming SourceInput, outputBytes: Int = 1 << 12) {
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

    public init(_ bytes: [UInt8]) { self.init(MemoryInput(bytes)) }
}
