import SheafBytes
import SheafGroups

extension Statistics {
    /// Creates the statistics of a run from its counts.
    ///
    /// - Parameters:
    ///   - sources: the sources of the run, or of the merged runs.
    ///   - range: the range of a job whose records are counted; nil for all. What can't be divided is counted in the
    ///     first.
    ///   - input: how the records were read.
    ///   - hidden: what the verdicts on the notifications add up to.
    ///   - badgesByDevice: whether each device has its own newest badges; nil to leave them out.
    ///   - groups: the number of groups written.
    init(
        _ counts: RunCounts, sources table: SourceTable, range: Int? = nil, input: InputIdentity,
        hidden: VerdictCounts,
        badgesByDevice: Bool?, groups: UInt64, spilledBytes: UInt64, seconds: Double
    ) {
        let tally = counts.tally
        func name(_ ordinal: Int) -> String { SystemPath.shown(table.name(of: ordinal)) }
        sources = (range ?? 0) == 0 ? table.count : 0
        bytesRead = counts.bytesRead
        bytesInflated = counts.bytesInflated
        lines = tally.lines
        blank = tally.blank
        silent = tally.silent
        otherPlatform = tally.otherPlatform
        if input.filter.hasWindow {
            outsideWindow = OutsideWindow(earlier: tally.earlier, later: tally.later)
        }
        if input.filter.selects { unselected = tally.unselected }
        if input.appliesRemovals { removals = Removals(applied: tally.removals, removed: hidden.removed) }
        removalsIgnored = tally.removalsIgnored
        if input.tracksDelivery {
            delivery = Delivery(
                settings: tally.settings, suppressed: hidden.suppressed,
                quiet: hidden.quiet > 0 ? hidden.quiet : nil, banners: hidden.banners,
                sounds: hidden.sounds, modified: tally.resultsApplied, expired: tally.expired)
        }
        settingsIgnored = tally.settingsIgnored
        modificationsIgnored = tally.resultsIgnored
        responses = Responses(tally.responses)
        refused = Refusals(tally.refusals)
        badges = badgesByDevice.flatMap { Badges(tally.badges, byDevice: $0) }
        untimed = tally.untimed
        updated = counts.updated
        if input.isUnique { repeated = counts.repeated }
        if input.appliesOutcomes { outcomes = tally.outcomes }
        outcomesIgnored = tally.outcomesIgnored
        grouped = tally.notifications - counts.updated - counts.repeated - hidden.offScreen
        rejected = RejectReason.allCases.map { ($0, tally.rejected[Int($0.rawValue)]) }.filter { $0.1 > 0 }
        findings = Finding.allCases.map { ($0, tally.findings[Int($0.rawValue)]) }.filter { $0.1 > 0 }
        sourceErrors = counts.damages.map { DamagedSource(source: name($0.source), damage: $0.damage) }
        firstReject = tally.firstReject.map {
            RejectedLine(
                source: name($0.source), line: $0.line, index: $0.index, reason: $0.reason)
        }
        warnings = [
            range == nil ? ReplayWarning.untimed(counts) : nil,
            range == nil ? ReplayWarning.emptyWindow(counts) : nil,
            range == nil ? ReplayWarning.emptySelection(counts) : nil,
            ReplayWarning.ignoredRemovals(counts), ReplayWarning.ignoredSettings(counts),
            ReplayWarning.ignoredResults(counts), ReplayWarning.ignoredOutcomes(counts),
            ReplayWarning.appsStayOpen(counts), ReplayWarning.otherResponses(counts),
            badges?.areTruncated == true ? .badgesTruncated : nil,
        ]
        .compactMap { $0 }
        self.groups = groups
        self.spilledBytes = spilledBytes
        peakResidentBytes = CurrentProcess.peakResidentBytes
        self.seconds = seconds
    }
}

extension ReplayWarning {
    /// Returns a warning if most records have no timestamp and there are enough records to judge by.
    static func untimed(_ counts: RunCounts) -> ReplayWarning? {
        let tally = counts.tally
        let records = tally.records - tally.otherPlatform - tally.unselected - tally.rejectedTotal
        guard Limits.isMajority(tally.untimed, of: records) else { return nil }
        return .untimed(tally.untimed, of: records)
    }

