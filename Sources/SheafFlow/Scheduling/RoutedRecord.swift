import SheafBytes
import SheafGroups

/// A notification and where it belongs.
struct RoutedRecord {
    var record: NotificationRecord
    /// Of the group's key.
    var groupHash: UInt64
    /// Of what makes it replaceable (device, app, collapse identifier); 0 when it is not.
    var identityHash: UInt64
}

/// What is loaded ahead for a record, one after the other, for several records at once: a table of many groups is
/// in no cache, and waiting for each look in turn would take longer than everything that is done with it.
enum PrefetchStep: CaseIterable {
    case bucket, entry, texts
}

/// Which shard a hash belongs to.
enum Routing {
    /// The high half of the product: shards take equal shares of the hashes, by their upper bits. Tables use the
    /// lower ones.
    @inline(__always)
    static func shard(of hash: UInt64, count: Int) -> Int {
        Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// The hash of a group's key. Notifications that are alone are spread by their place in the order.
    static func groupHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        var hash = bytes[record.app].hash(seed: 1)
        hash = bytes[record.thread].hash(seed: hash)
        if !record.device.isEmpty { hash = bytes[record.device].hash(seed: hash) }
        guard record.grouping == .off else { return hash }
        return hash ^ (record.order.line &* 0x9e37_79b9_7f4a_7c15)
    }

    /// The hash of what a newer version has in common with the one it replaces (specification §5).
    static func identityHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        let hash = bytes[record.collapseIdentifier].hash(seed: bytes[record.app].hash(seed: 2))
        return bytes[record.device].hash(seed: hash)
    }
}
