import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// The lines of snapshots that fit into a page.
@Suite struct PageLinesTests {
    /// Random lines of people, in the order of a snapshot.
    private struct Snapshot {
        var lines: [(device: String, count: Int, text: String)] = []
        var byteCount: Int { lines.reduce(0) { $0 + $1.text.utf8.count } }

        init(_ random: inout SeededGenerator, instants: [Int64?]) {
            let people = (0..<1 + random.below(12)).map { "person \($0) \"é" }
            for instant in instants {
                for device in people {
                    for thread in 0..<random.below(4) {
                        let count = 1 + random.below(9)
                        let at = instant.map { "\"at\":\($0)," } ?? ""
                        let name = device.replacing("\"", with: "\\\"")
                        let rest = String(repeating: "x", count: random.below(60))
                        lines.append(
                            (
                                device, count,
                                "{\(at)\"device\":\"\(name)\",\"app\":\"a\",\"thread\":\"\(thread)\",\"count\":\(count),\"\(rest)\"}"
                            ))
                    }
                }
            }
        }

        /// The lines of some people.
        func lines(of people: Set<String>) -> [String] {
            lines.filter { people.contains($0.device) }.map(\.text)
        }
    }

    private static func write(
        _ snapshot: Snapshot, to lines: PageLines, _ random: inout SeededGenerator
    ) throws -> [String] {
        let bytes = Array(snapshot.lines.map { $0.text + "\n" }.joined().utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + random.below(200))
            try lines.write(bytes.span.extracting(start..<end))
            start = end
        }
        return lines.finish().lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: Seeds.several(60)) func peopleWithTheMostNotificationsAreKept(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let snapshot = Snapshot(&random, instants: [nil])
        let limit = 200 + random.below(2_000)
        let page = PageLines(byDevice: true, hasInstants: false, maximumBytes: limit)
        let found = try Self.write(snapshot, to: page, &random)
        var counts: [String: Int] = [:]
        for line in snapshot.lines { counts[line.device, default: 0] += line.count }
        let kept = Set(snapshot.lines.filter { found.contains($0.text) }.map(\.device))
        let left = Set(counts.keys).subtracting(kept)
        #expect(found.reduce(0) { $0 + $1.utf8.count } <= limit)
        // A person whose screen alone exceeds the limit is kept in part.
        let isWhole = kept.allSatisfy { device in
            snapshot.lines(of: [device]).reduce(0) { $0 + $1.utf8.count } <= limit
        }
        if isWhole { #expect(found == snapshot.lines(of: kept)) }
        for other in left {
            for person in kept { #expect(counts[person] ?? 0 >= counts[other] ?? 0) }
        }
        if snapshot.byteCount <= limit { #expect(left.isEmpty) }
        #expect(page.leavesOut == (found.count < snapshot.lines.count))
        #expect(page.leftOut.groups == UInt64(snapshot.lines.count - found.count))
        #expect(page.leftOut.people == UInt64(left.count))
    }

    @Test(arguments: Seeds.several(60)) func peopleOfSeveralSnapshotsAreComplete(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let snapshot = Snapshot(&random, instants: [-5, 0, 7, 1_700_000_000_000])
        let limit = 1_000 + random.below(4_000)
        let page = PageLines(byDevice: true, hasInstants: true, maximumBytes: limit)
        let found = try Self.write(snapshot, to: page, &random)
        let kept = Set(snapshot.lines.filter { found.contains($0.text) }.map(\.device))
        if kept.count > 1 { #expect(found == snapshot.lines(of: kept)) }
        #expect(found.reduce(0) { $0 + $1.utf8.count } <= limit)
        if snapshot.byteCount <= limit { #expect(found.count == snapshot.lines.count) }
        #expect(page.leavesOut == (found.count < snapshot.lines.count))
    }

    @Test func chosenPeopleAreKeptInTheirOrder() throws {
        var random = SeededGenerator(seed: 5)
        let snapshot = Snapshot(&random, instants: [1, 2])
        let chosen = Array(Set(snapshot.lines.map(\.device)).sorted().reversed())
        let size = snapshot.lines(of: [chosen[0]]).reduce(0) { $0 + $1.utf8.count }
        let page = PageLines(byDevice: true, hasInstants: true, chosen: chosen, maximumBytes: size)
        #expect(try Self.write(snapshot, to: page, &random) == snapshot.lines(of: [chosen[0]]))
    }

    @Test func aLineThatExceedsThePageIsLeftOutWithItsPerson() throws {
        let page = PageLines(byDevice: true, hasInstants: true, maximumBytes: 300)
        let long = String(repeating: "x", count: 1_000)
        let lines = [
            "{\"at\":1,\"device\":\"a\",\"app\":\"a\",\"thread\":null,\"count\":1}",
            "{\"at\":2,\"device\":\"a\",\"app\":\"\(long)\",\"thread\":null,\"count\":1}",
            "{\"at\":2,\"device\":\"b\",\"app\":\"a\",\"thread\":null,\"count\":1}",
        ]
        try page.write(Array((lines.joined(separator: "\n") + "\n").utf8).span)
        #expect(
            page.finish().lines.map { String(decoding: $0, as: UTF8.self) } == [lines[2]] || page.leavesOut)
        #expect(page.leavesOut)
    }
}
