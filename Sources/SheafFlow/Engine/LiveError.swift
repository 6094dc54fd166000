import SheafBytes
import SheafGroups

/// The reason why `LiveGroups` refused records.
public enum LiveError: Error, Sendable, Equatable {
    /// What is on screen takes more than `LiveOptions.memory`, in bytes. Of the bytes that were handed over, the first
    /// `taken` were taken, and no others: they can be handed over again once notifications have been removed.
    case memoryLimit(Int, taken: Int)
    /// The source was finished before.
    case sourceFinished(name: String)
}

extension LiveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .memoryLimit(let limit, let taken):
            "the groups take more than \(limit) bytes of memory; \(taken) bytes of the records were taken"
        case .sourceFinished(let name):
            "\(SystemPath.shown(name)): the source is finished"
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
