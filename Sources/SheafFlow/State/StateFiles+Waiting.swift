import SheafBytes
import SheafGroups

/// Deciding the pushes that waited until all records were read (specification §18).
extension StateFiles {
    /// Decides all pushes that wait, and adds files with those that were not refused, as notifications.
    ///
    ///     outcomes by collapse identifier ──held──────────────────────────┐
    ///     | outcomes of one id | pushes with it | … of the next id | …  ──┴─▶ Shard ──full──▶ files
    ///
    /// Memory: the newest outcome for each collapse identifier, those for one id, and the budget of a table.
    mutating func decide() throws(ReplayError) {
        try reduce()
        var waiting = try NewestVersions(files, options.timeline, storage: storage)
        var outcomes = OutcomeSet()
        var identifier: [UInt8] = []
        let shard = Shard(index: 0, count: 1, options: options)
        var count = 0
        while let entry = try waiting.next(), entry.isWaiting {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            let bytes = waiting.bytes
            if entry.waitingRank == .pushes, !bytes[entry.record.identifier].isEqual(to: identifier.span) {
                identifier = Array(copying: bytes[entry.record.identifier])
                outcomes.removeIdentifiers()
            }
            guard let note = entry.note else {
                if case .outcome(let outcome) = entry.event { outcomes.add(outcome, in: bytes) }
                continue
            }
            let record = entry.record
            if let reason = outcomes.refusal(of: record, note, in: bytes) {
                found.tally.refusals.count(reason.span)
                if options.division != nil {
                    if record.order.timestamp != 0 {
                        found.tally.times = TimeRange(record.order.timestamp).union(found.tally.times)
                    }
                    let refused = record.reduced(to: .refused)
                    shard.add(RoutedRecord(refused, byDevice: true, in: bytes), in: bytes)
                    if isFull(shard.heldBytes) { try shard.spill(to: folder) }
                }
                continue
            }
            if let badge = note.badge.map({ BadgeRecord(of: record, $0) }) {
                if !options.followsSettings {
                    found.tally.badges.record(badge, byDevice: options.byDevice, in: bytes)
                } else {
                    shard.restore(.badge(badge), in: bytes)
                }
            }
            if options.timeline != nil, record.order.timestamp != 0 {
                found.tally.times = TimeRange(record.order.timestamp).union(found.tally.times)
            }
            let item = RoutedRecord(record, byDevice: options.byDevice, in: bytes)
            // Others are recorded when they are added to their groups; by device there is no census.
            if !options.tracksAll, !record.isReplaceable {
                devices?.recordGroup(record.device, of: record, in: bytes, groupHash: item.groupHash)
            }
            shard.add(item, in: bytes)
            if isFull(shard.heldBytes) { try shard.spill(to: folder) }
        }
        try shard.spill(to: folder)
        found.updated += shard.updated
        found.repeated += waiting.repeated
        times = found.tally.times?.union(times) ?? times
        for index in files.indices { files[index].isDecided = true }
        files += shard.files
    }
}
