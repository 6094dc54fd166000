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
