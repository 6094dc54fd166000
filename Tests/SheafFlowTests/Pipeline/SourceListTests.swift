import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Expansion of the given paths to the sources that are read (specification §1).
@Suite struct SourceListTests {
    static let files: [String: MemoryStorage.Entry] = [
        "one.ndjson": .file([1, 2, 3]), "two.ndjson": .file([]), "secret": .unreadable, "pipe": .device([]),
        "logs": .folder, "logs/b": .file([1]), "logs/a-b": .file([]), "logs/a": .folder,
        "logs/a/x": .file([]),
        "logs/a.x": .file([]), "logs/Z": .file([]), "logs/.hidden": .file([]), "logs/é": .file([]),
        "logs/a/deep": .folder, "logs/a/deep/er": .folder, "logs/a/deep/er/file": .file([7]),
        "empty": .folder, "nested": .folder, "nested/empty": .folder,
        "links": .folder, "links/file": .link("one.ndjson"), "links/folder": .link("logs"),
        "links/twice": .link("links/file"), "links/self": .link("links"),
        "broken": .folder, "broken/link": .link("nothing"),
        "devices": .folder, "devices/null": .device([]), "devices/log": .file([]),
        "closed": .folder, "closed/log": .unreadable,
        "killed": .folder, "killed/.log.sheaf-1x.tmp": .file([1]), "killed/.bad.sheaf-1x.0.spool": .file([1]),
        "killed/log": .file([]), "killed/.log.1x.tmp": .file([]),
        "linked": .link("one.ndjson"), "linkedFolder": .link("logs/a"), "linkToNothing": .link("nothing"),
    ]

    /// The given paths, and those of the sources.
    typealias Case = Example<[String], [String]>

    /// All of "logs" in byte order of the whole path: `-` and `.` precede `/`.
    static let logs = [
        "logs/Z", "logs/a-b", "logs/a.x", "logs/a/deep/er/file", "logs/a/x", "logs/b", "logs/é",
    ]

    @Test(arguments: [
        Case("nothing", [], []),
        Case("a file", ["one.ndjson"], ["one.ndjson"]),
        Case("files in the order given", ["two.ndjson", "one.ndjson"], ["two.ndjson", "one.ndjson"]),
        Case("one file twice", ["one.ndjson", "one.ndjson"], ["one.ndjson", "one.ndjson"]),
        Case("standard input", ["one.ndjson", "-", "two.ndjson"], ["one.ndjson", "-", "two.ndjson"]),
        Case("a pipe", ["pipe"], ["pipe"]),
        Case("a folder", ["logs"], logs),
        Case("a folder with a slash", ["logs/"], logs),
        Case(
            "a folder among files", ["two.ndjson", "logs/a", "one.ndjson"],
            [
                "two.ndjson", "logs/a/deep/er/file", "logs/a/x", "one.ndjson",
            ]),
        Case("links to files, not to folders", ["links"], ["links/file", "links/twice"]),
        Case("a link to a file", ["linked"], ["linked"]),
        Case("a link to a folder", ["linkedFolder"], ["linkedFolder/deep/er/file", "linkedFolder/x"]),
        Case("no devices in folders", ["devices"], ["devices/log"]),
        Case("no temporary files", ["killed"], ["killed/log"]),
        Case("a hidden file by its name", ["logs/.hidden"], ["logs/.hidden"]),
    ])
    func pathsExpandToSources(_ item: Case) throws {
        let sources = try SourceList.expand(item.input, storage: MemoryStorage(Self.files))
        #expect(sources.map { Array($0.path.utf8) } == item.expected.map { Array($0.utf8) })
    }

    @Test func onlyFilesHaveASizeAndAnIdentity() throws {
        let sources = try SourceList.expand(
            ["one.ndjson", "-", "pipe", "linked"], storage: MemoryStorage(Self.files))
        #expect(sources.map(\.size) == [3, nil, nil, 3])
        #expect(sources[0].identity == sources[3].identity)
        #expect(sources[1].identity == nil)
    }

    struct Failure: NamedCase {
        let name: String
        let given: [String]
        let error: ReplayError

        init(_ name: String, _ given: [String], _ path: String, _ reason: String) {
            self.name = name
            self.given = given
            error = .source(path: path, reason: reason)
        }

        init(_ name: String, _ given: [String], usage: OptionMessage) {
            self.name = name
            self.given = given
            error = .usage(usage)
        }
    }

    @Test(arguments: [
        Failure("missing", ["nothing"], "nothing", "no such file or directory"),
        Failure("missing after others", ["one.ndjson", "nothing"], "nothing", "no such file or directory"),
        Failure("a broken link", ["linkToNothing"], "linkToNothing", "no such file or directory"),
        Failure("unreadable", ["secret"], "secret", "cannot be opened: Permission denied"),
        Failure("unreadable in a folder", ["closed"], "closed/log", "cannot be opened: Permission denied"),
        Failure("an empty folder", ["empty"], "empty", "the directory holds no files"),
        Failure("a folder of empty folders", ["nested"], "nested", "the directory holds no files"),
        Failure("a broken link in a folder", ["broken"], "broken/link", "broken symbolic link"),
        Failure(
            "standard input twice", ["-", "one.ndjson", "-"],
            usage: "standard input ('-') can be a source only once"),
    ])
    func invalidPathsAreErrors(_ item: Failure) {
        #expect(throws: item.error) {
            try SourceList.expand(item.given, storage: MemoryStorage(Self.files))
        }
    }

    @Test func aFolderThatCannotBeListedIsAnError() {
        let storage = InterceptedStorage(MemoryStorage(Self.files)) { _, event in
            event.path == "logs/a" ? .fails(EACCES) : .succeeds
        }
        #expect(throws: ReplayError.source(path: "logs/a", reason: "cannot be listed: Permission denied")) {
            try SourceList.expand(["logs"], storage: storage)
        }
    }

    @Test func onlyRegularFilesAreOpenedForACheck() throws {
        let files = MemoryStorage(Self.files)
        let storage = InterceptedStorage(files)
        _ = try SourceList.expand(["-", "pipe", "one.ndjson", "two.ndjson"], storage: storage)
        #expect(storage.events.map(\.description) == ["open one.ndjson", "open two.ndjson"])
        #expect(files.openFiles == 0)
    }
}
