import SheafGroups

/// Counts of lines and records by outcome. Each worker has its own tally; they are summed at the end.
struct RecordTally: Equatable, Sendable {
    var lines: UInt64 = 0
    var blank: UInt64 = 0
    var silent: UInt64 = 0
    /// The number of records for other platforms than Apple's, which are not grouped.
    var otherPlatform: UInt64 = 0
    /// The number of records before and after the window, which are not grouped.
    var earlier: UInt64 = 0
    var later: UInt64 = 0
    /// The number of records of other apps, or for other devices, which are not grouped.
    var unselected: UInt64 = 0
    /// The number of removals that were applied, and of those that were not.
    var removals: UInt64 = 0
    var removalsIgnored: UInt64 = 0
    /// The number of changes of settings that were applied, and of those that were not.
    var settings: UInt64 = 0
    var settingsIgnored: UInt64 = 0
    /// The number of service extensions' results that replaced a content, of those that came too late or without a
    /// content, and of those that were not applied.
    var resultsApplied: UInt64 = 0
    var expired: UInt64 = 0
    var resultsIgnored: UInt64 = 0
    var responses = ResponseCounts()
    /// Empty unless badges are read.
    var badges = NewestBadges()
    var notifications: UInt64 = 0
    /// The times of notifications and applied removals, in milliseconds since 1970; nil without a timeline.
    var times: TimeRange?
    var untimed: UInt64 = 0
    /// The number of rejected records, by the raw value of `RejectReason`. A line that can't be divided into records
    /// counts as one.
    var rejected = [UInt64](repeating: 0, count: RejectReason.allCases.count)
    /// The number of records with a finding, by the raw value of `Finding`.
    var findings = [UInt64](repeating: 0, count: Finding.allCases.count)
    /// The first rejected record, in the order of sources, lines and indices.
    var firstReject: RejectPosition?

    /// The number of records. A line may have several.
    var records: UInt64 {
        notifications + silent + otherPlatform + earlier + later + unselected + removals + removalsIgnored
            + settings
            + settingsIgnored + resultsApplied + expired + resultsIgnored + responses.total + rejectedTotal
    }
    var rejectedTotal: UInt64 { rejected.reduce(0, +) }

    /// - Parameter index: the record's index in its line; nil if the line is rejected as a whole.
    mutating func reject(_ reason: RejectReason, source: Int, line: UInt64, index: UInt32? = nil) {
        rejected[Int(reason.rawValue)] += 1
        recordReject(RejectPosition(source: source, line: line, index: index, reason: reason))
    }

    mutating func count(_ set: FindingSet) {
        guard !set.isEmpty else { return }
        for finding in Finding.allCases where set.contains(finding) {
            findings[Int(finding.rawValue)] += 1
        }
    }

    /// Adds everything that is not a `Counter`.
    ///
    /// - Parameter sourceOffset: the number of sources that precede those of the other tally.
    mutating func addOthers(_ other: RecordTally, sourceOffset: Int) {
        responses.add(other.responses)
        badges.add(other.badges, sourceOffset: sourceOffset)
        if let range = other.times { times = times?.union(range) ?? range }
        for index in rejected.indices { rejected[index] += other.rejected[index] }
        for index in findings.indices { findings[index] += other.findings[index] }
        if var position = other.firstReject {
            position.source += sourceOffset
            recordReject(position)
        }
    }

    private mutating func recordReject(_ position: RejectPosition) {
        if let first = firstReject, !position.precedes(first) { return }
        firstReject = position
    }
}

/// The position of a rejected line or record, and the reason.
struct RejectPosition: Equatable, Sendable {
    var source: Int
    let line: UInt64
    /// The record's index in its line; nil if the line is rejected as a whole.
    var index: UInt32?
    let reason: RejectReason

    func precedes(_ other: RejectPosition) -> Bool {
        (source, line, index ?? 0) < (other.source, other.line, other.index ?? 0)
    }
}
