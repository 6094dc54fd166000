import SheafBytes
import SheafGroups

/// Counts the devices in a log, and detects groups with notifications of several devices: the basis of a warning for
/// replays that do not separate groups by device.
///
/// Both results are functions of the records alone, however the records are distributed over censuses that are merged.
/// Devices are counted by their smallest hashes: exactly up to `keptDevices`, and above that estimated from the density
/// of these hashes. Groups are sampled: in each source the first `firstLines` lines, then one line in `spacing`, and of
/// the groups in these lines those with the smallest hashes; of a line with several records, one record in `spacing`.
/// So a shared group may be missed in a large log with few of them, but there are no false reports.
struct DeviceCensus: Sendable {
    /// A group of the sample.
    private struct SampledGroup: Comparable {
        let sampling: UInt64
        /// A hash with this process's secret, since collisions of `sampling` can be forged.
        let hash: UInt64
        /// The hash of the device that was seen first.
        let device: UInt64
        var isShared = false

        mutating func merge(_ other: SampledGroup) {
            if other.isShared || device != other.device { isShared = true }
        }

        static func < (a: SampledGroup, b: SampledGroup) -> Bool {
            (a.sampling, a.hash) < (b.sampling, b.hash)
        }
        static func == (a: SampledGroup, b: SampledGroup) -> Bool {
            (a.sampling, a.hash) == (b.sampling, b.hash)
        }
    }

    /// The smallest hashes of devices.
    private var hashes = SmallestElements<UInt64>(limit: DeviceCensus.keptDevices)
    /// The largest hash that may still be kept.
    private var hashBound = UInt64.max
    /// A cache of recent hashes by their low bits: most records have the device of a recent record.
    private var known = [UInt64](repeating: 0, count: DeviceCensus.knownSlots)
    private var groups = SmallestElements<SampledGroup>(limit: DeviceCensus.sampledGroups)

    private static let keptDevices = 256
    private static let knownSlots = 2048
    private static let sampledGroups = 1024
    private static let firstLines: UInt64 = 1024
    private static let spacing: UInt64 = 64

    init() {}

    /// Records the device of a notification, which has one.
    @inline(never)
    mutating func record(_ device: TextRange, in bytes: Span<UInt8>) {
        let hash = bytes[device].endsHash
        if hash <= hashBound, known[Int(truncatingIfNeeded: hash) & (Self.knownSlots - 1)] != hash {
            keep(hash)
        }
    }

    /// Records the group of a notification with a device, if it is in the sample.
    ///
    /// - Parameter groupHash: the hash of the group's key without the device.
    @inline(never)
    mutating func recordGroup(
        _ device: TextRange, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64
    ) {
        guard !device.isEmpty, Self.isSampled(record.order), record.grouping != .off else { return }
        let sampling = bytes[record.thread].stableHash(seed: bytes[record.app].stableHash(seed: 0))
        let group = SampledGroup(
            sampling: sampling, hash: groupHash, device: bytes[device].endsHash)
        groups.insert(group) { $0.merge(group) }
    }

    mutating func add(_ other: DeviceCensus) {
        hashes.formUnion(other.hashes)
        updateHashBound()
        groups.formUnion(other.groups) { $0.merge($1) }
    }

    /// Whether any group of the sample has notifications of several devices.
    var hasSharedGroups: Bool { groups.elements.contains { $0.isShared } }

    /// The number of devices, and whether it is exact.
    var devices: (count: UInt64, isExact: Bool) {
        let kept = hashes.elements
        guard hashes.isCut, let last = kept.last else { return (UInt64(kept.count), true) }
        // The k-th smallest of n hashes is at about k/n of their range (Bar-Yossef et al., "Counting distinct elements
        // in a data stream", 2002).
        return (UInt64(Double(kept.count - 1) / (Double(last) / Double(UInt64.max))), false)
    }
}

extension DeviceCensus {
    @inline(__always)
    static func isSampled(_ order: OrderKey) -> Bool {
        // The n-th record of a line counts as if it were n lines below.
        let line = order.line + UInt64(order.index)
        return line <= firstLines || line % spacing == 0
    }

    @inline(never)
    private mutating func keep(_ hash: UInt64) {
        known[Int(truncatingIfNeeded: hash) & (Self.knownSlots - 1)] = hash
        hashes.insert(hash)
        updateHashBound()
    }

    private mutating func updateHashBound() {
        if hashes.isCut, let last = hashes.elements.last { hashBound = last }
    }
}
