import FuzzChecks
import TestSupport
import Testing

@testable import SheafBytes

/// The decoder touches no byte before or after its input and its buffer: there are pages that can't be accessed.
@Suite struct InflateBoundsTests {
    /// A block of pages between two that can't be accessed.
    @safe private final class FencedMemory {
        private static let pageBytes = 1 << 16
        private static let byteCount = 1 << 20
        private let start: UnsafeMutableRawPointer

        init() {
            unsafe start = PageMemory.allocate(Self.byteCount)
            // Safety: the first and the last page are inside the block.
            unsafe mprotect(start, Self.pageBytes, PROT_NONE)
            unsafe mprotect(start + Self.byteCount - Self.pageBytes, Self.pageBytes, PROT_NONE)
        }

        deinit { unsafe PageMemory.deallocate(start, Self.byteCount) }

        /// Returns as many bytes, directly before the second fence or after the first one.
        ///
        /// Safety: valid as long as the memory.
        @unsafe func bytes(_ count: Int, atEnd: Bool) -> UnsafeMutableBufferPointer<UInt8> {
            precondition(count <= Self.byteCount - 2 * Self.pageBytes, "larger than the memory")
            let offset = atEnd ? Self.byteCount - Self.pageBytes - count : Self.pageBytes
            return unsafe UnsafeMutableRawBufferPointer(start: start + offset, count: count)
                .bindMemory(to: UInt8.self)
        }
    }

    private struct Fences {
        private let input = FencedMemory()
        private let output = FencedMemory()

        /// Returns what one call yields of a stream, with exactly this much room.
        func inflate(_ stream: [UInt8], _ room: Int, atEnd: Bool, _ inflater: InflateStream) -> [UInt8] {
            let source = unsafe input.bytes(stream.count, atEnd: atEnd)
            let target = unsafe output.bytes(room, atEnd: atEnd)
            _ = unsafe source.update(fromContentsOf: stream)
            var buffer = unsafe target.mutableSpan
            inflater.reset()
            // Safety: both are inside their memory, which outlives this call.
            let produced = unsafe inflater.inflate(Span(_unsafeElements: source), into: &buffer).produced
            return unsafe Array(target[..<produced])
        }
    }

    /// Runs in its own process, which an access to a fence ends.
    @Test func memoryOutsideIsNotTouched() async {
        await #expect(processExitsWith: .success) {
            for inflater in Inflater.allCases { Self.inflateBetweenFences(InflateStream(inflater)) }
        }
    }

    private static func inflateBetweenFences(_ inflater: InflateStream) {
        let fences = Fences()
        var random = SeededGenerator(seed: 1951)
        var streams = (0..<40).map { RandomDeflate(&random, length: 20 + 10 * $0).stream }
        streams += DeflateCase.all.map(\.stream).filter { $0.count < 2_000 }
        for stream in streams {
            let expected = DeflateModel(stream).result
            for count in [stream.count] + (0..<6).map({ _ in random.below(stream.count + 1) }) {
                let part = Array(stream.prefix(count))
                let room = random.pick([expected.bytes.count, random.below(expected.bytes.count + 1)])
                let whole = DeflateModel(part).result.bytes.prefix(room)
                for atEnd in [true, false] {
                    let bytes = fences.inflate(part, room, atEnd: atEnd, inflater)
                    #expect(bytes[...] == whole, "\(count) bytes into \(room)")
                }
            }
        }
    }
}
