import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Restart points between zstd frames, and the memory that frames take.
@Suite(.tags(.spilling)) struct ZstdRestartTests {
    static let text = [UInt8]((0..<120).map { "line \($0), \($0 * $0 % 971)\n" }.joined())
    static let frames = [
        zstd(text), ZstdFrame.skippable([1]), zstd(text, pieceBytes: 100), zstd([]), zstd(text),
    ]

    @Test func readingResumesFromEveryFrame() throws {
        let source = Array(Self.frames.joined()) + [0, 0]
        let content = Self.text + Self.text + Self.text
        var input = SourceInput(MemoryInput(source), bufferBytes: 64)
        var points: [RestartPoint] = []
        var output = [UInt8](repeating: 0, count: 50)
        while true {
            var target = output.mutableSpan
            let count = try input.read(into: &target)
            let point = input.restartPoint(before: 0)
            if point != points.last { points.append(point) }
            if count == 0 { break }
        }
        #expect(points.first == .start)
        #expect(points.dropFirst().allSatisfy { $0.kind == .betweenFrames })
        #expect(points.map(\.bytesInflated).last == UInt64(content.count))
        for point in points {
            for bytesToDrop in [0, 1, 100] where Int(point.bytesInflated) + bytesToDrop <= content.count {
                for (step, bufferBytes) in [(1, 2), (.max, 1 << 16)] {
                    let file = StoredLog(source, step: step)
                    let drained = Drained(
                        try SourceInput(
                            resuming: file, at: point, dropping: UInt64(bytesToDrop), bufferBytes: bufferBytes
                        ))
                    let message = "\(point), \(bytesToDrop) bytes dropped"
                    #expect(
                        drained.bytes == Array(content[(Int(point.bytesInflated) + bytesToDrop)...]),
                        "\(message)")
                    #expect(drained.damage == nil, "\(message)")
                    #expect(drained.bytesRead == UInt64(source.count), "\(message)")
                    #expect(drained.bytesInflated == UInt64(content.count), "\(message)")
                }
            }
        }
    }

    /// A frame has no restart points inside, not even on request.
    @Test func framesHaveNoPointsInside() throws {
        let source = zstd(Self.text, pieceBytes: 100)
        var input = SourceInput(MemoryInput(source, step: 20))
        var output = [UInt8](repeating: 0, count: 10)
        for _ in 0..<100 {
            input.requestRestartPoint()
            var target = output.mutableSpan
            _ = try input.read(into: &target)
            #expect(input.restartPoint(before: 0) == .start)
        }
    }

    /// A frame takes what its window needs, which is returned when the source is closed.
    @Test func windowsAreAccountedFor() throws {
        let windows = WindowMemory(reserved: 1 << 20, limit: 8 << 20)
        func frame(_ descriptor: UInt8) -> [UInt8] {
            var frame = ZstdFrame([.raw([0x61])])
            frame.window = descriptor
            return frame.bytes
        }
        // 1 KiB, 4 MiB, 1 MiB and 8 MiB.
        let source = frame(0) + frame(12 << 3) + frame(10 << 3) + frame(13 << 3)
        var input = SourceInput(MemoryInput(source), windows: windows)
        var output = [UInt8](repeating: 0, count: 10)
        var borrowed: [Int] = []
        var failure: SourceError?
        do throws(SourceError) {
            for _ in 0..<4 {
                var target = output.mutableSpan
                _ = try input.read(into: &target)
                borrowed.append(windows.borrowedBytes)
            }
        } catch {
            failure = error
        }
        #expect(borrowed.count == 3 && borrowed[0] == 0)
        #expect(borrowed[1] > 3 << 20 && borrowed[1] < 4 << 20 && borrowed[2] == borrowed[1])
        guard case .tooLarge(let bytes, let offset) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(bytes > 8 << 20)
        #expect(offset == UInt64(source.count - frame(0).count))
        #expect(windows.borrowedBytes == 0)
        input.close()

        var other = SourceInput(MemoryInput(source), windows: windows)
        for _ in 0..<2 {
            var target = output.mutableSpan
            _ = try other.read(into: &target)
        }
        #expect(windows.borrowedBytes > 0)
        other.close()
        #expect(windows.borrowedBytes == 0)
    }

    /// A small source that is decoded to a large one takes the memory of its window. Runs in its own process, so that the
    /// peak includes nothing else.
    @Test func memoryIsBounded() async {
        await #expect(processExitsWith: .success) {
            var frame = ZstdFrame([])
            frame.window = 0x70
            frame.blocks = [ZstdFrame.Block](repeating: .repeated(0x0a, count: 128 << 10), count: 1_000)
            var source = SourceInput(MemoryInput(frame.bytes))
            var output = [UInt8](repeating: 0, count: 1 << 16)
            let before = CurrentProcess.peakResidentBytes
            var total = 0
            while true {
                var target = output.mutableSpan
                let count = try source.read(into: &target)
                if count == 0 { break }
                total += count
            }
            #expect(total == 128_000 << 10)
            let grown = CurrentProcess.peakResidentBytes - before
            // A window of 16 MiB.
            #expect(grown < 18 << 20, "\(grown) additional bytes for \(total) bytes")
        }
    }
}
