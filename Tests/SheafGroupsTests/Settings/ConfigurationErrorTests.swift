import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Errors in a configuration and their locations (specification §11).
@Suite struct ConfigurationErrorTests {
    /// A configuration, and the description of its error.
    typealias Case = Example<String, String>

    private func problem(_ json: String) -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) {
            try Settings(json: Array(json.utf8), file: "sheaf.json")
        }
    }

    /// Returns a configuration with the contents of a category from line 5 on.
    static func category(_ contents: String) -> String {
        """
        {
         "apps": {
          "com.example": {
           "categories": {"c.d": {
            \(contents)
           }}}}}
        """
    }

    static let location = #"sheaf.json:5: apps."com.example".categories."c.d"."#

    @Test(arguments: [
        // Unknown keys, at every level.
        Case(
            "at the top", "{\n\n\"showPreview\":\"never\"}",
            "sheaf.json:3: showPreview: unknown key 'showPreview', did you mean 'showPreviews'?"),
        Case(
            "of an app", "{\"apps\":{\n\"a\":{\n\"catagories\":{}}}}",
            "sheaf.json:3: apps.a.catagories: unknown key 'catagories', did you mean 'categories'?"),
        Case(
            "of an app, another case", #"{"apps":{"a":{"Grouping":"off"}}}"#,
            "sheaf.json:1: apps.a.Grouping: unknown key 'Grouping', did you mean 'grouping'?"),
        Case(
            "an unknown language", "{\n\"developmentLanguage\":\"en_UX\"}",
            "sheaf.json:2: developmentLanguage: unknown locale 'en_UX', did you mean 'en_US'?"),
        Case(
            "an empty language", #"{"developmentLanguage":""}"#,
            "sheaf.json:1: developmentLanguage: unknown locale '' (locales are written like en_US, pt_BR or zh_Hant)"
        ),
        Case(
            "an unknown delivery", "{\n\"delivery\":\"quite\"}",
            "sheaf.json:2: delivery: unknown value 'quite', did you mean 'quiet'?"),
        Case(
            "a delivery that is not a word", #"{"delivery":true}"#,
            "sheaf.json:1: delivery: expected a string"),
        Case(
            "an unknown delivery of an app", "{\"apps\":{\"a\":{\n\"delivery\":\"critical\"}}}",
            "sheaf.json:2: apps.a.delivery: unknown value 'critical', did you mean 'criticalOnly'?"),
        Case(
            "a limit that is text", #"{"apps":{"a":{"serviceExtensionLimit":"30"}}}"#,
            "sheaf.json:1: apps.a.serviceExtensionLimit: expected a number"),
        Case(
            "a limit below zero", #"{"serviceExtensionLimit":-1}"#,
            "sheaf.json:1: serviceExtensionLimit: expected a number of seconds, at least 0"),
        Case(
            "a switch that is a word", #"{"apps":{"a":{"sounds":"off"}}}"#,
            "sheaf.json:1: apps.a.sounds: expected true or false"),
        Case(
            "a switch that is a number", #"{"provisional":1}"#,
            "sheaf.json:1: provisional: expected true or false"),
        Case(
            "similar to a switch", #"{"apps":{"a":{"sonds":true}}}"#,
            "sheaf.json:1: apps.a.sonds: unknown key 'sonds', did you mean 'sounds'?"),
        Case(
            "of a category", category(#""categorySumaryFormat":"%u""#),
            location
                + "categorySumaryFormat: unknown key 'categorySumaryFormat', did you mean 'categorySummaryFormat'?"
        ),
        Case(
            "of a category, after others", category("\"options\":[\"allowInCarPlay\"],\n\"option\":[]"),
            "sheaf.json:6: apps.\"com.example\".categories.\"c.d\".option: unknown key 'option', did you mean 'options'?"
        ),
        Case(
            "not similar to any key", "{\"x\":1}",
            "sheaf.json:1: x: unknown key 'x', the nearest is 'apps' (known: 'showPreviews', 'developmentLanguage', 'apps', 'delivery', 'provisional', 'sounds', 'critical', 'alert', 'badge', 'sound', 'foreground', 'serviceExtension', 'serviceExtensionLimit')"
        ),
        Case(
            "the first of several by name", #"{"b":1,"a":1}"#,
            "sheaf.json:1: a: unknown key 'a', the nearest is 'apps' (known: 'showPreviews', 'developmentLanguage', 'apps', 'delivery', 'provisional', 'sounds', 'critical', 'alert', 'badge', 'sound', 'foreground', 'serviceExtension', 'serviceExtensionLimit')"
        ),
        Case(
            "of a category, similar to that of its actions", category(#""action":[]"#),
            location + "action: unknown key 'action', did you mean 'actions'?"),
        Case(
            "of a category, similar to another", category(#""intentIdentifier":[]"#),
            location + "intentIdentifier: unknown key 'intentIdentifier', did you mean 'intentIdentifiers'?"),
        // Repeated keys, at every level.
        Case(
            "twice at the top", "{\"apps\":{},\n\"apps\":{}}",
            "sheaf.json:2: apps: repeated key 'apps', already on line 1: remove one of the two"),
        Case(
            "an app twice", "{\"apps\":{\n\"a\":{},\n\"b\":{},\n\n\"a\":{\"name\":\"A\"}}}",
            "sheaf.json:5: apps.a: repeated key 'a', already on line 2: remove one of the two"),
        Case(
            "twice on one line", #"{"apps":{"a":{"name":"A","grouping":"off","name":"A"}}}"#,
            "sheaf.json:1: apps.a.name: repeated key 'name', already on line 1: remove one of the two"),
        Case(
            "twice in a category", category("\"options\":[],\n\"options\":[]"),
            "sheaf.json:6: apps.\"com.example\".categories.\"c.d\".options: "
                + "repeated key 'options', already on line 5: remove one of the two"),
        Case(
            "twice, one with an escape", #"{"apps":{"a":{},"\u0061":{}}}"#,
            "sheaf.json:1: apps.a: repeated key 'a', already on line 1: remove one of the two"),
        Case(
            "twice, in different normalization forms", "{\"apps\":{\"\u{e9}\":{},\"e\u{301}\":{}}}",
            "sheaf.json:1: apps.e\u{301}: repeated key 'e\u{301}', already on line 1: remove one of the two"),
        Case(
            "twice, both empty", #"{"apps":{"":{},"":{}}}"#,
            "sheaf.json:1: apps.: repeated key '', already on line 1: remove one of the two"),
        Case(
            "twice in an action", category(#""actions":[{"title":"A"},{"x":[[{"y":1,"y":2}]]}]"#),
            location + "actions.x.y: repeated key 'y', already on line 5: remove one of the two"),
        Case(
            "twice, and unknown", #"{"x":1,"x":2}"#,
            "sheaf.json:1: x: repeated key 'x', already on line 1: remove one of the two"),
        Case(
            "twice, in the key of a table", category(#""categorySummaryFormat":{"key":"A","key":"B"}"#),
            location
                + "categorySummaryFormat.key: repeated key 'key', already on line 5: remove one of the two"),
        // Values.
        Case(
            "a grouping", #"{"apps":{"a":{"grouping":"byapp"}}}"#,
            "sheaf.json:1: apps.a.grouping: unknown value 'byapp', did you mean 'byApp'?"),
        Case(
            "another grouping", #"{"apps":{"a":{"grouping":"thread"}}}"#,
            "sheaf.json:1: apps.a.grouping: unknown value 'thread', the nearest is 'byApp' (known: 'automatic', 'byApp', 'off')"
        ),
        Case(
            "previews", "{\n\"showPreviews\":\"allways\"}",
            "sheaf.json:2: showPreviews: unknown value 'allways', did you mean 'always'?"),
        Case(
            "an app's previews", #"{"apps":{"a":{"showPreviews":"Never"}}}"#,
            "sheaf.json:1: apps.a.showPreviews: unknown value 'Never', did you mean 'never'?"),
        Case(
            "an option", category(#""options":["hiddenPreviewShowTitle"]"#),
            location
                + "options: unknown option 'hiddenPreviewShowTitle', did you mean 'hiddenPreviewsShowTitle'?"),
        // Types.
        Case("a list at the top", "[]", "sheaf.json: expected an object"),
        Case("a number at the top", "17", "sheaf.json: expected an object"),
        Case("apps that are a list", "{\n\"apps\":[]}", "sheaf.json:2: apps: expected an object"),
        Case(
            "an app that is a text", "{\"apps\":{\n\"a\":\"x\"}}", "sheaf.json:2: apps.a: expected an object"),
        Case(
            "a name that is a number", #"{"apps":{"a":{"name":5}}}"#,
            "sheaf.json:1: apps.a.name: expected a string"),
        Case(
            "previews that are a Boolean", #"{"showPreviews":true}"#,
            "sheaf.json:1: showPreviews: expected a string"),
        Case(
            "categories that are a text", #"{"apps":{"a":{"categories":"x"}}}"#,
            "sheaf.json:1: apps.a.categories: expected an object"),
        Case(
            "options that are a text", category(#""options":"hiddenPreviewsShowTitle""#),
            location + "options: expected a list"),
        Case(
            "an option that is a number", category(#""options":["allowInCarPlay",5]"#),
            location + "options: expected a string"),
        Case(
            "actions that are a text", category(#""actions":"REPLY""#), location + "actions: expected a list"),
        Case(
            "an action that is a number", category(#""actions":["REPLY",5]"#),
            location + "actions: expected a string, or an object with an \"identifier\""),
        Case(
            "an action without an identifier", category(#""actions":[{"title":"Reply"}]"#),
            location + "actions: expected a string, or an object with an \"identifier\""),
        Case(
            "an action whose identifier is a number", category(#""actions":[{"identifier":7}]"#),
            location + "actions: expected a string, or an object with an \"identifier\""),
        Case(
            "an action without a name", category(#""actions":["REPLY",""]"#),
            location + "actions: an action has an empty identifier"),
        Case(
            "dynamic actions that are a list", category(#""dynamicActions":["REPLY"]"#),
            location + "dynamicActions: expected true or false"),
        Case(
            "intents that are an object", category(#""intentIdentifiers":{}"#),
            location + "intentIdentifiers: expected a list"),
        Case(
            "an intent that is a number", category("\"options\":[],\n\"intentIdentifiers\":[5]"),
            "sheaf.json:6: apps.\"com.example\".categories.\"c.d\".intentIdentifiers: expected a string"),
        Case(
            "a format that is a number", category(#""categorySummaryFormat":5"#),
            location + #"categorySummaryFormat: expected a string, or an object with a "key""#),
        Case(
            "a format that is a list", category(#""categorySummaryFormat":["%u"]"#),
            location + #"categorySummaryFormat: expected a string, or an object with a "key""#),
        // Formats.
        Case(
            "a format without a count", category(#""categorySummaryFormat":"more""#),
            location + #"categorySummaryFormat: a summary format needs a count, such as %u, in "more""#),
        Case(
            "a placeholder with arguments", category(#""hiddenPreviewsBodyPlaceholder":"%u of %@""#),
            location
                + #"hiddenPreviewsBodyPlaceholder: a placeholder cannot use %@: it has no arguments, in "%u of %@""#
        ),
        Case(
            "a format from a missing table", category(#""categorySummaryFormat":{"key":"MORE"}"#),
            location
                + #"categorySummaryFormat: a key needs the app's string tables: set 'strings' to their folder"#
        ),
        Case(
            "a placeholder from a missing table",
            category(#""hiddenPreviewsBodyPlaceholder":{"key":"P"}"#),
            location
                + #"hiddenPreviewsBodyPlaceholder: a key needs the app's string tables: set 'strings' to their folder"#
        ),
        Case(
            "a table without a key", category(#""categorySummaryFormat":{}"#),
            location + "categorySummaryFormat: the key 'key' is missing"),
        Case(
            "a table with another key", category(#""categorySummaryFormat":{"keys":"x"}"#),
            location + "categorySummaryFormat.keys: unknown key 'keys', did you mean 'key'?"),
        Case(
            "a table with a number", category(#""categorySummaryFormat":{"key":5}"#),
            location + "categorySummaryFormat.key: expected a string"),
    ])
    func errorsAreDescribed(_ item: Case) {
        #expect(problem(item.input)?.description == item.expected)
    }

    struct Broken: NamedCase {
        let name: String
        let line: Int

        init(_ name: String, line: Int) {
            self.name = name
            self.line = line
        }
    }

    @Test(arguments: [
        Broken("", line: 1), Broken(" ", line: 1), Broken("\n", line: 2), Broken("{", line: 1),
        Broken("{\n\"apps\":\n}\n", line: 3), Broken("{\"apps\":{}}\nx", line: 2),
        Broken("{'apps':{}}", line: 1),
        Broken("{\n\"apps\":{},\n}", line: 3), Broken("{\"apps\":{}\n\"showPreviews\":\"never\"}", line: 2),
        Broken("{\n// none\n}", line: 2), Broken("{\"developmentLanguage\":\n\"d\ne\"}", line: 2),
        Broken("{\n\n\"showPreviews\":never}", line: 3), Broken("nothing", line: 1),
        Broken("{\"apps\":{\n\"a\":{\"x\":01}}}", line: 2),
    ])
    func invalidJSONIsLocated(_ item: Broken) {
        let start = "sheaf.json:\(item.line): not valid JSON at column "
        #expect(problem(item.name)?.description.hasPrefix(start) == true)
    }

    @Test func deepNestingIsLocated() {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(
            problem("{\n\"apps\":\(deep)}")?.description
                == "sheaf.json:2: more than 128 nested objects and lists at column 135")
    }

    @Test func invalidUTF8IsLocated() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Settings(
                json: Array(#"{"apps":{"a":{"name":""#.utf8) + [0xff] + Array("\"}}}".utf8), file: "f")
        }
        #expect(error.description == "f:1: not valid JSON at column 23")
    }

    @Test func keysWithDotsAreQuoted() {
        let error = ConfigurationError(file: "f", line: 7, keys: ["apps", "com.example", "x"], message: "m")
        #expect(error.description == #"f:7: apps."com.example".x: m"#)
        #expect(ConfigurationError(file: "f", line: nil, keys: [], message: "m").description == "f: m")
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("ABC", "abc", 0), ("abc", "abd", 1),
        ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "abcd", 1), ("kitten", "sitting", 3), ("ab", "ba", 1),
        ("catagories", "categories", 1), ("x", "y", 1),
    ])
    func distancesAreSymmetric(_ first: String, _ second: String, _ distance: Int) {
        #expect(Suggestion.distance(first, second) == distance)
        #expect(Suggestion.distance(second, first) == distance)
    }
}
