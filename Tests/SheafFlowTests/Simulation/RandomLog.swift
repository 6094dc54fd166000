import Foundation
import SheafBytes
import SheafGroups
import TestSupport

@testable import SheafFlow

/// Random lines in random files, plain, compressed and damaged, and the results that the model expects.
struct RandomLog {
    /// The options that affect the result; how the work is split is left to `cut`.
    let options: ReplayOptions
    /// The stored bytes of each file by path.
    let files: [String: [UInt8]]
    let model: ReplayModel

    static let outputs = ["out/snapshot", "out/rejects", "out/stats"]
    /// The content of existing outputs before a run.
    static let old = Array("old".utf8)

    /// - Parameters:
    ///   - inOrder: whether the lines are nearly in the order of time.
    ///   - identifiers: the number of different ids; nil for that of the seed.
    ///   - shortestStep: the least time between two snapshots, in milliseconds.
    ///   - decides: whether later outcomes and repeated records may decide pushes, of which the instants of live snapshots
    ///     know nothing.
    init(
        seed: UInt64, lines count: Int, files fileCount: Int, inOrder: Bool = false, identifiers: Int? = nil,
        shortestStep: Int64 = 1, decides: Bool = true
    ) throws {
        var generator = LogGenerator(seed: seed)
        if inOrder { generator.clock = 1_700_000_000_000 }
        if let identifiers { generator.identifiers = identifiers }
        let lines = generator.lines(count)
        var options = try generator.options()
        var random = generator.random
        var texts: [(path: String, text: [UInt8])] = []
        var files: [String: [UInt8]] = [:]
        for (index, lines) in LogFiles.split(lines, fileCount, &random).enumerated() {
            let path = "logs/\(index) \"é\".log"
            let text = LogFiles.text(lines, &random)
            let stored = try Self.stored(text, &random)
            texts.append((path, Self.readable(stored)))
            files[path] = stored
        }
        for output in Self.outputs { files[output] = random.chance(50) ? Self.old : nil }
        options.sources = texts.map(\.path)
        options.output = Self.outputs[0]
        options.rejects = Self.outputs[1]
        options.statistics = Self.outputs[2]
        options.spillsAlways = options.spillsAlways || random.chance(30)
        (options.since, options.until) = Self.window(seed)
        options.appliesRemovals = seed % 3 != 0
        LogGenerator.addDelivery(to: &options, seed: seed)
        if decides { LogGenerator.addDecisions(to: &options, seed: seed) }
        if var timeline = Self.timeline(seed) {
            timeline.step = max(shortestStep, timeline.step)
            options.every = timeline
        }
        options.emit = options.every != nil && seed % 5 == 0 ? .all : .changes
        self.options = options
        self.files = files
        model = ReplayModel(texts, options)
    }

    /// Returns instants at which, or near which, generated records are; nil for most logs.
    private static func window(_ seed: UInt64) -> (since: Int64?, until: Int64?) {
        // A generator of its own, so that existing seeds keep their logs.
        var random = SeededGenerator(seed: ~seed)
        let instants: [Int64] = [
            -501, -500, 0, 1, 1_700_000_000_500, 1_700_000_001_000, 1_700_000_001_001, 1_700_000_002_500,
            1_700_000_003_000,
        ]
        let since = random.chance(25) ? random.pick(instants) : nil
        let until = random.chance(25) ? random.pick(instants.filter { $0 >= since ?? .min }) : nil
        return (since, until)
    }

    /// Returns the instants of several snapshots; nil for some logs.
    private static func timeline(_ seed: UInt64) -> Timeline? {
        var random = SeededGenerator(seed: seed &* 17 &+ 3)
        guard random.chance(60) else { return nil }
        return Timeline(
            step: random.pick([1, 250, 500, 1_000, 1_700, 86_400_000]),
            offset: random.pick([0, 0, 7_200_000, -12_600_000, 300]))
    }

    private static func stored(_ text: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
        switch random.below(12) {
        case ..<4: return text
        case ..<6: return LogFiles.members(text, &random)
        case ..<8: return LogFiles.storedBlocks(text, &random)
        case ..<10: return LogFiles.frames(text, &random)
        default:
            let whole =
                switch random.below(3) {
                case 0: LogFiles.members(text, &random)
                case 1: LogFiles.storedBlocks(text, &random)
                default: LogFiles.frames(text, &random)
                }
            let file = damaged(whole, &random)
            return needsMoreMemory(file) ? whole : file
        }
    }

