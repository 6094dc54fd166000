/// The latest notifications: a person may dismiss or open one of them.
struct ShownDrafts: Sendable {
    /// At most `Rates.removable`; the oldest is at `next`, once there are as many.
    private var drafts: [Draft] = []
    private var next = 0

    mutating func add(_ draft: Draft) {
        guard drafts.count == Rates.removable else { return drafts.append(draft) }
        drafts[next] = draft
        next = (next + 1) % drafts.count
    }

    /// Returns one of the notifications, which stays; nil before the first one.
    func random(using random: inout RandomStream) -> Draft? {
        drafts.isEmpty ? nil : drafts[random.below(drafts.count)]
    }
}

extension Catalogue {
    /// Writes a record that reports that a notification, or all of its app, left the screen of its device.
    ///
    /// - Parameter time: milliseconds since 1970.
    func writeRemoval(
        of draft: Draft, at time: Int, using random: inout RandomStream, to record: inout JSONWriter
    ) {
        let draw = random.below(1_000)
        let isOfOne = draw < Rates.opened + Rates.dismissed && (draft.id != nil || draft.event != nil)
        record.restart(in: draft.book.style)
        record.beginObject()
        record.field(
            .event, text: isOfOne ? draw < Rates.opened ? Self.opened : Self.dismissed : Self.appOpened)
        record.field(.timestamp, number: time)
        record.field(.app, text: draft.app.bundleID)
        if let device = draft.device {
            record.field(.device)
            record.string { Self.appendToken(of: device, to: &$0) }
        }
        if isOfOne, let event = draft.event {
            record.field(.collapseID)
            record.string { Self.appendCollapseID(of: event, draft.app, to: &$0) }
        } else if isOfOne, let id = draft.id {
            record.field(.id)
            record.string { $0.appendUUID(id.0, id.1) }
        }
        record.endObject()
    }

    private static let opened = Array("opened".utf8)
    private static let dismissed = Array("dismissed".utf8)
    private static let appOpened = Array("app-opened".utf8)
}
