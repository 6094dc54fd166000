import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Texts packed into one block, each after its length in one to three bytes.
@Suite struct PackedTextsTests {
    static let lengths = [0, 1, 127, 128, 16_383, 16_384]

    private func roundTrip(_ notification: NotificationText, _ packing: PackedTexts) -> NotificationText {
        var arena = ByteArena()
        var block = ByteArena.Block.none
        let (record, bytes) = notification.encoded()
        packing.pack(record, in: bytes.span, to: &block, of: &arena)
        return Self.text(packing, arena.bytes(of: block))
    }

    /// Reads packed texts. Groups keep the identifier as a `CompactText`.
    private static func text(_ packing: PackedTexts, _ packed: Span<UInt8>) -> NotificationText {
        let record = packing.unpack(packed)
        var text = NotificationText(record, in: packed)
        if packing == .group { text.identifier = CompactText.string(packed[record.identifier]) }
        return text
    }

    @Test(arguments: lengths, lengths)
    func everyLengthRoundTrips(_ first: Int, _ second: Int) {
        var notification = NotificationText()
        notification.device = String(repeating: "d", count: first)
        notification.thread = String(repeating: "t", count: second)
        let key = roundTrip(notification, .group)
        #expect(key.device == notification.device)
        #expect(key.thread == notification.thread)
        notification.identifier = "id"
        notification.body = notification.thread
        let whole = roundTrip(notification, .whole)
        #expect(whole == notification)
    }

    @Test func groupPackingKeepsOnlyItsTexts() {
        var notification = NotificationText()
        for (text, _) in NotificationText.texts { notification[keyPath: text] = "text" }
        let leading = roundTrip(notification, .group)
        let kept: [NotificationText.TextPath] = [
            \.device, \.thread, \.identifier, \.title, \.subtitle, \.body, \.argument,
        ]
        for (text, _) in NotificationText.texts {
            #expect(leading[keyPath: text] == (kept.contains(text) ? "text" : ""))
        }
    }

    @Test(arguments: Seeds.several(2))
    func blockCanBeReused(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var arena = ByteArena()
        var block = ByteArena.Block.none
        for _ in 0..<200 {
            var notification = NotificationText()
            for (text, _) in NotificationText.texts where random.chance(40) {
                let length = random.pick([1, 3, 60, 127, 128, 700])
                notification[keyPath: text] = String(repeating: random.pick(["x", "y"]), count: length)
            }
            let (record, bytes) = notification.encoded()
            PackedTexts.whole.pack(record, in: bytes.span, to: &block, of: &arena)
            let packed = arena.bytes(of: block)
            #expect(NotificationText(PackedTexts.whole.unpack(packed), in: packed) == notification)
        }
    }

    /// The lengths of a group's texts are read and written together if each takes one byte.
    @Test(arguments: Seeds.several(2))
    func groupBlockCanBeReused(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var arena = ByteArena()
        var block = ByteArena.Block.none
        let texts: [NotificationText.TextPath] = [
            \.device, \.thread, \.identifier, \.title, \.subtitle, \.body, \.argument,
        ]
        for round in 0..<300 {
            var notification = NotificationText()
            notification.app = ""
            let lengths = round % 3 == 0 ? [1, 127, 128, 700] : [1, 3, 60, 127]
            for text in texts where random.chance(40) {
                notification[keyPath: text] = String(repeating: "x", count: random.pick(lengths))
            }
            let (record, bytes) = notification.encoded()
            PackedTexts.group.pack(record, in: bytes.span, to: &block, of: &arena)
            let unpacked = Self.text(.group, arena.bytes(of: block))
            for text in texts {
                #expect(unpacked[keyPath: text] == notification[keyPath: text], "round \(round)")
            }
        }
    }

    struct Identifier: NamedCase {
        let name: String
        let text: String
        /// The size of the block without its first byte, in bytes: the identifier in its compact form, the body and seven
        /// lengths, rounded up.
        let capacity: Int
    }

    private static let uuid = "FFEB04ED-9536-4905-8A0D-1C287AE26ECE"

    static let identifiers = [
        Identifier(name: "none", text: "", capacity: 15),
        Identifier(name: "a word", text: "id", capacity: 15),
        Identifier(name: "a UUID", text: uuid, capacity: 31),
        Identifier(name: "a UUID in lowercase", text: uuid.lowercased(), capacity: 31),
        Identifier(name: "a UUID in two cases", text: uuid.dropLast() + "e", capacity: 63),
        Identifier(name: "of the length of a UUID", text: uuid.dropLast() + "g", capacity: 63),
        Identifier(
            name: "126 characters", text: String(repeating: "x", count: 126), capacity: 143),
        Identifier(
            name: "127 characters", text: String(repeating: "x", count: 127), capacity: 143),
    ]

    @Test(arguments: identifiers, identifiers)
    func identifiersOfGroupsAreCompact(_ first: Identifier, _ second: Identifier) {
        var arena = ByteArena()
        var block = ByteArena.Block.none
        for identifier in [first, second, first] {
            var notification = NotificationText()
            notification.app = ""
            (notification.identifier, notification.body) = (identifier.text, "body")
            let (record, bytes) = notification.encoded()
            PackedTexts.group.pack(record, in: bytes.span, to: &block, of: &arena)
            #expect(Self.text(.group, arena.bytes(of: block)) == notification)
            var other = ByteArena()
            var copy = ByteArena.Block.none
            let packed = arena.bytes(of: block)
            PackedTexts.group.pack(
                PackedTexts.group.unpack(packed), in: packed, isUnpacked: true, to: &copy, of: &other)
            #expect(Self.text(.group, other.bytes(of: copy)) == notification)
            #expect(other.capacity(of: copy) == identifier.capacity)
        }
    }
}
