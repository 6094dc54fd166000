/// What is probably not meant, though the run ends well: for a person to look at.
public enum ReplayWarning: Sendable, Equatable {
    /// Sources are files that are sources already: their records count more than once.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - first: the first of them, and the source that is the same file.
    case repeatedSources(count: Int, first: String, original: String)
    /// A log seems to be a source compressed and as it is: the beginnings are the same.
    case compressedCopies(count: Int, plain: String, compressed: String)
    /// Apps of the settings have no record, in byte order.
    case unmatchedApps([UnmatchedApp])
    /// More than half of the records have no timestamp.
    case untimed(UInt64, of: UInt64)
    /// Notifications of several devices are in one group, where devices are not told apart.
    ///
    /// - Parameters:
    ///   - devices: how many have notifications; nil where a part of them was counted by an earlier run.
    ///   - isExact: whether that is no estimate.
    case sharedGroups(devices: UInt64?, isExact: Bool)

    public struct UnmatchedApp: Sendable, Equatable {
        public let app: String
        /// An app with records that is spelt nearly so.
        public let nearest: String?
    }
}
