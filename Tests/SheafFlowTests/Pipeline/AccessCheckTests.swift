import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafChecks
@testable import SheafFlow

@Suite struct AccessCheckTests {
    @Test func accessesInTurnAreAllowed() {
        let access = AccessCheck()
        for _ in 0..<3 {
            access.begin()
            access.end()
            access.begin(.shared)
            access.begin(.shared)
            access.end(.shared)
            access.end(.shared)
        }
    }

    @Test func twoExclusiveAccessesTrap() async {
        await #expect(processExitsWith: .failure) {
            let access = AccessCheck()
            access.begin()
            access.begin()
        }
    }

    @Test func exclusiveAccessDuringASharedOneTraps() async {
        await #expect(processExitsWith: .failure) {
            let access = AccessCheck()
            access.begin(.shared)
            access.begin()
        }
    }

    @Test func sharedAccessDuringAnExclusiveOneTraps() async {
        await #expect(processExitsWith: .failure) {
            let access = AccessCheck()
            access.begin()
            access.begin(.shared)
        }
    }
}

/// The objects that are handed from one job to the next, each of them still in use by another job.
@Suite(.tags(.spilling)) struct ConcurrentUseTests {
    private static var options: ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.chunkBytes = 1_500
        options.maximumLine = 100
        return options
    }

    private static func unit() -> WorkUnit {
        WorkUnit(index: 0, options.chunks, shards: 1)
    }

    private static func reader() -> SourceReader {
        SourceReader(
            Source(path: "log", size: nil, identity: nil), ordinal: 0,
            storage: MemoryStorage(["log": .file([UInt8]("line\n".utf8))]), chunks: options.chunks)
    }

    private static func worker() -> DecodeWorker {
        DecodeWorker(
            options.state, options.inputs, profile: .ios12, apps: AppCensus(options.settings),
            keepsRejects: false, partBytes: Limits.partBytes(options.chunks))
    }

    private static func shard() -> Shard {
        Shard(index: 0, count: 1, options: options.state)
    }

    @Test func objectsCanBeUsedInTurn() throws {
        let (unit, reader, shard) = (Self.unit(), Self.reader(), Self.shard())
        let outcome = try reader.fill(unit)
        #expect(outcome.hasEnded)
        _ = Self.worker().process(unit)
        _ = CheckWorker(KnownCategories(Settings()), profile: .ios12).process(unit)
        shard.apply(unit)
        var judge = Judge(nil, nil)
        judge.add(shard.takeEvents())
        shard.replaceContents(by: judge)
        _ = shard.fold(shard.takeReplaceable(), by: judge)
        _ = shard.takeSorted(.key)
        unit.releaseMemory()
        // Every access has ended.
        unit.access.begin()
        reader.access.begin()
        shard.access.begin()
    }

    @Test func readerInUseTraps() async {
        await #expect(processExitsWith: .failure) {
            let reader = Self.reader()
            reader.access.begin()
            _ = try? reader.fill(Self.unit())
        }
        await #expect(processExitsWith: .failure) {
            let reader = Self.reader()
            reader.access.begin()
            _ = reader.position
        }
    }

    @Test func workerInUseTraps() async {
        await #expect(processExitsWith: .failure) {
            let worker = Self.worker()
            worker.access.begin()
            _ = worker.process(Self.unit())
        }
        await #expect(processExitsWith: .failure) {
            let worker = CheckWorker(KnownCategories(Settings()), profile: .ios12)
            worker.access.begin()
            _ = worker.process(Self.unit())
        }
    }

    @Test func shardInUseTraps() async {
        await #expect(processExitsWith: .failure) {
            let shard = Self.shard()
            shard.access.begin()
            shard.apply(Self.unit())
        }
        await #expect(processExitsWith: .failure) {
            let shard = Self.shard()
            shard.access.begin()
            _ = shard.takeReplaceable()
        }
    }

    @Test func unitInUseTraps() async {
        await #expect(processExitsWith: .failure) {
            let unit = Self.unit()
            unit.access.begin(.shared)
            _ = try? Self.reader().fill(unit)
        }
        await #expect(processExitsWith: .failure) {
            let unit = Self.unit()
            unit.access.begin(.shared)
            _ = Self.worker().process(unit)
        }
        await #expect(processExitsWith: .failure) {
            let unit = Self.unit()
            unit.access.begin()
            Self.shard().apply(unit)
        }
    }

    /// Shards and the reject log read the same work unit.
    @Test func unitCanBeReadByTwo() {
        let unit = Self.unit()
        unit.access.begin(.shared)
        Self.shard().apply(unit)
        unit.access.end(.shared)
        _ = Self.worker().process(unit)
    }
}
