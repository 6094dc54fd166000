import Dispatch
import SheafBytes
import Synchronization

/// The checkpoints of a run: their folder, the checkpoint that the run resumes from, and when the next one is due.
///
/// They allow the run to be killed at any moment.
final class Checkpointing: Sendable {
    let folder: CheckpointFolder
    /// The checkpoint that the run resumes from; nil if the run starts from the beginning.
    let loaded: Checkpoint?
    /// The current identities of the sources.
    let identities: [SourceIdentity]
    /// The queue on which checkpoints are written, one at a time.
    let queue = DispatchQueue(label: "sheaf.checkpoint")
    let interval: Duration
    /// Whether checkpoints may be postponed if they take long.
    let isPaced: Bool
    let chunks: Int?
    private let storage: any Storage

    /// - Returns: nil if the options do not request checkpoints.
    /// - Throws: `ReplayError` if a source can't be read twice, or if the checkpoint in the folder belongs to another
    ///   run.
    init?(_ options: ReplayOptions, _ sources: [Source], storage: any Storage) throws(ReplayError) {
        guard let path = options.checkpoint else { return nil }
        for source in sources where source.size == nil {
            let name =
                source.path == "-" ? "standard input" : "'\(source.path)', which is not a regular file,"
            throw .usage("\(name) can't be a source with \(.checkpoint): reading can't resume in the middle")
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

    /// Returns the position from which a source is read.
    func start(of source: Int) -> SourcePosition {
        guard case .position(let position)? = loaded?.progress[source] else { return .start }
        return position
    }

    /// - Parameter maximumOpen: the most files that are open at once.
    func rejectSpools(maximumOpen: Int) -> RejectSpools {
        RejectSpools(folder, contents: loaded?.rejects ?? [:], storage: storage, maximumOpen: maximumOpen)
    }

    /// Waits until no checkpoint is being written.
    func wait() { queue.sync {} }

    /// Cleans up after a failed run. The next run resumes from the newest checkpoint.
    func removeUnneeded() {
        wait()
        folder.removeUnneeded()
    }

    /// Removes all files once the results are in place, since no run will resume from them.
    func removeAll() {
        wait()
        folder.removeAll()
    }
}

extension Checkpoint {
    /// The ordinals of the sources that have not ended.
    var unread: [Int] { progress.indices.filter { progress[$0] != .ended } }

    /// Checks that a run with these options and sources may resume from this checkpoint.
    fileprivate func check(
        _ options: ReplayOptions, _ sources: [Source], _ now: [SourceIdentity], folder: String
    ) throws(ReplayError) {
        func fail(_ what: OptionMessage) -> ReplayError {
            .usage("the checkpoint in '\(folder)' belongs to another run: \(what)")
        }
        let wanted = options.header(of: SourceTable(sources))
        if header.sources != wanted.sources {
            let other = zip(header.sources.entries, wanted.sources.entries).first { $0 != $1 }
            throw fail(
                other.map {
                    $0.0.name == $0.1.name
                        ? "the ordinal of source '\($0.0.name)' was \($0.0.ordinal) and is now \($0.1.ordinal)"
                        : "source '\($0.0.name)' is now '\($0.1.name)'"
                }
                    ?? "it has \(header.sources.count) sources, not \(wanted.sources.count)")
        }
        if header.byDevice != wanted.byDevice { throw fail("\(.byDevice) differs") }
        if header.maximumArguments != wanted.maximumArguments { throw fail("\(.maximumArguments) differs") }
        if header.groupings != wanted.groupings { throw fail("the configuration groups apps differently") }
        if maximumLine != options.maximumLine { throw fail("\(.maximumLine) differs") }
        if let profile, profile != options.profile {
            throw fail("\(.profile) was \(profile.rawValue) and is now \(options.profile.rawValue)")
        }
        switch header.input.difference(from: wanted.input) {
        case nil: break
        case .name: throw fail("the input was '\(header.input.name)' and is now '\(wanted.input.name)'")
        case .digest: throw fail("the input '\(wanted.input.name)' has changed")
        case .app:
            throw fail(
                "the app for records without one was \(header.input.shownApp) and is now \(wanted.input.shownApp)"
            )
        case .removals: throw fail("only one of them has \(.appliesRemovals)")
        case .division:
            throw fail("it had \(header.input.shownDivision) and now has \(wanted.input.shownDivision)")
        case .timeline:
            throw fail("it had \(header.input.shownTimeline) and now has \(wanted.input.shownTimeline)")
        case .delivery: throw fail("only one of them has \(.delivery), or a configuration of delivery")
        case .unique: throw fail("only one of them has \(.unique)")
        case .outcomes: throw fail("only one of them has \(.appliesOutcomes)")
        case .window:
            throw fail(
                "it had \(header.input.filter.shownWindow) and now has \(wanted.input.filter.shownWindow)")
        case .selection:
            throw fail(
                "it had \(header.input.filter.shownSelection) and now has \(wanted.input.filter.shownSelection)"
            )
        }
        if (stream == nil) != (options.lateness == nil) { throw fail("only one of them has \(.lateness)") }
        if let stream, stream.style != options.snapshotStyle {
            throw fail("its snapshots had \(stream.style) and now have \(options.snapshotStyle)")
        }
        if keepsRejects != (options.rejects != nil) { throw fail("only one of them has \(.rejects)") }
        for (index, source) in sources.enumerated() {
            guard let difference = identities[index].difference(to: now[index]) else { continue }
            throw .source(
                path: source.path, reason: "changed since the checkpoint in '\(folder)': \(difference)")
        }
    }
}

/// Decides when a checkpoint is worth the time for which it pauses the run: not before the run has worked for
/// `Limits.checkpointSpacing` times as long.
///
/// The length of the pause is estimated from the size of the state: at the speed of the previous checkpoint, or at
/// `Limits.stateBytesPerSecond` for the first one.
struct CheckpointPace: Sendable {
    private var bytesPerSecond = Double(Limits.stateBytesPerSecond)
    /// When the run resumed after the last checkpoint, or when it began.
    private(set) var last: ContinuousClock.Instant

    init(start: ContinuousClock.Instant) { last = start }

    /// Returns how long to postpone a checkpoint that could be made now; nil if it is due.
    ///
    /// - Parameter heldBytes: the size of the state to write, in bytes.
    func delay(heldBytes: Int, now: ContinuousClock.Instant) -> Duration? {
        let pause = Duration.seconds(Double(heldBytes) / bytesPerSecond)
        let due = last + pause * Limits.checkpointSpacing
        return due > now ? due - now : nil
    }

    /// Records a checkpoint that was made.
    ///
    /// - Parameters:
    ///   - heldBytes: the size of the state that was written, in bytes.
    ///   - pause: how long the run was paused.
    ///   - now: when the run resumed.
    mutating func record(heldBytes: Int, pause: Duration, now: ContinuousClock.Instant) {
        last = now
        // A small state does not show the speed, and a pause of zero would make it infinite.
        guard heldBytes >= Limits.minimumShardBytes, pause > .zero else { return }
        bytesPerSecond = Double(heldBytes) / (pause / .seconds(1))
    }
}
