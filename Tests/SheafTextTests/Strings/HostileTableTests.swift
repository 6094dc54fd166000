import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Reading arbitrary bytes always ends with a table or an error, and so does formatting the texts in the table.
@Suite struct HostileTableTests {
    static let files = [
        StringTableFile(path: "Localizable.strings", kind: .strings(language: "en")),
        StringTableFile(path: "Localizable.stringsdict", kind: .pluralRules(language: "en")),
        StringTableFile(path: "Localizable.xcstrings", kind: .catalog),
    ]

    static let old = """
        /* c */ "A" = "%#@b@ \\U00e9\\UD83D\\UDE00 \\351 %2$@"; // d
        B = { NSStringLocalizedFormatKey = "%1$#@b@ of %@"; b = { one = "%arg"; other = "%u %#@b@"; }; };
        'C'; D = ( e, <0a 0b> );
        """
    static let xml = xmlPropertyList(
        """
        <dict><!-- c --><key>A</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@b@ &#233; &lt;</string>
        <key>b</key><dict><key>one</key><string>%u</string><key>other</key><string><![CDATA[%d <x>]]></string></dict>
        </dict><key>n</key><integer>-1</integer><key>d</key><data>AAEC</data><key>t</key><true/>
        <key>r</key><real>1.5</real><key>a</key><array><string>x</string></array></dict>
        """)
    static let catalog = """
        {"sourceLanguage": "en", "strings": {"A %d": {}, "B": {"localizations": {"en": {"stringUnit":
        {"state": "new", "value": "%#@p@ %2$@ \\ud83d\\ude00"}, "substitutions": {"p": {"argNum": 1, "variations":
        {"plural": {"one": {"stringUnit": {"value": "%arg"}}}}}}}, "ru": {"variations": {"device": {"iphone":
        {"variations": {"plural": {"few": {"stringUnit": {"value": "%lld"}}}}}}}}}}}}
        """

    @Test(arguments: Seeds.several(40))
    func mutatedFilesAreSafeToRead(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let binary = try binaryPropertyList([
            "A": [
                "NSStringLocalizedFormatKey": "%#@b@ é😀", "b": ["one": "%u", "other": ["x", 1, 2.5, true]],
            ],
            "B": "text", "C": Data([1, 2, 3]), "D": Date(timeIntervalSince1970: 0),
        ])
        let originals = [Self.old, Self.xml, Self.catalog].flatMap { text in
            TextEncoding.allCases.map { $0.bytes(of: text) }
        }
        for _ in 0..<50 {
            var bytes = generator.chance(40) ? binary : generator.pick(originals)
            for _ in 0...generator.below(4) { Self.mutate(&bytes, &generator) }
            for file in Self.files { Self.readAndShow(bytes, of: file) }
        }
    }

    @Test(arguments: Seeds.several(20))
    func randomBytesAreSafeToRead(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes: [UInt8] = (0..<generator.below(80)).map { _ in
                generator.chance(50)
                    ? generator.pick(Array(#""'\{}()<>;=/*%U@#$ab1 é"#.utf8))
                    : UInt8.random(in: 0...255, using: &generator)
            }
            if generator.chance(20) { bytes = Array("bplist00".utf8) + bytes }
            for file in Self.files { Self.readAndShow(bytes, of: file) }
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let offset = generator.below(bytes.count)
        switch generator.below(5) {
        case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[offset] ^= 1 << UInt8(generator.below(8))
        case 2: bytes.insert(generator.pick(Array("\"'\\{}<>;=/*%\0".utf8)), at: offset)
        case 3: bytes.removeSubrange(offset..<min(bytes.count, offset + generator.below(20)))
        default:
            let part = bytes[offset..<min(bytes.count, offset + generator.below(40))]
            bytes.insert(contentsOf: part, at: generator.below(bytes.count))
        }
    }

    private static func readAndShow(_ bytes: [UInt8], of file: StringTableFile) {
        var tables = StringTables()
        do throws(LocatedError) {
            try tables.add(bytes, of: file)
        } catch {
            #expect(!error.description.isEmpty)
        }
        for language in tables.languages {
            for (key, entry) in tables[language]?.entries ?? [:] {
                for role in [CompiledString.Role.summary, .placeholder, .alert] {
                    guard let text = try? CompiledString(entry, key: key, language: language, role: role)
                    else {
                        continue
                    }
                    for count: UInt64 in [0, 1, 7] { _ = text.text(count) }
                    _ = text.text(["1", "x"])
                }
            }
        }
    }

    /// A dictionary that contains itself, and one in which every level contains the next one twice: a reader that
    /// follows all references would not terminate, or not in reasonable time.
    @Test func cyclicAndRepeatedDictionariesAreRejected() {
        // Object 0 is a dictionary with the key object 1 and the value object 0; object 1 is "A".
        var bytes = Array("bplist00".utf8) + [0xd1, 1, 0, 0x51, 0x41]
        bytes += [8, 11] + [0, 0, 0, 0, 0, 0, 1, 1] + Self.words(2, 0, 13)
        expectRejection(of: bytes, "nested deeper than 32 levels")

        let levels: UInt8 = 24
        bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<levels {
            offsets.append(UInt8(bytes.count))
            bytes += [0xd2, levels + 1, levels + 2, level + 1, level + 1]
        }
        for text: [UInt8] in [[0x51, 0x7a], [0x51, 0x41], [0x51, 0x42]] {
            offsets.append(UInt8(bytes.count))
            bytes += text
        }
        let table = UInt64(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + Self.words(UInt64(offsets.count), 0, table)
        expectRejection(
            of: bytes, "more values than bytes: its dictionaries refer to themselves or each other")
    }

    private func expectRejection(of bytes: [UInt8], _ message: String) {
        for file in Self.files.prefix(2) {
            var tables = StringTables()
            let error = #expect(throws: LocatedError.self) { try tables.add(bytes, of: file) }
            #expect(error?.message == message)
        }
    }

    private static func words(_ words: UInt64...) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    }
}
