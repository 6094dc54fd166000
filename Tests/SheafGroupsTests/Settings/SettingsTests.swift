import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Valid configurations (specification §11).
@Suite struct SettingsTests {
    private func read(_ json: String) throws -> Settings {
        try Settings(json: Array(json.utf8), file: "sheaf.json")
    }

    @Test(arguments: ["{}", " { } \n", #"{"apps":{}}"#, #"{"apps":null,"showPreviews":null}"#])
    func emptyConfigurationIsTheDefault(_ json: String) throws {
        #expect(try read(json) == Settings())
        #expect(Settings().showPreviews == .always)
        #expect(Settings().developmentLanguage == "en")
    }

    /// Some editors write a byte order mark at the start of a file.
    @Test func byteOrderMarkIsSkipped() throws {
        #expect(try read("\u{feff}{\"developmentLanguage\":\"de\"}").developmentLanguage == "de")
        for (json, location) in [
            ("{]", "1: not valid JSON at column 2"), ("{\n]", "2: not valid JSON at column 1"),
            ("", "1: not valid JSON at column 1"), ("\u{feff}{}", "1: not valid JSON at column 1"),
        ] {
            let error = #expect(throws: ConfigurationError.self) { try read("\u{feff}" + json) }
            #expect(error.map { "\($0)" } == "sheaf.json:" + location)
        }
    }

    @Test func everyKeyIsRead() throws {
        let settings = try read(
            """
            {"showPreviews":"whenAuthenticated","developmentLanguage":"de",
             "apps":{"com.example.messages":{
               "name":"Messages","grouping":"byApp","showPreviews":"never","strings":"Messages/Resources",
               "categories":{"group-message":{
                 "categorySummaryFormat":"%u more messages from %@",
                 "hiddenPreviewsBodyPlaceholder":"%u Messages",
                 "options":["hiddenPreviewsShowTitle"]}}}}}
            """)
        var category = CategorySettings()
        category.summaryFormat = try MessageFormat("%u more messages from %@", role: .summary)
        category.placeholder = try MessageFormat("%u Messages", role: .placeholder)
        category.options = [.hiddenPreviewsShowTitle]
        var app = AppSettings()
        app.name = "Messages"
        app.grouping = .byApp
        app.showPreviews = .never
        app.strings = "Messages/Resources"
        app.categories = ["group-message": category]
        var expected = Settings()
        expected.showPreviews = .whenAuthenticated
        expected.developmentLanguage = "de"
        expected.apps = ["com.example.messages": app]
        #expect(settings == expected)
    }

    @Test func deliverySettingsAreReadAtBothLevels() throws {
        let settings = try read(
            #"""
            {"delivery":"quiet","sounds":false,"critical":false,"apps":{
             "a":{"delivery":"criticalOnly","provisional":true,"sounds":true,"serviceExtension":false,
              "critical":true},"b":{}}}
            """#)
        #expect(settings.delivery.delivery == .quiet && settings.delivery.sounds == false)
        #expect(settings.delivery.provisional == nil && settings.delivery.serviceExtension == nil)
        var app = AppSettings()
        (app.delivery.delivery, app.delivery.provisional) = (.criticalOnly, true)
        (app.delivery.sounds, app.delivery.serviceExtension, app.delivery.critical) = (true, false, true)
        #expect(settings.delivery.critical == false)
        #expect(settings.apps == ["a": app, "b": AppSettings()])
        #expect(settings.hasDelivery)
        #expect(try read(#"{"apps":{"a":{"sounds":true}}}"#).hasDelivery)
        #expect(try read(#"{"serviceExtensionLimit":0}"#).hasDelivery)
        let limits = try read(#"{"serviceExtensionLimit":20,"apps":{"a":{"serviceExtensionLimit":2.5}}}"#)
        #expect(limits.serviceExtensionLimit == 20 && limits.apps["a"]?.serviceExtensionLimit == 2.5)
        #expect(try !read(#"{"showPreviews":"never","delivery":null,"apps":{"a":{}}}"#).hasDelivery)
    }

    @Test func emptyPlaceholderIsAbsent() throws {
        let settings = try read(#"{"apps":{"a":{"categories":{"c":{"hiddenPreviewsBodyPlaceholder":""}}}}}"#)
        #expect(settings.apps["a"]?.categories["c"]?.placeholder == nil)
    }

    @Test(arguments: Grouping.allCases)
    func everyGroupingIsRead(_ grouping: Grouping) throws {
        let settings = try read(#"{"apps":{"a":{"grouping":"\#(grouping.rawValue)"}}}"#)
        #expect(settings.apps["a"]?.grouping == grouping)
    }

    @Test(arguments: PreviewVisibility.allCases)
    func everyPreviewVisibilityIsRead(_ visibility: PreviewVisibility) throws {
        let settings = try read(
            #"{"showPreviews":"\#(visibility.rawValue)","apps":{"a":{"showPreviews":"\#(visibility.rawValue)"}}}"#
        )
        #expect(settings.showPreviews == visibility)
        #expect(settings.apps["a"]?.showPreviews == visibility)
    }

    @Test func everyOptionIsRead() throws {
        let names = CategoryOption.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let settings = try read(#"{"apps":{"a":{"categories":{"c":{"options":[\#(names)]}}}}}"#)
        #expect(settings.apps["a"]?.categories["c"]?.options == Set(CategoryOption.allCases))
        #expect(
            Set(CategoryOption.allCases.map(\.rawValue)) == [
                "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle", "customDismissAction",
                "allowInCarPlay", "allowAnnouncement",
            ])
    }

    @Test func emptyObjectsAreDefaults() throws {
        let settings = try read(#"{"apps":{"a":{},"b":{"categories":{}},"c":{"categories":{"d":{}}}}}"#)
        #expect(settings.apps["a"] == AppSettings())
        #expect(settings.apps["b"] == AppSettings())
        #expect(settings.apps["c"]?.categories == ["d": CategorySettings()])
    }

    @Test func escapesInKeysAndTextsAreDecoded() throws {
        let settings = try read(#"{"\u0061pps":{"caf\u00e9":{"name":"\"\n"}}}"#)
        #expect(settings.apps["café"]?.name == "\"\n")
    }

    @Test func groupingRulesMatchNamesExactly() throws {
        let settings = try read(
            #"{"apps":{"auto":{},"by":{"grouping":"byApp"},"off":{"grouping":"off"},"":{"grouping":"off"}}}"#)
        let rules = GroupingRules(settings)
        for (name, grouping) in [
            ("auto", Grouping.automatic), ("by", .byApp), ("off", .off), ("unknown", .automatic),
            ("", .automatic), ("offf", .automatic),
        ] {
            let bytes = Array(name.utf8)
            #expect(rules.grouping(of: bytes.span) == grouping, "\(name)")
            #expect(GroupingRules(Settings()).grouping(of: bytes.span) == .automatic)
        }
    }

    /// Users paste complete categories, whose actions may be objects.
    @Test(
        arguments: [
            Example("none", "[]", []),
            Example("null", "null", nil),
            Example("an identifier", #"["REPLY"]"#, ["REPLY"]),
            Example("one several times", #"["REPLY","OPEN","REPLY"]"#, ["OPEN", "REPLY"]),
            Example(
                "objects among them",
                #"[{"identifier":"REPLY","title":"Reply","options":["foreground"]},"OPEN"]"#,
                ["OPEN", "REPLY"]),
        ] as [Example<String, Set<String>?>])
    func actionsAreKnownByTheirIdentifiers(_ example: Example<String, Set<String>?>) throws {
        let json =
            #"{"apps":{"a":{"categories":{"c":{"actions":\#(example.input),"options":["customDismissAction"]}}}}}"#
        var category = CategorySettings()
        category.options = [.customDismissAction]
        category.actions = example.expected
        #expect(try Settings(json: Array(json.utf8), file: "f").apps["a"]?.categories == ["c": category])
    }

    @Test(arguments: ["[]", "null", #"["INSendMessageIntent"]"#])
    func intentsHaveNoEffect(_ value: String) throws {
        let json = #"{"apps":{"a":{"categories":{"c":{"intentIdentifiers":\#(value)}}}}}"#
        #expect(
            try Settings(json: Array(json.utf8), file: "f").apps["a"]?.categories == ["c": CategorySettings()]
        )
    }

    /// A key may occur in several objects, and a value several times in a list.
    @Test func keysMayRepeatInDifferentObjects() throws {
        let json =
            #"{"apps":{"a":{"name":"a","categories":{"a":{"actions":["a","a",{"identifier":"b"},{"identifier":"b"}]}}},"b":{"name":"a"}}}"#
        #expect(try Settings(json: Array(json.utf8), file: "f").apps.count == 2)
    }
}
