import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Counts of devices, and detection of groups that several devices share, compared with sets.
@Suite struct DeviceCensusTests {
    private struct Push {
        var device: String
        var app = "com.example.a"
        var thread = ""
        var line: UInt64 = 1
        var index: UInt32 = 0
        var grouping = Grouping.automatic
        var isReplaceable = false
    }

    private func note(_ push: Push, in census: inout DeviceCensus) {
        var text = NotificationText()
        (text.device, text.app, text.thread, text.grouping) = (
            push.device, push.app, push.thread, push.grouping
        )
        text.order = OrderKey(timestamp: 0, source: 0, line: push.line, index: push.index)
        let (record, bytes) = text.encoded()
        var grouped = record
        grouped.device = .none
        guard !record.device.isEmpty else { return }
        census.record(record.device, in: bytes.span)
        guard !push.isReplaceable else { return }
        census.recordGroup(
            record.device, of: grouped, in: bytes.span, groupHash: Routing.groupHash(grouped, in: bytes.span))
    }

    private func census(_ pushes: [Push]) -> DeviceCensus {
        var census = DeviceCensus()
        for push in pushes { note(push, in: &census) }
        return census
    }

    @Test(
        arguments: [
            ("nothing", [], false, 0),
            ("no device", ["", ""], false, 0),
            ("one device", ["d"], false, 1),
            ("one device twice", ["d", "d"], false, 1),
            ("a device and none", ["d", ""], false, 1),
            ("two devices", ["d", "e"], true, 2),
            (
                "long tokens that differ at the end",
                [String(repeating: "a", count: 63) + "b", String(repeating: "a", count: 64)], true, 2
            ),
            (
                "long tokens that differ at the start",
                ["b" + String(repeating: "a", count: 63), String(repeating: "a", count: 64)], true, 2
            ),
            (
                "a token and a longer one",
                [String(repeating: "a", count: 64), String(repeating: "a", count: 65)], true, 2
            ),
        ] as [(String, [String], Bool, UInt64)])
    func devicesInOneGroup(_ name: String, _ devices: [String], _ isShared: Bool, _ count: UInt64) {
        let census = census(devices.map { Push(device: $0) })
        #expect(census.hasSharedGroups == isShared)
        #expect(census.devices == (count, true))
    }

    @Test func groupsOfOneDeviceAreNotShared() {
        #expect(!census((0..<5).map { Push(device: "d\($0)", app: "com.example.\($0)") }).hasSharedGroups)
        #expect(
            !census((0..<5000).map { Push(device: "d\($0)", thread: "t\($0)", line: $0) }).hasSharedGroups)
        #expect(!census((0..<5).map { Push(device: "d\($0)", grouping: .off) }).hasSharedGroups)
        #expect(!census((0..<5).map { Push(device: "d\($0)", isReplaceable: true) }).hasSharedGroups)
    }

    /// Threads whose sampling hashes collide are still separate groups.
    @Test func craftedThreadsAreNotShared() {
        let app = Array("com.example.a".utf8)
        let seed = CraftedCollisions.hash(app, seed: 0)
        var census = DeviceCensus()
        for (number, thread) in CraftedCollisions.texts(50, seed: seed).enumerated() {
            let bytes = app + thread + Array("device \(number)".utf8)
            var record = NotificationRecord()
            record.app = TextRange(0..<app.count)
            record.thread = TextRange(app.count..<(app.count + thread.count))
            let device = TextRange((app.count + thread.count)..<bytes.count)
            census.record(device, in: bytes.span)
            census.recordGroup(
                device, of: record, in: bytes.span, groupHash: Routing.groupHash(record, in: bytes.span))
        }
        #expect(!census.hasSharedGroups)
    }

    /// Of a line with very many records, few are in the sample, but a group that all of them share is found.
    @Test func theRecordsOfALineAreSampledLikeLines() {
        let sampled = (0..<64_000).count { index in
            DeviceCensus.isSampled(OrderKey(timestamp: 0, source: 0, line: 5_000, index: UInt32(index)))
        }
        #expect(sampled == 1_000)
        #expect(
            (0..<1_000).allSatisfy {
                DeviceCensus.isSampled(OrderKey(timestamp: 0, source: 0, line: 1, index: UInt32($0)))
            })
        #expect(census((0..<2_000).map { Push(device: "\($0)", line: 9_000, index: $0) }).hasSharedGroups)
    }

    @Test(arguments: [1, 2, 100, 255, 256, 257, 511, 512, 513, 10_000, 100_000])
    func countsAreExactOrWithinTheErrorBound(_ count: Int) {
        let (found, isExact) = census((0..<count).map { Push(device: "device-\($0)", line: UInt64($0 + 1)) })
            .devices
        #expect(isExact == (count <= 256))
        // Four standard deviations with 256 hashes.
        let error = isExact ? 0 : 4.0 / 16 * Double(count)
        #expect(abs(Double(found) - Double(count)) <= error, "\(found)")
    }

    /// The sum is the same however the notifications are distributed over censuses, and in any order.
    @Test(arguments: Seeds.several(6))
    func sumsDoNotDependOnTheSplit(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let devices = random.pick([2, 250, 300, 3_000])
        let groups = random.pick([3, 1_000, 4_000])
        // With many groups, few are shared.
        var pushes = (0..<6_000).map { line in
            let group = random.below(groups)
            let device = random.chance(1) ? random.below(devices) : group % devices
            return Push(device: "d\(device)", thread: "t\(group)", line: UInt64(line))
        }
        let whole = census(pushes)
        for parts in [1, 2, 5] {
            pushes.shuffle(using: &random)
            var censuses = [DeviceCensus](repeating: DeviceCensus(), count: parts)
            for push in pushes { note(push, in: &censuses[random.below(parts)]) }
            var sum = DeviceCensus()
            for census in censuses.shuffled(using: &random) { sum.add(census) }
            #expect(sum.hasSharedGroups == whole.hasSharedGroups)
            #expect(sum.devices == whole.devices)
        }
    }
}
