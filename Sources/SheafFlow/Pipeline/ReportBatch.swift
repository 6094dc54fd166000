import SheafGroups

/// The records for a shard that are not notifications: they change what becomes of some.
struct ReportBatch {
    var removals: ContiguousArray<RemovalRecord> = []
    var settings: ContiguousArray<SettingsRecord> = []
    /// The results of service extensions, each with the identifier of its notification as collapse identifier.
    var modifications: ContiguousArray<NotificationRecord> = []
    /// The removals that name nothing. They change nothing, but live snapshots follow their times.
    var emptyRemovals: ContiguousArray<OrderKey> = []

    /// Whether there is nothing that changes what becomes of a notification.
    var isEmpty: Bool { removals.isEmpty && settings.isEmpty && modifications.isEmpty }

    /// Removes all records, and keeps the capacity.
    mutating func removeAll() {
        removals.removeAll(keepingCapacity: true)
        settings.removeAll(keepingCapacity: true)
        modifications.removeAll(keepingCapacity: true)
        emptyRemovals.removeAll(keepingCapacity: true)
    }
}