    private static func damaged(_ file: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var file = file
        switch random.below(3) {
        case 0: file += Array("garbage".utf8)
        case 1: file.removeLast(1 + random.below(file.count - 2))
        default:
            let offset = 2 + random.below(file.count - 2)
            file[offset] ^= 1 << UInt8(random.below(8))
        }
        return file
    }

    /// Returns whether the damage made a zstd frame's window so large that runs with the smallest budget end there.
    private static func needsMoreMemory(_ file: [UInt8]) -> Bool {
        let windows = WindowMemory(reserved: Limits.windowBytes, limit: Limits.windowBytes)
        var input = SourceInput(MemoryInput(file), windows: windows)
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            do throws(SourceError) {
                var target = buffer.mutableSpan
                if try input.read(into: &target) == 0 { return false }
            } catch {
                if case .tooLarge = error { return true }
                return false
            }
        }
    }

    /// Returns the readable text of a file: up to its damage, without the partial line there (specification §1).
    private static func readable(_ file: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var input = SourceInput(MemoryInput(file))
        guard let damage = read(&input, to: &text), damage.truncatesData else { return text }
        return Array(text.prefix(text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0))
    }

    /// Reads to the end or to the damage.
    private static func read(_ input: inout SourceInput, to text: inout [UInt8]) -> SourceDamage? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            do {
                var target = buffer.mutableSpan
                let count = try input.read(into: &target)
                if count == 0 { return nil }
                text += buffer[..<count]
            } catch {
                if case .damaged(let damage) = error { return damage }
                preconditionFailure("memory that can't be read")
            }
        }
    }

    /// Returns a storage with the files.
    func storage() -> MemoryStorage { MemoryStorage(files: files, folders: ["logs", "out"]) }

    /// Returns the options with the work split at random.
    func randomOptions(_ random: inout SeededGenerator) -> ReplayOptions {
        var options = options
        options.threads = 1 + random.below(4)
        options.chunkBytes = random.pick([1, 37, 300, 1_000, 4_096])
        options.partBytes = random.pick([nil, 1, 300, 2_000])
        options.spillsAlways = random.chance(20) ? !options.spillsAlways : options.spillsAlways
        if random.chance(20) { options.memory = MemoryBudget.minimum(options) }
        // A few groups exceed the smallest sizes.
        if random.chance(40) { options.stateBytes = random.pick([64, 256, 512, 1 << 10]) << 10 }
        return options
    }

    /// Returns the first problem in a finished run's outputs; nil if they are right.
    ///
    /// - Parameter statistics: the statistics of an uninterrupted run; nil if this is one.
    func problem(_ storage: MemoryStorage, statistics: String?) -> String? {
        if let problem = difference(Self.text(storage["out/snapshot"]), model.snapshot, in: "the snapshot") {
            return problem
        }
        if options.rejects != nil,
            let problem = difference(Self.text(storage["out/rejects"]), model.rejects, in: "the rejects")
        {
            return problem
        }
        guard let statistics else { return nil }
        return difference(Self.statistics(storage), statistics, in: "the statistics")
    }

    /// Returns the statistics without the values that differ between any two runs.
    static func statistics(_ storage: MemoryStorage) -> String {
        text(storage["out/stats"])
            .replacing(#/"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+/#) { "\"\($0.1)\":0" }
    }

    static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    /// Returns a description of the first line that differs.
    private func difference(_ found: String, _ expected: String, in what: String) -> String? {
        guard Array(found.utf8) != Array(expected.utf8) else { return nil }
        let lines = (found.components(separatedBy: "\n"), expected.components(separatedBy: "\n"))
        for (number, (first, second)) in zip(lines.0, lines.1).enumerated() where first != second {
            return "line \(number + 1) of \(what) is \(first), not \(second)"
        }
        return "\(what) has \(lines.0.count) lines, not \(lines.1.count)"
    }
}

extension LogFiles {
    /// Returns `bytes` as one gzip member with stored blocks of random lengths: reading can start at each block.
    static func storedBlocks(_ bytes: [UInt8], _ random: inout SeededGenerator, maximum: Int = 400) -> [UInt8]
    {
        var member: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let part = Array(rest.prefix(1 + random.below(maximum)))
            rest = rest.dropFirst(part.count)
            let length = [UInt8(part.count & 0xff), UInt8(part.count >> 8)]
            member += [rest.isEmpty ? 1 : 0] + length + length.map { ~$0 } + part
        } while !rest.isEmpty
        var checksum = Checksum()
        checksum.update(bytes.span)
        for word in [checksum.value, UInt32(bytes.count)] {
            member += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return member
    }
}
