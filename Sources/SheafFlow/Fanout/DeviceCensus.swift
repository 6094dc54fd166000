import SheafBytes
import SheafGroups

/// How many devices a log names, and whether notifications of several of them are in one group: what a replay that does
/// not tell devices apart is warned of.
///
/// Both are functions of the records alone, however they are spread over censuses that are added up. Devices are counted
/// by the smallest of their hashes: exactly up to `keptDevices`, and above by how close together those are. Of each
/// source the first `countedFirstLines` lines are counted, then one in `countedSpacing`. Groups are looked at in a smaller
/// sample: of each source the first lines, then one in `spacing`; of the groups there those with the
/// smallest hashes. So a shared group may be missed in a large log where few are, but what is reported is so.
struct DeviceCensus: Sendable {
    private struct Group: Hashable, Comparable {
        let sampling: UInt64
        /// Of this process: that of sampling can be made to collide.
        let hash: UInt64

        static func < (a: Group, b: Group) -> Bool { (a.sampling, a.hash) < (b.sampling, b.hash) }
    }

    /// The smallest hashes of devices, not more than twice `keptDevices`.
    private var hashes: Set<UInt64> = []
    /// Devices whose hash is larger are not kept.
    private var hashBound = UInt64.max
    /// Hashes that were met, by their low bits: most records name a device that one not long before named.
    private var known = [UInt64](repeating: 0, count: DeviceCensus.knownSlots)
    /// Of the groups of the sample, by the device that was seen first.
    private var groups: [Group: UInt64] = [:]
    private var shared: Set<Group> = []
    /// Larger groups are not in the sample.
    private var bound = Group(sampling: .max, hash: .max)

    private static let keptDevices = 256
    private static let knownSlots = 2048
    private static let sampledGroups = 1024
    private static let firstLines: UInt64 = 1024
    private static let spacing: UInt64 = 64
    private static let countedFirstLines: UInt64 = 4096
    private static let countedSpacing: UInt64 = 8

    init() {}

    /// Whether the devices of a line's records are counted.
    @inline(__always)
    static func isCounted(_ line: UInt64) -> Bool { line <= countedFirstLines || line % countedSpacing == 0 }

    /// Notes the device of a notification whose line is counted.
    mutating func note(_ device: TextRange, in bytes: Span<UInt8>) {
        guard !device.isEmpty else { return }
        let hash = bytes[device].endsHash
        if hash <= hashBound, known[Int(truncatingIfNeeded: hash) & (Self.knownSlots - 1)] != hash {
            keep(hash)
        }
    }

    /// Notes the group of a notification that names a device, where it is in the sample.
    ///
    /// - Parameter groupHash: of the group's key, the device not part of it.
    @inline(never)
    mutating func noteGroup(
        _ device: TextRange, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64
    ) {
        guard !device.isEmpty, Self.isSampled(record.order.line) else { return }
        noteGroup(bytes[device].endsHash, of: record, in: bytes, groupHash: groupHash)
    }

    mutating func add(_ other: DeviceCensus) {
        hashBound = min(hashBound, other.hashBound)
        hashes.formUnion(other.hashes)
        cutHashes()
        bound = min(bound, other.bound)
        shared.formUnion(other.shared)
        for (group, device) in other.groups { note(device, in: group) }
        cut()
    }

    /// Whether a group of the sample has notifications of several devices.
    var hasSharedGroups: Bool { shared.contains { $0 <= bound } }

    /// How many devices there are, and whether that is exact.
    var devices: (count: UInt64, isExact: Bool) {
        let kept = hashes.sorted().prefix(Self.keptDevices)
        guard hashes.count > Self.keptDevices || hashBound < .max, let last = kept.last else {
            return (UInt64(hashes.count), true)
        }
        // The k-th smallest of n hashes is at about k of n parts of their range (Bar-Yossef et al., "Counting distinct
        // elements in a data stream", 2002).
        return (UInt64(Double(kept.count - 1) / (Double(last) / Double(UInt64.max))), false)
    }
}

extension DeviceCensus {
    @inline(__always)
    private static func isSampled(_ line: UInt64) -> Bool { line <= firstLines || line % spacing == 0 }

    @inline(never)
    private mutating func keep(_ hash: UInt64) {
        known[Int(truncatingIfNeeded: hash) & (Self.knownSlots - 1)] = hash
        hashes.insert(hash)
        if hashes.count >= 2 * Self.keptDevices { cutHashes() }
    }

    /// Forgets the largest hashes of devices, where there are too many.
    private mutating func cutHashes() {
        if hashes.count > Self.keptDevices { hashBound = hashes.sorted()[Self.keptDevices - 1] }
        let bound = hashBound
        hashes = hashes.filter { $0 <= bound }
    }

    @inline(never)
    private mutating func noteGroup(
        _ device: UInt64, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64
    ) {
        guard record.grouping != .off else { return }
        let sampling = bytes[record.thread].stableHash(seed: bytes[record.app].stableHash(seed: 0))
        note(device, in: Group(sampling: sampling, hash: groupHash))
        if groups.count >= 2 * Self.sampledGroups { cut() }
    }

    private mutating func note(_ device: UInt64, in group: Group) {
        guard group <= bound else { return }
        if let first = groups[group] {
            if first != device { shared.insert(group) }
        } else {
            groups[group] = device
        }
    }

    /// Forgets the groups with the largest hashes, where there are too many.
    private mutating func cut() {
        if groups.count > Self.sampledGroups {
            bound = groups.keys.sorted()[Self.sampledGroups - 1]
        }
        let bound = bound
        groups = groups.filter { $0.key <= bound }
        shared = shared.filter { $0 <= bound }
    }
}
