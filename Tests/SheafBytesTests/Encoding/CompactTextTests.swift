import TestSupport
import Testing

@testable import SheafBytes

/// Hexadecimal digits are packed into half the bytes, and every text is unpacked unchanged.
@Suite struct CompactTextTests {
    struct Case: NamedCase {
        let name: String
        let text: [UInt8]
        /// The size of the packed form in bytes.
        let count: Int

        init(_ name: String, _ text: String, packed count: Int) {
            self.init(name, [UInt8](text), packed: count)
        }

        init(_ name: String, _ text: [UInt8], packed count: Int) {
            self.name = name
            self.text = text
            self.count = count
        }
    }

    static let token = "92ff0077a44791d163039fdd6bfce056bf4d81e97742c6de5961168886ddf715"
    static let uuid = "FFEB04ED-9536-4905-8A0D-1C287AE26ECE"

    @Test(arguments: [
        Case("an empty text", "", packed: 0),
        Case("a byte", "a", packed: 2),
        Case("a zero byte", [0], packed: 2),
        Case("every byte", [UInt8](0...255), packed: 257),
        Case("two digits", "0f", packed: 2),
        Case("three digits", "0ff", packed: 4),
        Case("a digit and another letter", "0g", packed: 3),
        Case("just below the digits", "/0", packed: 3),
        Case("just above the digits", "0:", packed: 3),
        Case("just below the letters", "`0", packed: 3),
        Case("above ASCII", [0xe1, 0xb0], packed: 3),
        Case("uppercase digits", "FF", packed: 3),
        Case("a token", token, packed: 33),
        Case("a token in uppercase", token.uppercased(), packed: 65),
        Case("a token without its last digit", String(token.dropLast()), packed: 64),
        Case("a token whose last character is not a digit", token.dropLast() + "g", packed: 65),
        Case("a token whose first character is not a digit", "g" + token.dropFirst(), packed: 65),
        Case("a token in two cases", token.dropLast(2) + "1F", packed: 65),
        Case("36 digits", String(token.prefix(36)), packed: 19),
        Case("a UUID", uuid, packed: 17),
        Case("a UUID in lowercase", uuid.lowercased(), packed: 17),
        Case("a UUID without letters", "00000000-1111-2222-3333-444444444444", packed: 17),
        Case("a UUID in two cases", uuid.dropLast() + "e", packed: 37),
        Case("a UUID whose last character is not a digit", uuid.dropLast() + "G", packed: 37),
        Case("a UUID whose first character is not a digit", "G" + uuid.dropFirst(), packed: 37),
        Case("a UUID without its first dash", uuid.prefix(8) + "0" + uuid.dropFirst(9), packed: 37),
        Case("a UUID without its last dash", uuid.prefix(23) + "0" + uuid.dropFirst(24), packed: 37),
        Case("a UUID with a dash elsewhere", "FFEB04ED-953-64905-8A0D-1C287AE26ECE", packed: 37),
        Case("a UUID with one dash too many", uuid.dropLast() + "-", packed: 37),
        Case("a UUID without dashes", String(uuid.lowercased().filter { $0 != "-" }), packed: 17),
        Case("a UUID and another character", uuid + "0", packed: 38),
        Case("a UUID in braces", "{\(uuid)}", packed: 39),
        Case("dashes", String(repeating: "-", count: 36), packed: 37),
        Case("a million digits", String(repeating: "0f", count: 500_000), packed: 500_001),
        Case(
            "a million digits and one more", String(repeating: "0f", count: 500_000) + "0", packed: 1_000_002),
        Case(
            "a million digits and two other characters", String(repeating: "0f", count: 500_000) + "0g",
            packed: 1_000_003),
    ])
    func packedSizesMatch(_ form: Case) {
        #expect(packed(form.text).count == form.count)
        #expect(unpacked(packed(form.text)) == form.text)
    }

