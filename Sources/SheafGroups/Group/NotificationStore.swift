import SheafBytes

/// Stores whole notifications that a newer version may replace, with the texts of each in one block.
package struct NotificationStore: Sendable {
    private var arena = ByteArena()

    package init() {}

    /// Bytes of memory in use.
    package var heldBytes: Int { arena.heldBytes }

    package mutating func insert(_ record: NotificationRecord, in bytes: Span<UInt8>) -> PackedNotification {
        var notification = PackedNotification(block: .none)
        replace(&notification, by: record, in: bytes)
        return notification
    }

    /// Replaces a stored notification with another one.
    package mutating func replace(
        _ notification: inout PackedNotification, by record: NotificationRecord, in bytes: Span<UInt8>
    ) {
        PackedTexts.whole.pack(record, in: bytes, to: &notification.block, of: &arena)
    }

    /// Frees a stored notification, which must not be used afterwards.
    package mutating func remove(_ notification: PackedNotification) { arena.free(notification.block) }

    /// Returns the ranges of the notification's texts in `bytes(of:)`. The caller stores its numbers.
    package func record(of notification: PackedNotification) -> NotificationRecord {
        PackedTexts.whole.unpack(arena.bytes(of: notification.block))
    }

    /// Prefetches a notification that will be read soon.
    package func prefetch(_ notification: PackedNotification) { arena.prefetch(notification.block, lines: 3) }

    @_lifetime(borrow self)
    package func bytes(of notification: PackedNotification) -> Span<UInt8> {
        arena.bytes(of: notification.block)
    }

    /// Returns whether the record is a version of the stored notification, with the same device, app and collapse
    /// identifier (specification §5).
    package func isSameNotification(
        _ notification: PackedNotification, _ record: NotificationRecord, in bytes: Span<UInt8>
    ) -> Bool {
        let keptBytes = arena.bytes(of: notification.block)
        let kept = PackedTexts.whole.unpack(keptBytes)
        return keptBytes[kept.collapseIdentifier].isEqual(to: bytes[record.collapseIdentifier])
            && keptBytes[kept.app].isEqual(to: bytes[record.app])
            && keptBytes[kept.device].isEqual(to: bytes[record.device])
    }
}

/// A notification in a `NotificationStore`.
package struct PackedNotification: Sendable {
    var block: ByteArena.Block
}
