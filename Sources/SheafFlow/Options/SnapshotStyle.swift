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
    /// Shared by all threads, since there may be thousands of apps.
    let presentation: Presentation
}
