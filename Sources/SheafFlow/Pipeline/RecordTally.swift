import SheafBytes
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
    /// The number of these changes, and of removals, that open an app, and of the changes that close one.
    var openings: UInt64 = 0
    var closings: UInt64 = 0
    /// The number of service extensions' results that replaced a content, of those that came too late or without a
    /// content, and of those that were not applied.
    var resultsApplied: UInt64 = 0
    var expired: UInt64 = 0
    var resultsIgnored: UInt64 = 0
    /// The number of records with outcomes of other pushes that were applied, and of those that were not.
    var outcomes: UInt64 = 0
    var outcomesIgnored: UInt64 = 0
    /// By app, category and action; the category may be empty.
    var responses = KeyedCounts(limit: Limits.responseKinds, texts: 3)
    /// The pushes that the push service refused, by reason, which may be empty.
    var refusals = KeyedCounts(limit: Limits.refusalReasons, texts: 1)
    /// Empty unless badges are read. If delivery is tracked, those that settings let count, once all of them are known.
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
            + settingsIgnored + resultsApplied + expired + resultsIgnored + outcomes + outcomesIgnored
            + responses.total + refusals.total + rejectedTotal
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
        responses.addKinds(other.responses)
        refusals.addKinds(other.refusals)
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

// MARK: - Counts by key

/// Counts by key: responses by app, category and action (specification §16), and refused pushes by reason (§18).
///
/// The counts of the smallest keys in byte order are kept, so that merging counts in any order gives the same result, and
/// the others are one number.
package struct KeyedCounts: Equatable, Sendable {
    /// The sum of all counts.
    package var total: UInt64 = 0
    var kinds: BoundedTable<UInt64>

    /// - Parameter texts: the number of texts in a key.
    package init(limit: Int, texts: Int) { kinds = BoundedTable(limit: limit, texts: texts) }

    /// The sum for the keys that are not kept.
    var others: UInt64 { total - listed }

    /// The sum for the keys that are kept.
    var listed: UInt64 { kinds.entries.reduce(0) { $0 + $1.value } }

    package mutating func count(
        _ first: Span<UInt8>, _ second: Span<UInt8> = Span(), _ third: Span<UInt8> = Span()
    ) {
        total += 1
        kinds.update(first, second, third, 1) { $0 += 1 }
    }

    /// Adds the counts of another run by key, but not its total.
    package mutating func addKinds(_ other: KeyedCounts) { kinds.formUnion(other.kinds) { $0 += $1 } }

    /// Appends the counts by key, without the total.
    func append(to output: inout OutputBuffer) { kinds.append(to: &output) { $1.appendNumber($0) } }

    /// Decodes the counts by key.
    ///
    /// - Returns: false if they exceed `total`, or if their encoding is invalid.
    mutating func read(_ reader: inout ByteReader, in bytes: Span<UInt8>) -> Bool {
        var left = total
        kinds.read(&reader, in: bytes) { reader in
            let count = reader.number(upTo: left)
            if count == 0 { reader.reject() }
            left -= count
            return count
        }
        if left > 0 { kinds.cut() }
        return reader.isValid
    }
}

// MARK: - Badges

/// The newest badge of each app, or of each app on each device (specification §16).
///
/// Those with the smallest device and app in byte order are kept, so that merging badges in any order gives the same
/// result.
struct NewestBadges: Equatable, Sendable {
    /// By device and app.
    var table = BoundedTable<Badge>(limit: Limits.badges, texts: 2)

    struct Badge: Equatable, Sendable {
        var order: OrderKey
        let number: UInt64
    }

    var isEmpty: Bool { table.isEmpty }

    /// - Parameters:
    ///   - device: the device, with an app in `bytes`; none if badges are not separated by device.
    ///   - number: the badge, at most `RecordDecoder.maximumBadge`.
    mutating func record(
        _ number: UInt64, device: TextRange, app: TextRange, _ order: OrderKey, in bytes: Span<UInt8>
    ) {
        let badge = Badge(order: order, number: number)
        table.update(bytes[device], bytes[app], Span(), badge) { if $0.order < order { $0 = badge } }
    }

    /// Records a badge that settings let count.
    ///
    /// - Parameter byDevice: whether badges are separated by device.
    mutating func record(_ badge: BadgeRecord, byDevice: Bool, in bytes: Span<UInt8>) {
        record(
            badge.number, device: byDevice ? badge.device : .none, app: badge.app, badge.order, in: bytes)
    }

    /// Records those of a judge's badges that settings let count.
    ///
    /// - Parameter byDevice: whether badges are separated by device.
    mutating func record(from judge: Judge, byDevice: Bool) {
        var badges = self
        judge.forEachBadge { badges.record($0, byDevice: byDevice, in: $1) }
        self = badges
    }

    /// Adds the badges of another run.
    ///
    /// - Parameter sourceOffset: the number of sources that precede those of the other run.
    mutating func add(_ other: NewestBadges, sourceOffset: Int = 0) {
        var other = other
        if sourceOffset > 0 { other.table.updateValues { $0.order = $0.order.moved(by: sourceOffset) } }
        table.formUnion(other.table) { if $0.order < $1.order { $0 = $1 } }
    }

    /// Appends the badges: 1 if some are not kept, else 0; their number, and for each: device | app | badge | order.
    func append(to output: inout OutputBuffer) {
        output.appendNumber(table.isCut ? 1 : 0)
        table.append(to: &output) { badge, output in
            output.appendNumber(badge.number)
            output.append(badge.order)
        }
    }

    /// Decodes badges.
    ///
    /// - Returns: false if there are none, if one has no app, or if one is of a source that does not exist.
    mutating func read(_ reader: inout ByteReader, in bytes: Span<UInt8>, sources: OrdinalSet) -> Bool {
        let isCut = reader.number(upTo: 1) == 1
        table.read(&reader, in: bytes) { reader in
            let number = reader.number(upTo: RecordDecoder.maximumBadge)
            return Badge(order: reader.orderKey(sourceOffset: 0), number: number)
        }
        if isCut { table.cut() }
        return !isEmpty
            && table.entries.allSatisfy {
                !$0.texts.second.isEmpty && sources.contains($0.value.order.source)
            }
    }
}
