import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Sorting by numeric prefixes gives the order of the texts themselves, in one shard and merged from several.
@Suite struct GroupSorterTests {
    /// The values that determine a group's position.
    struct Key: Equatable {
        static let recordsPerLine: UInt64 = 50

        var device: [UInt8] = []
        var app: [UInt8] = []
        var thread: [UInt8] = []
        /// The number of the record, whose line has `recordsPerLine` records.
        var line: UInt64 = 0
        var grouping = Grouping.automatic

        func precedes(_ other: Key, _ order: ReplayOptions.Order) -> Bool {
            if order == .key {
                for (mine, theirs) in [(device, other.device), (app, other.app), (thread, other.thread)]
                where mine != theirs {
                    return mine.lexicographicallyPrecedes(theirs)
                }
                if (grouping == .off) != (other.grouping == .off) { return other.grouping == .off }
            }
            return line > other.line
        }
    }

    /// Returns the keys in the order of a snapshot with `count` shards; if there are more than two, the first is empty.
    private func merged(
        _ keys: [Key], _ order: ReplayOptions.Order, byDevice: Bool, shards count: Int
    ) -> [Key] {
        var tables = (0..<count).map { _ in GroupTable(maximumArguments: 1) }
        for (index, key) in keys.enumerated() {
            var record = NotificationRecord()
            // Most records have the timestamp of others of their line: then only the index determines the order.
            record.order = OrderKey(
                timestamp: Int64(key.line / 40) - 5, source: 0, line: key.line / Key.recordsPerLine,
                index: UInt32(key.line % Key.recordsPerLine))
            record.grouping = key.grouping
            var bytes: [UInt8] = [0x3c]
            func put(_ text: [UInt8]) -> TextRange {
                bytes += text
                return TextRange((bytes.count - text.count)..<bytes.count)
            }
            if byDevice { record.device = put(key.device) }
            record.app = put(key.app)
            record.thread = put(key.thread)
            let shard = count > 2 ? 1 + index % (count - 1) : index % count
            tables[shard].add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
        }
        let shards = tables.map { SortedShard(SortedGroups($0, order: order, byDevice: byDevice)) }
        var merge = ShardMerge(shards)
        var result: [Key] = []
        while let group = merge.next() {
            let shard = shards[group.shard]
            let state = shard.groups.state(at: group.index)
            let store = shard.groups.store
            let order = state.leading.order
            let number = order.line * Key.recordsPerLine + UInt64(order.index)
            func bytes(_ text: Span<UInt8>) -> [UInt8] {
                var copy: [UInt8] = []
                copy.append(text)
                return copy
            }
            result.append(
                Key(
                    device: bytes(store.device(of: state)), app: bytes(store.app(of: state)),
                    thread: bytes(store.thread(of: state)), line: number,
                    grouping: keys[Int(number)].grouping))
        }
        return result
    }

    struct Case: NamedCase {
        let name: String
        let threads: [[UInt8]]
    }

    private static let sixteen = [UInt8](repeating: UInt8(ascii: "x"), count: 16)

