import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Rejects come in the order of sources and lines, whichever chunk is decoded first (specification §2).
@Suite struct RejectLogTests {
    private enum Event {
        case add(source: Int, sequence: Int, text: String)
        case end(source: Int, chunks: Int)
    }

    private func parcel(_ source: Int, _ sequence: Int, _ text: String) -> Parcel {
        let parcel = Parcel(index: sequence, capacity: 1, shards: 1)
        parcel.source = source
        parcel.sequence = sequence
        parcel.rejects = Array(text.utf8)
        return parcel
    }

    @Test(arguments: Seeds.several(40))
    func anyOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage()
        let log = try RejectLog(path: "rejects", storage: storage)
        var events: [Event] = []
        var expected = ""
        for source in 0..<random.below(6) {
            let chunks = random.below(5)
            for sequence in 0..<chunks {
                let text = random.chance(30) ? "" : "\(source).\(sequence)\n"
                expected += text
                events.append(.add(source: source, sequence: sequence, text: text))
            }
            events.append(.end(source: source, chunks: chunks))
        }
        var held: Set<[Int]> = []
        try log.queue.sync {
            for event in events.shuffled(using: &random) {
                switch event {
                case .end(let source, let chunks): try log.end(source, chunkCount: chunks)
                case .add(let source, let sequence, let text):
                    held.insert([source, sequence])
                    for done in try log.add(parcel(source, sequence, text)) {
                        #expect(held.remove([done.source, done.sequence]) != nil, "let go twice")
                    }
                }
            }
            #expect(held.isEmpty, "parcels that are never let go: \(held)")
            #expect(storage["rejects"] == nil, "it is there only when it is whole")
            try log.commit()
        }
        #expect(storage["rejects"].map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(Array(storage.entries.keys) == ["rejects"])
        #expect(storage.openFiles == 0)
    }

    @Test func aParcelWaitsOnlyForEarlierOnesOfItsSource() throws {
        let log = try RejectLog(path: "rejects", storage: MemoryStorage())
        let done = try log.queue.sync {
            try [(1, 1), (0, 2), (1, 0), (0, 0), (0, 1)].map { source, sequence in
                try log.add(parcel(source, sequence, "x")).map(\.sequence)
            }
        }
        #expect(done == [[], [], [0, 1], [0], [1, 2]])
    }

    @Test func onlyLaterSourcesWithRejectsHaveSpools() throws {
        let storage = MemoryStorage()
        let log = try RejectLog(path: "rejects", storage: storage)
        try log.queue.sync {
            _ = try log.add(parcel(0, 0, "a\n"))
            _ = try log.add(parcel(1, 0, ""))
            #expect(storage.entries.count == 1)
            _ = try log.add(parcel(2, 0, "c\n"))
            _ = try log.add(parcel(2, 1, "d\n"))
            #expect(storage.entries.count == 2)
            try log.end(0, chunkCount: 1)
            try log.end(1, chunkCount: 1)
            #expect(storage.entries.count == 1, "a spool goes when its source's turn has come")
            try log.end(2, chunkCount: 2)
            try log.commit()
        }
        #expect(storage["rejects"] == Array("a\nc\nd\n".utf8))
    }

    @Test func discardedNothingIsLeft() throws {
        let storage = MemoryStorage()
        let log = try RejectLog(path: "rejects", storage: storage)
        try log.queue.sync {
            _ = try log.add(parcel(0, 0, "a"))
            _ = try log.add(parcel(3, 0, "b"))
            #expect(storage.entries.count == 2)
            log.discard()
            #expect(storage.entries.isEmpty)
        }
        #expect(storage.openFiles == 0)
    }

    /// When a run ends early, parcels may still be on their way here.
    @Test func whatComesAfterDiscardingLeavesNothing() throws {
        let storage = MemoryStorage()
        let log = try RejectLog(path: "rejects", storage: storage)
        try log.queue.sync {
            log.discard()
            _ = try log.add(parcel(0, 0, "a"))
            _ = try log.add(parcel(1, 0, "b"))
            try log.end(0, chunkCount: 1)
            try log.end(1, chunkCount: 1)
        }
        #expect(storage.entries.isEmpty)
        #expect(storage.openFiles == 0)
    }

    @Test func notCommittedNothingIsLeft() throws {
        let storage = MemoryStorage()
        do {
            let log = try RejectLog(path: "rejects", storage: storage)
            try log.queue.sync { _ = try log.add(parcel(0, 0, "a")) }
        }
        #expect(storage.entries.isEmpty)
    }

    @Test func toADevice() throws {
        let storage = MemoryStorage(["null": .device([])])
        let log = try RejectLog(path: "null", storage: storage)
        try log.queue.sync {
            _ = try log.add(parcel(1, 0, "b\n"))
            #expect(storage.entries.keys.allSatisfy { !$0.hasPrefix("null.") }, "nothing beside a device")
            _ = try log.add(parcel(0, 0, "a\n"))
            try log.end(1, chunkCount: 1)
            try log.end(0, chunkCount: 1)
            try log.commit()
        }
        #expect(storage["null"] == Array("a\nb\n".utf8))
        #expect(Array(storage.entries.keys) == ["null"])
    }

    @Test(arguments: ["write", "create", "open", "read"])
    func aFailureIsReported(_ operation: String) throws {
        let storage = MemoryStorage { number, event in
            number > 0 && event.operation.rawValue == operation ? ENOSPC : nil
        }
        let log = try RejectLog(path: "rejects", storage: storage)
        let error = #expect(throws: StorageError.self) {
            try log.queue.sync {
                _ = try log.add(parcel(0, 0, operation == "write" ? "a" : ""))
                _ = try log.add(parcel(1, 0, "b"))
                try log.end(0, chunkCount: 1)
            }
        }
        #expect(error?.operation.rawValue == operation)
        #expect(error?.code == ENOSPC)
        log.queue.sync { log.discard() }
        #expect(storage.entries.isEmpty)
    }
}
