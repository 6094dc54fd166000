import SheafBytes
import SheafFlow
import Synchronization
import TestSupport

/// Whatever is in a checkpoint's folder, a run resumes from it and completes, also after another interruption, or it
/// reports an error and leaves no output. It never changes files of others.
///
/// An input is the concatenation of the folder's files: each begins with the magic of its format.
package enum CheckpointResuming: FuzzCheck {
    package static func violations(in files: [UInt8]) -> [String] {
        let plain = CheckpointFiles(files)
        let framed = plain.framed
        var choices = InputChoices(files)
        let parameters = ResumedRun.Parameters.picked(by: &choices)
        let violations = ResumedRun.violations(resuming: framed, parameters).map { "framed: \($0)" }
        // The bytes outside the frames' contents need few attempts, and a run is slow.
        guard framed != plain, choices.below(8) == 0 else { return violations }
        return violations + ResumedRun.violations(resuming: plain, parameters).map { "unchanged: \($0)" }
    }

    /// The folders that runs leave when they are interrupted at various points.
    package static var seeds: [[UInt8]] {
        var seeds: [[UInt8]] = []
        for (threads, spills) in [(1, false), (1, true), (2, false)] {
            for source in StateLogs.files.keys.sorted() {
                for read in [0, 1, 2, 5, 9] {
                    let parameters = ResumedRun.Parameters(threads: threads, spills: spills, source: source)
                    let left = ResumedRun.interrupted(in: CheckpointFiles([]), parameters, before: read)
                    let seed = left.map { CheckpointFiles(in: $0).bytes }
                    if let seed, !seed.isEmpty, !seeds.contains(seed) { seeds.append(seed) }
                }
            }
        }
        return seeds
    }

    package static var words: [[UInt8]] {
        let names = [
            "state-1-0.run", "state-1-1.run", "spill-0.run", "spill-1.run", CheckpointFiles.foreignName,
        ]
        return CheckpointFiles.magics + StateWords.numbers + StateWords.names
            + names.map { [UInt8($0.utf8.count)] + [UInt8]($0) } + (UInt8(0)...5).map { [$0, 0, 0, 0] }
    }
}

/// The files of a checkpoint's folder.
struct CheckpointFiles: Equatable {
    private(set) var files: [String: [UInt8]] = [:]

    /// The name of another program's file in the same folder, which a run must not remove.
    static let foreignName = "notes-1-0.run"

    /// The formats of the folder's files: checkpoints, state and spilled runs.
    private static let kinds: [(magic: FrameMagic, start: [UInt8], singles: Set<UInt8>)] = [
        (FrameMagic("SHCKP", version: 2), [UInt8]("SHCKP\u{2}\r\n"), [1]),
        (FrameMagic("SHDMP", version: 1), [UInt8]("SHDMP\u{1}\r\n"), []),
        (FrameMagic("SHRUN", version: 1), [UInt8]("SHRUN\u{1}\r\n"), []),
    ]
    static var magics: [[UInt8]] { kinds.map(\.start) }

    /// Splits `bytes` into files. Bytes before the first magic become the newest checkpoint.
    init(_ bytes: [UInt8]) {
        let starts = bytes.indices.filter { Self.kind(of: bytes[$0...]) != nil }
        var counts = [0, 0, 0]
        let first = starts.first ?? bytes.count
        for (start, end) in zip(starts, starts.dropFirst() + [bytes.count]) {
            guard let kind = Self.kind(of: bytes[start...]) else { continue }
            files[Self.name(kind, counts[kind])] = Array(bytes[start..<end])
            counts[kind] += 1
        }
        if first > 0 { files[Self.name(0, counts[0])] = Array(bytes[..<first]) }
    }

    /// The framed files that a run left in the folder.
    init(in storage: MemoryStorage) {
        for (name, bytes) in storage.files where name.hasPrefix(ResumedRun.folder + "/") {
            let name = String(name.dropFirst(ResumedRun.folder.count + 1))
            if Self.kind(of: bytes[...]) != nil, name != Self.foreignName { files[name] = bytes }
        }
    }

    /// The files concatenated, in the order of their names.
    var bytes: [UInt8] { files.sorted { $0.key < $1.key }.reduce(into: []) { $0 += $1.value } }

    /// The files with correct lengths and checksums in their frames.
    var framed: CheckpointFiles {
        var framed = self
        framed.files = files.mapValues { file in
            let kind = Self.kinds[Self.kind(of: file[...]) ?? 0]
            return LooseFrames(file.dropFirst(LooseFrames.magicBytes), singles: kind.singles).file(kind.magic)
        }
        return framed
    }

    private static func kind(of bytes: ArraySlice<UInt8>) -> Int? {
        kinds.firstIndex { bytes.starts(with: $0.start) }
    }

    private static func name(_ kind: Int, _ number: Int) -> String {
        switch kind {
        case 0: "checkpoint-\(number + 1)"
        case 1: "state-1-\(number).run"
        default: "spill-\(number).run"
        }
    }
}

