import SheafGroups

/// Counts of lines and records by outcome. Each worker has its own tally; they are summed at the end.
struct RecordTally: Equatable, Sendable {
    var lines: UInt64 = 0
    var blank: UInt64 = 0
    var silent: UInt64 = 0
    var notifications: UInt64 = 0
    var untimed: UInt64 = 0
    /// The number of rejected lines, by the raw value of `RejectReason`.
    var rejected = [UInt64](repeating: 0, count: RejectReason.allCases.count)
    /// The number of records with a finding, by the raw value of `Finding`.
    var findings = [UInt64](repeating: 0, count: Finding.allCases.count)
    /// The first rejected line, in the order of sources and lines.
    var firstReject: RejectPosition?

    var records: UInt64 { lines - blank }
    var rejectedTotal: UInt64 { rejected.reduce(0, +) }

    mutating func reject(_ reason: RejectReason, source: Int, line: UInt64) {
        rejected[Int(reason.rawValue)] += 1
        noteReject(RejectPosition(source: source, line: line, reason: reason))
    }

    mutating func note(_ set: FindingSet) {
        guard !set.isEmpty else { return }
        for finding in Finding.allCases where set.contains(finding) {
            findings[Int(finding.rawValue)] += 1
        }
    }

    mutating func add(_ other: RecordTally) {
        lines += other.lines
        blank += other.blank
        silent += other.silent
        notifications += other.notifications
        untimed += other.untimed
        for index in rejected.indices { rejected[index] += other.rejected[index] }
        for index in findings.indices { findings[index] += other.findings[index] }
        if let position = other.firstReject { noteReject(position) }
    }

    private mutating func noteReject(_ position: RejectPosition) {
        if let first = firstReject, (first.source, first.line) <= (position.source, position.line) { return }
        firstReject = position
    }
}

/// The position of a rejected line, and the reason.
struct RejectPosition: Equatable, Sendable {
    var source: Int
    let line: UInt64
    let reason: RejectReason
}
