import SheafBytes

/// What a removal removes (specification §15).
package enum RemovalScope: UInt8, Sendable, CaseIterable {
    /// All notifications of an app.
    case app
    /// Those of one thread, or of none.
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

/// The events that remove notifications, by their names in logs.
enum RemovalEvent: Equatable {
    /// Removes what the record names; all of the app's notifications if it names nothing.
    case removed
    /// The same, but its own identifier is that of the event.
    case cleared
    /// The user acted on one notification, which the record must name.
    case acted
    /// The user opened the app.
    case appOpened

    /// Returns the event of a name; nil if it removes nothing.
    init?(_ name: Span<UInt8>) {
        for (event, names) in Self.names where names.contains(where: { name.isEqual(to: $0) }) {
            self = event
            return
        }
        return nil
    }

    private static let names: [(RemovalEvent, [StaticString])] = [
        (.removed, ["removed"]), (.cleared, ["cleared"]), (.acted, ["dismissed", "opened", "read"]),
        (.appOpened, ["app-opened", "app_opened", "appOpened"]),
    ]
}

// MARK: - Members that would remove more than is meant

/// The names that a removal's members may be a misspelling of: those that limit what is removed.
private struct LimitingNames: Sendable {
    private let similar: SimilarNames
    /// These names, and those of other fields that resemble them.
    private var exact = SymbolTable()

    init(_ names: [String], others: [String] = []) {
        similar = SimilarNames(names)
        for name in names + others { _ = exact.symbol(for: Array(name.utf8).span) }
    }

    /// Returns the name that a member's name is probably a misspelling of.
    func nearest(to name: Span<UInt8>) -> String? {
        guard name.count <= Self.longestName, exact.find(name) ?? 0 == 0 else { return nil }
        return similar.nearest(to: SimilarNames.Word(name))
    }

    /// The longest name has 16 letters; a quarter more may be wrong.
    private static let longestName = 24

    /// Those of every removal.
    static let shared = LimitingNames(sharedNames, others: EnvelopeNames.outsideBarePayload)
    /// Those of removals that may name notifications by an identifier of their own.
    static let withOwnIdentifiers = LimitingNames(
        sharedNames + identifiers + [EnvelopeNames.headers], others: EnvelopeNames.outsideBarePayload)
    static let headers = LimitingNames(
        [EnvelopeNames.headerIdentifier, EnvelopeNames.headerCollapseIdentifier],
        others: [EnvelopeNames.headerApp, EnvelopeNames.headerPushType])

    private static let sharedNames =
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
        var event: RemovalEvent?
        while let member = members.next(in: record) {
            guard record.extracting(member.key).isEqual(to: "event"), member.value.count > 2 else { continue }
            let name = record.extracting(member.value).jsonText
            event = RemovalEvent(name.span)
        }
        return event.flatMap { mistake(in: record, $0) }
    }

    /// The same for an event that is known. O(length).
    static func mistake(in record: Span<UInt8>, _ event: RemovalEvent) -> String? {
        let names: LimitingNames =
            event == .removed || event == .acted ? .withOwnIdentifiers : .shared
        var members = JSONMembers(at: record.endOfJSONSpace(from: 0))
        while let member = members.next(in: record) {
            let name = record.extracting(member.key)
            if let known = names.nearest(to: name) { return misspelled(name, known) }
            if event == .appOpened, namesNotifications(name),
                !record.extracting(member.value).isEqual(to: "null")
            {
                return "'\(name.string)': the event removes all of the app's notifications"
            }
            guard event == .removed || event == .acted, name.isEqual(to: "headers") else { continue }
            var headers = JSONMembers(at: member.value.lowerBound)
            while let header = headers.next(in: record) {
                let name = record.extracting(header.key)
                if let known = LimitingNames.headers.nearest(to: name) { return misspelled(name, known) }
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
