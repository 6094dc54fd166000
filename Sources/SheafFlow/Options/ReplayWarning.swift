import SheafGroups

/// A probable mistake in the input or the options that does not make the run fail.
///
/// ```swift
/// let statistics = try Replay(ReplayOptions(sources: ["log.ndjson"])).run()
/// for case .untimed(let count, let records) in statistics.warnings {
///     print("\(count) of \(records) records have no timestamp")
/// }
/// ```
public enum ReplayWarning: Sendable, Equatable {
    /// The same file is a source more than once, so its records count more than once.
    ///
    /// - Parameters:
    ///   - count: the number of repeated sources.
    ///   - first: the first repeated source.
    ///   - original: the earlier source that is the same file.
    case repeatedSources(count: Int, first: String, original: String)
    /// A log is probably a source both compressed and uncompressed: both files begin with the same text.
    case compressedCopies(count: Int, plain: String, compressed: String)
    /// Apps in the settings have no records; the apps are in byte order.
    case unmatchedApps([UnmatchedApp])
    /// All records with a timestamp that could be grouped are before `ReplayOptions.since` or after `until`.
    case emptyWindow(earlier: UInt64, later: UInt64)
    /// There are removals, but they were not applied: the number of them.
    case removalsIgnored(UInt64)
    /// There are changes of settings, but they were not applied: the number of them.
    case settingsIgnored(UInt64)
    /// Records open apps, but none closes one, so that the notifications of these apps interrupt no longer: the number of
    /// the records.
    case appsStayOpen(UInt64)
    /// There are results of service extensions, but they were not applied: the number of them.
    case modificationsIgnored(UInt64)
    /// There are outcomes that were logged apart from their pushes, but they were not applied: the number of them.
    case outcomesIgnored(UInt64)
    /// Records repeat others of the same device, app and id, and all of them count: their estimated share of the pushes with an
    /// id, from 0 to 1.
    case repeatedPushes(share: Double)
    /// Live snapshots no longer follow outcomes and repeated records of pushes that were left out of memory: the number of
    /// pushes.
    case pushesForgotten(UInt64)
    /// Some responses are not counted by app, category and action: there are too many combinations.
    case otherResponses(UInt64, of: UInt64)
    /// There are too many apps, or devices and apps, to report the newest badge of each.
    case badgesTruncated
    /// Every record is of another app, or for another device, than those that are grouped or checked: the number of
    /// records.
    case emptySelection(UInt64)
    /// Notifications are time-sensitive or passive, levels that the profile does not have: the number of them.
    case levelsIgnored(UInt64)
    /// Names in folders that begin with `.` or `_` were skipped: the number of them.
    case filesSkipped(Int)
    /// Selected apps have no record. In byte order.
    case unselectedApps([UnmatchedApp])
    /// No record took the app of records that name none.
    case unusedDefaultApp(String)
    /// Records are dated more than an hour after the present and the other records of their source, so that live
    /// snapshots do not follow them: the number of them, and the newest of their times in milliseconds since 1970.
    case ahead(UInt64, newest: Int64)
    /// The newest of the records that several snapshots follow is dated more than an hour after the present: its time.
    case future(newest: Int64)
    /// Fewer than one in 1,000 of the records that several snapshots follow are dated so far from the others that at least
    /// half of the time of the snapshots is due to them.
    case outliers(Outliers)
    /// Snapshots of all groups repeat the previous snapshot, because no record is dated from `start` to `end`, in
    /// milliseconds since 1970: the number of them, about.
    case unchangedSnapshots(UInt64, start: Int64, end: Int64)
    /// Live snapshots of all groups were left out, because no record is between them: the number of them.
    case snapshotsLeftOut(UInt64)
    /// Notifications show keys, because no string table of their app has texts for them in the locale: the number of
    /// notifications, and the app and the key of the first one.
    case missingTexts(UInt64, app: String, key: String)
    /// Pushes without a device are not measured.
    case withoutDevice(UInt64, of: UInt64)
    /// More than half of the records have no timestamp.
    case untimed(UInt64, of: UInt64)
    /// More than half of the records have no timestamp, but one at a pointer that no name stands for.
    case unmappedTimestamps(UInt64, of: UInt64, pointer: String)
    /// More than half of the records are rejected.
    case mostlyRejected(UInt64, of: UInt64, RejectReason, InputHint?)
    /// All records of some sources are rejected, but not those of others: the first of these sources with the number of its
    /// records, and the numbers of these sources and of all.
    case sourcesWithoutRecords(first: String, records: UInt64, count: UInt64, of: UInt64)
    /// A group has notifications of several devices, since groups are not separated by device.
    ///
    /// - Parameters:
    ///   - devices: the number of devices with notifications; nil when an earlier run counted some of them.
    ///   - isExact: whether `devices` is exact rather than an estimate.
    case sharedGroups(devices: UInt64?, isExact: Bool)

    /// The few records to which most of a log's span is due.
    public struct Outliers: Sendable, Equatable {
        /// The number of those before `start`, and of those after `end`.
        public let earlier: UInt64
        public let later: UInt64
        /// The number of all records that snapshots follow.
        public let records: UInt64
        /// A time from which on, and one until which, all others are dated. In milliseconds since 1970.
        public let start: Int64
        public let end: Int64
        /// The records with the oldest and with the newest time.
        public let oldest: DatedRecord
        public let newest: DatedRecord
    }

    /// A record with its time.
    public struct DatedRecord: Sendable, Equatable {
        public let source: String
        /// The line's number, starting at 1.
        public let line: UInt64
        /// The record's time in milliseconds since 1970.
        public let timestamp: Int64
    }

    /// The likely cause of rejects.
    public enum InputHint: Sendable, Equatable {
        /// The file is a configuration: its path.
        case configuration(String)
        /// The file is a mapping file: its path.
        case mapping(String)
        /// A condition of the mapping does not hold in most entries: the mapping's name, the pointer of the condition, and
        /// what is there instead. How a command names the log.
        case unmatched(mapping: String, pointer: String, problem: String, log: String)
        /// Most lines have no JSON at all. How a command names the log.
        case withoutJSON(log: String)
        /// The log is one of another kind, which holds no payloads: what it is.
        case otherLog(String)
        /// The payload is at a pointer that no shape stands for, and how a command names the log.
        case payload(pointer: String, log: String)
        /// The app is at a pointer that no name stands for, and how a command names the log.
        case app(pointer: String, log: String)
        /// The payload is not where any shape has it, and how a command names the log.
        case unknown(log: String)
        /// Each entry takes several lines. How a command names the log: its path, or `LOG` if there are several.
        case severalLines(log: String)
        /// A text precedes the JSON on each line, and whether it begins with a time that the JSON does not have.
        case textBeforeJSON(log: String, hasTime: Bool)
    }

    /// An app in the settings without records.
    public struct UnmatchedApp: Sendable, Equatable {
        public let app: String
        /// An app with records and a similar name.
        public let nearest: String?
    }
}
