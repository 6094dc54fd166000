import SheafBytes
import SheafGroups

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
