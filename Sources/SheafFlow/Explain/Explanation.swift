import SheafBytes
import SheafGroups

/// A person's screen, traced to the lines of the log (specification §21).
///
/// ```swift
/// var options = ReplayOptions(sources: ["logs"])
/// options.appliesRemovals = true
/// let explanation = try Explainer(options, Question(device: "ana")).run()
/// for record in explanation.records where record.cause != .shown {
///     print("\(record.source):\(record.line) \(record.cause)")
/// }
/// ```
public struct Explanation: Sendable {
    /// The name of the person's device.
    public let device: String
    /// The person's records that were asked for, the oldest first.
    public let records: [Record]
    /// The groups on screen that were asked for, the newest first.
    public let groups: [Group]
    /// The number of all records of the person with each cause, in the order of `Cause`.
    public let counts: [(cause: Cause, count: UInt64)]
    /// The statistics of a replay of the person's records.
    public internal(set) var statistics = Statistics()
    /// Whether the reader of the output closed it before all of it was written.
    public internal(set) var outputWasClosed = false

    /// The fate of a record.
    public enum Cause: String, Sendable, CaseIterable {
        /// The notification is on screen.
        case shown
        /// A newer version replaced it.
        case replaced
        /// A removal took it off the screen.
        case removed
        /// Settings keep it off the screen.
        case suppressed
        /// It is quiet, and the device is locked.
        case quiet
        /// It is another record of a push that counts already.
        case repeated
        /// The push service refused it.
        case refused
        /// It is not shown to the user.
        case silent
        /// It is for another platform.
        case otherPlatform
        /// It is before or after the range of time.
        case outside
        /// The line was rejected.
        case rejected
        /// It is not a push: a removal, a change of settings or the like.
        case event
    }

    /// A record of the log.
    public struct Record: Sendable {
        /// Where the record is: the source, the line from 1, and the index in the line from 0.
        public let source: String
        public let line: UInt64
        public let index: Int
        /// In milliseconds since 1970; nil if it has none, or was not read.
        public let timestamp: Int64?
        /// What the record is: `push`, `removal`, `settings`, `response`, `modified`, `outcome`, or `line` if it was rejected.
        public let kind: String
        /// nil if the record has none; like the following ones.
        public let app: String?
        public let thread: String?
        public let id: String?
        public let title: String?
        public let body: String?
        public let cause: Cause
        /// More about the cause: the reason of a refusal or a rejection.
        public let detail: String?
        /// The record that is the cause, if another one is.
        public let by: Place?
        /// The number of the person's records that are off the screen because of this one.
        public internal(set) var affected = 0
    }

    /// The place of a record in the log.
    public struct Place: Sendable, Hashable {
        public let source: String
        public let line: UInt64
        public let index: Int
    }

    /// A group on screen.
    public struct Group: Sendable {
        /// What the snapshot has for the group.
        public let snapshot: GroupSnapshot
        /// The group's notifications, the newest first.
        public let notifications: [Member]
        /// How the summary was made; nil for a single notification.
        public let summary: Summary?
        /// The line of the snapshot, with its LF.
        let line: [UInt8]
    }

    /// A notification of a group.
    public struct Member: Sendable {
        public let shown: ShownNotification
        /// The index of its record in the line, from 0.
        public let index: Int
        /// Where the content comes from that a service extension returned; nil for that of the push.
        public let modifiedBy: Place?
        /// The summary argument; nil if it has none.
        public let argument: String?
        /// The number of items that it stands for.
        public let weight: UInt64
    }

    /// How a summary was made (specification §7).
    public struct Summary: Sendable {
        public let text: String
        /// The number of items, and the number of notifications below the leading one.
        public let more: UInt64
        public let notifications: UInt64
        /// The rule, as a sentence.
        public let rule: String
        /// The formats of the notifications' categories.
        public let phrases: [Phrase]
        /// The arguments in the summary, each with the newest notification that has it.
        public let arguments: [Argument]

        public struct Phrase: Sendable {
            /// The category; nil for notifications without one.
            public let category: String?
            /// The format in the configuration, or its key in the string tables; nil if the category has none.
            public let format: String?
            /// The number that the phrase has, and its plural category in the language of the phrase.
            public let number: UInt64
            public let plural: String
        }

        public struct Argument: Sendable {
            public let text: String
            public let place: Place
        }
    }
}

/// What an explanation is about.
public struct Question: Sendable {
    /// The person's device.
    public var device: String
    /// Only the records and groups of an app, of a thread, or with an id or collapse id; nil for all.
    public var app: String?
    public var thread: String?
    public var id: String?

    public init(device: String, app: String? = nil, thread: String? = nil, id: String? = nil) {
        (self.device, self.app, self.thread, self.id) = (device, app, thread, id)
    }
}
