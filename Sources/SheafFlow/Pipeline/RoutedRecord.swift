import SheafBytes
import SheafGroups

/// A notification with the hashes that determine its shard and its table entries.
struct RoutedRecord {
    var record: NotificationRecord
    /// The hash of the group's key.
    var groupHash: UInt64
    /// The hash of the notification's identity; 0 if it is not kept on its own.
    var identityHash: UInt64

    /// Whether the notification is kept on its own.
    var isTracked: Bool { identityHash != 0 }

    /// The hash by which the record's shard is found: that with all versions of the notification if there may be several,
    /// else that with its group.
    var shardHash: UInt64 { record.isReplaceable ? identityHash : groupHash }
}

extension RoutedRecord {
    /// Hashes a notification that is kept on its own. All of its versions go to the same shard, which needs the device to
    /// identify them.
    ///
    /// - Parameter byDevice: whether groups are separated by device.
    init(_ record: NotificationRecord, byDevice: Bool, in bytes: Span<UInt8>) {
        self.init(
            record: record, groupHash: Routing.groupHash(of: record, byDevice: byDevice, in: bytes),
            identityHash: Routing.identityHash(record, in: bytes))
    }
}

/// A step of prefetching a record's table entry. Each step runs for several records before the next one: a large table
/// is not in any cache, and waiting for each access in turn would take longer than the work itself.
enum PrefetchStep: CaseIterable {
    case bucket, entry, texts
}

/// Assigns notifications to shards by hash.
enum Routing {
    /// Returns the shard of a hash: the high half of the product, so that shards divide the hashes equally by their
    /// upper bits. Tables use the lower bits.
    @inline(__always)
    static func shard(of hash: UInt64, count: Int) -> Int {
        Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Returns the hash of a group's key. With grouping `off`, positions spread the notifications over the shards.
    @inline(__always)
    static func groupHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        let hash = keyHash(record, in: bytes)
        return record.grouping == .off ? hash ^ spread(of: record) : hash
    }

    /// Returns the hash of the key of the group that a notification is in.
    ///
    /// - Parameter byDevice: whether groups are separated by device.
    static func groupHash(of record: NotificationRecord, byDevice: Bool, in bytes: Span<UInt8>) -> UInt64 {
        var grouped = record
        if !byDevice { grouped.device = .none }
        if grouped.grouping == .byApp { grouped.thread = .none }
        return groupHash(grouped, in: bytes)
    }

    /// Returns the hash of a group's key, which is the same for all notifications with the key.
    @inline(__always)
    static func keyHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        var hash = bytes[record.app].hash(seed: 1)
        hash = bytes[record.thread].hash(seed: hash)
        if !record.device.isEmpty { hash = bytes[record.device].hash(seed: hash) }
        return hash
    }

    /// Returns a hash of a group's key that is the same in each process.
    static func keptKeyHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        var hash = bytes[record.app].stableHash(seed: 1)
        hash = bytes[record.thread].stableHash(seed: hash)
        return bytes[record.device].stableHash(seed: hash)
    }

    /// Returns the hash of the key of a notification's group.
    static func keyHash(of item: RoutedRecord) -> UInt64 {
        item.record.grouping == .off ? item.groupHash ^ spread(of: item.record) : item.groupHash
    }

    /// Returns a number that differs between records.
    @inline(__always)
    private static func spread(of record: NotificationRecord) -> UInt64 {
        let order = record.order
        return (order.lineAndIndex &+ UInt64(order.source) &* UInt64.goldenRatio) &* UInt64.goldenRatio
    }

    /// Returns the hash of a person, all of whose records go to the same shard if people are measured.
    static func personHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        bytes[record.device].hash(seed: 9)
    }

    /// Returns the hash of an event's scope.
    static func hash(_ event: ScreenEvent, in bytes: Span<UInt8>) -> UInt64 {
        switch event {
        case .removal(let removal):
            let hash = bytes[removal.app].hash(seed: 3 + UInt64(removal.scope.rawValue))
            return bytes[removal.device].hash(seed: bytes[removal.text].hash(seed: hash))
        case .settings(let change): return bytes[change.device].hash(seed: bytes[change.app].hash(seed: 6))
        case .badge(let badge): return bytes[badge.device].hash(seed: bytes[badge.app].hash(seed: 8))
        case .result(let result): return identityHash(result, in: bytes)
        case .outcome(let outcome): return bytes[outcome.text].hash(seed: 7)
        case .nothing: return 0
        }
    }

    /// Returns the hash of the identity that all versions of a notification share (specification §5): its device, app
    /// and collapse identifier; never 0. Positions spread notifications without one over the shards.
    static func identityHash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        guard record.isReplaceable else { return max(1, spread(of: record)) }
        let hash = bytes[record.collapseIdentifier].hash(seed: bytes[record.app].hash(seed: 2))
        return max(1, bytes[record.device].hash(seed: hash))
    }
}
