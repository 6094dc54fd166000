import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Returns whether the bytes are the encoding of a group.
private func isEncoding(_ bytes: [UInt8], sourceOffset: Int = 0) -> Bool {
    EncodedGroup(bytes.span, sourceOffset: sourceOffset) != nil
}

/// Encoded group states: each state has one encoding, which preserves the laws of specification §9.
@Suite struct GroupEncodingTests {
    @Test(arguments: GroupShape.all, Seeds.several(3))
    func encodedStatesRoundTrip(_ shape: GroupShape, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let notifications = shape.random(&random)
        let group = StoredGroup(notifications, maximumArguments: shape.limit)
        let bytes = group.encoded()
        let decoded = try #require(StoredGroup(bytes, maximumArguments: shape.limit))
        #expect(decoded.observed == ObservedGroup(notifications, maximumArguments: shape.limit))
        #expect(decoded.encoded() == bytes)
    }

    /// The encoding depends neither on how a store arrived at a state nor on its other content.
    @Test(arguments: GroupShape.all, Seeds.several(3))
    func eachStateHasOneEncoding(_ shape: GroupShape, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let notifications = shape.random(&random)
        let expected = StoredGroup(notifications, maximumArguments: shape.limit).encoded()
        for _ in 0..<3 {
            let other = StoredGroup(
                GroupShape.all[3].random(&random).shuffled(using: &random), maximumArguments: shape.limit)
            let group = StoredGroup(
                notifications.shuffled(using: &random), maximumArguments: shape.limit, into: other.store)
            #expect(group.encoded() == expected)
        }
    }

    @Test(arguments: GroupShape.all, Seeds.several(4))
    func mergedPartsEqualTheWhole(_ shape: GroupShape, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let notifications = shape.random(&random)
        let whole = StoredGroup(notifications, maximumArguments: shape.limit)
        var split = [[NotificationText]](repeating: [], count: 1 + random.below(7))
        for notification in notifications.shuffled(using: &random) {
            split[random.below(split.count)].append(notification)
        }
        let parts = split.filter { !$0.isEmpty }.map {
            StoredGroup($0, maximumArguments: shape.limit).encoded()
        }
        // One after the other.
        let shuffled = parts.shuffled(using: &random)
        var merged = try #require(StoredGroup(shuffled[0], maximumArguments: shape.limit))
        for part in shuffled.dropFirst() {
            let isMerged = merged.merge(part)
            #expect(isMerged)
        }
        #expect(merged.encoded() == whole.encoded())
        #expect(merged.observed == ObservedGroup(notifications, maximumArguments: shape.limit))
        // As a tree.
        var trees = parts
        while trees.count > 1 {
            trees.shuffle(using: &random)
            var one = try #require(StoredGroup(trees.removeLast(), maximumArguments: shape.limit))
            let isMerged = one.merge(trees.removeLast())
            #expect(isMerged)
            trees.append(one.encoded())
        }
        #expect(trees[0] == whole.encoded())
    }

