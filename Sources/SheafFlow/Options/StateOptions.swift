import SheafGroups

/// The options that determine a run's state: with others, the same records yield another state.
struct StateOptions: Sendable {
    /// Whether each device has its own groups.
    var byDevice: Bool
    /// The maximum number of distinct arguments that a group keeps.
    var maximumArguments: Int
    /// The grouping of each app.
    var rules: GroupingRules
    /// Whether removals are applied.
    var appliesRemovals = false
    /// What becomes of notifications; nil if that is not tracked.
    var delivery: DeliveryRules?
    /// Whether the newest badges are kept for the statistics.
    var readsBadges = false
    /// The instants of the snapshots; nil for a single one. State is then kept for each interval.
    var timeline: Timeline?

    /// Whether every notification is kept one by one, because removals or settings may concern it.
    var tracksAll: Bool { appliesRemovals || delivery != nil }
}
