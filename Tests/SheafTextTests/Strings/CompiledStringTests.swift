import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Formatting a table's texts with a count and a list, and with an alert's arguments.
@Suite struct CompiledStringTests {
    struct Summary: NamedCase {
        let name: String
        let entry: StringEntry
        let one: String
        let seven: String
        let takesArguments: Bool

        init(
            _ name: String, _ body: StringEntry.Body, _ variables: [String: [PluralCategory: String]] = [:],
            one: String, seven: String, takesArguments: Bool = false
        ) {
            self.name = name
            entry = StringEntry(body, variables: variables.mapValues { StringVariable(forms: $0) })
            self.one = one
            self.seven = seven
            self.takesArguments = takesArguments
        }
    }

    private func compile(
        _ entry: StringEntry, _ role: CompiledString.Role
    ) throws(StringFormatError) -> CompiledString {
        try CompiledString(entry, key: "KEY", language: "en", role: role)
    }

    @Test(arguments: [
        Summary("a text", .text("%u more"), one: "1 more", seven: "7 more"),
        Summary(
            "a text with a list", .text("%2$@: %1$lld %% more"), one: "Ana and Bob: 1 % more",
            seven: "Ana and Bob: 7 % more", takesArguments: true),
        Summary("plural forms", .plural([.one: "one", .other: "%lld more"]), one: "one", seven: "7 more"),
        Summary("%arg", .plural([.one: "%arg and", .other: "%args"]), one: "1 and", seven: "7s"),
        Summary(
            "a list in only one form", .plural([.one: "one of %@", .other: "%u more"]),
            one: "one of Ana and Bob",
            seven: "7 more", takesArguments: true),
        Summary(
            "no form for the category", .plural([.few: "%d few", .two: "%d two"]), one: "1 few",
            seven: "7 few"),
        Summary("only a form for zero", .plural([.zero: "none"]), one: "none", seven: "none"),
        Summary(
            "a variable", .text("%#@e@ from %@"), ["e": [.one: "an episode", .other: "%d episodes"]],
            one: "an episode from Ana and Bob", seven: "7 episodes from Ana and Bob", takesArguments: true),
        Summary(
            "a variable with a position", .text("%2$@: %1$#@e@"), ["e": [.one: "%1$d a", .other: "%1$d b"]],
            one: "Ana and Bob: 1 a", seven: "Ana and Bob: 7 b", takesArguments: true),
        Summary(
            "two variables for one count", .text("%1$#@are@ %1$#@e@"),
            ["are": [.one: "is", .other: "are"], "e": [.one: "an episode", .other: "%d episodes"]],
            one: "is an episode", seven: "are 7 episodes"),
        Summary(
            "a variable in a variable", .text("%#@a@"),
            ["a": [.one: "one %#@b@", .other: "%u %#@b@"], "b": [.one: "thing", .other: "things"]],
            one: "one thing", seven: "7 things"),
        Summary(
            "a variable and the number", .text("%1$u %1$#@e@"),
            ["e": [.one: "episode", .other: "episodes"]],
            one: "1 episode", seven: "7 episodes"),
        Summary("unused variables", .text("%u"), ["e": [:]], one: "1", seven: "7"),
    ])
    func summariesAreFormatted(_ item: Summary) throws {
        let text = try compile(item.entry, .summary)
        #expect(text.text(1) == item.one)
        #expect(text.text(7) == item.seven)
        #expect(text.takesCount)
        #expect(text.takesArguments == item.takesArguments)
    }

    @Test func formForZeroIsUsedInEveryLanguage() throws {
        let forms: [PluralCategory: String] = [.zero: "nothing", .one: "one", .other: "%u"]
        let text = try compile(StringEntry(.plural(forms)), .summary)
        // In every language, regardless of its rules.
        #expect(text.text(0) == "nothing")
        #expect(text.text(0, language: "ja") == "nothing")
        #expect(text.text(UInt64.max) == "18446744073709551615")
        #expect(try compile(StringEntry(.plural([.other: "%u"])), .summary).text(0, language: "ar") == "0")
    }

    @Test func listsAreRequestedOnlyWhenUsed() throws {
        let text = try compile(StringEntry(.plural([.one: "one", .other: "%u of %@"])), .summary)
        var output: [UInt8] = []
        text.append(
            count: 1, arguments: { _ in Issue.record("the list is not used") }, rules: .of("en"),
            texts: LocalizedTexts(), to: &output)
        #expect(output == Array("one".utf8))
    }

    struct Invalid: NamedCase {
        let name: String
        let entry: StringEntry
        let role: CompiledString.Role
        let description: String

        init(
            _ name: String, _ body: StringEntry.Body, with variables: [String: StringVariable] = [:],
            as role: CompiledString.Role = .summary, _ description: String
        ) {
            self.name = name
            entry = StringEntry(body, variables: variables)
            self.role = role
            self.description = "the key 'KEY' in en" + description
        }
    }

