import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Several sorted files merged into one, compared with the same state written as a single file.
@Suite struct StateMergeTests {
    struct Merging: NamedCase {
        let name: String
        let notifications: Int
        let files: Int
    }

    static let mergings = [
        Merging(name: "one empty file", notifications: 0, files: 1),
        Merging(name: "one file", notifications: 60, files: 1),
        Merging(name: "two files", notifications: 60, files: 2),
        Merging(name: "more files than notifications", notifications: 20, files: 40),
        Merging(name: "as many files as are merged at once", notifications: 300, files: Limits.mergedFiles),
    ]

    /// Returns random notifications in several files, and their combined state. Each file's sources are numbered from
    /// 0.
    private static func parts(
        _ item: Merging, seed: UInt64
    ) throws -> (files: [StateFile], storage: MemoryStorage, whole: StateText, replaced: Int) {
        var random = SeededGenerator(seed: seed)
        var parts = [[NotificationText]](repeating: [], count: item.files)
        for notification in NotificationText.several(item.notifications, sources: 3, &random) {
            parts[random.below(item.files)].append(notification)
        }
        var entries: [String: MemoryStorage.Entry] = [:]
        var (files, all): ([StateFile], [NotificationText]) = ([], [])
        var replaced = 0
        for (index, part) in parts.enumerated() {
            let state = StateText(part)
            replaced += state.replaced
            let path = "temporary/\(index)"
            entries[path] = .file(try state.file())
            files.append(StateFile(path: path, magic: .run, sourceOffset: 3 * index))
            all += part.map { notification in
                var notification = notification
                let order = notification.order
                notification.order = OrderKey(
                    timestamp: order.timestamp, source: order.source + 3 * index, line: order.line,
                    index: order.index)
                return notification
            }
        }
        let whole = StateText(all)
        return (files, MemoryStorage(entries), whole, whole.replaced - replaced)
    }

    @Test(arguments: mergings, Seeds.several(3))
    func filesAreMergedIntoOne(_ item: Merging, _ seed: UInt64) throws {
        let (files, storage, whole, replaced) = try Self.parts(item, seed: seed)
        let merged = try StateText.merged(GroupEntry.self, files, storage)
        let expected = try whole.file()
        #expect(merged.file == expected)
        #expect(merged.replaced == UInt64(replaced))
        #expect(merged.groups == UInt64(whole.groups.count))
        #expect(storage.openFiles == 0)
    }

    @Test(arguments: mergings, Seeds.several(3))
    func theNewestVersionsAreFound(_ item: Merging, _ seed: UInt64) throws {
        let (files, storage, whole, replaced) = try Self.parts(item, seed: seed)
        let found = try StateText.newest(files, storage)
        #expect(found.notifications == whole.notifications)
        #expect(found.replaced == UInt64(replaced))
    }

    /// Each group is taken completely: merged if it is in several files, and with its encoded bytes if it is in only
    /// one.
    @Test(arguments: mergings, Seeds.several(2))
    func groupsAreTakenCompletely(_ item: Merging, _ seed: UInt64) throws {
        let (files, storage, whole, _) = try Self.parts(item, seed: seed)
        let pieces = try StateText.pieces(files, storage)
        #expect(pieces.map(\.groups.count) == (whole.groups.isEmpty ? [0] : [whole.groups.count, 0]))
        let expected = whole.records(.groups)
        #expect(pieces[0].groups.map(\.merged) == expected)
        for (group, expected) in zip(pieces[0].groups, expected) {
            #expect(group.finished == nil ? item.files > 1 : group.finished == expected)
        }
    }

    /// A piece ends when it reaches its limit, and the next one continues.
    @Test func theSizeOfPiecesIsBounded() throws {
        var random = SeededGenerator(seed: 1)
        var notifications = NotificationText.several(1_100, &random)
        for index in notifications.indices {
            notifications[index].collapseIdentifier = ""
            notifications[index].grouping = .automatic
            notifications[index].thread = "thread \(index)"
        }
        let state = StateText(notifications)
        let storage = MemoryStorage(["a": .file(try state.file()), "b": .file(try state.file())])
        let files = [("a", 0), ("b", 1)].map { StateFile(path: $0.0, magic: .run, sourceOffset: $0.1) }
        let pieces = try StateText.pieces(files, storage)
        let bound = Limits.groupsPerPiece
        #expect(pieces.map(\.groups.count) == [bound, bound, 1_100 - 2 * bound, 0])
        #expect(pieces.map(\.states) == pieces.map { 2 * $0.groups.count })
    }
}
