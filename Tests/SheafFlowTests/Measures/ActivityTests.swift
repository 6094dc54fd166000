import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The counts of events of people, which spill to files.
@Suite struct ActivityTests {
    /// A spill releases the memory. Otherwise each further event would be written to a file of its own.
    @Test func aSpillReleasesTheMemory() throws {
        let storage = MemoryStorage([:])
        let folder = try SpillFolder(in: nil, storage: storage)
        let activity = Activity(SnapshotClock(Timeline(step: 1), TimeRange(0)), .app)
        let empty = activity.heldBytes
        for number in 0..<50_000 {
            var text = NotificationText()
            (text.device, text.app) = ("device \(number)", "app \(number % 7)")
            let (record, bytes) = text.encoded()
            activity.count(.opened, of: record, in: bytes.span, nil)
        }
        let full = activity.heldBytes
        try activity.spill(to: folder)
        #expect(activity.heldBytes < empty + (full - empty) / 4)
        #expect(activity.files.count == 1)
        try activity.spill(to: folder)
        #expect(activity.files.count == 1)
    }
}
