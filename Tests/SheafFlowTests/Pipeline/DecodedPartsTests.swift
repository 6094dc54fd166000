import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// A chunk whose records take more memory than a part may is decoded in parts, which together are the whole.
@Suite struct DecodedPartsTests {
    private static func worker(partBytes: Int) -> DecodeWorker {
        DecodeWorker(
            ReplayOptions(sources: []).state, InputOptions(), profile: .ios12, apps: AppCensus(),
            keepsRejects: true, partBytes: partBytes)
    }

    private static func unit(_ text: String, shards: Int) -> WorkUnit {
        let bytes = Array(text.utf8)
        let chunks = ChunkSizes(targetBytes: bytes.count + 2, maximumLine: 1_000)
        let unit = WorkUnit(index: 0, chunks, shards: shards)
        let reader = SourceReader(
            Source(path: "log", size: nil, identity: nil), ordinal: 0,
            storage: MemoryStorage(["log": .file(bytes)]),
            chunks: chunks)
        let outcome = try? reader.fill(unit)
        #expect(outcome?.hasEnded == true)
        return unit
    }

    /// What the parts of a work unit hold.
    private struct Contents: Equatable {
        var notifications: [OrderKey] = []
        var rejects: [String] = []
        var records: UInt64 = 0
        var tally = RecordTally()
    }

    /// Decodes a work unit.
    ///
    /// - Parameter body: called for each part.
    private static func decode(
        _ text: String, partBytes: Int, shards: Int = 3, _ body: (WorkUnit) -> Void = { _ in }
    ) -> Contents {
        let worker = worker(partBytes: partBytes)
        let unit = unit(text, shards: shards)
        var contents = Contents()
        repeat {
            contents.records += worker.process(unit)
            contents.notifications += unit.decoded.batches.joined().map(\.record.order).sorted()
            unit.decoded.rejects.forEach(in: unit.chunk) { reason, _, line, index, text in
                contents.rejects.append("\(line) \(reason.name) \(text.string)")
            }
            body(unit)
        } while !unit.isComplete
        contents.tally = worker.tally
        return contents
    }

    private static func text(lines count: Int, _ random: inout SeededGenerator) -> String {
        (1...max(1, count)).map { line in
            switch random.below(10) {
            case 0: return ""
            case 1: return "rejected \(line)"
            case 2: return #"{"app":"a","id":"\u0041","timestamp":true,"aps":{"alert":"\u0041"}}"#
            case 3: return #"{"app":"a","aps":{"content-available":1}}"#
            default:
                let collapse = line % 3 == 0 ? #","collapse-id":"c""# : ""
                return #"{"app":"app \#(line % 5)","ts":9\#(collapse),"aps":{"alert":"\#(line)"}}"#
            }
        }.joined(separator: "\n")
    }

    private static let record = MemoryLayout<RoutedRecord>.stride

    @Test(arguments: [1, record, 2 * record, 5 * record, 40 * record, 1 << 30], Seeds.several(4))
    func thePartsAreTheWhole(_ partBytes: Int, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = Self.text(lines: random.below(120), &random)
        let whole = Self.decode(text, partBytes: .max)
        var parts = 0
        let contents = Self.decode(text, partBytes: partBytes) { unit in
            parts += 1
            let count = unit.decoded.batches.reduce(0) { $0 + $1.count }
            #expect(count <= max(1, partBytes / Self.record), "a part exceeds its size")
        }
        #expect(contents == whole)
        #expect(contents.records == contents.tally.records)
        if partBytes == 1 { #expect(parts >= contents.notifications.count) }
        if partBytes == 1 << 30 { #expect(parts == 1) }
    }

    @Test func aPartThatEndsWithTheChunkIsTheLast() {
        let line = #"{"app":"a","aps":{"alert":"x"}}"#
        for (text, parts) in [("", 1), ("\n\n", 1), (line, 1), (line + "\n", 1), (line + "\n" + line, 2)] {
            var count = 0
            _ = Self.decode(text, partBytes: Self.record) { _ in count += 1 }
            #expect(count == parts, "\(text.debugDescription)")
        }
    }

    /// By default, lines with many bytes per record are decoded at once, and a chunk of very short ones is not.
    @Test func onlyChunksOfManyRecordsAreDecodedInParts() {
        let chunks = ChunkSizes(targetBytes: Limits.chunkBytes, maximumLine: Limits.lineBytes)
        let limit = Limits.partBytes(chunks)
        for (padding, isWhole) in [(0, false), (300, true)] {
            let line =
                #"{"app":"a","aps":{"alert":"\#(String(repeating: "x", count: 1 + padding))"}}"# + "\n"
            let text = String(repeating: line, count: Limits.chunkBytes / line.utf8.count)
            var parts = 0
            _ = Self.decode(text, partBytes: limit, shards: 2) { unit in
                parts += 1
                #expect(unit.decoded.batches.reduce(0) { $0 + $1.count * Self.record } <= limit)
            }
            #expect((parts == 1) == isWhole)
        }
    }
}
