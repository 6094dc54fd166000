import SheafGroups

/// The options that determine a run's state: with others, the same records yield another state.
struct StateOptions: Sendable {
    /// Whether each device has its own groups.
    var byDevice: Bool
    /// The maximum number of distinct arguments that a group keeps.
    var maximumArguments: Int
    /// The grouping of each app.
    var rules: GroupingRules
    /// Whether removals are applied. Every notification is then kept one by one.
    var appliesRemovals = false
    /// The instants of the snapshots; nil for a single one. State is then kept for each interval.
    var timeline: Timeline?
}
