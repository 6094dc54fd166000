import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Files whose frames are intact, but whose records are not the ones that were written.
@Suite(.tags(.spilling)) struct StateDisorderTests {
    struct Disorder: NamedCase {
        let name: String
        let section: StateSection
        let change: @Sendable (inout [[UInt8]]) -> Void
    }

    static let disorders = [StateSection.notifications, .groups].flatMap { section in
        [
            Disorder(name: "two records swapped, \(section)", section: section) { $0.swapAt(3, 4) },
            Disorder(name: "the last record first, \(section)", section: section) {
                $0.insert($0.removeLast(), at: 0)
            },
            Disorder(name: "a repeated record, \(section)", section: section) { $0.insert($0[2], at: 2) },
            Disorder(name: "a truncated record, \(section)", section: section) { $0[5].removeLast() },
            Disorder(name: "an invalid first record, \(section)", section: section) { $0[0] = [9] },
        ]
    }

    /// The records are in one frame, or each in its own frame.
    @Test(arguments: disorders, [false, true])
    func invalidRecordsAreDamage(_ item: Disorder, _ isFramed: Bool) throws {
        var random = SeededGenerator(seed: 2)
        let state = StateText(NotificationText.several(200, &random))
        var records = state.records(item.section)
        item.change(&records)
        let payloads = try records.map { record in
            let bytes = try StateText.file([(item.section, record)])
            return try FrameFile.frames(bytes, magic: .run).get()[0].payload
        }
        let kind = item.section.rawValue
        let frames =
            isFramed
            ? payloads.map { Frame(kind: kind, payload: $0) }
            : [Frame(kind: kind, payload: payloads.flatMap(\.self))]
        let bytes = try FrameFile.bytes(frames, magic: .run)
        let files = [StateFile(path: "file", magic: .run)]
        let storage = MemoryStorage(["file": .file(bytes)])
        let error = #expect(throws: ReplayError.self) {
            try StateText.merged(GroupEntry.self, files, storage)
        }
        guard case .damaged("file", .content, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// The source and notification counts in a file's header limit its records.
    @Test func recordsBeyondTheCountsAreDamage() throws {
        var random = SeededGenerator(seed: 4)
        let state = StateText(NotificationText.several(60, sources: 3, &random))
        let storage = MemoryStorage(["file": .file(try state.file())])
        func merge(sources: Int, notifications: UInt64) -> Bool {
            let file = StateFile(
                path: "file", magic: .run, sourceOffset: 5, sources: OrdinalSet(0..<sources),
                notificationCount: notifications)
            return (try? StateText.merged(GroupEntry.self, [file], storage)) != nil
        }
        let maximum = UInt64(state.notifications.count + state.groups.reduce(0) { $0 + $1.count })
        #expect(merge(sources: 3, notifications: maximum))
        #expect(!merge(sources: 2, notifications: maximum))
        #expect(!merge(sources: 3, notifications: maximum - 1))
        #expect(!merge(sources: 0, notifications: maximum))
    }
}