    /// Source ordinals are shifted when state is appended to that of other sources.
    @Test(arguments: GroupShape.all, [0, 1, 127, OrderKey.maximumSources - 70_001])
    func sourcesAreRenumbered(_ shape: GroupShape, _ offset: Int) throws {
        var random = SeededGenerator(seed: 5)
        let notifications = shape.random(&random)
        let bytes = StoredGroup(notifications, maximumArguments: shape.limit).encoded()
        let later = notifications.map { notification in
            var notification = notification
            let order = notification.order
            notification.order = OrderKey(
                timestamp: order.timestamp, source: order.source + offset, line: order.line,
                index: order.index)
            return notification
        }
        let expected = StoredGroup(later, maximumArguments: shape.limit).encoded()
        let moved = try #require(
            StoredGroup(bytes, maximumArguments: shape.limit, sourceOffset: offset))
        #expect(moved.encoded() == expected)
        // Merge a renumbered half into the other.
        guard notifications.count > 1 else { return }
        let half = notifications.count / 2
        var merged = StoredGroup(Array(later[..<half]), maximumArguments: shape.limit)
        let rest = StoredGroup(Array(notifications[half...]), maximumArguments: shape.limit).encoded()
        let isMerged = merged.merge(rest, sourceOffset: offset)
        #expect(isMerged)
        #expect(merged.encoded() == expected)
    }

    /// An encoding is invalid if the offset would move any of its order keys past the last source.
    @Test func sourcesPastTheLastOneAreInvalid() {
        for index in 0..<3 {
            var notifications = (0..<3).map { index in
                var notification = NotificationText()
                notification.argument = "a\(index)"
                notification.order = OrderKey(timestamp: Int64(index), source: 3, line: 1)
                return notification
            }
            notifications[index].order = OrderKey(timestamp: Int64(index), source: 7, line: 1)
            let bytes = StoredGroup(notifications, maximumArguments: 2).encoded()
            let maximum = OrderKey.maximumSources - 8
            #expect(isEncoding(bytes, sourceOffset: maximum))
            #expect(!isEncoding(bytes, sourceOffset: maximum + 1), "index \(index)")
        }
    }

    @Test func encodingMarksGroupsThatAreAlone() {
        var notification = NotificationText()
        notification.thread = "t"
        var encodings: [[UInt8]] = []
        for grouping in Grouping.allCases {
            notification.grouping = grouping
            var group = StoredGroup([notification], maximumArguments: 1)
            let bytes = group.encoded()
            #expect(EncodedGroup(bytes.span)?.isAlone == (grouping == .off))
            #expect(StoredGroup(bytes, maximumArguments: 1)?.encoded() == bytes)
            // Copies keep it.
            let copy = group.store.duplicate(group.state)
            group.state = copy
            #expect(group.encoded() == bytes)
            var other = group
            other.state = other.store.copy(group.state, of: group.store)
            #expect(other.encoded() == bytes)
            encodings.append(Array(bytes.dropFirst()))
        }
        #expect(encodings.allSatisfy { $0 == encodings[0] })
    }

    /// The bytes of one state, so that the format does not change unnoticed.
    @Test func encodingIsStable() {
        func notification(_ time: Int64, _ category: String, _ argument: String) -> NotificationText {
            var notification = NotificationText()
            notification.app = "a"
            notification.thread = "th"
            notification.identifier = "i"
            notification.title = "T"
            notification.body = "B"
            notification.category = category
            notification.argument = argument
            notification.weight = 2
            notification.order = OrderKey(timestamp: time, source: 1, line: UInt64(time + 3))
            return notification
        }
        let group = StoredGroup(
            [
                notification(-2, "b", "x"), notification(-1, "", "y"), notification(0, "b", ""),
                notification(200, "c", "z"),
            ],
            maximumArguments: 1)
        let order: (UInt8, UInt8) -> [UInt8] = { [$0, 1, $1] }
        var expected: [UInt8] = [2, 0, 1, 0x61, 2, 0x74, 0x68]
        expected += [0x90, 3, 1, 0xcb, 1, 2, 1, 0x63, 1, 0x69, 1, 0x54, 0, 1, 0x42, 1, 0x7a]
        expected += [0xca, 1]
        expected += [2, 0, 1, 2, 0] + order(1, 2) + [1, 0x62, 2, 4, 1] + order(0, 3)
        expected += [1] + order(1, 2) + [1, 0x79]
        #expect(group.encoded() == expected)
    }
}

/// Invalid and damaged encodings are detected and never trusted.
@Suite struct DamagedEncodingTests {
    /// A state written piece by piece, so that a test can change each piece.
    struct Pieces {
        struct Tally {
            var category = ""
            var count: UInt64 = 1
            var weight: UInt64 = 1
            var withoutArgument: UInt64 = 1
            var time: Int64 = 0
        }

        /// Marks the tally of all other categories, which has no name.
        static let noCategory = "none"

        /// The maximum number of tallies, with numbers for names.
        static let maximumTallies = (1_000..<2_024).map { Tally(category: "\($0)", withoutArgument: 0) }

        var flags: UInt64 = 0
        var app = "app"
        var time: Int64 = 10
        var source: UInt64 = 0
        var line: UInt64 = 1
        var weight: UInt64 = 1
        var age: UInt64 = 10
        var tallies = [Tally(withoutArgument: 0)]
        var tallyCount: UInt64?
        var others: Tally?
        var arguments: [(time: Int64, text: String)] = [(0, "x")]
        var argumentCount: UInt64?
        var rest: [UInt8] = []

        var bytes: [UInt8] {
            var output = OutputBuffer()
            func text(_ text: String) { output.appendText(Array(text.utf8).span) }
            func order(_ time: Int64, _ source: UInt64, _ line: UInt64) {
                output.appendSignedNumber(time)
                output.appendNumber(source)
                output.appendNumber(line)
            }
            output.appendNumber(flags)
            for key in ["", app, ""] { text(key) }
            order(time, source, line)
            output.appendNumber(weight)
            for _ in 0..<6 { text("") }
            output.appendNumber(age)
            output.appendNumber(tallyCount ?? UInt64(tallies.count))
            for tally in tallies + (others.map { [$0] } ?? []) {
                if tally.category != Self.noCategory { text(tally.category) }
                for number in [tally.count, tally.weight, tally.withoutArgument] {
                    output.appendNumber(number)
                }
                order(tally.time, 0, 1)
            }
            output.appendNumber(argumentCount ?? UInt64(arguments.count))
            for argument in arguments {
                order(argument.time, 0, 1)
                text(argument.text)
            }
            var bytes: [UInt8] = []
            bytes.append(output.bytes)
            return bytes + rest
        }
    }

