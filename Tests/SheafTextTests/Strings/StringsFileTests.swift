import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Reading `Localizable.strings` in all of its styles and encodings.
@Suite struct StringsFileTests {
    private func read(_ text: String) throws -> [String: String] {
        texts(try StringsFile.texts(in: Array(text.utf8)))
    }

    static let sample = "/* Grüße */\n\"GREETING\" = \"Grüße, 世界 😀\";\n// nothing more\nplain = word;\n"

    @Test(arguments: TextEncoding.allCases)
    func oldStyleIsRead(_ encoding: TextEncoding) throws {
        let entries = try StringsFile.texts(in: encoding.bytes(of: Self.sample))
        #expect(texts(entries) == ["GREETING": "Grüße, 世界 😀", "plain": "word"])
    }

    @Test(arguments: TextEncoding.allCases, ["UTF-8", "UTF-16"])
    func xmlIsRead(_ encoding: TextEncoding, declared: String) throws {
        let text = xmlPropertyList(
            "<dict><key>A &amp; B</key><!-- x --><string>Grüße &#x1F600; <![CDATA[<b>]]></string></dict>",
            encoding: declared)
        #expect(texts(try StringsFile.texts(in: encoding.bytes(of: text))) == ["A & B": "Grüße 😀 <b>"])
    }

    @Test func binaryFilesAreRead() throws {
        let bytes = try binaryPropertyList(["GREETING": "Grüße, 世界 😀", "plain": "word"])
        #expect(texts(try StringsFile.texts(in: bytes)) == ["GREETING": "Grüße, 世界 😀", "plain": "word"])
    }

    typealias Case = Example<String, [String: String]>

