import SheafBytes
import Testing

@testable import SheafGroups

@Suite struct ThreadRuleTests {
    private static func input(_ mapping: String) throws -> LogInput {
        try LogInput(json: Array(mapping.utf8), file: "threads.json")
    }

    private static func threads(_ candidates: String) throws -> LogInput {
        try input(#"{"fields":{"payload/aps/thread-id":[\#(candidates)]}}"#)
    }

    /// The candidates of the thread, and that of a record with the thread `a/b/c` and the category `d-e`.
    @Test(arguments: [
        (#""/payload/aps/thread-id""#, "a/b/c"), (#""/payload/aps/category""#, "d-e"),
        (#"{"pointer":"/payload/aps/thread-id","separator":"/","part":0}"#, "a"),
        (#"{"pointer":"/payload/aps/thread-id","separator":"/","part":2}"#, "c"),
        (#"{"pointer":"/payload/aps/thread-id","separator":"/","part":3}"#, "a/b/c"),
        (#"{"pointer":"/payload/aps/category","separator":"/","part":1}"#, "a/b/c"),
        (#"{"pointer":"/payload/aps/thread-id","separator":"-","part":0}"#, "a/b/c"),
        (#"{"pointer":"/payload/aps/category","separator":"-","part":1}"#, "e"),
        (#"{"constant":"all"}"#, "all"),
    ])
    func aRuleGivesAThread(_ candidate: String, _ expected: String) throws {
        let rule = try #require(try Self.threads(candidate).threadRule(from: LogInput.automatic))
        let chunk = Chunk(Array("a/b/cd-e".utf8), annex: 8)
        var record = NotificationRecord()
        (record.thread, record.category) = (TextRange(0..<5), TextRange(5..<8))
        let thread = try #require(rule.thread(of: record, in: chunk))
        #expect(chunk.bytes(of: thread).string == expected)
    }

    @Test func aRecordWithoutTextsHasNoThread() throws {
        let part = #"{"pointer":"/payload/aps/category","separator":"/","part":0}"#
        let rule = try #require(try Self.threads(part).threadRule(from: LogInput.automatic))
        let thread = rule.thread(of: NotificationRecord(), in: Chunk(Array("x".utf8)))
        #expect(thread == TextRange.none)
    }

    @Test func aConstantNeedsRoom() throws {
        let rule = try #require(try Self.threads(#"{"constant":"all"}"#).threadRule(from: LogInput.automatic))
        let thread = rule.thread(of: NotificationRecord(), in: Chunk(Array("x".utf8)))
        #expect(thread == nil)
    }

    /// Mappings whose records need more than a decoded record has.
    @Test(arguments: [
        (
            "two candidates",
            #"{"fields":{"payload/aps/thread-id":["/payload/aps/category",{"constant":"x"}]}}"#
        ),
        ("another member", #"{"fields":{"payload/aps/thread-id":"/payload/chat"}}"#),
        ("a member of the line", #"{"fields":{"payload/aps/thread-id":"/aps/thread-id"}}"#),
        ("another field", #"{"fields":{"payload/aps/thread-id":{"constant":"x"},"app":"/name"}}"#),
        ("no thread", #"{"fields":{"app":"/name"}}"#),
        (
            "a condition",
            #"{"when":[["/kind"]],"fields":{"payload/aps/thread-id":{"constant":"x"}}}"#
        ),
    ])
    func otherMappingsHaveNoRule(_ name: String, _ mapping: String) throws {
        let input = try Self.input(mapping)
        #expect(input.threadRule(from: LogInput.automatic) == nil)
    }

    @Test func mappedRecordsHaveNoRule() throws {
        let (constant, category) = (
            try Self.threads(#"{"constant":"x"}"#), try Self.threads(#""/payload/aps/category""#)
        )
        #expect(constant.threadRule(from: category) == nil)
        #expect(LogInput.automatic.threadRule(from: constant) == nil)
    }
}
