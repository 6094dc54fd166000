import SheafBytes
import Testing

@testable import SheafFlow

/// What a source's first bytes show.
@Suite struct SourceHeadTests {
    static let snapshot = #"{"app":"a","thread":null,"count":1,"total":1,"leading":{"id":null,"timestamp":1"#

    @Test(arguments: [
        snapshot, "\u{feff}" + snapshot, "[\n" + snapshot, "[" + snapshot,
        #"{"device":"d","# + snapshot.dropFirst(), #"{"device":null,"# + snapshot.dropFirst(),
        #"{"app":"a\"\\","thread":"t\"","count":12,"total":120,"leading":{"id":"x"#,
    ])
    func snapshots(_ text: String) throws {
        #expect(SourceHead.damage(Array(text.utf8)) == SourceDamage(reason: .snapshot, offset: 0))
        let compressed = try LogFiles.gzip(Array(text.utf8))
        #expect(SourceHead.damage(compressed) == SourceDamage(reason: .snapshot, offset: 10))
        // What is cut shows nothing.
        #expect(SourceHead.damage(Array(text.utf8.prefix(60))) == nil)
    }

    @Test(arguments: [
        "", "[", "{", #"{"app":"a","payload":{"aps":{"alert":"x"}}}"#,
        #"{"app":"a","thread":null,"count":1,"total":1,"payload":{"aps":{}}}"#,
        #"{"app":"a","thread":null,"count":,"total":1,"leading":{"id":null"#,
        #"{"thread":null,"app":"a","count":1,"total":1,"leading":{"id":null"#,
        #"{"app":"a,"thread":null,"count":1,"total":1,"leading":{"id":null"#, "app,thread,count\r\n",
        "SHEAF of papers\n",
        "SHEAF\u{1}\n",
    ])
    func logs(_ text: String) throws {
        #expect(SourceHead.damage(Array(text.utf8)) == nil)
        #expect(SourceHead.damage(try LogFiles.gzip(Array(text.utf8))) == nil)
    }

    /// Whoever ends a terminal's input does so once.
    @Test(arguments: [0, 1, 999, 1_000, 3_000, 4_096, 9_000])
    func theEndIsMetOnce(_ count: Int) async throws {
        let text = [UInt8](repeating: 0x0a, count: count)
        let storage = MemoryStorage(input: text)
        var options = ReplayOptions(sources: ["-"])
        options.output = "out"
        #expect(try await run(options, storage).get().lines == UInt64(count))
        let reads = storage.events.count { $0.operation == .read && $0.path == "-" }
        // Pieces of 1,000 bytes, one of them cut where the first bytes end, and the end.
        let pieces = count <= 4_096 ? (count + 999) / 1_000 : 5 + (count - 4_096 + 999) / 1_000
        #expect(reads == pieces + 1)
    }
}
