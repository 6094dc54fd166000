import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Rejects are written in the order of sources and lines, whichever chunk is decoded first (specification §2).
@Suite struct RejectLogTests {
    private enum Event {
        /// A chunk is added once for each of its parts.
        case add(source: Int, sequence: Int, parts: [String])
        case end(source: Int, chunks: Int)
    }

    private func unit(_ source: Int, _ sequence: Int, _ text: String) -> WorkUnit {
        let unit = WorkUnit(index: sequence, ChunkSizes(targetBytes: 1, maximumLine: 1), shards: 1)
        unit.source = source
        unit.sequence = sequence
        if !text.isEmpty { unit.decoded.rejects.append(.jsonInvalid, line: 1, text: Array(text.utf8).span) }
        return unit
    }

    private static func log(
        _ path: String, _ storage: any Storage, maximumSpools: Int = 2
    ) throws -> RejectLog {
        let spills = try SpillFolder(in: nil, storage: storage)
        return try RejectLog(
            path: path, format: { $5.append($4) }, storage: storage, maximumSpools: maximumSpools,
            makeSpoolPath: spills.makeSpoolPath)
    }

    @Test(arguments: Seeds.several(40))
    func rejectsAreOrderedWhateverTheOrderOfChunks(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage()
        let log = try Self.log("rejects", storage, maximumSpools: 1 + random.below(3))
        var events: [Event] = []
        var expected = ""
        for source in 0..<random.below(6) {
            let chunks = random.below(5)
            for sequence in 0..<chunks {
                let parts = (0...random.below(3)).map { part in
                    random.chance(30) ? "" : "\(source).\(sequence).\(part)\n"
                }
                expected += parts.joined()
                events.append(.add(source: source, sequence: sequence, parts: parts))
            }
            events.append(.end(source: source, chunks: chunks))
        }
        /// By source and sequence: the parts that have not been released.
        var held: [[Int]: [String]] = [:]
        func add(_ key: [Int]) throws {
            guard let text = held[key]?.first else { return }
            let added = unit(key[0], key[1], text)
            if held[key]?.count != 1 { added.remainder = WorkUnit.Remainder(cursor: LineCursor(added.chunk)) }
            for done in try log.add(added) {
                let key = [done.source, done.sequence]
                #expect(held[key] != nil, "released twice")
                held[key]?.removeFirst()
                if held[key]?.isEmpty == true { held[key] = nil }
                // A worker decodes the next part once this one is released.
                try add(key)
            }
        }
        try log.queue.sync {
            for event in events.shuffled(using: &random) {
                switch event {
                case .end(let source, let chunks): try log.end(source, chunkCount: chunks)
                case .add(let source, let sequence, let parts):
                    held[[source, sequence]] = parts
                    try add([source, sequence])
                }
            }
            #expect(held.isEmpty, "units that are never released: \(held)")
            #expect(storage["rejects"] == nil, "the file exists only when it is complete")
            try log.commit()
        }
        #expect(storage["rejects"].map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(Array(storage.entries.keys) == ["rejects"])
        #expect(storage.openFiles == 0)
    }

    @Test func aUnitWaitsOnlyForEarlierOnesOfItsSource() throws {
        let log = try Self.log("rejects", MemoryStorage())
        let done = try log.queue.sync {
            try [(1, 1), (0, 2), (1, 0), (0, 0), (0, 1)].map { source, sequence in
                try log.add(unit(source, sequence, "x")).map(\.sequence)
            }
        }
        #expect(done == [[], [], [0, 1], [0], [1, 2]])
    }

    @Test func onlyLaterSourcesWithRejectsHaveSpools() throws {
        let storage = MemoryStorage()
        let log = try Self.log("rejects", storage)
        try log.queue.sync {
            _ = try log.add(unit(0, 0, "a\n"))
            _ = try log.add(unit(1, 0, ""))
            #expect(storage.entries.count == 1)
            _ = try log.add(unit(2, 0, "c\n"))
            _ = try log.add(unit(2, 1, "d\n"))
            #expect(storage.entries.count == 2)
            try log.end(0, chunkCount: 1)
            try log.end(1, chunkCount: 1)
            #expect(storage.entries.count == 1, "a spool is removed when it is its source's turn")
            try log.end(2, chunkCount: 2)
            try log.commit()
        }
        #expect(storage["rejects"] == Array("a\nc\nd\n".utf8))
    }

    @Test func discardingRemovesEveryFile() throws {
        let storage = MemoryStorage()
        let log = try Self.log("rejects", storage)
        try log.queue.sync {
            _ = try log.add(unit(0, 0, "a"))
            _ = try log.add(unit(3, 0, "b"))
            #expect(storage.entries.count == 2)
            log.discard()
            #expect(storage.entries.isEmpty)
        }
        #expect(storage.openFiles == 0)
    }

    /// When a run ends early, work units may still be in flight to the log.
    @Test func unitsAfterDiscardingLeaveNoFiles() throws {
        let storage = MemoryStorage()
        let log = try Self.log("rejects", storage)
        try log.queue.sync {
            log.discard()
            _ = try log.add(unit(0, 0, "a"))
            _ = try log.add(unit(1, 0, "b"))
            try log.end(0, chunkCount: 1)
            try log.end(1, chunkCount: 1)
        }
        #expect(storage.entries.isEmpty)
        #expect(storage.openFiles == 0)
    }

