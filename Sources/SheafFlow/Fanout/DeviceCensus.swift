import SheafBytes
import SheafGroups

/// How many devices a log names, and whether notifications of several of them are in one group: what a replay that does
/// not tell devices apart is warned of.
///
/// Both are functions of the records alone, however they are spread over censuses that are added up. The count is exact
/// up to `exactDevices` and a HyperLogLog estimate above. Groups are looked at in a sample: of each source the first
/// lines, then one in `spacing`; of the groups there those with the smallest hashes. So a shared group may be missed in
/// a large log where few are, but what is reported is so.
struct DeviceCensus: Sendable {
    private struct Group: Hashable {
        let sampling: UInt64
        /// Of this process: that of sampling can be made to collide.
        let hash: UInt64
    }

    private var exact: Set<UInt64> = []
    /// Devices that are in `exact`, by their hashes' low bits: most records name one of these while there are few.
    private var known = [UInt64](repeating: 0, count: 256)
    /// By the upper bits of a device's hash: how many zeros the others begin with at the most, and one. Empty while
    /// `exact` has all devices.
    private var registers: [UInt8] = []
    /// Of the groups of the sample, by the device that was seen first.
    private var groups: [Group: UInt64] = [:]
    private var shared: Set<Group> = []
    /// Groups whose hash is larger are not in the sample.
    private var bound = UInt64.max

    private static let exactDevices = 64
    private static let registerBits: UInt64 = 11
    private static let sampledGroups = 1024
    private static let firstLines: UInt64 = 1024
    private static let spacing: UInt64 = 64

    init() {}

    /// Notes a notification that names a device, and the group that it is in.
    ///
    /// - Parameters:
    ///   - groupHash: of the group's key, the device not part of it.
    ///   - isReplaceable: whether its group is known only at the end, when `noteGroup` is called for it.
    @inline(__always)
    mutating func note(
        _ device: TextRange, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64,
        isReplaceable: Bool
    ) {
        guard !device.isEmpty else { return }
        let hash = bytes[device].endsHash
        if registers.isEmpty {
            noteExactly(hash)
        } else {
            Self.note(hash, in: &registers)
        }
        if !isReplaceable, Self.isSampled(record.order.line) {
            noteGroup(hash, of: record, in: bytes, groupHash: groupHash)
        }
    }

    /// Notes the group of a notification that names a device.
    mutating func noteGroup(
        _ device: TextRange, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64
    ) {
        guard !device.isEmpty, Self.isSampled(record.order.line) else { return }
        noteGroup(bytes[device].endsHash, of: record, in: bytes, groupHash: groupHash)
    }

    mutating func add(_ other: DeviceCensus) {
        for hash in other.exact { noteExactly(hash) }
        if !other.registers.isEmpty {
            makeRegisters()
            for (index, rank) in other.registers.enumerated() {
                registers[index] = max(registers[index], rank)
            }
        }
        bound = min(bound, other.bound)
        shared.formUnion(other.shared)
        for (group, device) in other.groups { note(device, in: group) }
        cut()
    }

    /// Whether a group of the sample has notifications of several devices.
    var hasSharedGroups: Bool { shared.contains { $0.sampling <= bound } }

    /// How many devices there are, and whether that is exact.
    var devices: (count: UInt64, isExact: Bool) {
        guard !registers.isEmpty else { return (UInt64(exact.count), true) }
        // Flajolet et al., "HyperLogLog" (2007), with linear counting while registers are empty.
        let count = Double(registers.count)
        let sum = registers.reduce(0.0) { $0 + 1 / Double(UInt64(1) << UInt64($1)) }
        let estimate = 0.7213 / (1 + 1.079 / count) * count * count / sum
        let empty = registers.count { $0 == 0 }
        guard estimate <= 2.5 * count, empty > 0 else { return (UInt64(estimate), false) }
        return (UInt64(count * logarithm(count / Double(empty))), false)
    }
}

extension DeviceCensus {
    private static func isSampled(_ line: UInt64) -> Bool { line <= firstLines || line % spacing == 0 }

    @inline(__always)
    private mutating func noteExactly(_ hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash & 0xff)
        if registers.isEmpty, known[slot] == hash, hash != 0 { return }
        addExactly(hash, at: slot)
    }

    @inline(never)
    private mutating func addExactly(_ hash: UInt64, at slot: Int) {
        guard registers.isEmpty else { return Self.note(hash, in: &registers) }
        known[slot] = hash
        exact.insert(hash)
        if exact.count > Self.exactDevices { makeRegisters() }
    }

    private mutating func makeRegisters() {
        guard registers.isEmpty else { return }
        registers = [UInt8](repeating: 0, count: 1 << Int(Self.registerBits))
        for hash in exact { Self.note(hash, in: &registers) }
        exact = []
    }

    @inline(__always)
    private static func note(_ hash: UInt64, in registers: inout [UInt8]) {
        let index = Int(truncatingIfNeeded: hash &>> (64 &- registerBits))
        let rank = UInt8(
            truncatingIfNeeded: (hash << registerBits | 1 << (registerBits - 1)).leadingZeroBitCount &+ 1)
        if registers[index] < rank { registers[index] = rank }
    }

    @inline(never)
    private mutating func noteGroup(
        _ device: UInt64, of record: NotificationRecord, in bytes: Span<UInt8>, groupHash: UInt64
    ) {
        guard record.grouping != .off else { return }
        let sampling = bytes[record.thread].stableHash(seed: bytes[record.app].stableHash(seed: 0))
        guard sampling <= bound else { return }
        note(device, in: Group(sampling: sampling, hash: groupHash))
        if groups.count >= 2 * Self.sampledGroups { cut() }
    }

    private mutating func note(_ device: UInt64, in group: Group) {
        guard group.sampling <= bound else { return }
        if let first = groups[group] {
            if first != device { shared.insert(group) }
        } else {
            groups[group] = device
        }
    }

    /// Forgets the groups with the largest hashes, where there are too many.
    private mutating func cut() {
        if groups.count > Self.sampledGroups {
            bound = groups.keys.map(\.sampling).sorted()[Self.sampledGroups - 1]
        }
        let bound = bound
        groups = groups.filter { $0.key.sampling <= bound }
        shared = shared.filter { $0.sampling <= bound }
    }
}

/// The natural logarithm of a number of 1 or more.
private func logarithm(_ number: Double) -> Double {
    // With y = (m - 1) / (m + 1) the logarithm of m is 2 (y + y³/3 + y⁵/5 + …); m is below 2.
    let y = (number.significand - 1) / (number.significand + 1)
    var (term, sum) = (y, 0.0)
    for index in 0..<20 {
        sum += term / Double(2 * index + 1)
        term *= y * y
    }
    return Double(number.exponent) * 0.693_147_180_559_945_3 + 2 * sum
}