    struct Case: NamedCase {
        let name: String
        let change: @Sendable (inout Pieces) -> Void
    }

    static let bad = [
        Case(name: "an unknown flag") { $0.flags = 8 },
        Case(name: "no app") { $0.app = "" },
        Case(name: "a source out of range") { $0.source = UInt64(OrderKey.maximumSources) },
        Case(name: "an index out of range") { $0.line = UInt64(OrderKey.maximumRecords) << 40 | 1 },
        Case(name: "the largest number as a line") { $0.line = .max },
        Case(name: "a weight of 33 bits") { $0.weight = 1 << 32 },
        Case(name: "an age before the earliest time") { $0.age = 1 << 63 + 11 },
        Case(name: "fewer tallies than declared") { $0.tallyCount = 2 },
        Case(name: "more tallies than declared") { $0.tallyCount = 0 },
        Case(name: "the largest number of tallies") { $0.tallyCount = .max },
        Case(name: "fewer arguments than declared") { $0.argumentCount = 2 },
        Case(name: "more arguments than declared") { $0.argumentCount = 0 },
        Case(name: "trailing bytes") { $0.rest = [0] },
        Case(name: "a count above the maximum") { $0.tallies[0].count = 1 << 56 + 1 },
        Case(name: "counts whose sum overflows") {
            $0.tallies = (100..<400).map { Pieces.Tally(category: "\($0)", count: 1 << 56) }
        },
        Case(name: "a weight above the maximum") { $0.tallies[0].weight = 1 << 56 + 1 },
        Case(name: "other categories, although tallies are free") {
            $0.flags = 4
            $0.others = Pieces.Tally(category: Pieces.noCategory)
        },
        Case(name: "other categories after too many tallies") {
            $0.flags = 4
            $0.tallies = Pieces.maximumTallies + [Pieces.Tally(category: "3000")]
            $0.others = Pieces.Tally(category: Pieces.noCategory)
        },
        Case(name: "missing other categories") {
            $0.flags = 4
            $0.tallies = Pieces.maximumTallies
        },
        Case(name: "other categories without their flag") {
            $0.tallies = Pieces.maximumTallies
            $0.others = Pieces.Tally(category: Pieces.noCategory)
        },
        Case(name: "other categories with a count of 0") {
            $0.flags = 4
            $0.tallies = Pieces.maximumTallies
            $0.others = Pieces.Tally(category: Pieces.noCategory, count: 0, withoutArgument: 0)
        },
        Case(name: "other categories that are newer than the leading notification") {
            $0.flags = 4
            $0.tallies = Pieces.maximumTallies
            $0.others = Pieces.Tally(category: Pieces.noCategory, time: 11)
        },
        Case(name: "a tally with a count of 0") { $0.tallies[0].count = 0 },
        Case(name: "more notifications without an argument than notifications") {
            $0.tallies[0].withoutArgument = 2
        },
        Case(name: "a tally that is newer than the leading notification") { $0.tallies[0].time = 11 },
        Case(name: "a duplicate category") { $0.tallies += $0.tallies },
        Case(name: "categories out of order") {
            $0.tallies = [Pieces.Tally(category: "b"), Pieces.Tally(category: "a")]
        },
        Case(name: "an empty argument") { $0.arguments[0].text = "" },
        Case(name: "an argument that is newer than the leading notification") { $0.arguments[0].time = 11 },
        Case(name: "arguments out of order") { $0.arguments = [(0, "x"), (1, "y")] },
        Case(name: "two arguments of one notification") { $0.arguments = [(0, "x"), (0, "y")] },
        Case(name: "arguments without a rest") {
            $0.tallies = []
            $0.age = 0
        },
        Case(name: "an age without a rest") {
            $0.tallies = []
            $0.arguments = []
        },
        Case(name: "truncated arguments without a rest") {
            $0 = Pieces(flags: 2, age: 0, tallies: [], arguments: [])
        },
        Case(name: "a rest in a group that is alone") { $0.flags = 1 },
    ]

    static let good = [
        Case(name: "unchanged") { _ in },
        Case(name: "truncated arguments") { $0.flags = 2 },
        Case(name: "alone") { $0 = Pieces(flags: 1, age: 0, tallies: [], arguments: []) },
        Case(name: "the largest sums") {
            $0.tallies[0].count = 1 << 56
            $0.tallies[0].weight = 1 << 56
        },
        Case(name: "the largest total of weights") {
            $0.tallies = (100..<400).map {
                Pieces.Tally(category: "\($0)", weight: 1 << 56, withoutArgument: 0)
            }
        },
        Case(name: "the maximum number of tallies") { $0.tallies = Pieces.maximumTallies },
        Case(name: "other categories") {
            $0.flags = 4
            $0.tallies = Pieces.maximumTallies
            $0.others = Pieces.Tally(category: Pieces.noCategory, count: 5, weight: 1 << 56)
        },
        Case(name: "the greatest age") { $0.age = 1 << 63 + 10 },
        Case(name: "the greatest time difference") {
            $0.time = .max
            $0.age = .max
        },
        Case(name: "two categories and arguments") {
            $0.tallies = [Pieces.Tally(), Pieces.Tally(category: "a", withoutArgument: 0)]
            $0.arguments = [(1, "y"), (0, "x")]
        },
    ]

