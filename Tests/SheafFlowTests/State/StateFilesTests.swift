import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// More files than can be open at once: they are merged in several passes, and removed.
@Suite(.tags(.spilling)) struct StateFilesTests {
    private struct Parts {
        let storage = MemoryStorage()
        var files: [StateFile] = []
        let folder: SpillFolder
        let whole: StateText
        let replaced: Int
        var options = ReplayOptions(sources: [])

        init(files count: Int, notifications: Int, seed: UInt64) throws {
            options.byDevice = true
            options.maximumArguments = 2
            folder = try SpillFolder(in: nil, storage: storage)
            var random = SeededGenerator(seed: seed)
            let all = NotificationText.several(notifications, &random)
            var parts = [[NotificationText]](repeating: [], count: count)
            for notification in all { parts[random.below(count)].append(notification) }
            var replacedBefore = 0
            for part in parts {
                let state = StateText(part)
                replacedBefore += state.replaced
                files.append(
                    try folder.write { writer throws(ReplayError) in
                        for record in state.records(.notifications) {
                            try writer.add(record.span, to: .notifications)
                        }
                        for record in state.records(.groups) { try writer.add(record.span, to: .groups) }
                    })
            }
            whole = StateText(all)
            replaced = whole.replaced - replacedBefore
        }

        func state(
            mergedAtOnce: Int = Limits.mergedFiles,
            check: @escaping () throws(ReplayError) -> Void = { () throws(ReplayError) in }
        ) throws -> StateFiles {
            var options = options
            options.settings = try Settings(
                json: Array(#"{"apps":{"off":{"grouping":"off"}}}"#.utf8), file: "sheaf.json")
            return StateFiles(
                files, options.state, options.selection, budget: try MemoryBudget(options),
                openFiles: OpenFiles(available: Limits.keptFiles + mergedAtOnce + 1, threads: 1),
                folder: folder, storage: storage, spillsAlways: options.spillsAlways, check: check)
        }
    }

    static let counts = [0, 1, Limits.mergedFiles, Limits.mergedFiles + 1, 3 * Limits.mergedFiles]

    @Test(arguments: counts)
    func anyNumberOfFilesIsMergedIntoOne(_ count: Int) throws {
        let parts = try Parts(files: max(1, count), notifications: count == 0 ? 0 : 400, seed: UInt64(count))
        var state = try parts.state()
        let bytes = try StateText.written(&state)
        let expected = try parts.whole.file()
        #expect(bytes == expected)
        #expect(state.found.updated == UInt64(parts.replaced))
        #expect(state.groupCount == UInt64(parts.whole.groups.count))
        #expect(state.files.count <= Limits.mergedFiles)
        // The merged files are gone; only their results and the lock are left.
        let runs = parts.storage.entries.keys.filter { $0.hasSuffix(".run") }
        #expect(Set(runs) == Set(state.files.map(\.path)))
        #expect(parts.storage.entries.count == runs.count + 1)
        parts.folder.removeAll()
        #expect(parts.storage.entries.isEmpty)
        #expect(parts.storage.openFiles == 0)
    }

    /// No pass has more than the allowed number of files open, plus the one it writes.
    @Test func theNumberOfOpenFilesIsBounded() throws {
        let parts = try Parts(files: 200, notifications: 500, seed: 9)
        var maximumOpenFiles = 0
        var state = try parts.state { () throws(ReplayError) in
            maximumOpenFiles = max(maximumOpenFiles, parts.storage.openFiles)
        }
        _ = try StateText.written(&state)
        #expect(maximumOpenFiles <= Limits.mergedFiles + 1)
        #expect(maximumOpenFiles > 1)
    }

    /// With a low limit on open files there are more passes, and the result is the same.
    @Test(arguments: [2, 3, 7, 63])
    func aLowLimitGivesTheSameResult(_ atOnce: Int) throws {
        let parts = try Parts(files: 65, notifications: 300, seed: UInt64(atOnce))
        var maximumOpenFiles = 0
        var state = try parts.state(mergedAtOnce: atOnce) { () throws(ReplayError) in
            maximumOpenFiles = max(maximumOpenFiles, parts.storage.openFiles)
        }
        let bytes = try StateText.written(&state)
        let expected = try parts.whole.file()
        #expect(bytes == expected)
        #expect(state.found.updated == UInt64(parts.replaced))
        #expect(maximumOpenFiles <= atOnce + 1)
    }

    /// Folding a notification into its group has the same result as if it had never been replaceable.
    @Test(arguments: [false, true], [ReplayOptions.Order.key, .recent])
    func notificationsAreFoldedIntoTheirGroups(_ spills: Bool, _ order: ReplayOptions.Order) throws {
        var parts = try Parts(files: 100, notifications: 300, seed: 12)
        parts.options.spillsAlways = spills
        parts.options.order = order
        var state = try parts.state()
        try state.fold()
        let delivered = parts.whole.groups.flatMap(\.self) + parts.whole.notifications
        let expected = StateText(
            delivered.map { notification in
                var notification = notification
                notification.collapseIdentifier = ""
                return notification
            })
        var groups = expected.groups
        if order == .recent { groups.sort { $0[0].order > $1[0].order } }
        var found: [[UInt8]] = []
        switch order {
        case .key: found = try Self.groups(GroupEntry.self, state.files, parts.storage)
        case .recent: found = try Self.groups(RecentEntry.self, state.files, parts.storage)
        }
        #expect(found == groups.map { StateText.encoded($0) })
        #expect(state.found.updated == UInt64(parts.replaced))
        parts.folder.removeAll()
        #expect(parts.storage.entries.isEmpty)
    }

    private static func groups<Entry: StateRecord>(
        _ entry: Entry.Type, _ files: [StateFile], _ storage: MemoryStorage
    ) throws -> [[UInt8]] {
        let bytes = try StateText.merged(entry, files, storage).file
        let merged = MemoryStorage(["merged": .file(bytes)])
        return try StateText.records(of: StateFile(path: "merged", magic: .run), .groups, merged).records
    }

    @Test func aCheckThatThrowsEndsTheMerge() throws {
        for wanted in 0... {
            let parts = try Parts(files: 130, notifications: 200, seed: 3)
            var checks = 0
            var state = try parts.state { () throws(ReplayError) in
                if checks == wanted { throw ReplayError.interrupted(signal: 2) }
                checks += 1
            }
            do {
                _ = try StateText.written(&state)
                #expect(wanted >= 4)
                return
            } catch {
                #expect(error == .interrupted(signal: 2))
                parts.folder.removeAll()
                #expect(parts.storage.entries.isEmpty)
            }
        }
    }
}
