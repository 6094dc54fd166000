import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Recognition of snapshots by a source's first bytes.
@Suite struct SourceHeadTests {
    static let snapshot = #"{"app":"a","thread":null,"count":1,"total":1,"leading":{"id":null,"timestamp":1"#

    @Test(arguments: [
        snapshot, "\u{feff}" + snapshot, "[\n" + snapshot, "[" + snapshot,
        #"{"device":"d","# + snapshot.dropFirst(), #"{"device":null,"# + snapshot.dropFirst(),
        #"{"app":"a\"\\","thread":"t\"","count":12,"total":120,"leading":{"id":"x"#,
    ])
    func aSnapshotIsRecognized(_ text: String) throws {
        #expect(SourceHead.damage(Array(text.utf8)) == SourceDamage(reason: .snapshot, offset: 0))
        let compressed = gzip(Array(text.utf8))
        #expect(SourceHead.damage(compressed) == SourceDamage(reason: .snapshot, offset: 10))
        // A truncated snapshot is not recognized.
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
    func aLogIsNotASnapshot(_ text: String) throws {
        #expect(SourceHead.damage(Array(text.utf8)) == nil)
        #expect(SourceHead.damage(gzip(Array(text.utf8))) == nil)
    }

    /// The end of input is read only once: a terminal's user signals it once.
    @Test(arguments: [0, 1, 999, 1_000, 3_000, 4_096, 9_000])
    func theEndOfInputIsReadOnce(_ count: Int) async throws {
        let text = [UInt8](repeating: UInt8(ascii: "\n"), count: count)
        let storage = InterceptedStorage(MemoryStorage(input: text, step: 1_000))
        var options = ReplayOptions(sources: ["-"])
        options.output = "out"
        #expect(try await run(options, on: storage).get().lines == UInt64(count))
        let reads = storage.events.count { $0.operation == .read && $0.path == "-" }
        // Reads of 1,000 bytes, one of them split where the head ends, and the read that returns the end.
        let pieces = count <= 4_096 ? (count + 999) / 1_000 : 5 + (count - 4_096 + 999) / 1_000
        #expect(reads == pieces + 1)
    }
}
