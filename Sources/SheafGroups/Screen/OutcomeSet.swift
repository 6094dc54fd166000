import SheafBytes

/// What is known of a push, besides its content, before it is decided.
package struct PushNote: Equatable, Sendable {
    /// What the push service answered to a push without an id, as its record has it, and the order key of that.
    package var answer: PushAnswer
    package var answered: OrderKey
    /// Why it was refused; none if that is not logged.
    package var reason: TextRange
    package var badge: UInt64?

    package init(
        answer: PushAnswer = .none, answered: OrderKey = OrderKey(timestamp: 0, source: 0, line: 0),
        reason: TextRange = .none, badge: UInt64? = nil
    ) {
        (self.answer, self.answered, self.reason, self.badge) = (answer, answered, reason, badge)
    }
}

/// Outcomes of pushes that were logged apart from them (specification §18): the newest for each id or collapse identifier,
/// app and device. Adding them in any order gives the same set.
///
/// Memory: an outcome takes its texts and about 200 bytes.
package struct OutcomeSet: Sendable {
    private struct Outcome: Sendable {
        var order: OrderKey
        var answer: PushAnswer
        var reason: [UInt8]
        let scope: OutcomeRecord.Scope
        /// Those of the pushes; empty for any.
        let app: [UInt8]
        let device: [UInt8]

        func isOf(_ record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
            (app.isEmpty || app.span.isEqual(to: bytes[record.app]))
                && (scope == .withoutDevice
                    ? record.device.isEmpty
                    : device.isEmpty || device.span.isEqual(to: bytes[record.device]))
        }
    }

    private typealias Outcomes = [[UInt8]: [Outcome]]
    /// By id and by collapse identifier.
    private var ofIdentifiers: Outcomes = [:]
    private var ofCollapses: Outcomes = [:]
    /// Those of pushes without an id that their own records have.
    private var ofRecords: [OrderKey: Outcome] = [:]
    private var textBytes = 0
    private var count = 0

    package init() {}

    /// The memory in use, in bytes.
    package var heldBytes: Int { textBytes + 200 * count }

    /// Adds an outcome, unless a newer one is for the same pushes.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    package mutating func add(_ record: OutcomeRecord, in bytes: Span<UInt8>) -> Bool {
        let outcome = Outcome(
            order: record.order, answer: record.answer, reason: Array(copying: bytes[record.reason]),
            scope: record.scope, app: Array(copying: bytes[record.app]),
            device: Array(copying: bytes[record.device]))
        guard !record.text.isEmpty else {
            if ofRecords.updateValue(outcome, forKey: record.order) == nil { count += 1 }
            return true
        }
        let text = Array(copying: bytes[record.text])
        return add(outcome, text, to: record.scope == .collapse ? \.ofCollapses : \.ofIdentifiers)
    }

    private mutating func add(
        _ outcome: Outcome, _ text: [UInt8], to outcomes: WritableKeyPath<Self, Outcomes>
    ) -> Bool {
        var list = self[keyPath: outcomes][text] ?? []
        if let index = list.firstIndex(where: {
            $0.scope == outcome.scope && $0.app == outcome.app && $0.device == outcome.device
        }) {
            guard list[index].order < outcome.order else { return false }
            textBytes += outcome.reason.count - list[index].reason.count
            list[index] = outcome
        } else {
            list.append(outcome)
            count += 1
            textBytes += text.count + outcome.reason.count + outcome.app.count + outcome.device.count
        }
        self[keyPath: outcomes][text] = list
        return true
    }

    /// Removes those that name ids.
    package mutating func removeIdentifiers() {
        count -= ofIdentifiers.values.reduce(0) { $0 + $1.count }
        ofIdentifiers.removeAll(keepingCapacity: true)
        textBytes = 0
    }

    /// Removes those that are older than a time, in milliseconds since 1970. O(n).
    package mutating func removeAll(before timestamp: Int64) {
        var kept = OutcomeSet()
        kept.ofRecords = ofRecords.filter { $0.key.timestamp >= timestamp }
        kept.count = kept.ofRecords.count
        for outcomes in [\Self.ofIdentifiers, \.ofCollapses] {
            for (text, list) in self[keyPath: outcomes] {
                for outcome in list where outcome.order.timestamp >= timestamp {
                    _ = kept.add(outcome, text, to: outcomes)
                }
            }
        }
        self = kept
    }

    /// Returns the reason for which a push was refused, which may be empty; nil if it was not.
    ///
    /// Its newest outcome counts: one that names its id, as those of its records do, or one that names its collapse identifier
    /// and is newer than the push. An outcome cannot be of a push that was sent after it, but only the id tells which one of
    /// several pushes it is of.
    package func refusal(of record: NotificationRecord, _ note: PushNote, in bytes: Span<UInt8>) -> [UInt8]? {
        decision(on: record, note, in: bytes).refusal
    }

    /// Returns the order key of the newest outcome of a push, and why it was refused; nil if there is none, or it was not.
    package func decision(
        on record: NotificationRecord, _ note: PushNote, in bytes: Span<UInt8>
    ) -> (order: OrderKey?, refusal: [UInt8]?) {
        var newest = note.answer == .none ? nil : note.answered
        var refusal = note.answer == .refused ? Array(copying: bytes[note.reason]) : nil
        func consider(_ outcome: Outcome) {
            guard outcome.isOf(record, in: bytes), newest.map({ $0 < outcome.order }) ?? true else { return }
            newest = outcome.order
            refusal = outcome.answer == .refused ? outcome.reason : nil
        }
        if record.identifier.isEmpty, let own = ofRecords[record.order] { consider(own) }
        if !ofIdentifiers.isEmpty, !record.identifier.isEmpty {
            ofIdentifiers[Array(copying: bytes[record.identifier])]?.forEach(consider)
        }
        if !ofCollapses.isEmpty, record.isReplaceable {
            ofCollapses[Array(copying: bytes[record.collapseIdentifier])]?
                .filter { record.order < $0.order }.forEach(consider)
        }
        return (newest, refusal)
    }

    /// Calls `body` with each outcome and the buffer of its texts, in any order.
    package func forEach(_ body: (OutcomeRecord, Span<UInt8>) -> Void) {
        let ofRecords = ofRecords.isEmpty ? [:] : [[UInt8](): Array(ofRecords.values)]
        for outcomes in [ofIdentifiers, ofCollapses, ofRecords] {
            for (text, list) in outcomes {
                for outcome in list {
                    var (record, buffer) = (OutcomeRecord(), [UInt8]())
                    record.text = buffer.appendText(text.span)
                    record.app = buffer.appendText(outcome.app.span)
                    record.device = buffer.appendText(outcome.device.span)
                    record.reason = buffer.appendText(outcome.reason.span)
                    (record.scope, record.answer, record.order) = (
                        outcome.scope, outcome.answer, outcome.order
                    )
                    body(record, buffer.span)
                }
            }
        }
    }
}

extension Array<UInt8> {
    /// Creates a copy of bytes.
    package init(copying bytes: Span<UInt8>) {
        self = []
        append(bytes)
    }
}