    @Test(arguments: [
        Case("an empty file", "", [:]), Case("only white space", " \n\t", [:]),
        Case("only a comment", "/* x */", [:]),
        Case("a comment at the end", "a = b; // x", ["a": "b"]),
        Case("comments everywhere", "/**/a /*=*/=/*;*/b //;\n;", ["a": "b"]),
        Case("no space", "\"a\"=\"b\";\"c\"=\"d\";", ["a": "b", "c": "d"]),
        Case("no value", "\"Same\";\nother;", ["Same": "Same", "other": "other"]),
        Case("without quotes", "a.b-c_d/e:f = http://g$h;", ["a.b-c_d/e:f": "http://g$h"]),
        Case("single quotes", "'a' = 'say \"b\"';", ["a": "say \"b\""]),
        Case("braces", "/* ; */ { \"a\" = \"b\"; }", ["a": "b"]),
        Case("empty braces", "{}", [:]),
        Case("empty texts", "\"\" = \"\";", ["": ""]),
        Case("CR LF", "a=b;\r\nc=\"d\r\ne\";\r\n", ["a": "b", "c": "d\r\ne"]),
        Case("line separators", "a = b;\u{2028}c = d;\u{2029}", ["a": "b", "c": "d"]),
        Case("a text of several lines", "a = \"b\nc\";", ["a": "b\nc"]),
        Case("comment delimiters in a text", "a = \"/* b // c */\";", ["a": "/* b // c */"]),
        // The last of duplicate keys counts, in every style.
        Case("a duplicate key", "\"a\" = \"1\";\n\"a\" = \"2\";", ["a": "2"]),
        Case(
            "a duplicate key in XML",
            xmlPropertyList("<dict><key>a</key><string>1</string><key>a</key><string>2</string></dict>"),
            ["a": "2"]),
        Case(
            "XML without a declaration", "<plist><dict><key>a</key><string>b</string></dict></plist>",
            ["a": "b"]),
        Case(value: "common escapes", #"\n\t\r\\\"\'"#, "\n\t\r\\\"'"),
        Case(value: "rare escapes", #"\a\b\f\v"#, "\u{7}\u{8}\u{c}\u{b}"),
        Case(value: "unnecessary escapes", #"\q\/\%"#, "q/%"),
        Case(value: "an escaped line feed", "x\\\ny", "x\ny"),
        Case(value: "escaped characters", "\\é\\日\\😀", "é日😀"),
        Case(value: "octal, in the encoding of NeXTSTEP", #"\12\1019\351"#, "\nA9Ø"),
        Case(value: "UTF-16", #"caf\U00e9 \U65E5"#, "café 日"),
        Case(value: "few digits", #"\Ue9 x"#, "é x"),
        Case(value: "controls", #"\U0022\U005c\U000a\U0041"#, "\"\\\nA"),
        Case(value: "a pair", #"\UD83D\UDE00!"#, "😀!"),
        Case(value: "half a pair", #"\UD83D \UDE00"#, "\u{fffd} \u{fffd}"),
        Case(value: "a lone first half before another character", #"\UD83D\U0041"#, "\u{fffd}A"),
        // Only the capital letter starts an escape, as on devices.
        Case(value: "a lowercase u", #"\u00e9"#, "u00e9"),
        Case(value: "a backslash before an escape", #"\\U00e9"#, #"\U00e9"#),
    ])
    func entriesAreRead(_ item: Case) throws {
        #expect(try read(item.input) == item.expected)
    }

    /// A file, and the description of its error without the path.
    typealias Wrong = Example<[UInt8], String>

    static let quotes = " (strings with characters other than letters, digits and _ $ / : . - must be quoted)"

    @Test(arguments: [
        Wrong("no semicolon", "a = b;\n\n\"c\" = \"d\"\n", ":4: unexpected end of the file: expected ';'"),
        Wrong("no semicolon before the next entry", "a = b\nc = d;", ":2: unexpected 'c': expected ';'"),
        Wrong("no equals sign", "\n\"a\" \"b\";", ":2: unexpected '\"': expected '=' or ';'"),
        Wrong("no value", "a = ;", ":1: unexpected ';': expected a value"),
        Wrong("no key", "= b;", ":1: unexpected '=': expected a key"),
        Wrong("two semicolons", "a = b;\n;\nc = d;", ":2: unexpected ';': expected a key"),
        Wrong("an extra closing brace", "a = b;}", ":1: unexpected '}': expected a key"),
        Wrong("a missing semicolon in braces", "{a = b}", ":1: unexpected '}': expected ';'"),
        Wrong("open braces", "{a = b;\r\n", ":2: unexpected end of the file: expected a key"),
        Wrong("text after braces", "{a = b;}\nc", ":2: unexpected 'c': expected the end of the file"),
        Wrong("only a key", "a", ":1: unexpected end of the file: expected '=' or ';'"),
        Wrong("a letter without quotes", "a = b;\nä = c;", ":2: unexpected 'ä': expected a key" + quotes),
        Wrong("a symbol without quotes", "a = 5%;", ":1: unexpected '%': expected ';'" + quotes),
        Wrong("zero bytes", "a = b;\0", ":1: unexpected '\0': expected a key" + quotes),
        Wrong("no closing quote", "a = b;\n\"c\" = \"d;\n\n", ":2: unterminated string"),
        Wrong("a backslash at the end", "a = \"b\\", ":1: unterminated string"),
        Wrong("an open comment", "a = b;\r/* c\n\n", ":2: unterminated comment"),
        Wrong("bad data", "a = <日>;", ":1: unexpected '日': expected ';'" + quotes),
        Wrong("a list", "a = (b, c);", ": a: expected a string"),
        Wrong("a dictionary", "a = {b = c;};", ": a: expected a string"),
        Wrong("data", "a = <00ff>;", ": a: expected a string"),
        Wrong("a list of lists", "a = ((b)c);", ":1: unexpected 'c': expected ',' or ')'"),
        Wrong(
            "too deep", "a = " + String(repeating: "(", count: 100_000),
            ":1: nested deeper than 32 levels"),
        Wrong(
            "Latin 1", Array("a = b;\nc = \"".utf8) + [0xe9] + Array("\";\n".utf8),
            ":2: not valid UTF-8"),
        Wrong(
            "half a code unit", [0xff, 0xfe, 0x61, 0, 0x62],
            ": not valid UTF-16: incomplete character at the end"),
        Wrong("half a pair", [0xfe, 0xff, 0, 0x0a, 0xd8, 0x3d], ":2: not valid UTF-16"),
        Wrong(
            "XML with other tags", xmlPropertyList("<dict>\n<key>a</key>\n<string>b</strin>\n</dict>"),
            ":6: </strin> does not match <string> on line 6"),
        Wrong("open XML", "<plist>\n<dict>\n<key>a</key>", ":2: <dict> is never closed"),
        Wrong("XML closed twice", "<plist></plist></dict>", ":1: </dict> closes nothing"),
        Wrong("half a tag", "<plist>\n<dict", ":2: a tag without a closing '>'"),
        Wrong(
            "XML without a value", "<plist><dict><key>a</key></dict></plist>",
            ": not a valid XML property list"),
        Wrong(
            "deep XML", "<plist>" + String(repeating: "<array>", count: 100_000),
            ":1: nested deeper than 32 levels"),
        Wrong("a list in XML", "<plist><array/></plist>", ": expected a dictionary"),
        Wrong(
            "a number", "<plist><dict><key>a</key><integer>1</integer></dict></plist>",
            ": a: expected a string"),
        Wrong(
            "an invalid binary file", "bplist00" + String(repeating: "x", count: 40),
            ": not a valid binary property list"),
    ])
    func invalidFilesAreRejected(_ item: Wrong) {
        var tables = StringTables()
        let path = "en.lproj/Localizable.strings"
        let error = #expect(throws: LocatedError.self) {
            try tables.add(item.input, of: #require(StringTableFile(path: path)))
        }
        #expect(error?.description == path + item.expected)
    }

    /// Writes texts in every form that the style allows, and reads them back.
    @Test(arguments: Seeds.several(50))
    func everyWrittenFormIsReadBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var entries: [String: String] = [:]
        var text = ""
        for _ in 0..<generator.below(20) {
            let key = Self.text(&generator)
            let value = generator.chance(10) ? key : Self.text(&generator)
            entries[key] = value
            text += generator.pick(["", " ", "\n", "/* \"x\" = */", "// ;\n", "\t"])
            text += Self.written(key, &generator) + generator.pick(["", " ", " /* = */"])
            if key != value || generator.chance(50) { text += "= " + Self.written(value, &generator) }
            text += generator.pick([";", " ;", ";\r\n"])
        }
        let encoding = generator.pick(Array(TextEncoding.allCases.prefix(4)))
        let bytes = encoding.bytes(of: text)
        #expect(texts(try StringsFile.texts(in: bytes)) == entries, "\(text)")
    }

    private static let characters: [Character] = Array(
        "abcXYZ019 _$/:.-%@#\"'\\;={}()<>,\n\téñ日本語עברית\u{301}😀👨‍👩‍👧\u{2028}\u{7}\u{1}")

    private static func text(_ generator: inout SeededGenerator) -> String {
        String((0..<generator.below(12)).map { _ in generator.pick(characters) })
    }

    private static func written(_ text: String, _ generator: inout SeededGenerator) -> String {
        let plain = text.utf8.allSatisfy { 0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 }
        if plain, !text.isEmpty, generator.chance(50) { return text }
        let quote: Unicode.Scalar = generator.pick(["\"", "'"])
        var result = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars {
            let form = generator.below(6)
            if form == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: generator.chance(50))
                    let zeros = String(repeating: "0", count: 4 - digits.count)
                    result.append(contentsOf: ("\\U" + zeros + digits).unicodeScalars)
                }
            } else if scalar == quote || scalar == "\\" {
                result.append("\\")
                result.append(scalar)
            } else if form == 1, let escape = ["\n": "n", "\t": "t", "\u{7}": "a"][scalar] as Unicode.Scalar?
            {
                result.append("\\")
                result.append(escape)
            } else {
                if form == 2, scalar.value >= 0x80 || "%@#;=/".unicodeScalars.contains(scalar) {
                    result.append("\\")
                }
                result.append(scalar)
            }
        }
        result.append(quote)
        return String(result)
    }
}

extension Example where Input == String, Expected == [String: String] {
    /// A case with one quoted text.
    fileprivate init(value name: String, _ value: String, _ expected: String) {
        self.init(name, "\"k\" = \"\(value)\";", ["k": expected])
    }
}
