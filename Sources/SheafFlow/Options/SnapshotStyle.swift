import SheafGroups

/// How a snapshot shows its groups.
struct SnapshotStyle: Sendable {
    var format: SnapshotFormat
    /// The maximum number of lines; nil for no limit.
    var maximumLines: Int?
    var profile: Profile
    var byDevice: Bool
    /// The instants of the snapshots; nil for a single one.
    var timeline: Timeline?
    /// How text shows the times of notifications; nil if it does not.
    var times: ShownTimes?
    /// Whether the clock for these times is at the instant of each snapshot.
    var timesFollowInstants = false
    /// Whether groups have what became of their notifications.
    var showsDelivery = false
    /// Whether another snapshot precedes this one in the same file, so that it needs no header.
    var continuesSnapshot = false
    /// Shared by all threads, since there may be thousands of apps.
    let presentation: Presentation
}