    static let noCount = ": a summary needs a count, such as %u, or a variable with plural forms"
    static let tooDeep = ": variables nested deeper than 8 levels: does one refer to itself?"
    static func conversion(_ text: String) -> String {
        ": '\(text)' is not a supported conversion (%u %d %lu %ld %llu %lld %@ %% %#@name@)"
    }
    static func position(_ text: String) -> String {
        ": '\(text)' has the wrong position: the count is argument 1, the list argument 2"
    }

    @Test(arguments: [
        Invalid("no count", .text("more"), noCount), Invalid("empty", .text(""), noCount),
        Invalid("only a list", .text("%@"), noCount),
        Invalid("two counts", .text("%u %u"), ": more than one count in a text"),
        Invalid("two lists", .text("%u %@ %@"), ": more than one %@ in a text"),
        Invalid("a C string", .text("%u %s"), conversion("%s")),
        Invalid("a width", .text("%5u"), conversion("%5")),
        Invalid("a truncated conversion", .text("%u %"), conversion("%")),
        Invalid("%arg outside a form", .text("%u %arg"), conversion("%a")),
        Invalid("an unterminated variable", .text("%#@e"), conversion("%#@e")),
        Invalid("a variable without a name", .text("%#@@"), conversion("%#@@")),
        Invalid("the count's position", .text("%2$u"), position("%2$u")),
        Invalid("the list's position", .text("%u %1$@"), position("%1$@")),
        Invalid("a huge position", .text("%99999999999999999999$u"), position("%99999999999999999999$u")),
        Invalid(
            "a variable's position", .text("%2$#@e@"), with: ["e": .init(forms: [.other: "%u"])],
            position("%2$#@e@")),
        Invalid(
            "a substitution's argument", .text("%#@e@"),
            with: ["e": .init(argument: 2, forms: [.other: "%u"])],
            position("%#@e@")),
        Invalid("an unknown variable", .text("%#@e@"), ": unknown variable 'e'"),
        Invalid(
            "in a variable", .text("%#@e@"), with: ["e": .init(forms: [.one: "a", .few: "%s", .other: "b"])],
            ", variable 'e', form 'few'" + conversion("%s")),
        Invalid(
            "the count in a form and outside", .text("%#@e@ %1$u"), with: ["e": .init(forms: [.other: "%u"])],
            ": more than one count in a text"),
        Invalid(
            "the list in a form and outside", .text("%#@e@ %@"),
            with: ["e": .init(forms: [.one: "%@", .other: "%u"])],
            ": more than one %@ in a text"),
        Invalid(
            "not an integer", .text("%#@e@"), with: ["e": .init(valueType: "lf", forms: [.other: "x"])],
            ", variable 'e': value type 'lf' is not an integer: use u, d, lu, ld, llu or lld"),
        Invalid(
            "no forms", .text("%#@e@"), with: ["e": .init(forms: [:])],
            ", variable 'e': no form for any plural category"),
        Invalid("no forms at all", .plural([:]), ": no form for any plural category"),
        Invalid(
            "in a form of the text", .plural([.one: "%d %d", .other: "%d"]),
            ", form 'one': more than one count in a text"),
        Invalid(
            "a variable in itself", .text("%#@e@"), with: ["e": .init(forms: [.other: "%#@e@"])],
            ", variable 'e', form 'other'" + tooDeep),
        Invalid(
            "a variable in itself, in an alert", .text("%#@e@"), with: ["e": .init(forms: [.other: "%#@e@"])],
            as: .alert,
            ", variable 'e', form 'other'" + tooDeep),
        Invalid(
            "a list in a placeholder", .text("%u of %@"), as: .placeholder,
            ": a placeholder cannot use %@: it has no arguments"),
        Invalid(
            "an expansion that is too long", .text("%#@a@"),
            with: [
                "a": .init(forms: [.other: String(repeating: "%#@b@", count: 300)]),
                "b": .init(forms: [.other: String(repeating: "%#@c@", count: 300)]),
                "c": .init(forms: [.other: "x"]),
            ], ", variable 'a', form 'other': more than 65536 bytes with its variables expanded"),
    ])
    func invalidTextsAreRejected(_ item: Invalid) {
        let error = #expect(throws: StringFormatError.self) { try compile(item.entry, item.role) }
        #expect(error?.description == item.description)
    }

    @Test(arguments: [
        ("Image", "Image", false), ("100%", "100%", false), ("%@ %s", "%@ %s", false), ("", "", false),
        ("%u Images %%", "7 Images %", true),
    ])
    func placeholdersAreFormatted(text: String, shown: String, takesCount: Bool) throws {
        let compiled = try compile(StringEntry(.text(text)), .placeholder)
        #expect(compiled.text(7) == shown)
        #expect(compiled.takesCount == takesCount)
    }

    struct Alert: NamedCase {
        let name: String
        let entry: StringEntry
        let arguments: [String]
        let text: String

        init(
            _ name: String, _ body: StringEntry.Body, with variables: [String: StringVariable] = [:],
            _ arguments: [String], _ text: String
        ) {
            self.name = name
            entry = StringEntry(body, variables: variables)
            self.arguments = arguments
            self.text = text
        }
    }

    static let photos = StringVariable(forms: [.one: "a photo", .other: "%d photos"])
    static let albums = StringVariable(forms: [.one: "an album", .other: "%arg albums"])