    /// Returns a warning if there are removals that were not applied.
    static func ignoredRemovals(_ counts: RunCounts) -> ReplayWarning? {
        counts.tally.removalsIgnored > 0 ? .removalsIgnored(counts.tally.removalsIgnored) : nil
    }

    /// Returns a warning if there are changes of settings that were not applied.
    static func ignoredSettings(_ counts: RunCounts) -> ReplayWarning? {
        counts.tally.settingsIgnored > 0 ? .settingsIgnored(counts.tally.settingsIgnored) : nil
    }

    /// Returns a warning if apps are opened, but none is closed.
    static func appsStayOpen(_ counts: RunCounts) -> ReplayWarning? {
        let tally = counts.tally
        return tally.openings > 0 && tally.closings == 0 ? .appsStayOpen(tally.openings) : nil
    }

    /// Returns a warning if there are results of service extensions that were not applied.
    static func ignoredResults(_ counts: RunCounts) -> ReplayWarning? {
        counts.tally.resultsIgnored > 0
            ? .modificationsIgnored(counts.tally.resultsIgnored) : nil
    }

    /// Returns a warning if there are outcomes that were not applied.
    static func ignoredOutcomes(_ counts: RunCounts) -> ReplayWarning? {
        counts.tally.outcomesIgnored > 0 ? .outcomesIgnored(counts.tally.outcomesIgnored) : nil
    }

    /// Returns a warning if some responses are not counted by app, category and action.
    static func otherResponses(_ counts: RunCounts) -> ReplayWarning? {
        let responses = counts.tally.responses
        return responses.others > 0 ? .otherResponses(responses.others, of: responses.total) : nil
    }

    /// Returns a warning if there are records with timestamps, but none in the window.
    static func emptyWindow(_ counts: RunCounts) -> ReplayWarning? {
        let tally = counts.tally
        guard tally.notifications + tally.silent <= tally.untimed, tally.earlier + tally.later > 0 else {
            return nil
        }
        return .emptyWindow(earlier: tally.earlier, later: tally.later)
    }

    /// Returns a warning if there are records, but all are of other apps, or for other devices.
    static func emptySelection(_ counts: RunCounts) -> ReplayWarning? {
        let tally = counts.tally
        let left = tally.records - tally.rejectedTotal - tally.otherPlatform
        return tally.unselected > 0 && tally.unselected == left ? .emptySelection(left) : nil
    }
}

extension Statistics.Responses {
    /// Creates the statistics of responses; nil if there are none.
    init?(_ responses: KeyedCounts) {
        guard responses.total > 0 else { return nil }
        total = responses.total
        others = responses.others
        counts = responses.kinds.entries.map { entry in
            let (app, category, action) = entry.texts
            return Statistics.ResponseCount(
                app: app, category: category.isEmpty ? nil : category, action: action, count: entry.value)
        }
    }
}

extension SnapshotStyle {
    /// Returns the style of a snapshot whose text tells how many pushes were refused.
    func noting(_ counts: RunCounts) -> SnapshotStyle {
        var style = self
        if let refused = Statistics.Refusals(counts.tally.refusals) { style.note = refused.sentence }
        return style
    }
}

extension Statistics.Refusals {
    /// Creates the statistics of refused pushes; nil if there are none.
    package init?(_ refusals: KeyedCounts) {
        guard refusals.total > 0 else { return nil }
        total = refusals.total
        others = refusals.others
        counts = refusals.kinds.entries.map { entry in
            let reason = entry.texts.first
            return Statistics.RefusalCount(reason: reason.isEmpty ? nil : reason, count: entry.value)
        }
    }
}

extension Statistics.Badges {
    /// Creates the statistics of the newest badges; nil if there are none.
    init?(_ badges: NewestBadges, byDevice: Bool) {
        guard !badges.isEmpty else { return nil }
        areByDevice = byDevice
        areTruncated = badges.table.isCut
        newest = badges.table.entries.map { entry in
            let (device, app, _) = entry.texts
            return Statistics.Badge(
                device: device.isEmpty ? nil : device, app: app, badge: entry.value.number,
                timestamp: entry.value.order.timestamp)
        }
    }
}
