import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Sources and streams, used in every permitted order.
@Suite(.tags(.spilling)) struct InflateLifecycleTests {
    static let text = [UInt8]("some text that is read in two parts")

    @Test(arguments: [text, gzip(text), gzip(text) + gzip(text), [], Array(gzip(text).prefix(5))])
    func readingAfterClosingReturnsNothing(_ source: [UInt8]) throws {
        var input = SourceInput(MemoryInput(source))
        var output = [UInt8](repeating: 0, count: 10)
        var target = output.mutableSpan
        let first = (try? input.read(into: &target)) ?? 0
        input.close()
        input.close()
        for _ in 0..<2 {
            let count = try input.read(into: &target)
            #expect(count == 0)
        }
        input.close()
        let inflated = input.bytesInflated
        #expect(inflated == UInt64(first))
    }

    @Test func sourceClosedBeforeReadingIsEmpty() throws {
        var input = SourceInput(MemoryInput(Self.text))
        input.close()
        var output = [UInt8](repeating: 0, count: 10)
        var target = output.mutableSpan
        let count = try input.read(into: &target)
        #expect(count == 0)
    }

    @Test(arguments: [
        gzip(text), gzip(text) + [UInt8(ascii: "a")], Array(gzip(text).dropLast()),
        Array(gzip(text).prefix(20)), text,
    ])
    func readingAfterTheEndOrDamageReturnsNothing(_ source: [UInt8]) throws {
        var input = SourceInput(MemoryInput(source, step: 3))
        var output = [UInt8](repeating: 0, count: 1000)
        var target = output.mutableSpan
        while let count = try? input.read(into: &target), count > 0 {}
        for _ in 0..<3 {
            let count = try input.read(into: &target)
            #expect(count == 0)
        }
    }

    @Test func resetStreamCanBeReused() throws {
        let member = GzipMember(Self.text)
        let stream = InflateStream()
        var output = [UInt8](repeating: 0, count: 100)
        for _ in 0..<3 {
            var target = output.mutableSpan
            // The stream does not consume the bytes after the final block.
            let input = member.body + [1, 2, 3]
            let (consumed, produced, outcome) = stream.inflate(input.span, into: &target)
            #expect(consumed == member.body.count)
            #expect(produced == member.content.count)
            #expect(outcome == .finished)
            #expect(Array(output[..<produced]) == member.content)
            stream.reset()
        }
        stream.close()
        stream.close()
    }

    @Test func unusedStreamCanBeClosed() {
        InflateStream().close()
        _ = InflateStream()
    }

    @Test func usingAClosedStreamTraps() async {
        await #expect(processExitsWith: .failure) {
            let stream = InflateStream()
            stream.close()
            stream.reset()
        }
        await #expect(processExitsWith: .failure) {
            let stream = InflateStream()
            stream.close()
            let input: [UInt8] = [0]
            var output: [UInt8] = [0]
            var target = output.mutableSpan
            _ = stream.inflate(input.span, into: &target)
        }
    }

    /// An input that claims to have read more than there was room for.
    private struct OverreportingInput: ByteInput {
        mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            for index in buffer.indices { buffer[index] = 10 }
            return buffer.count + 1
        }
    }

    @Test func inputThatReadsTooMuchTraps() async {
        await #expect(processExitsWith: .failure) {
            var input = SourceInput(OverreportingInput())
            var output = [UInt8](repeating: 0, count: 10)
            var target = output.mutableSpan
            _ = try? input.read(into: &target)
        }
    }

    @Test func tooSmallBufferTraps() async {
        await #expect(processExitsWith: .failure) { _ = SourceInput(MemoryInput([]), bufferBytes: 1) }
    }
}
