import SheafBytes
import SheafGroups

/// The order of notifications in `NotificationEntry`: by device, app and identifier; then those without a collapse
/// identifier first, and the oldest first.
///
/// Compares contiguous compact entries: the device's first 16 bytes, the app's rank, and the identifier's first 16
/// bytes. Texts are expanded and compared only if the entries are tied.
struct ReplaceableOrder {
    struct Entry {
        let index: UInt32
        let deviceCount: UInt32
        let device: TextWords
        let identifier: TextWords
        var appRank: UInt32
    }

    /// Returns the notifications' indices in order. O(n log n).
    static func sorted(_ table: ReplaceableTable) -> [UInt32] {
        var expanded: [UInt8] = []
        var apps = SymbolTable()
        var entries: [Entry] = []
        entries.reserveCapacity(table.count)
        for index in 0..<table.count {
            let record = table.record(at: index, into: &expanded)
            let bytes = expanded.span
            entries.append(
                Entry(
                    index: UInt32(index), deviceCount: record.device.count,
                    device: TextWords(bytes[record.device]),
                    identifier: TextWords(bytes[record.removalIdentifier]),
                    appRank: apps.symbol(for: bytes[record.app])))
        }
        let ranks = apps.ranks
        for index in entries.indices { entries[index].appRank = ranks[Int(entries[index].appRank)] }
        var scratch = Scratch()
        entries.sort { precedes($0, $1, table, &scratch) }
        return entries.map(\.index)
    }

    private struct Scratch {
        var first: [UInt8] = []
        var second: [UInt8] = []
    }

    private static func precedes(
        _ a: Entry, _ b: Entry, _ table: ReplaceableTable, _ scratch: inout Scratch
    ) -> Bool {
        if a.device != b.device { return a.device < b.device }
        // Equal words mean equal devices only if they hold the whole device.
        let isShort = max(a.deviceCount, b.deviceCount) <= UInt32(TextWords.byteCount)
        if isShort {
            if a.deviceCount != b.deviceCount { return a.deviceCount < b.deviceCount }
            if a.appRank != b.appRank { return a.appRank < b.appRank }
            if a.identifier != b.identifier { return a.identifier < b.identifier }
        }
        let first = table.record(at: Int(a.index), into: &scratch.first)
        let second = table.record(at: Int(b.index), into: &scratch.second)
        let (mine, theirs) = (scratch.first.span, scratch.second.span)
        let devices = mine[first.device].compare(to: theirs[second.device])
        if devices != 0 { return devices < 0 }
        if a.appRank != b.appRank { return a.appRank < b.appRank }
        let identifiers = mine[first.removalIdentifier].compare(to: theirs[second.removalIdentifier])
        if identifiers != 0 { return identifiers < 0 }
        if first.isReplaceable != second.isReplaceable { return second.isReplaceable }
        return first.order < second.order
    }
}
