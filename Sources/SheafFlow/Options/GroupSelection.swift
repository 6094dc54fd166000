/// The groups that a snapshot shows, and their order.
struct GroupSelection: Sendable {
    var order = ReplayOptions.Order.key
    /// The number of groups, those with the most notifications; nil for all groups.
    var top: Int?
    /// The groups in each of several snapshots.
    var emit = ReplayOptions.Emission.changes
}
