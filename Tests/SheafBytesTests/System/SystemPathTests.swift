import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// File names of arbitrary bytes, converted to text and back.
@Suite struct SystemPathTests {
    struct Name: NamedCase {
        let name: String
        let bytes: [UInt8]
        let text: String
        let shown: String

        init(_ name: String, _ bytes: [UInt8], _ text: String, _ shown: String) {
            self.name = name
            self.bytes = bytes
            self.text = text
            self.shown = shown
        }
    }

    static let names = [
        Name("empty", [], "", ""),
        Name("ASCII", Array("a/b.c".utf8), "a/b.c", "a/b.c"),
        Name("UTF-8", Array("é日😀".utf8), "é日😀", "é日😀"),
        Name("a backslash", Array(#"\xe9"#.utf8), #"\xe9"#, #"\xe9"#),
        Name("Latin-1", [0x63, 0xe9, 0x2e], "c\u{10ffe9}.", #"c\xe9."#),
        Name("Latin-1 at the end", [0x63, 0xe9], "c\u{10ffe9}", #"c\xe9"#),
        Name("only continuation bytes", [0x80, 0xbf], "\u{10ff80}\u{10ffbf}", #"\x80\xbf"#),
        Name("a truncated character", [0xe2, 0x82, 0x61], "\u{10ffe2}\u{10ff82}a", #"\xe2\x82a"#),
        Name("an overlong encoding", [0xc0, 0xaf], "\u{10ffc0}\u{10ffaf}", #"\xc0\xaf"#),
        Name("a surrogate", [0xed, 0xa0, 0x80], "\u{10ffed}\u{10ffa0}\u{10ff80}", #"\xed\xa0\x80"#),
        Name(
            "beyond Unicode", [0xf4, 0x90, 0x80, 0x80], "\u{10fff4}\u{10ff90}\u{10ff80}\u{10ff80}",
            #"\xf4\x90\x80\x80"#),
        Name("bytes never used in UTF-8", [0xff, 0xfe], "\u{10ffff}\u{10fffe}", #"\xff\xfe"#),
        Name("the last plane", Array("\u{10fe00}".utf8), "\u{10fe00}", "\u{10fe00}"),
        Name(
            "a character that represents a byte", Array("\u{10ffe9}".utf8),
            "\u{10fff4}\u{10ff8f}\u{10ffbf}\u{10ffa9}", #"\xf4\x8f\xbf\xa9"#),
        Name(
            "an adjacent character that represents no byte", Array("\u{10ff00}".utf8),
            "\u{10fff4}\u{10ff8f}\u{10ffbc}\u{10ff80}", #"\xf4\x8f\xbc\x80"#),
        Name("valid and invalid", [0xc3, 0xa9, 0xe9, 0xc3, 0xa9], "é\u{10ffe9}é", #"é\xe9é"#),
    ]

    @Test(arguments: names) func namesConvertToTextAndBack(_ name: Name) {
        let text = SystemPath.text(name.bytes)
        #expect(Array(text.unicodeScalars) == Array(name.text.unicodeScalars))
        #expect(SystemPath.bytes(text) == name.bytes)
        #expect(SystemPath.shown(text) == name.shown)
    }

    /// Different names have different texts, because each text converts back to its name.
    @Test(arguments: Seeds.several(30)) func randomNamesRoundTrip(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(6) {
                switch random.below(4) {
                case 0: bytes.append(UInt8(random.below(256)))
                case 1: bytes += "\u{10ff00}\u{10ffff}\u{10fffd}".utf8.prefix(random.below(12))
                case 2: bytes += "aé日😀".utf8.prefix(random.below(10))
                default: bytes += [0xf4, 0x8f, 0xbf, UInt8(random.below(256))]
                }
            }
            let text = SystemPath.text(bytes)
            #expect(SystemPath.bytes(text) == bytes, "\(bytes)")
            // The text survives being stored as UTF-8.
            #expect(SystemPath.bytes(String(decoding: Array(text.utf8), as: UTF8.self)) == bytes)
        }
    }

    @Test func namesAreOrderedByTheirBytes() {
        let names: [[UInt8]] = [[], [0x61], [0x61, 0x80], [0xc3, 0xa9], [0xe9], Array("😀".utf8), [0xff]]
        let texts = names.map { SystemPath.text($0) }
        for (first, a) in texts.enumerated() {
            for (second, b) in texts.enumerated() {
                #expect(SystemPath.precedes(a, b) == (first < second))
            }
        }
    }

    /// Every call accepts a name as `names(in:)` returns it.
    @Test func filesWithInvalidUTF8NamesCanBeUsed() throws {
        let folder = try TemporaryFolder()
        let storage = SystemStorage()
        let name = SystemPath.text([0x63, 0x61, 0x66, 0xe9])
        let path = folder.path(name)
        #expect(try storage.status(of: path) == nil)
        try storage.makeFolder(path, isPrivate: false)
        #expect(try storage.status(of: path)?.kind == .folder)
        #expect(try storage.names(in: folder.path) == [name])
        let inside = "\(path)/\(SystemPath.text([0xff]))"
        let file = try storage.createNew(inside)
        try file.write(Array("text".utf8).span)
        file.close()
        #expect(try storage.resolvingLinks(inside).hasSuffix("/\(name)/\u{10ffff}"))
        #expect(!storage.isSymbolicLink(inside))
        try storage.rename(inside, to: "\(path)/plain")
        #expect(try storage.contents(of: "\(path)/plain", upTo: 10) == Array("text".utf8))
        try storage.rename("\(path)/plain", to: inside)
        try storage.syncFolder(path)
        #expect(try storage.names(in: path) == ["\u{10ffff}"])
        let appended = try storage.openForAppending(inside, keeping: 2)
        try appended.write(Array("!".utf8).span)
        appended.close()
        #expect(try storage.contents(of: inside, upTo: 10) == Array("te!".utf8))
        try storage.remove(inside)
        let lockPath = "\(path)/\(SystemPath.text([0xfe]))"
        do {
            let lock = try storage.lock(lockPath)
            #expect(lock != nil)
            #expect(try storage.lock(lockPath) == nil)
        }
        try storage.remove(lockPath)
        #expect(try storage.names(in: path) == [])
        // Foundation, which removes the test's folder, cannot handle such names.
        try storage.rename(path, to: folder.path("plain"))
    }

    @Test func errorsEscapeInvalidBytes() {
        let error = StorageError(.open, path: SystemPath.text([0x61, 0xe9]), code: ENOENT)
        #expect("\(error)" == #"a\xe9: cannot open: No such file or directory"#)
    }

    /// If a limit was exceeded, the message names it.
    @Test(arguments: [
        (StorageError.Operation.write, EFBIG, "File too large; raise the limit on file sizes (ulimit -f)"),
        (.read, EFBIG, "File too large"),
        (.open, EMFILE, "Too many open files; raise the limit on open files (ulimit -n)"),
        (.create, EMFILE, "Too many open files; raise the limit on open files (ulimit -n)"),
        (.write, ENOSPC, "No space left on device"),
    ])
    func limitErrorsNameTheLimit(_ operation: StorageError.Operation, _ code: Int32, _ reason: String) {
        #expect(StorageError(operation, path: "a", code: code).reason == reason)
    }
}
