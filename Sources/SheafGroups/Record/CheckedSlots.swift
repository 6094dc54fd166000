import SheafBytes

/// Examines the fields of each push that a decoder reads.
package protocol PushInspector: AnyObject {
    /// Begins a record, which may turn out to be no push.
    func begin()

    /// Examines the fields of a push before any of them is decoded, so that their texts are those of the log.
    ///
    /// - Parameters:
    ///   - envelope: the values of `slots`, with texts in `chunk`.
    ///   - payload: the values of `payloadSlots`, with texts in the same chunk. May be the same scanner.
    func inspect(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots,
        payload: borrowing FieldScanner, _ payloadSlots: CheckedPayloadSlots, in chunk: Chunk)

    /// The problems of the last record; they have no meaning if it was rejected, or is not a push.
    var problems: ProblemSet { get }

    /// Returns what a problem of the last record is about, if it is about one of many things.
    func detail(of problem: CheckProblem) -> String?

    /// Returns the value that a problem or another finding of the last record is about, as it was before decoding; nil
    /// unless values are kept.
    func value(of finding: CheckFinding) -> [UInt8]?
}

/// The scanner slots of the fields that checks read in a line: a record's fields, and those that only checks use. A class,
/// because rules pass them on for each record.
package final class CheckedSlots {
    package typealias Slot = FieldPlan.Slot

    package let record: EnvelopeSlots
    let removal: RemovalSlots
    let outcome: OutcomeSlots
    /// In order of precedence: the names of the line, that of `headers`, and those of other services. Those that are not
    /// names of the `apns-priority` header may have the words of other services.
    package let priorities: [(slot: Slot, isHeader: Bool)]
    /// In order of precedence.
    package let expirations: [Slot]
    /// The slots among `record.apps` and `record.others.apps` whose names are of a topic, which has a suffix for some
    /// push types; an app's identifier need not have one.
    private let topics: [Bool]
    private let otherTopics: [Bool]
    /// Names of the device that are of a token.
    package let deviceTokens: [Slot]
    /// Names of the identifier that are of the `apns-id` header; `id` may be anything.
    package let messageIdentifiers: [Slot]
    /// Names of a thread identifier among the headers.
    package let headerThreads: [Slot]
    /// The payload's fields inside `payload`.
    let inPayload: CheckedPayloadSlots
    /// The payload's fields next to the envelope's. In a line with a `payload`, its thread identifiers are the
    /// envelope's.
    package let bare: CheckedPayloadSlots

    init(to plan: inout FieldPlan) {
        record = EnvelopeSlots(to: &plan)
        let headers = record.headers
        let headerPriority = plan.field(EnvelopeNames.headerPriority, in: headers)
        let headerExpiration = plan.field(Self.expirationNames[0], in: headers)
        headerThreads = Self.headerThreadNames.map { plan.field($0, in: headers) }
        let priorities = EnvelopeNames.priorities.map {
            (slot: plan.field($0), isHeader: $0.hasPrefix("apns"))
        }
        let others = EnvelopeNames.Other.priorities.map {
            (slot: plan.field($0), isHeader: $0.hasPrefix("apns"))
        }
        self.priorities = priorities + [(slot: headerPriority, isHeader: true)] + others
        expirations = Self.expirationNames.map { plan.field($0) } + [headerExpiration]
        removal = RemovalSlots(to: &plan)
        outcome = OutcomeSlots(to: &plan)

        func isTopic(_ name: String) -> Bool { name.lowercased().hasSuffix("topic") }
        topics = EnvelopeNames.apps.map(isTopic)
        otherTopics = EnvelopeNames.Other.apps.map(isTopic)
        deviceTokens = Self.slots(
            record.devices, EnvelopeNames.devices, record.others.devices, EnvelopeNames.Other.devices
        ) { $0.lowercased().hasSuffix("token") }
        messageIdentifiers =
            Self.slots(
                record.identifiers, EnvelopeNames.identifiers, record.others.identifiers,
                EnvelopeNames.Other.identifiers
            ) { $0.hasPrefix("apns") } + [record.headerIdentifier]
        inPayload = CheckedPayloadSlots(fields: record.inPayload, threads: nil)
        let removedThreads = removal.threads
        let threads = CheckedPayloadSlots.threadNames.map { name in
            // All of a removal's names but the first one are also names of a push's thread.
            removedThreads[EnvelopeNames.removedThreads.firstIndex(of: name)!]
        }
        bare = CheckedPayloadSlots(fields: record.bare, threads: threads)
    }

    /// Whether the app at an index of `record.apps` is a topic.
    package func isTopic(_ index: Int) -> Bool { topics[index] }

    /// Whether the app at an index of `record.others.apps` is a topic.
    package func isOtherTopic(_ index: Int) -> Bool { otherTopics[index] }

    private static let expirationNames = ["apns-expiration", "apns_expiration", "apnsExpiration"]
    private static let headerThreadNames = ["thread-id", "apns-thread-id"]

    private static func slots(
        _ fields: FieldPlan.Slots, _ names: [String], _ others: FieldPlan.Slots, _ otherNames: [String],
        where isWanted: (String) -> Bool
    ) -> [Slot] {
        names.indices.filter { isWanted(names[$0]) }.map { fields[$0] }
            + otherNames.indices.filter { isWanted(otherNames[$0]) }.map { others[$0] }
    }
}

/// The scanner slots of a payload's fields that checks read. A class, like `CheckedSlots`.
package final class CheckedPayloadSlots {
    package let fields: PayloadSlots
    /// Names of a thread identifier next to `aps`; nil for a payload inside a line, whose own text is searched.
    package let threads: [FieldPlan.Slot]?

    static let threadNames = ["thread-id", "threadId", "thread_id"]

    init(fields: PayloadSlots, threads: [FieldPlan.Slot]?) {
        self.fields = fields
        self.threads = threads
    }

    /// Adds the fields of a payload that is scanned by itself.
    init(to plan: inout FieldPlan) {
        fields = PayloadSlots(to: &plan)
        threads = Self.threadNames.map { plan.field($0) }
    }
}