    @Test(arguments: [
        Alert("nothing to replace", .text("Hello"), ["Ana"], "Hello"),
        Alert("in order", .text("%@ and %@"), ["Ana", "Bob"], "Ana and Bob"),
        Alert("by position", .text("%2$@ and %1$@"), ["Ana", "Bob"], "Bob and Ana"),
        Alert("with and without a position", .text("%2$@ and %@"), ["Ana", "Bob"], "Bob and Ana"),
        Alert("the same one twice", .text("%1$@, %1$@"), ["Ana"], "Ana, Ana"),
        Alert("percent", .text("100%% of %@"), ["all"], "100% of all"),
        Alert("more arguments than conversions", .text("%@"), ["Ana", "Bob"], "Ana"),
        Alert("a missing argument", .text("%@ and %@"), ["Ana"], "Ana and %@"),
        Alert("no arguments", .text("%1$@, %d"), [], "%1$@, %d"),
        Alert("an empty argument", .text("<%@>"), [""], "<>"),
        Alert("conversions in an argument", .text("%@"), ["%@ %d"], "%@ %d"),
        Alert("other percent signs", .text("50% off, %s %5d %@"), ["Ana"], "50% off, %s %5d Ana"),
        Alert("position 0", .text("%0$@ %100$@"), ["Ana"], "%0$@ %100$@"),
        Alert(
            "more conversions than positions", .text(String(repeating: "%@", count: 100)),
            Array(repeating: "x", count: 100), String(repeating: "x", count: 99) + "%@"),
        Alert("a number", .text("%@: %d"), ["Ana", "007"], "Ana: 7"),
        Alert("a negative number", .text("%d"), ["-3"], "-3"),
        Alert("not a number", .text("%d"), ["three"], "three"),
        Alert("a number that is too large", .text("%d"), ["18446744073709551616"], "18446744073709551616"),
        Alert("a variable, one", .text("%@: %#@n@"), with: ["n": photos], ["Ana", "1"], "Ana: a photo"),
        Alert("a variable, several", .text("%@: %#@n@"), with: ["n": photos], ["Ana", "3"], "Ana: 3 photos"),
        Alert("a variable, not a number", .text("%#@n@"), with: ["n": photos], ["some"], "some photos"),
        Alert("a variable, missing", .text("%#@n@"), with: ["n": photos], [], "%d photos"),
        Alert(
            "two variables", .text("%#@n@ in %#@m@"), with: ["n": photos, "m": albums], ["1", "2"],
            "a photo in 2 albums"),
        Alert(
            "two variables, in reverse order", .text("%2$#@m@: %1$#@n@"), with: ["n": photos, "m": albums],
            ["5", "1"],
            "an album: 5 photos"),
        Alert(
            "one variable for two arguments", .text("%1$#@n@, %2$#@n@"), with: ["n": photos], ["1", "2"],
            "a photo, 2 photos"),
        Alert(
            "arguments after a form's number", .text("%@: %#@n@"),
            with: ["n": .init(forms: [.other: "%d of %@"])], ["Ana", "2", "Bob"], "Ana: 2 of Bob"),
        Alert(
            "a substitution's argument", .text("%@: %#@n@"),
            with: ["n": .init(argument: 2, forms: [.other: "%arg x"])], ["Ana", "2"], "Ana: 2 x"),
        Alert("an unknown variable", .text("%#@x@ %@"), ["Ana"], "%#@x@ Ana"),
        Alert(
            "plural forms, one", .plural([.one: "%@: a photo", .other: "%@: %lld photos"]), ["Ana", "1"],
            "Ana: a photo"),
        Alert(
            "plural forms", .plural([.one: "%@: a photo", .other: "%@: %lld photos"]), ["Ana", "2"],
            "Ana: 2 photos"),
        Alert(
            "the number first", .plural([.one: "One by %@", .other: "%lld by %@"]), ["1", "Ana"], "One by Ana"
        ),
    ])
    func alertsAreFormatted(_ item: Alert) throws {
        #expect(try compile(item.entry, .alert).text(item.arguments) == item.text)
    }

    // MARK: The number of arguments

    @Test(arguments: [
        Example("none", (StringEntry(.text("x %% y")), 0)), Example("one", (StringEntry(.text("%@")), 1)),
        Example("a number", (StringEntry(.text("%d left")), 1)),
        Example("two in a row", (StringEntry(.text("%@ from %@")), 2)),
        Example("only the third", (StringEntry(.text("%3$@")), 3)),
        Example("the second twice", (StringEntry(.text("%2$@ and %2$@")), 2)),
        Example("plural forms", (StringEntry(.plural([.one: "one", .other: "%1$d of %2$@"])), 2)),
        Example(
            "a variable",
            (StringEntry(.text("%2$#@e@"), variables: ["e": StringVariable(forms: [.other: "some"])]), 2)),
        Example("an invalid conversion, which is literal", (StringEntry(.text("%q")), 0)),
    ])
    func textsTakeArguments(_ text: Example<String, (StringEntry, Int)>) throws {
        #expect(try compile(text.expected.0, .alert).argumentCount == text.expected.1)
    }
}
