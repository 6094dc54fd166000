import SheafBytes
import SheafGroups

/// The records of a shard that are not notifications: removals (specification §15), changes of settings and results of
/// service extensions (§16).
struct ReportTables: Sendable {
    var removals: RemovalTable
    var settings = SettingsTable()
    var modifications: ModificationTable

    /// - Parameter timeline: the intervals whose newest removals and results are kept; nil for a single one.
    init(_ timeline: Timeline?) {
        removals = RemovalTable(timeline)
        modifications = ModificationTable(timeline)
    }

    var count: Int { removals.count + settings.count + modifications.count }

    /// The memory in use, in bytes, and that for sorting.
    var heldBytes: Int { removals.heldBytes + settings.heldBytes + modifications.heldBytes }

    mutating func add(_ batch: ReportBatch, in bytes: Span<UInt8>) {
        for removal in batch.removals { removals.add(removal, in: bytes) }
        for change in batch.settings { settings.add(change, in: bytes) }
        for result in batch.modifications { modifications.add(result, in: bytes) }
    }

    /// Adds all records of other tables.
    mutating func add(_ other: ReportTables) {
        removals.add(other.removals)
        settings.add(other.settings)
        modifications.add(other.modifications)
    }
}