/// Runs a replay with a checkpoint's folder.
struct ResumedRun {
    static let folder = "check"
    private static let outputs = ["out", "rejects", "stats"]

    /// The parameters of a run.
    struct Parameters {
        var threads: Int
        var spills: Bool
        var source: String
        /// The index of the read of the source before which the run is interrupted; nil if it is not.
        var read: Int?

        static func picked(by choices: inout InputChoices) -> Parameters {
            Parameters(
                threads: choices.pick([1, 2]), spills: choices.pick([false, true]),
                source: choices.pick(StateLogs.files.keys.sorted()),
                read: choices.pick([nil, choices.below(8)]))
        }
    }

    /// The violations by a run that resumes from `folder`. If `parameters` interrupt that run, a second run resumes after
    /// it, and its violations count too.
    static func violations(resuming folder: CheckpointFiles, _ parameters: Parameters) -> [String] {
        guard let read = parameters.read else { return violations(resuming: storage(folder), parameters) }
        guard let between = interrupted(in: folder, parameters, before: read) else { return [] }
        return changes(in: between, "interrupted") + violations(resuming: between, parameters)
    }

    private static func violations(resuming storage: MemoryStorage, _ parameters: Parameters) -> [String] {
        let before = storage.files
        do {
            _ = try Replay(options(parameters), storage: storage).run()
        } catch {
            let left = storage.files.keys.filter { before[$0] == nil && !$0.hasPrefix(folder + "/") }
            return violations(in: error) + changes(in: storage, "\(error)")
                + (left.isEmpty ? [] : ["\(error), and left: \(left.sorted())"])
        }
        let left = Set(storage.files.keys).subtracting(before.keys)
        let extra = left.subtracting(outputs)
        let state = storage.files.keys.filter { $0.hasPrefix(folder + "/") && foreign[$0] == nil }
        return changes(in: storage, "done") + (extra.isEmpty ? [] : ["done, and left: \(extra.sorted())"])
            + (left.isSuperset(of: outputs) ? [] : ["done, and wrote only \(left.sorted())"])
            + (state.isEmpty ? [] : ["done, and the checkpoint is still there: \(state.sorted())"])
    }

    /// The files that an interrupted run leaves; nil if it is not interrupted, or fails with another error.
    static func interrupted(in folder: CheckpointFiles, _ parameters: Parameters, before read: Int)
        -> MemoryStorage?
    {
        let replay = Mutex<Replay?>(nil)
        // Before it begins, a run reads the first bytes of each source once.
        let moment = Moment(after: read + 1) { $0.operation == .read && $0.path == parameters.source }
        let files = storage(folder)
        let storage = InterceptedStorage(files) { _, event in
            if moment.isReached(by: event) { replay.withLock { $0 }?.interrupt(signal: 15) }
            return .succeeds
        }
        defer { replay.withLock { $0 = nil } }
        do throws(ReplayError) {
            let created = try Replay(options(parameters), storage: storage)
            replay.withLock { $0 = created }
            _ = try created.run()
            return nil
        } catch {
            return error == .interrupted(signal: 15) ? files.restarted() : nil
        }
    }

    private static func options(_ parameters: Parameters) -> ReplayOptions {
        var options = ReplayOptions(sources: ["logs"])
        options.output = "out"
        options.rejects = "rejects"
        options.statistics = "stats"
        options.checkpoint = folder
        // Longer than any run, so that a check's result depends on the bytes alone.
        options.checkpointInterval = .seconds(30)
        options.byDevice = true
        options.maximumArguments = 2
        options.maximumLine = 300
        options.chunkBytes = 100
        options.threads = parameters.threads
        options.spillsAlways = parameters.spills
        return options
    }

    private static func storage(_ folder: CheckpointFiles) -> MemoryStorage {
        var files = StateLogs.files
        for (name, bytes) in folder.files { files["\(Self.folder)/\(name)"] = bytes }
        for (name, bytes) in foreign { files[name] = bytes }
        // Rejects files that a checkpoint may refer to, with arbitrary contents.
        for source in 0..<StateLogs.files.count {
            files["\(Self.folder)/rejects-\(source)"] = [UInt8](repeating: 0x78, count: 1000)
        }
        return MemoryStorage(files: files, step: 64)
    }

    /// A state file that belongs to no run, in the checkpoint's folder.
    private static let foreign: [String: [UInt8]] = [
        "\(folder)/\(CheckpointFiles.foreignName)":
            LooseFrames([], singles: []).file(FrameMagic("SHDMP", version: 1))
    ]

    /// The files of others that the run has changed.
    private static func changes(in storage: MemoryStorage, _ outcome: String) -> [String] {
        StateLogs.files.merging(foreign) { first, _ in first }.filter { storage[$0.key] != $0.value }.map {
            "\(outcome), and '\($0.key)' has changed"
        }
    }

    /// Reports errors that no contents of the folder may cause.
    private static func violations(in error: ReplayError) -> [String] {
        switch error {
        case .usage, .damaged, .writing, .source: []
        case .output, .reading, .notPartial, .inUse, .interrupted, .stopped, .alreadyRun: ["\(error)"]
        }
    }
}
