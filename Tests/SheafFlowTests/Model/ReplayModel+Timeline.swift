import Foundation
import SheafGroups

@testable import SheafFlow

extension ReplayModel {
    /// Returns the snapshots of a timeline (§14): at each multiple of its step, and at the newest record.
    func snapshots(_ timeline: Timeline) -> String {
        let records = notifications + results + (options.appliesRemovals ? removals : [])
        let times = records.filter { $0.time != 0 }.map { Int64($0.time) }
        // Times before 1970 count as none.
        let oldest = times.filter { $0 > 0 }.min()
        let newest = times.max() ?? 0
        var instants: Set<Int64> = [newest]
        if let oldest {
            var instant = (oldest + timeline.offset) / timeline.step * timeline.step - timeline.offset
            while instant <= newest {
                if instant >= oldest { instants.insert(instant) }
                instant += timeline.step
            }
        }
        var lines = ""
        var before: [[String]: [RecordModel]] = [:]
        for instant in records.isEmpty ? [] : instants.sorted() {
            func isShown(_ record: RecordModel) -> Bool { record.time <= 0 || record.time <= instant }
            let delivered = delivered(where: isShown)
            let groups = grouped(delivered)
            var now: [[String]: [RecordModel]] = [:]
            for group in groups { now[key(of: group[0])] = group }
            // A group that has been emptied has the place of its last notifications.
            var emptied = before.filter { now[$0.key] == nil }.map(\.value)
            // One that is alone and was updated, or whose content was replaced, has the line of that.
            let identities = Set(delivered.filter { $0.isAlone && !$0.collapse.isEmpty }.map(\.identity))
            emptied.removeAll { group in
                guard group[0].isAlone else { return false }
                if delivered.contains(where: { $0.place == group[0].place }) { return true }
                // Its device is cleared if groups have none.
                let original = notifications.first { $0.place == group[0].place }
                return identities.contains(original?.identity ?? [])
            }
            if options.top != nil { emptied = [] }
            let shown = groups.filter { group in
                options.emit == .all || before[key(of: group[0])]?.map(\.position) != group.map(\.position)
            }
            for group in (shown + emptied).sorted(by: groupPrecedes) {
                let line = now[key(of: group[0])] == nil ? emptyLine(of: group[0]) : line(of: group)
                lines += "{\"at\":\(instant)," + line.dropFirst() + "\n"
            }
            before = now
        }
        return lines
    }

    private func emptyLine(of notification: RecordModel) -> String {
        let device = options.byDevice ? "\"device\":\(jsonStringOrNull(notification.device))," : ""
        // Notifications that are alone share their key.
        let name =
            notification.isAlone
            ? ",\"leading\":{\"timestamp\":\(notification.time),\"source\":\(jsonString(paths[notification.source])),"
                + "\"line\":\(notification.line)}" : ""
        return "{\(device)\"app\":\(jsonString(notification.app)),"
            + "\"thread\":\(jsonStringOrNull(notification.thread)),\"count\":0\(name)}"
    }
}

extension RecordModel {
    /// What distinguishes the record from all others.
    fileprivate var place: [Int] { [source, line] }
    /// What distinguishes its content from all others.
    fileprivate var position: [Int] { place + extensionResult.position }
    /// What all versions of a notification share.
    fileprivate var identity: [String] { [device, app, collapse] }
}
