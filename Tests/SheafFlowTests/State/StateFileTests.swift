import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Files of sorted state, written and read one record at a time.
@Suite(.tags(.spilling)) struct StateFileTests {
    private func read(
        _ bytes: [UInt8], _ section: StateSection, magic: FrameMagic = .run
    ) throws -> [[UInt8]] {
        let storage = MemoryStorage(["file": .file(bytes)])
        let (records, previous) = try StateText.records(
            of: StateFile(path: "file", magic: magic), section, storage)
        #expect(previous == [[]] + records.dropLast() || records.isEmpty)
        return records
    }

    struct Case: NamedCase {
        let name: String
        let notifications: [Int]
        let groups: [Int]
    }

    /// The lengths of the records in each section.
    static let cases = [
        Case(name: "nothing", notifications: [], groups: []),
        Case(name: "one record", notifications: [], groups: [1]),
        Case(name: "records in both sections", notifications: [3, 128, 1], groups: [1, 2]),
        Case(name: "no groups", notifications: [3, 4], groups: []),
        Case(
            name: "many frames", notifications: (0..<900).map { 1 + $0 % 300 },
            groups: (0..<900).map { 300 - $0 % 300 }),
        Case(
            name: "frames of one record", notifications: [Limits.frameBytes, 1],
            groups: [Limits.frameBytes - 3, Limits.frameBytes - 2, 3 * Limits.frameBytes, 1]),
    ]

    @Test(arguments: cases)
    func recordsAreReadAsTheyWereWritten(_ item: Case) throws {
        func records(_ lengths: [Int]) -> [[UInt8]] {
            lengths.enumerated().map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $1) }
        }
        let (notifications, groups) = (records(item.notifications), records(item.groups))
        let bytes = try StateText.file(
            notifications.map { (.notifications, $0) } + groups.map { (.groups, $0) })
        #expect(try read(bytes, .notifications) == notifications)
        #expect(try read(bytes, .groups) == groups)
        #expect(try read(bytes, .counts) == [])
    }

    /// A frame ends when it is full: equal records give equal files.
    @Test func framesEndWhenTheyAreFull() throws {
        let record = [UInt8](repeating: 7, count: 1_000)
        let bytes = try StateText.file((0..<200).map { _ in (.groups, record) })
        let sizes = try FrameFile.frames(bytes, magic: .run).get().map(\.payload.count)
        // 66 records of 1002 bytes are the first to reach 64 KiB.
        #expect(sizes == [66, 66, 66, 2].map { $0 * 1_002 })
    }

    struct Bad: NamedCase {
        let name: String
        let frames: [Frame]
    }

    static let group = Frame(kind: 3, payload: [1, 0x61])
    static let bad = [
        Bad(name: "an unknown section", frames: [Frame(kind: 5, payload: [1, 0x61]), group]),
        Bad(name: "sections out of order", frames: [Frame(kind: 4, payload: [1, 0x61]), group]),
        Bad(name: "an empty frame", frames: [group, Frame(kind: 3, payload: []), group]),
        Bad(
            name: "an empty frame of another section", frames: [Frame(kind: 2, payload: []), group]),
        Bad(name: "an empty record", frames: [Frame(kind: 3, payload: [0])]),
        Bad(name: "a record that ends after its frame", frames: [Frame(kind: 3, payload: [2, 0x61])]),
        Bad(name: "half a length", frames: [Frame(kind: 3, payload: [1, 0x61, 0x80])]),
    ]

    @Test(arguments: bad)
    func invalidFramesAreDamage(_ item: Bad) throws {
        let bytes = try FrameFile.bytes(item.frames, magic: .partial)
        let error = #expect(throws: ReplayError.self) { try read(bytes, .groups, magic: .partial) }
        guard case .damaged("file", .content, let offset) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((1...UInt64(bytes.count)).contains(offset))
    }

    /// An unreadable run is an error of the run itself, an unreadable partial result is an error of the source.
    @Test func errorsDependOnTheKindOfFile() throws {
        func open(_ magic: FrameMagic, _ entries: [String: MemoryStorage.Entry]) -> ReplayError? {
            do throws(ReplayError) {
                let file = StateFile(path: "file", magic: magic)
                _ = try StateText.records(of: file, .groups, MemoryStorage(entries))
                return nil
            } catch {
                return error
            }
        }
        let missing = StorageError(.open, path: "file", code: 2)
        #expect(open(.run, [:]) == .writing(missing))
        #expect(open(.partial, [:]) == .source(path: "file", reason: "cannot be opened: \(missing.reason)"))
        let run = try StateText.file([])
        #expect(open(.partial, ["file": .file(run)]) == .damaged(path: "file", .foreign, offset: 0))
        #expect(open(.run, ["file": .file(run)]) == nil)
    }

    /// The names of these files can be predicted, so another user may have put a link there.
    @Test func longestFramesAreNotReadThroughLinks() throws {
        let bytes = try StateText.file([(.groups, StateText.encoded([NotificationText()]))], magic: .run)
        let storage = MemoryStorage([
            "elsewhere": .file(bytes), "run": .link("elsewhere"), "own": .file(bytes),
        ])
        #expect(throws: ReplayError.writing(StorageError(.open, path: "run", code: ELOOP))) {
            try StateFile.largestFrame(of: "run", storage: storage)
        }
        #expect(storage.bytesRead(of: "elsewhere") == 0)
        #expect(try StateFile.largestFrame(of: "own", storage: storage) == Limits.frameBytes)
    }
}
