import Dispatch
import SheafBytes
import Synchronization

/// What a run keeps so that it may be killed: the folder, the checkpoint that it goes on from, and when the next one is
/// due.
final class Checkpointing: Sendable {
    let folder: CheckpointFolder
    /// What the run goes on from; nil where it begins.
    let loaded: Checkpoint?
    /// What tells the sources from others, now.
    let identities: [SourceIdentity]
    /// Checkpoints are written here, one by one.
    let queue = DispatchQueue(label: "sheaf.checkpoint")
    let interval: Duration
    /// Whether checkpoints may be later where they take long.
    let isPaced: Bool
    let chunks: Int?
    private let storage: any Storage

    /// - Returns: nil where no checkpoints are asked for.
    /// - Throws: `ReplayError` when a source can't be read twice, or the checkpoint in the folder is of another run.
    init?(_ options: ReplayOptions, _ sources: [Source], storage: any Storage) throws(ReplayError) {
        guard let path = options.checkpoint else { return nil }
        for source in sources where source.size == nil {
            let name = source.path == "-" ? "standard input" : "'\(source.path)', which is no regular file,"
            throw .usage("\(name) can't be a source with --checkpoint: it can't be read on from the middle")
        }
        folder = try CheckpointFolder(path, storage: storage)
        var identities: [SourceIdentity] = []
        for source in sources { identities.append(try SourceIdentity(source, storage: storage)) }
        self.identities = identities
        loaded = try folder.load()
        interval = options.checkpointInterval ?? Limits.checkpointInterval
        isPaced = options.checkpointInterval == nil && options.checkpointChunks == nil
        chunks = options.checkpointChunks
        self.storage = storage
        if let loaded { try loaded.check(options, sources, identities, folder: path) }
    }

    /// Where a source is read from.
    func start(of source: Int) -> SourcePosition {
        guard case .position(let position)? = loaded?.progress[source] else { return .start }
        return position
    }

    /// - Parameter maximumOpen: how many files are open at once.
    func rejectSpools(maximumOpen: Int) -> RejectSpools {
        RejectSpools(folder, lengths: loaded?.rejects ?? [:], storage: storage, maximumOpen: maximumOpen)
    }

    /// Waits until nothing is written any more.
    func wait() { queue.sync {} }

    /// The run has failed: the next one goes on from the newest checkpoint.
    func removeUnneeded() {
        wait()
        folder.removeUnneeded()
    }

    /// The results are in place: nobody goes on from here.
    func removeAll() {
        wait()
        folder.removeAll()
    }
}

/// A checkpoint that is wanted: the open sources that have not come to a place for it yet.
struct CheckpointRequest {
    /// By ordinal: how many chunks the source was filled into since.
    var waiting: [Int: Int]
}

extension Checkpoint {
    /// The sources that are not at their end, by ordinal.
    var unread: [Int] { progress.indices.filter { progress[$0] != .ended } }

    /// Whether a run with these options and sources may go on from here.
    fileprivate func check(
        _ options: ReplayOptions, _ sources: [Source], _ now: [SourceIdentity], folder: String
    ) throws(ReplayError) {
        func fail(_ what: String) -> ReplayError {
            .usage("the checkpoint in '\(folder)' is of another run: \(what)")
        }
        let wanted = PartialHeader(options, sources: sources.map(\.path))
        if header.sources != wanted.sources {
            let other = zip(header.sources, wanted.sources).first { $0 != $1 }
            throw fail(
                other.map { "source '\($0.0)' is now '\($0.1)'" }
                    ?? "it has \(header.sources.count) sources, and not \(wanted.sources.count)")
        }
        if header.byDevice != wanted.byDevice { throw fail("--by-device is different") }
        if header.maximumArguments != wanted.maximumArguments { throw fail("--max-arguments is different") }
        if header.groupings != wanted.groupings { throw fail("the configuration groups apps otherwise") }
        if maximumLine != options.maximumLine { throw fail("--max-line is different") }
        if let profile, profile != options.profile {
            throw fail("--profile was \(profile.rawValue), and is \(options.profile.rawValue) now")
        }
        if keepsRejects != (options.rejects != nil) { throw fail("--rejects is given to one of them only") }
        for (index, source) in sources.enumerated() {
            guard let difference = identities[index].difference(to: now[index]) else { continue }
            throw .source(
                path: source.path, reason: "changed since the checkpoint in '\(folder)': \(difference)")
        }
    }
}
