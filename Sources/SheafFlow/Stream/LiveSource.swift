import SheafBytes
import SheafGroups

/// A source of records for `LiveGroups`: a log, a connection, or the program itself.
///
/// All methods may be called from any thread. The lines of one source have an order, so calls for the same source wait
/// for each other while they decode; those for different sources decode at the same time.
public struct LiveSource: Sendable {
    let groups: LiveGroups
    let reader: SourceDecoder

    /// The source's name in snapshots.
    public var name: String { reader.name }

    /// Adds newline-delimited JSON, cut anywhere: an incomplete last line waits for its remainder. O(n).
    ///
    /// - Returns: the records that could not be read, also those of calls that threw.
    /// - Throws: `LiveError.memoryLimit` with the number of bytes that were taken, and `LiveError.sourceFinished`.
    @discardableResult
    public func append(_ bytes: Span<UInt8>) throws(LiveError) -> [LiveReject] {
        try reader.append(bytes, to: groups)
    }

    /// Adds newline-delimited JSON, cut anywhere, as `append(_:)` does for a span.
    @discardableResult
    public func append(_ text: String) throws(LiveError) -> [LiveReject] {
        try append(Array(text.utf8).span)
    }

    /// Adds a push. It is the next record, before an incomplete line.
    ///
    /// A push without a text that is shown is silent: it is counted, and in no group.
    ///
    /// - Returns: the record, if it can't be read: for example because it has no app.
    /// - Throws: as for `append(_:)`.
    @discardableResult
    public func add(_ push: Push) throws(LiveError) -> [LiveReject] {
        try add(isLimited: true) { push.append(to: &$0) }
    }

    /// Removes notifications that are older, also those that are added later. It is the next record, before an
    /// incomplete line.
    ///
    /// A removal is taken even if the groups use all of their memory. Each app, thread and identifier that was ever
    /// removed takes some: `LiveGroups.heldBytes` has it. Without `LiveOptions.appliesRemovals`, removals are only
    /// counted.
    ///
    /// - Returns: the record, if it can't be read: for example because it names too many ids.
    /// - Throws: `LiveError.sourceFinished`.
    @discardableResult
    public func add(_ removal: Removal) throws(LiveError) -> [LiveReject] {
        try add(isLimited: false) { removal.append(to: &$0) }
    }

    /// Applies a change of settings to newer notifications, also to those that were added before it. It is the next
    /// record, before an incomplete line. Without `LiveOptions.delivery` it is only counted.
    ///
    /// - Returns: the record, if it can't be read: for example because it has no settings.
    /// - Throws: as for `append(_:)`.
    @discardableResult
    public func add(_ change: SettingsChange) throws(LiveError) -> [LiveReject] {
        try add(isLimited: true) { change.append(to: &$0) }
    }

    /// Adds an incomplete last line. The source refuses further records.
    ///
    /// - Throws: as for `append(_:)`.
    @discardableResult
    public func finish() throws(LiveError) -> [LiveReject] { try reader.finish(to: groups) }

    private func add(
        isLimited: Bool, _ write: (inout OutputBuffer) -> Void
    ) throws(LiveError) -> [LiveReject] {
        var line = OutputBuffer()
        write(&line)
        return try reader.append(line: line.bytes, isLimited: isLimited, to: groups)
    }
}

/// The reason why `LiveGroups` refused records.
public enum LiveError: Error, Sendable, Equatable {
    /// What is on screen takes more than `LiveOptions.memory`, in bytes. Of the bytes that were handed over, only the
    /// first `taken` were taken: the rest can be handed over again once notifications have been removed. Some of the
    /// records that were taken may wait for room, too; the source's next calls add them first.
    case memoryLimit(Int, taken: Int)
    /// The source was finished before.
    case sourceFinished(name: String)
    /// The source has nearly 2⁴⁰ lines, which is how many have numbers. The first `taken` bytes were taken; the rest
    /// can be handed over to another source.
    case tooManyLines(name: String, taken: Int)
    /// There are 2²⁴ sources, which is how many have numbers.
    case tooManySources
}

extension LiveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .memoryLimit(let limit, let taken):
            "the groups take more than \(limit) bytes of memory; \(taken) bytes of the records were taken"
        case .sourceFinished(let name):
            "\(SystemPath.shown(name)): the source is finished"
        case .tooManyLines(let name, let taken):
            "\(SystemPath.shown(name)): the source has too many lines; \(taken) bytes of the records were taken"
        case .tooManySources: "more than \(OrderKey.maximumSources) sources are not supported"
        }
    }
}

/// A line, or a record of a line that has several, that could not be read.
public struct LiveReject: Sendable, Hashable {
    /// The line's number in its source, from 1.
    public let line: UInt64
    /// The record's index in the line, from 0; nil if the line was rejected as a whole.
    public let index: UInt32?
    public let reason: RejectReason
    /// The text of the line or the record: of a line that is too long, the first kilobyte.
    public let text: [UInt8]
}
