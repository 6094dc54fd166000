import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Reading `Localizable.stringsdict`, and the errors for invalid files.
@Suite struct StringsDictFileTests {
    private func read(_ text: String) throws -> [String: StringEntry] {
        try StringsFile.pluralRules(in: Array(text.utf8))
    }

    /// An entry in the old text style, which is shorter than XML, and how it is read.
    typealias Case = Example<String, StringEntry>

    @Test(arguments: [
        Case(
            "one variable",
            #"""
            {NSStringLocalizedFormatKey = "%#@e@ from %2$@";
             e = {NSStringFormatSpecTypeKey = NSStringPluralRuleType; NSStringFormatValueTypeKey = lu;
              one = "a"; other = "%lu b";};}
            """#,
            StringEntry(
                .text("%#@e@ from %2$@"),
                variables: ["e": StringVariable(valueType: "lu", forms: [.one: "a", .other: "%lu b"])])),
        Case(
            "all forms, no types",
            #"{NSStringLocalizedFormatKey = "%1$#@e@"; e = {zero=z;one=a;two=b;few=f;many=m;other=o;};}"#,
            StringEntry(
                .text("%1$#@e@"),
                variables: [
                    "e": StringVariable(
                        forms: [.zero: "z", .one: "a", .two: "b", .few: "f", .many: "m", .other: "o"])
                ])),
        Case(
            "several variables",
            #"{NSStringLocalizedFormatKey = "%#@a@ %#@b@"; a = {other = "%#@b@";}; b = {other = x;};}"#,
            StringEntry(
                .text("%#@a@ %#@b@"),
                variables: [
                    "a": StringVariable(forms: [.other: "%#@b@"]), "b": StringVariable(forms: [.other: "x"]),
                ])),
        Case("only a text", "text", StringEntry(.text("text"))),
        Case(
            "values that are not variables",
            #"{NSStringLocalizedFormatKey = x; note = y; NSStringNew = {a = b;};}"#,
            StringEntry(.text("x"))),
        Case(
            "the greatest width",
            #"{NSStringVariableWidthRuleType = {"9" = a; "20" = b; "100" = c; x = d;};}"#,
            StringEntry(.text("c"))),
        Case(
            "a rule for iPhone",
            #"{NSStringDeviceSpecificRuleType = {appletv = a; iphone = b; other = c;};}"#,
            StringEntry(.text("b"))),
        Case(
            "no rule for iPhone", #"{NSStringDeviceSpecificRuleType = {appletv = a; other = c;};}"#,
            StringEntry(.text("c"))),
        Case(
            "only other devices", #"{NSStringDeviceSpecificRuleType = {mac = a; appletv = b;};}"#,
            StringEntry(.text("b"))),
        Case(
            "plural rules in a device rule",
            """
            {NSStringDeviceSpecificRuleType = {iphone =
             {NSStringLocalizedFormatKey = "%#@a@"; a = {other = "x";};};};}
            """,
            StringEntry(.text("%#@a@"), variables: ["a": StringVariable(forms: [.other: "x"])])),
        Case(
            "a variable by width",
            """
            {NSStringLocalizedFormatKey = "%#@a@";
             a = {NSStringFormatSpecTypeKey = NSStringVariableWidthRuleType; "1" = x; "20" = y;};}
            """,
            StringEntry(.text("%#@a@"), variables: ["a": StringVariable(forms: [.other: "y"])])),
    ])
    func entriesAreRead(_ item: Case) throws {
        #expect(try read("KEY = \(item.input);") == ["KEY": item.expected])
    }

    /// A file, and the description of its error without the path.
    typealias Wrong = Example<String, String>

    @Test(arguments: [
        Wrong("a list", "A = (b);", ": A: expected a string or a dictionary"),
        Wrong(
            "no format", "A = {b = {other = c;};};",
            ": A: the key 'NSStringLocalizedFormatKey' is missing"),
        Wrong(
            "a format of another type", "A = {NSStringLocalizedFormatKey = (a);};",
            ": A.NSStringLocalizedFormatKey: expected a string"),
        Wrong(
            "no forms", "A = {NSStringLocalizedFormatKey = a; b = {on = c;};};",
            ": A.b: a variable without a form for any plural category"),
        Wrong(
            "a form of another type", "A = {NSStringLocalizedFormatKey = a; b = {one = (c);};};",
            ": A.b.one: expected a string"),
        Wrong(
            "no device", "A = {NSStringDeviceSpecificRuleType = {};};",
            ": A: the key 'NSStringLocalizedFormatKey' is missing"),
        Wrong("the first of several", "B = (); A = ();", ": A: expected a string or a dictionary"),
        Wrong("a syntax error", "\nA = {b = c};", ":2: unexpected '}': expected ';'"),
    ])
    func invalidFilesAreRejected(_ item: Wrong) {
        var tables = StringTables()
        let path = "en.lproj/Localizable.stringsdict"
        let error = #expect(throws: LocatedError.self) {
            try tables.add(Array(item.input.utf8), of: #require(StringTableFile(path: path)))
        }
        #expect(error?.description == path + item.expected)
    }

    @Test func binaryFilesAreRead() throws {
        let bytes = try binaryPropertyList([
            "A": ["NSStringLocalizedFormatKey": "%#@b@", "b": ["one": "c", "other": "%d"]]
        ])
        let expected = StringEntry(
            .text("%#@b@"), variables: ["b": StringVariable(forms: [.one: "c", .other: "%d"])])
        #expect(try StringsFile.pluralRules(in: bytes) == ["A": expected])
    }
}
