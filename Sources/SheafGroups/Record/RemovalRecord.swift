import SheafBytes

/// What a removal removes (specification §15).
package enum RemovalScope: UInt8, Sendable, CaseIterable {
    /// All notifications of an app.
    case app
    /// Those of one thread, or those without a thread.
    case thread
    /// Those with an identifier.
    case identifier
}

/// A removal of one scope: notifications that are older than it are no longer on screen.
///
/// Plain memory without references, like `NotificationRecord`.
package struct RemovalRecord: Sendable {
    package var scope = RemovalScope.app
    package var app = TextRange.none
    /// The device; none for all devices.
    package var device = TextRange.none
    /// The thread or the identifier.
    package var text = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)

    package init() {}
}

// MARK: - Members that would remove more than is meant

/// The names that a removal's members may be a misspelling of: those that limit what is removed.
extension SimilarNames {
    /// Those of every removal.
    fileprivate static let ofRemovals = SimilarNames(shared, others: EnvelopeNames.outsideBarePayload)
    /// Those of removals that may name notifications by an identifier of their own.
    fileprivate static let withOwnIdentifiers = SimilarNames(
        shared + identifiers + [EnvelopeNames.headers], others: EnvelopeNames.outsideBarePayload)
    fileprivate static let headers = SimilarNames(
        [EnvelopeNames.headerIdentifier, EnvelopeNames.headerCollapseIdentifier],
        others: [EnvelopeNames.headerApp, EnvelopeNames.headerPushType])

    private static let shared =
        [EnvelopeNames.removedIdentifiers] + EnvelopeNames.removedThreads + EnvelopeNames.devices
        + EnvelopeNames.Other.devices
    private static let identifiers =
        EnvelopeNames.identifiers + EnvelopeNames.collapseIdentifiers + EnvelopeNames.Other.identifiers
        + EnvelopeNames.Other.collapseIdentifiers
}

extension RemovalRecord {
    /// Returns why a removal would remove more than is probably meant; nil if it would not.
    ///
    /// - Parameter record: a removal as a valid JSON object, in which nothing has been decoded in place.
    package static func mistake(in record: Span<UInt8>) -> String? {
        var members = JSONMembers(at: record.endOfJSONSpace(from: 0))
        var event: RecordEvent?
        while let member = members.next(in: record) {
            guard record.extracting(member.key).isEqual(to: "event"), member.value.count > 2 else { continue }
            let name = record.extracting(member.value).jsonText
            event = RecordEvent(name.span)
        }
        return event.flatMap { $0.isRemoval ? mistake(in: record, $0) : nil }
    }

    /// The same for a known event. O(length).
    static func mistake(in record: Span<UInt8>, _ event: RecordEvent) -> String? {
        let names: SimilarNames = event == .removed || event == .acted ? .withOwnIdentifiers : .ofRemovals
        var members = JSONMembers(at: record.endOfJSONSpace(from: 0))
        while let member = members.next(in: record) {
            let name = record.extracting(member.key)
            if let known = names.misspelled(name) { return misspelled(name, known) }
            if event == .appOpened, namesNotifications(name),
                !record.extracting(member.value).isEqual(to: "null")
            {
                return "'\(name.string)': the event removes all of the app's notifications"
            }
            guard event == .removed || event == .acted, name.isEqual(to: "headers") else { continue }
            var headers = JSONMembers(at: member.value.lowerBound)
            while let header = headers.next(in: record) {
                let name = record.extracting(header.key)
                if let known = SimilarNames.headers.misspelled(name) { return misspelled(name, known) }
            }
        }
        return nil
    }

    private static func misspelled(_ name: Span<UInt8>, _ known: String) -> String {
        "'\(name.string)', did you mean '\(known)'?"
    }

    private static func namesNotifications(_ name: Span<UInt8>) -> Bool {
        let name = name.string
        return name == EnvelopeNames.removedIdentifiers || EnvelopeNames.removedThreads.contains(name)
    }
}
