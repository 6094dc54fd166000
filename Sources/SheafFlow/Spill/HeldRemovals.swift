import SheafBytes
import SheafGroups

/// The removals that may concern the notifications that follow them in the order of `NotificationEntry`.
struct HeldRemovals {
    /// The removals for all devices, and those of the current device and app.
    private var general: RemovalTable
    private var current: RemovalTable
    private let timeline: Timeline?
    /// A removal in `current`, and its texts.
    private var owner: NotificationEntry?
    private var ownerTexts: [UInt8] = []
    private var key: [UInt8] = []

    init(_ timeline: Timeline?) {
        general = RemovalTable(timeline)
        current = RemovalTable(timeline)
        self.timeline = timeline
    }

    mutating func add(_ removal: RemovalRecord, of entry: NotificationEntry, in bytes: Span<UInt8>) {
        guard !entry.record.device.isEmpty else {
            general.add(removal, in: bytes)
            return
        }
        if !isOwned(entry, bytes) {
            current = RemovalTable(timeline)
            owner = entry
            ownerTexts.removeAll(keepingCapacity: true)
            ownerTexts.append(bytes)
        }
        current.add(removal, in: bytes)
    }

    /// Whether the removals in `current` are of the entry's device and app.
    private func isOwned(_ entry: NotificationEntry, _ bytes: Span<UInt8>) -> Bool {
        owner.map { entry.compareApp(bytes, to: $0, ownerTexts.span) == 0 } ?? false
    }

    /// Returns the oldest removal of a notification; nil if there is none.
    mutating func firstRemoval(of entry: NotificationEntry, in bytes: Span<UInt8>) -> OrderKey? {
        let first =
            general.count > 0 ? general.firstRemoval(of: entry.record, in: bytes, key: &key) : nil
        guard isOwned(entry, bytes),
            let other = current.firstRemoval(of: entry.record, in: bytes, key: &key)
        else { return first }
        return min(first ?? other, other)
    }
}
