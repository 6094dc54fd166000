/// A problem in how an app's notifications group, which only many records together show.
public enum GroupingProblem: UInt8, CaseIterable, Sendable {
    case singleThreads
    case crowdedThread
    case mixedFormats
    case singleCollapseIdentifiers

    /// The name in reports.
    public var name: StaticString {
        switch self {
        case .singleThreads: "threads.single"
        case .crowdedThread: "thread.crowded"
        case .mixedFormats: "formats.mixed"
        case .singleCollapseIdentifiers: "collapse-ids.single"
        }
    }
}
