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
        let packed = arena.bytes(of: block)
        return NotificationText(packing.unpack(packed), in: packed)
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
            let packed = arena.bytes(of: block)
            let unpacked = NotificationText(PackedTexts.group.unpack(packed), in: packed)
            for text in texts {
                #expect(unpacked[keyPath: text] == notification[keyPath: text], "round \(round)")
            }
        }
    }
}