    @Test(
        arguments: [
            Case(name: "no bytes and one byte", threads: [[], [0], [1], [0x61], [0x7f], [0x80], [0xff]]),
            Case(
                name: "prefixes", threads: (0...70).map { [UInt8](repeating: UInt8(ascii: "a"), count: $0) }),
            Case(name: "only NUL bytes", threads: (1...70).map { [UInt8](repeating: 0, count: $0) }),
            Case(
                name: "NUL bytes after 16 others",
                threads: (0...20).map { sixteen + [UInt8](repeating: 0, count: $0) }),
            Case(
                name: "different in the last byte",
                threads: [15, 16, 31, 32, 63, 64, 100].flatMap { count in
                    (UInt8(0x70)...0x90).map { [UInt8](repeating: UInt8(ascii: "a"), count: count) + [$0] }
                }),
            Case(
                name: "non-ASCII",
                threads: ["z", "é", "e\u{301}", "ж", "日本", "😀", "~"].map { Array($0.utf8) }),
        ], [false, true])
    func threadsAndDevicesAreSorted(_ item: Case, _ reversed: Bool) {
        var keys: [Key] = []
        for (line, thread) in (reversed ? item.threads.reversed() : item.threads).enumerated() {
            keys.append(Key(app: [0x61], thread: thread, line: UInt64(line)))
        }
        let expected = keys.sorted { $0.precedes($1, .key) }
        #expect(merged(keys, .key, byDevice: false, shards: 1) == expected)
        #expect(merged(keys, .key, byDevice: false, shards: 3) == expected)
        // The same texts as devices, each with several apps.
        let devices = keys.flatMap { key in
            (0..<20).map { Key(device: key.thread, app: [0x60 + $0], line: key.line * 20 + UInt64($0)) }
        }
        #expect(
            merged(devices, .key, byDevice: true, shards: 2) == devices.sorted { $0.precedes($1, .key) })
    }

    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        let bytes: [UInt8] = [0, 1, 0x61, 0x7f, 0x80, 0xff]
        let shared = [UInt8](
            repeating: UInt8(ascii: "a"), count: random.pick([0, 0, 7, 15, 16, 17, 32, 33, 63, 64, 80]))
        return shared + (0..<random.below(4)).map { _ in random.pick(bytes) }
    }

    @Test(arguments: [ReplayOptions.Order.key, .recent], Seeds.several(4))
    func theOrderMatchesAPlainComparison(_ order: ReplayOptions.Order, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for byDevice in [false, true] {
            let devices = byDevice ? (0..<3).map { _ in Self.text(&random) } : [[]]
            let apps = (0..<3).map { _ in Self.text(&random) + [UInt8(ascii: "a")] }
            var seen: Set<[[UInt8]]> = []
            var keys: [Key] = []
            for _ in 0..<600 {
                let key = Key(
                    device: random.pick(devices), app: random.pick(apps), thread: Self.text(&random),
                    line: UInt64(keys.count), grouping: random.chance(30) ? .off : .automatic)
                // A second notification in a group would change its leading one, which is not tested here.
                if key.grouping == .off || seen.insert([key.device, key.app, key.thread]).inserted {
                    keys.append(key)
                }
            }
            let expected = keys.sorted { $0.precedes($1, order) }
            for shards in [1, 2, 5] {
                #expect(merged(keys, order, byDevice: byDevice, shards: shards) == expected)
            }
        }
    }

    /// The states of a group over time follow each other from the oldest to the newest, whatever its key begins with.
    @Test(arguments: Seeds.several(4)) func statesOfAGroupFollowEachOther(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for byDevice in [false, true] {
            let timeline = Timeline(step: 10)
            var table = GroupTable(maximumArguments: 1, timeline: timeline)
            let threads = (0..<40).map { _ in Self.text(&random) }
            var expected: [(key: [[UInt8]], isAlone: Bool, time: Int64, line: UInt64)] = []
            for line in 0..<600 as Range<UInt64> {
                var bytes: [UInt8] = []
                func put(_ text: [UInt8]) -> TextRange {
                    bytes += text
                    return TextRange((bytes.count - text.count)..<bytes.count)
                }
                var record = NotificationRecord()
                let device: [UInt8] = byDevice ? random.pick(threads) : []
                let (app, thread): ([UInt8], [UInt8]) = ([random.pick([0x61, 0x62])], random.pick(threads))
                (record.device, record.app, record.thread) = (put(device), put(app), put(thread))
                let time = Int64(random.below(5)) * 10
                record.order = OrderKey(timestamp: time, source: 0, line: line)
                record.grouping = random.chance(10) ? .off : .automatic
                table.add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
                let (key, isAlone) = ([device, app, thread], record.grouping == .off)
                if !isAlone {
                    expected.removeAll { !$0.isAlone && $0.key == key && $0.time == time }
                }
                expected.append((key, isAlone, time, line))
            }
            expected.sort { a, b in
                if a.key != b.key {
                    return a.key.lexicographicallyPrecedes(b.key) { $0.lexicographicallyPrecedes($1) }
                }
                if a.isAlone != b.isAlone { return b.isAlone }
                if a.time != b.time { return a.isAlone ? b.time < a.time : a.time < b.time }
                return a.isAlone ? b.line < a.line : a.line < b.line
            }
            let sorted = SortedGroups(table, order: .key, byDevice: byDevice, ties: .byGroup)
            #expect(sorted.indices.map { table.states[Int($0)].leading.order.line } == expected.map(\.line))
            for index in 1..<sorted.count {
                let (a, b) = (expected[index - 1], expected[index])
                let areSame = a.key == b.key && !a.isAlone && !b.isAlone
                #expect(sorted.isSameGroup(index - 1, index) == areSame)
            }
        }
    }
}
