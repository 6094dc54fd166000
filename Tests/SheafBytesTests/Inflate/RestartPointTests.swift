import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Restart points that sources record, and reading from them.
@Suite(.tags(.spilling)) struct RestartPointTests {
    struct Case: NamedCase {
        let name: String
        let source: [UInt8]
        let content: [UInt8]

        init(_ name: String, _ members: [GzipMember], padding: Int = 0) {
            self.name = name
            source = members.flatMap(\.bytes) + [UInt8](repeating: 0, count: padding)
            content = members.flatMap(\.content)
        }
    }

    static let text = [UInt8]((0..<120).map { "line \($0), \($0 * $0 % 971)\n" }.joined())
    static let decorated = GzipMember.decorated("decorated")

    static let cases = [
        Case("an empty member", [GzipMember("")]),
        Case("a member of one block", [GzipMember(text, .one)]),
        Case("small blocks", [GzipMember(text, .small)]),
        Case("small fixed blocks", [GzipMember(text, .smallFixed)]),
        Case("stored blocks", [GzipMember(text, .stored(every: 200))]),
        Case("flushed", [GzipMember(text, .flushed(Z_SYNC_FLUSH, every: 200))]),
        Case("flushed without a window", [GzipMember(text, .flushed(Z_FULL_FLUSH, every: 200))]),
        Case("blocks without alignment", [GzipMember(text, .flushed(Z_BLOCK, every: 100))]),
        Case(
            "one block per byte", [GzipMember(Array(text.prefix(50)), .flushed(Z_PARTIAL_FLUSH, every: 1))]),
        Case("members", [decorated, GzipMember(text, .small), GzipMember(""), decorated]),
        // An end-of-block code has two bits here, and often lies in a byte that has already left the buffer.
        Case(
            "blocks that end inside a byte before the buffer",
            [
                GzipMember(
                    (0..<2_000).map { $0 * $0 % 7 < 3 ? 0x61 : 0x62 },
                    DeflateBlocks(memory: 1, strategy: Z_HUFFMAN_ONLY))
            ]),
        Case("padding", [GzipMember(text, .small), GzipMember(text, .one)], padding: 100),
    ]

    /// Returns the restart points that a source records when one is requested before every read.
    private static func points(
        of source: [UInt8], step: Int, bufferBytes: Int, outputBytes: Int
    ) throws -> [RestartPoint] {
        var input = SourceInput(MemoryInput(source, step: step), bufferBytes: bufferBytes)
        var output = [UInt8](repeating: 0, count: outputBytes)
        var points: [RestartPoint] = []
        while true {
            input.requestRestartPoint()
            var target = output.mutableSpan
            let count = try input.read(into: &target)
            let point = input.restartPoint(before: 0)
            if point != points.last { points.append(point) }
            if count == 0 { return points }
        }
    }

    /// Reading from any restart point yields the rest of the content, and the checksum of the point's member matches.
    @Test(arguments: cases)
    func readingResumesFromEveryPoint(_ test: Case) throws {
        for (step, bufferBytes, outputBytes) in [(1 << 16, 64, 50), (3, 2, 1)] {
            let points = try Self.points(
                of: test.source, step: step, bufferBytes: bufferBytes, outputBytes: outputBytes)
            for point in points {
                for bytesToDrop in [0, 1, 100] {
                    let position = Int(point.bytesInflated) + bytesToDrop
                    if position > test.content.count { continue }
                    let file = StoredLog(test.source, step: step)
                    let drained = Drained(
                        try SourceInput(
                            resuming: file, at: point, dropping: UInt64(bytesToDrop), bufferBytes: bufferBytes
                        ),
                        outputBytes: outputBytes)
                    let message = "step \(step), \(point.offset), \(bytesToDrop) bytes dropped"
                    #expect(drained.bytes == test.content[position...].map { $0 }, "\(message)")
                    #expect(drained.damage == nil, "\(message)")
                    #expect(drained.bytesRead == UInt64(test.source.count), "\(message)")
                    #expect(drained.bytesInflated == UInt64(test.content.count), "\(message)")
                    #expect(file.seeks == (point.offset == 0 ? [] : [point.offset]), "\(message)")
                }
            }
        }
    }

    @Test func pointsAreRecordedOnlyAtBlockEnds() throws {
        let counts = try Self.cases.map { test in
            try Self.points(of: test.source, step: .max, bufferBytes: 1 << 16, outputBytes: 1).count {
                $0.isBlock
            }
        }
        #expect(Array(counts.prefix(2)) == [0, 0])
        #expect(counts[2] > 1)
        #expect(counts[3] > 1)
        #expect(counts[4] == Self.text.count / 200)
    }

    @Test(arguments: cases)
    func withoutRequestsOnlyMemberStartsArePoints(_ test: Case) throws {
        var input = SourceInput(MemoryInput(test.source), bufferBytes: 64)
        input.reach = 1 << 20
        var output = [UInt8](repeating: 0, count: 10)
        while true {
            var target = output.mutableSpan
            let count = try input.read(into: &target)
            let point = input.restartPoint(before: 0)
            #expect(point.kind == .start || point.kind == .betweenMembers)
            if count == 0 { break }
        }
    }

    /// The next point fulfills a request, whatever its type.
    @Test func memberEndFulfillsARequest() throws {
        let first = GzipMember(Self.text, .one)
        let source = first.bytes + GzipMember(Self.text, .small).bytes
        var input = SourceInput(MemoryInput(source))
        var output = [UInt8](repeating: 0, count: Self.text.count)
        for expected: RestartPoint in [
            .start,
            RestartPoint(
                kind: .betweenMembers, offset: UInt64(first.bytes.count),
                bytesInflated: UInt64(Self.text.count)),
        ] {
            input.requestRestartPoint()
            var target = output.mutableSpan
            _ = try input.read(into: &target)
            let point = input.restartPoint(before: 0)
            #expect(point == expected)
        }
        let wantsPoint = input.wantsRestartPoint
        #expect(!wantsPoint)
    }

    @Test func everyOffsetOfAPlainSourceIsAPoint() throws {
        var input = SourceInput(MemoryInput(Self.text))
        input.requestRestartPoint()
        let first = input.restartPoint(before: 0)
        #expect(first == .start)
        var output = [UInt8](repeating: 0, count: 100)
        var target = output.mutableSpan
        _ = try input.read(into: &target)
        for count in [0, 1, 99, 100] {
            let position = UInt64(100 - count)
            let point = input.restartPoint(before: count)
            #expect(point == RestartPoint(kind: .plain, offset: position, bytesInflated: position))
        }
    }

    /// A source that became shorter is reported as damaged.
    @Test(arguments: cases)
    func shorterSourceIsTruncated(_ test: Case) throws {
        for point in try Self.points(of: test.source, step: .max, bufferBytes: 64, outputBytes: 50) {
            let rest = test.content.count - Int(point.bytesInflated)
            var input = try SourceInput(
                resuming: StoredLog(test.source), at: point, dropping: UInt64(rest + 10), bufferBytes: 64)
            var output = [UInt8](repeating: 0, count: 100)
            let error = #expect(throws: SourceError.self) {
                var target = output.mutableSpan
                _ = try input.read(into: &target)
            }
            guard case .damaged(let damage) = error else {
                Issue.record("\(String(describing: error))"); continue
            }
            #expect(damage == SourceDamage(.truncated, test.source.count))
            for _ in 0..<2 {
                var target = output.mutableSpan
                let count = try input.read(into: &target)
                #expect(count == 0)
            }
            let inflated = input.bytesInflated
            #expect(inflated == UInt64(test.content.count + 10))
        }
    }

    @Test func seekFailureIsThrown() {
        let error = StorageError(.seek, path: "log", code: 29)
        #expect(throws: error) {
            let point = RestartPoint(kind: .plain, offset: 5, bytesInflated: 5)
            _ = try SourceInput(resuming: StoredLog(Self.text, seekFailure: error), at: point, dropping: 0)
        }
        #expect(throws: Never.self) {
            _ = try SourceInput(resuming: StoredLog(Self.text, seekFailure: error), at: .start, dropping: 7)
        }
    }

    /// The number of bytes read from a damaged source does not depend on where reading began.
    @Test func bytesReadBeforeDamageDoNotDependOnTheStart() throws {
        var source = GzipMember(Self.text, .small).bytes + GzipMember.decorated("b").bytes
        source[source.count / 2] ^= 0xff
        let whole = Drained(MemoryInput(source), bufferBytes: 50)
        #expect(whole.damage != nil)
        var input = SourceInput(MemoryInput(source), bufferBytes: 50)
        var output = [UInt8](repeating: 0, count: 100)
        while true {
            input.requestRestartPoint()
            var target = output.mutableSpan
            guard let count = try? input.read(into: &target), count > 0 else { break }
            let drained = Drained(
                try SourceInput(
                    resuming: StoredLog(source), at: input.restartPoint(before: 0), dropping: 0,
                    bufferBytes: 50))
            #expect(drained.damage == whole.damage)
            #expect(drained.bytesRead == whole.bytesRead)
        }
    }
}

