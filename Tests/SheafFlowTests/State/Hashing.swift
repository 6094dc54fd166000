import SheafBytes
import SheafGroups
import TestSupport

/// A way of hashing notifications, and the number of notifications to add to a table with it.
struct Hashing: NamedCase {
    let name: String
    /// A small number if each one is compared with all others.
    let notifications: Int
    let hash: @Sendable (NotificationRecord, Span<UInt8>) -> UInt64
}
