import Testing

@testable import SheafFlow

/// Messages about options, which a program shows with its own names for them.
@Suite struct OptionMessageTests {
    private static let message: OptionMessage = "'log' is a source: \(.rejects) would replace it"

    @Test func optionsAreNamedAsTheCallerNamesThem() {
        #expect(Self.message.text { "--\($0.rawValue)" } == "'log' is a source: --rejects would replace it")
    }

    @Test func optionsAreNamedAsPropertiesByDefault() {
        #expect(Self.message.description == "'log' is a source: `rejects` would replace it")
        #expect("\(ReplayError.usage(Self.message))" == Self.message.description)
    }

    @Test func messagesCanBePartsOfOthers() {
        let name: OptionMessage = "the snapshot"
        let message: OptionMessage = "\(name) and \(.partial)" + " are \(1 + 1) files"
        #expect(message.text(naming: \.rawValue) == "the snapshot and partial are 2 files")
    }

    @Test func equalTextsAreEqualMessages() {
        #expect("a\("b")c" as OptionMessage == "abc")
        #expect("" as OptionMessage == "\("")")
        #expect("\(.partial)" as OptionMessage != "`partial`")
    }
}