/// The number of source bytes that count as read.
@Suite struct BytesReadTests {
    private static let whole = GzipMember(RestartPointTests.text, .small).bytes

    static let damaged: [(name: String, bytes: [UInt8])] = {
        var corrupt = whole
        corrupt[whole.count / 2] ^= 0xff
        var unchecked = whole
        unchecked[whole.count - 5] ^= 1
        return [
            ("garbage", whole + [UInt8](repeating: 7, count: 1_000)), ("truncated", whole.dropLast(20)),
            ("corrupt", corrupt + whole), ("checksum", unchecked + whole),
        ]
    }()

    @Test(arguments: damaged.map(\.name)) func bytesReadUpToDamageDoNotDependOnStepSize(_ name: String) throws
    {
        let bytes = try #require(Self.damaged.first { $0.name == name }).bytes
        let all = Drained(MemoryInput(bytes), bufferBytes: 1 << 18)
        #expect(all.damage != nil)
        #expect(all.bytesRead <= UInt64(bytes.count))
        for step in [1, 7, 700] {
            let drained = Drained(MemoryInput(bytes, step: step), bufferBytes: 1 << 18)
            #expect(drained.damage == all.damage, "\(step)")
            #expect(drained.bytesRead == all.bytesRead, "\(step)")
        }
    }
}

