import SheafBytes
import SheafGroups
import Synchronization

/// Explains what a person sees, and why: traces the screen, and each record that is not on it, to lines of the log
/// (specification §21).
///
/// ```swift
/// let options = ReplayOptions(sources: ["logs"])
/// let explanation = try Explainer(options, Question(device: "ana")).run()
/// for group in explanation.groups { print(group.snapshot.app, group.notifications.count) }
/// ```
///
///     sources ─▶ DecodeWorker ─▶ the person's records ─▶ PersonHistory ─▶ Explanation
///
/// A replay of one person by device whose result is an explanation: it reads and decodes the sources once. Memory: the
/// person's records.
public final class Explainer: Sendable {
    private let replay: Replay
    private let answer = Received<Explanation?>(nil)

    /// Finds the sources. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - options: the sources, how they are read, grouped and shown, which records count, the time of the screen
    ///     (`until`), and the path and format of the result: text or NDJSON.
    ///   - question: whose screen is explained, and which part of it.
    /// - Throws: as `Replay.init`.
    public convenience init(_ options: ReplayOptions, _ question: Question) throws(ReplayError) {
        try self.init(options, question, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(
        _ options: ReplayOptions, _ question: Question, storage: any Storage
    ) throws(ReplayError) {
        if question.device.isEmpty { throw .usage("the name of the device is empty: name a person's device") }
        for (option, isGiven) in [
            (RunOption.partial, options.partial != nil), (.checkpoint, options.checkpoint != nil),
            (.every, options.every != nil), (.lateness, options.lateness != nil), (.top, options.top != nil),
        ] where isGiven {
            throw .usage("\(option) can't be given for an explanation, which is of one screen")
        }
        switch options.format {
        case .ndjson, .text: break
        case .json, .csv, .csvISO, .html:
            throw .usage("an explanation is written as text or ndjson, not as \(options.format.name)")
        }
        var options = options
        (options.byDevice, options.onlyDevices) = (true, [question.device])
        let explaining = Explaining(
            question: question, receive: { [answer] found in answer.value.withLock { $0 = found } })
        replay = try Replay(options, page: nil, explaining: explaining, storage: storage)
    }

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { replay.progress }

    /// Ends the run as soon as possible, as `Replay.interrupt(signal:)` does.
    public func interrupt(signal: Int32) { replay.interrupt(signal: signal) }

    /// Reads the sources and writes the explanation. Blocks until done.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the result is written.
    /// - Throws: as `Replay.run`; `ReplayError.usage` if the person's records need more than the memory of the run.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Explanation {
        let statistics = try replay.run(willWrite: willWrite)
        guard var explanation = answer.value.withLock(\.self) else {
            preconditionFailure("a run without an answer")
        }
        explanation.statistics = statistics
        explanation.outputWasClosed = statistics.outputWasClosed
        return explanation
    }
}

/// Finds the people who got a push, by its id or collapse id.
///
/// ```swift
/// let devices = try PushFinder(ReplayOptions(sources: ["logs"]), id: "order-17").run()
/// ```
///
/// Memory: the pushes with the id.
public final class PushFinder: Sendable {
    private let replay: Replay
    private let devices = Received<[String]>([])

    /// Finds the sources. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - options: the sources, and how they are read.
    ///   - id: the id or the collapse identifier of a push.
    /// - Throws: as `Replay.init`; `ReplayError.usage` if a source can be read only once.
    public convenience init(_ options: ReplayOptions, id: String) throws(ReplayError) {
        try self.init(options, id: id, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(_ options: ReplayOptions, id: String, storage: any Storage) throws(ReplayError) {
        let explaining = Explaining(
            question: Question(device: "", id: id),
            receiveDevices: { [devices] found in devices.value.withLock { $0 = found } })
        replay = try Replay(options, page: nil, explaining: explaining, storage: storage)
        for source in replay.sources where source.size == nil {
            throw .usage(
                "'\(source.path)' is not a regular file: name the device, so that it is read only once")
        }
    }

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { replay.progress }

    /// Ends the run as soon as possible, as `Replay.interrupt(signal:)` does.
    public func interrupt(signal: Int32) { replay.interrupt(signal: signal) }

    /// Reads the sources. Blocks until done.
    ///
    /// - Returns: the devices in byte order; an empty name for pushes without a device.
    /// - Throws: as `Replay.run`.
    public func run() throws(ReplayError) -> [String] {
        _ = try replay.run()
        return devices.value.withLock(\.self)
    }
}