    @Test(arguments: ["", "a", "0f", "0g", token, uuid, uuid.lowercased()])
    func bytesBeforeTheOffsetStay(_ text: String) {
        let form = packed([UInt8](text))
        var target = [1, 2] + [UInt8](repeating: 0xff, count: text.utf8.count + CompactText.additionalBytes)
        var span = target.mutableSpan
        var end = 2
        CompactText.pack([UInt8](text).span, to: &span, at: &end)
        #expect([UInt8](target.prefix(end)) == [1, 2] + form)
        var back = [3] + [UInt8](repeating: 0xff, count: text.utf8.count)
        span = back.mutableSpan
        end = 1
        CompactText.unpack(form.span, to: &span, at: &end)
        #expect(back == [3] + [UInt8](text))
        #expect(end == back.count)
    }

    /// Random texts, and texts that are almost tokens or UUIDs, round-trip; no two have the same packed form.
    @Test(arguments: Seeds.several(2))
    func packingRoundTripsAndIsUnique(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var texts: [[UInt8]: [UInt8]] = [:]
        for round in 0..<3_000 {
            let text = Self.text(&random)
            let form = packed(text)
            #expect(form.count <= text.count + 1, "round \(round): \(text.shown)")
            #expect(unpacked(form) == text, "round \(round): \(text.shown)")
            #expect(texts[form] ?? text == text, "round \(round): \(text.shown)")
            texts[form] = text
        }
        #expect(texts.count > 1_000)
    }

    @Test(arguments: [uuid, uuid.lowercased(), "00000000-1111-2222-3333-444444444444"])
    func everyOtherByteInAUUIDIsFound(_ text: String) {
        let uuid = [UInt8](text)
        let digits = [[UInt8]("0123456789ABCDEF"), [UInt8]("0123456789abcdef")]
        for index in uuid.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = uuid
                changed[index] = byte
                let dashes = changed.indices.filter { changed[$0] == 0x2d }
                let isUUID =
                    dashes == [8, 13, 18, 23]
                    && digits.contains { digits in changed.allSatisfy { $0 == 0x2d || digits.contains($0) } }
                let form = packed(changed)
                #expect(form.count == (isUUID ? 17 : 37), "\(byte) at \(index)")
                #expect(unpacked(form) == changed, "\(byte) at \(index)")
            }
        }
    }

    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        let (lower, upper) = ([UInt8]("0123456789abcdef"), [UInt8]("0123456789ABCDEF"))
        let digits = random.pick([lower, upper, lower + upper, [UInt8]("0123456789")])
        var text: [UInt8]
        switch random.below(4) {
        case 0: return random.bytes(random.number(0...80))
        case 1: text = (0..<random.number(0...6)).map { _ in random.pick(digits) }
        case 2: text = (0..<random.pick([32, 36, 63, 64, 65])).map { _ in random.pick(digits) }
        default:
            text = (0..<36).map { _ in random.pick(digits) }
            for index in [8, 13, 18, 23] { text[index] = 0x2d }
        }
        // Change half of the texts slightly.
        guard !text.isEmpty, random.oneIn(2) else { return text }
        let index = random.below(text.count)
        switch random.below(4) {
        case 0: text.remove(at: index)
        case 1: text.insert(random.pick(digits + [0x2d]), at: index)
        case 2: text.swapAt(index, random.below(text.count))
        default: text[index] = random.pick([0x2d, 0x2f, 0x3a, 0x40, 0x47, 0x60, 0x67, 0x00, 0x80, 0xff])
        }
        return text
    }

    private func packed(_ text: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: text.count + CompactText.additionalBytes)
        var target = packed.mutableSpan
        var count = 0
        CompactText.pack(text.span, to: &target, at: &count)
        return [UInt8](packed.prefix(count))
    }

    private func unpacked(_ packed: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: CompactText.unpackedCount(packed.span))
        var target = text.mutableSpan
        var count = 0
        CompactText.unpack(packed.span, to: &target, at: &count)
        #expect(count == text.count)
        return text
    }
}