/// The selection of restart points that a source keeps.
@Suite(.tags(.spilling)) struct KeptPointsTests {
    private static func point(_ bytesInflated: Int) -> RestartPoint {
        RestartPoint(kind: .betweenMembers, offset: 20, bytesInflated: UInt64(bytesInflated))
    }

    /// Tiny members do not increase the number of points, and every offset within reach has a point nearby.
    @Test(arguments: [0, 1, 1000, 32 << 10, 100_000, 1 << 20])
    func fewPointsCoverTheReach(_ reach: Int) {
        for step in [0, 1, 7, 5000, 32 << 10, 40_000, 300_000] {
            var points = RestartPoints(.start)
            points.reach = reach
            for index in 0..<min(1_500, 3_000_000 / max(step, 1)) {
                let end = index * step
                points.add(Self.point(end))
                #expect(points.count <= 2 * reach / (32 << 10) + 3)
                for position in [end, end - 1, end - reach / 2, end - reach]
                where position >= 0 && position >= end - reach {
                    let found = points.newest(before: UInt64(position))
                    #expect(Int(found.bytesInflated) <= position)
                    #expect(Int(found.bytesInflated) + max(32 << 10, step) >= position)
                }
            }
        }
    }
}

/// Restart points rebuilt from stored numbers.
@Suite(.tags(.spilling)) struct RestoredPointTests {
    static let block = RestartPoint.Block(restoring: 3, bits: 5, window: [1, 2], checksum: 7, length: 8)

    @Test func blocksAreValidated() {
        #expect(Self.block != nil)
        let window = [UInt8](repeating: 1, count: 32 << 10)
        func isRefused(_ unusedBits: UInt8, _ bits: UInt8, _ window: [UInt8]) -> Bool {
            RestartPoint.Block(restoring: unusedBits, bits: bits, window: window, checksum: 0, length: 0)
                == nil
        }
        #expect(!isRefused(0, 0, []))
        #expect(!isRefused(7, 127, window))
        #expect(isRefused(0, 1, []))
        #expect(isRefused(7, 128, []))
        #expect(isRefused(8, 0, []))
        #expect(isRefused(255, 255, []))
        #expect(isRefused(0, 0, window + [1]))
    }

    @Test func pointsAreValidated() throws {
        let block = RestartPoint.Kind.block(try #require(Self.block))
        let largest = UInt64(Int64.max)
        for (kind, offset, bytesInflated, isPoint) in [
            (.start, 0, 0, true), (.start, 1, 0, false), (.start, 0, 1, false), (.start, 1, 1, false),
            (.plain, 0, 0, true), (.plain, 5, 5, true), (.plain, 5, 6, false), (.plain, 6, 5, false),
            (.plain, largest, largest, true), (.plain, largest + 1, largest + 1, false),
            (.betweenMembers, 20, 0, true), (.betweenMembers, 20, largest, true),
            (.betweenMembers, 20, largest + 1, false), (.betweenMembers, .max, 0, false),
            (block, 20, 1000, true), (block, largest + 1, 0, false), (block, 0, .max, false),
        ] as [(RestartPoint.Kind, UInt64, UInt64, Bool)] {
            let point = RestartPoint(restoring: kind, offset: offset, bytesInflated: bytesInflated)
            #expect((point != nil) == isPoint, "\(kind), \(offset), \(bytesInflated)")
        }
    }

    /// Reading from any accepted point is safe: the worst outcome is wrong bytes or damage.
    @Test func wrongPointsAreSafeToReadFrom() throws {
        let source = GzipMember(RestartPointTests.text, .small).bytes
        var kinds: [RestartPoint.Kind] = [.betweenMembers]
        for unusedBits: UInt8 in 0...7 {
            for window in [[], [UInt8](repeating: UInt8(ascii: "a"), count: 32 << 10)] {
                let block = RestartPoint.Block(
                    restoring: unusedBits, bits: 127 >> (7 - unusedBits), window: window, checksum: 1,
                    length: 2)
                kinds.append(.block(try #require(block)))
            }
        }
        for kind in kinds {
            for offset in [0, 5, 100, UInt64(source.count), 1 << 40, UInt64(Int64.max)] {
                for bytesInflated in [0, UInt64(Int64.max)] {
                    let point = try #require(
                        RestartPoint(restoring: kind, offset: offset, bytesInflated: bytesInflated))
                    let drained = Drained(
                        try SourceInput(
                            resuming: StoredLog(source), at: point,
                            dropping: UInt64(Int64.max) - bytesInflated))
                    #expect(drained.failure == nil)
                }
            }
        }
    }
}

extension RestartPoint {
    /// Whether the point is inside a member, and therefore has a window.
    var isBlock: Bool {
        if case .block = kind { true } else { false }
    }
}