    @Test func anUncommittedLogLeavesNoFiles() throws {
        let storage = MemoryStorage()
        do {
            let log = try Self.log("rejects", storage)
            try log.queue.sync { _ = try log.add(unit(0, 0, "a")) }
        }
        #expect(storage.entries.isEmpty)
    }

    /// A device, a pipe and standard output have no folder for spools.
    @Test(arguments: ["null", "-"])
    func spoolsOfOutputsWithoutAFolderAreInTheSpillFolder(_ path: String) throws {
        let storage = MemoryStorage(["null": .device([])])
        let spills = try SpillFolder(in: nil, storage: storage)
        let log = try RejectLog(
            path: path, format: { $5.append($4) }, storage: storage, makeSpoolPath: spills.makeSpoolPath)
        try log.queue.sync {
            _ = try log.add(unit(1, 0, "b\n"))
            let others = storage.entries.keys.filter { $0 != "null" }
            #expect(others.count == 2 && others.allSatisfy { $0.hasPrefix("temporary/sheaf-spill-") })
            _ = try log.add(unit(0, 0, "a\n"))
            try log.end(1, chunkCount: 1)
            try log.end(0, chunkCount: 1)
            try log.commit()
        }
        #expect((path == "-" ? storage.output : storage["null"]) == Array("a\nb\n".utf8))
        spills.removeAll()
        #expect(Array(storage.entries.keys) == ["null"])
    }

    /// A killed run leaves its spools, which are recognized by its lock.
    @Test func spoolsLeftInTheSpillFolderAreRemoved() throws {
        let storage = MemoryStorage()
        do {
            let spills = try SpillFolder(in: nil, storage: storage)
            _ = try storage.createNew(spills.makeSpoolPath())
            #expect(storage.entries.count == 2)
        }
        try SpillFolder(in: nil, storage: storage).removeAbandoned()
        #expect(storage.entries.isEmpty)
    }

    /// Links are followed: no file is created next to the link.
    @Test func spoolsAreNextToTheReplacedFile() throws {
        let storage = MemoryStorage(["link": .link("folder/rejects"), "folder": .folder])
        let log = try Self.log("link", storage)
        try log.queue.sync {
            _ = try log.add(unit(1, 0, "b"))
            #expect(
                storage.entries.keys.count {
                    $0.hasPrefix("folder/.rejects.sheaf-") && $0.hasSuffix(".1.spool")
                } == 1)
            log.discard()
        }
        #expect(storage.entries.count == 2)
    }

    /// However many sources wait for their turn, and in whatever order they are written.
    @Test(arguments: [1, 2, 7])
    func waitingSpoolsAreClosed(_ maximumSpools: Int) throws {
        let storage = MemoryStorage()
        let log = try Self.log("rejects", storage, maximumSpools: maximumSpools)
        var expected: [String] = []
        try log.queue.sync {
            for sequence in 0..<3 {
                for source in 1...40 {
                    _ = try log.add(unit(source, sequence, "\(source).\(sequence)\n"))
                    #expect(storage.openFiles <= maximumSpools + 1)
                }
            }
            for source in 1...40 {
                expected += (0..<3).map { "\(source).\($0)" }
                try log.end(source, chunkCount: 3)
            }
            try log.end(0, chunkCount: 0)
            try log.commit()
        }
        let lines = storage["rejects"].map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")
        #expect(lines?.map(String.init) == expected)
        #expect(Array(storage.entries.keys) == ["rejects"])
        #expect(storage.openFiles == 0)
    }

    /// Neither a changed byte nor a missing one is written to the output, which may be a pipe.
    @Test(arguments: ["rejects", "-"], ["B\n", "b", ""])
    func aDamagedSpoolIsAnError(_ path: String, left: String) throws {
        let storage = MemoryStorage()
        let log = try Self.log(path, storage)
        let error = #expect(throws: StorageError.self) {
            try log.queue.sync {
                _ = try log.add(unit(1, 0, "b\n"))
                let spool = try #require(
                    storage.entries.keys.first { $0.hasSuffix(path == "-" ? ".run" : ".spool") })
                // Closed, so that it is not written again.
                _ = try log.add(unit(2, 0, "c\n"))
                _ = try log.add(unit(3, 0, "d\n"))
                storage[spool] = Array(left.utf8)
                try log.end(0, chunkCount: 0)
            }
        }
        let reason =
            left.utf8.count < 2 ? "No data available" : "the lines in it do not match their checksum"
        #expect(error?.operation == .read && error?.reason == reason)
        log.queue.sync { log.discard() }
        #expect(storage["rejects"] == nil && storage.output.isEmpty)
    }

    @Test(arguments: ["write", "create", "open", "read", "close"])
    func aFailureIsReported(_ operation: String) throws {
        let files = MemoryStorage()
        let storage = InterceptedStorage(files) { _, event in
            // Except for the file that the log creates first.
            let isFile = event.operation == .create && event.path.hasSuffix(".tmp")
            return event.operation.rawValue == operation && !isFile ? .fails(ENOSPC) : .succeeds
        }
        let log = try Self.log("rejects", storage)
        let error = #expect(throws: StorageError.self) {
            try log.queue.sync {
                _ = try log.add(unit(0, 0, operation == "write" ? "a" : ""))
                _ = try log.add(unit(1, 0, "b"))
                try log.end(0, chunkCount: 1)
            }
        }
        #expect(error?.operation.rawValue == operation)
        #expect(error?.code == ENOSPC)
        log.queue.sync { log.discard() }
        #expect(files.entries.isEmpty)
    }
}