    @Test(arguments: bad)
    func invalidBytesAreRejected(_ item: Case) {
        var pieces = Pieces()
        item.change(&pieces)
        #expect(!isEncoding(pieces.bytes))
    }

    @Test(arguments: good)
    func validBytesRoundTrip(_ item: Case) throws {
        var pieces = Pieces()
        item.change(&pieces)
        let group = try #require(StoredGroup(pieces.bytes, maximumArguments: 16))
        #expect(group.encoded() == pieces.bytes)
    }

    /// Files of older versions have tallies of all categories; they are accepted and written in today's form.
    @Test func excessTalliesAreCombined() throws {
        var old = Pieces()
        old.tallies =
            Pieces.maximumTallies + [
                Pieces.Tally(category: "3000", count: 2, weight: 3, withoutArgument: 1, time: -4),
                Pieces.Tally(category: "4000", count: 5, weight: 7, withoutArgument: 2, time: -2),
            ]
        var new = Pieces(flags: 4)
        new.tallies = Pieces.maximumTallies
        new.others = Pieces.Tally(
            category: Pieces.noCategory, count: 7, weight: 10, withoutArgument: 3, time: -2)
        let bytes = old.bytes
        let (group, canonical) = (EncodedGroup(bytes.span), EncodedGroup(new.bytes.span))
        #expect(group?.isCanonical == false)
        #expect(canonical?.isCanonical == true)
        #expect(group?.notificationCount == canonical?.notificationCount)
        #expect(try #require(StoredGroup(bytes, maximumArguments: 16)).encoded() == new.bytes)
    }

    @Test func everyTruncationIsRejected() {
        var random = SeededGenerator(seed: 3)
        for shape in GroupShape.all.dropLast(2) {
            let bytes = StoredGroup(shape.random(&random), maximumArguments: shape.limit).encoded()
            for count in bytes.indices {
                let part = Array(bytes[..<count])
                if isEncoding(part) { Issue.record("\(shape.name): \(count) bytes are accepted") }
            }
        }
    }

    /// Changed bytes are either rejected or the encoding of another state, which can be merged and encoded again.
    @Test(arguments: GroupShape.all.dropLast(2), Seeds.several(3))
    func changedBytesNeverTrap(_ shape: GroupShape, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = StoredGroup(shape.random(&random), maximumArguments: shape.limit).encoded()
        var accepted = 0
        for _ in 0..<120 {
            let changed = Self.changed(bytes, &random)
            let offset = random.pick([0, 0, 1, 1 << 23])
            guard var group = StoredGroup(changed, maximumArguments: shape.limit, sourceOffset: offset) else {
                continue
            }
            accepted += 1
            _ = group.observed
            let again = group.encoded()
            let decoded = try #require(StoredGroup(again, maximumArguments: shape.limit))
            #expect(decoded.encoded() == again)
            let isMerged = group.merge(bytes)
            #expect(isMerged)
        }
        #expect(accepted > 0)
    }

    @Test(arguments: Seeds.several(3))
    func changedNotificationsNeverTrap(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var notification = GroupShape.all[0].random(&random)[0]
        notification.collapseIdentifier = "c"
        let bytes = notification.asBytes()
        for _ in 0..<1_500 {
            let changed = Self.changed(bytes, &random)
            guard let record = NotificationRecord(encoded: changed.span) else { continue }
            var output = OutputBuffer()
            record.encode(in: changed.span, to: &output)
            var again: [UInt8] = []
            again.append(output.bytes)
            #expect(again == changed)
        }
    }

    /// Changes, removes, inserts or copies one to three bytes.
    private static func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var changed = bytes
        for _ in 0...random.below(3) {
            let offset = random.below(changed.count)
            switch random.below(6) {
            case 0: changed[offset] ^= 1 << UInt8(random.below(8))
            case 1: changed[offset] = random.pick([0, 1, 0x7f, 0x80, 0xff])
            case 2: changed[offset] = UInt8(random.below(256))
            case 3: if changed.count > 1 { changed.remove(at: offset) }
            case 4: changed.insert(UInt8(random.below(256)), at: offset)
            default: changed[offset] = changed[random.below(changed.count)]
            }
        }
        return changed
    }
}
