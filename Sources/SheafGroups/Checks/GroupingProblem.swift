/// A problem of an app, mostly in how its notifications group, which only several records together show.
public enum GroupingProblem: UInt8, CaseIterable, Sendable {
    case singleThreads
    case crowdedThread
    case mixedFormats
    case singleCollapseIdentifiers
    /// Service extensions returned something for pushes that start none (specification §16).
    case mutableContentMissing

    /// The name in reports.
    public var name: StaticString {
        switch self {
        case .singleThreads: "threads.single"
        case .crowdedThread: "thread.crowded"
        case .mixedFormats: "formats.mixed"
        case .singleCollapseIdentifiers: "collapse-ids.single"
        case .mutableContentMissing: "mutable-content.missing"
        }
    }
}
