import SheafBytes
import SheafGroups

extension PartialRun {
    /// Cuts partial results into slices of identities and slices of groups.
    func split(by path: String, to folder: String) throws(ReplayError) {
        let ranges = try KeyFile.readRanges(path, storage: inputs.storage)
        let parts = try PartialResults(inputs, for: .cutting)
        if let difference = parts.header.unit.difference(from: ranges.unit) {
            throw .usage("'\(inputs.paths[0])' and the files that the ranges were made of \(difference)")
        }
        try parts.header.checkIsDivisible(inputs.paths[0])
        let names = (0..<ranges.count).flatMap {
            [SliceFiles.name(.identities, $0), SliceFiles.name(.groups, $0)]
        }
        try withSlices(named: names, in: folder) { slices throws(ReplayError) in
            var state = inputs.state(of: parts, try inputs.stateOptions(parts.header))
            try state.reduce()
            let header = parts.header.named
            let removals = header.isDecidedByRemovals ? ranges.removals : nil
            state.found.updated += try writeIdentities(&state, ranges, removals, header, to: &slices)
            var first = parts.counts(found: state.found)
            first.tally.notifications = first.updated
            try writeGroups(of: state, ranges, header, Slice(.groups, of: ranges), first, to: &slices)
        }
    }

    /// Adds the newest versions in slices of identities to their groups, and cuts these.
    func keepNewest(by path: String, to folder: String) throws(ReplayError) {
        let ranges = try KeyFile.readRanges(path, storage: inputs.storage)
        let parts = try PartialResults(inputs, for: .newest)
        guard var slice = parts.slice, slice.digest == ranges.digest else {
            throw .usage("'\(inputs.paths[0])' was cut by other ranges")
        }
        let names = (0..<ranges.count).map { SliceFiles.name(.newest, $0, of: slice.covered.first) }
        try withSlices(named: names, in: folder) { slices throws(ReplayError) in
            let options = try inputs.stateOptions(parts.header)
            slice.delivery = options.delivery?.digest ?? 0
            var state = inputs.state(of: parts, options)
            try state.fold()
            var first = parts.counts(found: state.found)
            first.hidden = state.hidden
            first.tally.notifications = first.updated + first.hidden.offScreen
            var header = parts.header
            header.sources = SourceTable(named: [])
            try writeGroups(of: state, ranges, header, slice, first, to: &slices)
        }
    }

    /// Measures the people in all slices of a range.
    func measure(fold: Int, to output: any ByteOutput) throws(ReplayError) {
        let parts = try PartialResults(inputs, for: .measures)
        guard let found = parts.slice, parts.header.input.division != nil else {
            throw .usage("'\(inputs.paths[0])' has no measures")
        }
        let options = try inputs.stateOptions(parts.header)
        let slice = Slice(
            .measures, digest: found.digest, count: found.count, range: found.range, covered: [found.range],
            sources: parts.header.sources.digest, delivery: options.delivery?.digest ?? 0, fold: fold)
        var state = inputs.state(of: parts, options)
        try PartialFile.write(measuresOf: &state, parts, slice, to: output)
    }

    /// Calls `body` with the slices of a folder, which are removed if it fails.
    private func withSlices(
        named names: [String], in folder: String,
        _ body: (inout SliceFiles) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var slices = try SliceFiles(
            in: folder, names: names, inputs.options.compressesSlices ? .zstd : nil, replacing: inputs.files,
            storage: inputs.storage)
        do throws(ReplayError) {
            try body(&slices)
        } catch {
            slices.discard()
            throw error
        }
    }

    /// Writes slices of all notifications that may be replaced or removed, and adds the others to the groups of `state`.
    ///
    /// - Parameter removals: those of all files; nil if they are not known.
    /// - Returns: the number of notifications that were replaced.
    private func writeIdentities(
        _ state: inout StateFiles, _ ranges: KeyRanges, _ removals: RemovedScopes?,
        _ header: PartialHeader, to slices: inout SliceFiles
    ) throws(ReplayError) -> UInt64 {
        var versions = try NewestVersions(state.files, state.options.versions, storage: inputs.storage)
        var folding = state.folding()
        var repeated = RepeatedRecords()
        var record = OutputBuffer()
        var entry = try versions.next()
        var slice = Slice(.identities, of: ranges)
        var start: StoredKey?
        for range in 0..<ranges.count {
            try inputs.check()
            slice.range = range
            let end = ranges.end(of: range, of: .identities)
            try slices.write(header, slice) { writer throws(ReplayError) in
                var counts = RunCounts()
                counts.tally.times = state.times
                var count = 0
                if let start { try repeated.write(from: start, to: end, &writer) }
                while let current = entry {
                    let key = RangeKey(current, in: ranges.unit)
                    if let end, end.compare(to: key, versions.bytes, newestFirst: false) <= 0 { break }
                    if let removals, current.isNotification, !current.record.isReplaceable,
                        !removals.mayApply(to: current.record, in: versions.bytes)
                    {
                        try state.add(current.record, in: versions.bytes, to: &folding)
                    } else {
                        if removals?.knows(current, in: versions.bytes) == false {
                            // What it removes may be among the groups of other files.
                            throw .usage(
                                "'\(inputs.paths[0])' has a removal that the ranges lack: make them again, of all partial results"
                            )
                        }
                        record.removeAll()
                        record.append(current, in: versions.bytes, isTagged: state.options.isTagged)
                        repeated.add(current, in: versions.bytes, encoding: record.bytes)
                        try writer.add(record.bytes, to: .notifications)
                        counts.tally.notifications += current.notificationCount
                    }
                    count += 1
                    if count % Limits.groupsPerPiece == 0 { try inputs.check() }
                    entry = try versions.next()
                }
                return counts
            }
            start = end
        }
        versions.take(from: &state.files)
        try state.finish(&folding)
        return versions.replaced
    }

    /// Writes slices of all groups.
    ///
    /// - Parameters:
    ///   - slice: the description of all slices, except for their ranges.
    ///   - first: the counts of the first slice, except for the number of its notifications.
    private func writeGroups(
        of state: StateFiles, _ ranges: KeyRanges, _ header: PartialHeader, _ slice: Slice,
        _ first: RunCounts, to slices: inout SliceFiles
    ) throws(ReplayError) {
        var groups = try RewrittenGroups<GroupEntry>(
            state.files, maximumArguments: state.options.maximumArguments, storage: state.storage)
        var hasGroup = try groups.next(check: inputs.check)
        var slice = slice
        for range in 0..<ranges.count {
            slice.range = range
            let end = ranges.end(of: range, of: slice.kind)
            try slices.write(header, slice) { writer throws(ReplayError) in
                var counts = range == 0 ? first : RunCounts()
                counts.tally.times = state.times
                while hasGroup {
                    let key = RangeKey(group: groups.bytes, in: ranges.unit)
                    if let end, end.compare(to: key, groups.bytes, newestFirst: true) <= 0 { break }
                    try writer.add(groups.bytes, to: .groups)
                    counts.tally.notifications += groups.notificationCount
                    hasGroup = try groups.next(check: inputs.check)
                }
                return counts
            }
        }
    }
}

extension PartialHeader {
    /// Checks that a file can be cut by key.
    func checkIsDivisible(_ path: String) throws(ReplayError) {
        if input.timeline != nil, input.division == nil {
            throw .usage(
                "'\(path)' was written with \(.every): snapshots over time are not made of the snapshots of ranges"
            )
        }
        if input.isUnique || input.appliesOutcomes {
            throw .usage(
                "'\(path)' was written with \(input.isUnique ? .unique : .appliesOutcomes): a record that decides a push may "
                    + "be in any range; merge the partial results without cutting them")
        }
    }

    /// The header with named sources: positions become their ordinals.
    fileprivate var named: PartialHeader {
        guard !sources.isNamed else { return self }
        var header = self
        header.sources = SourceTable(named: sources.entries)
        return header
    }
}

/// The removals, changes of settings and results of service extensions that slices of identities repeat: each range has
/// all records that may apply to its notifications, so that it can be read without the others.
///
///     ranges    d1 a x … │ d1 a y … d2 │ d2 …          a record of app `a` on device `d1` is also in the second range,
///                                                      one without a device in all of them
private struct RepeatedRecords {
    private typealias Record = (key: StoredKey, encoding: [UInt8])
    /// Without a device.
    private var general: [Record] = []
    /// Of the current device, for all of its apps or for the current one.
    private var current: [Record] = []

    /// Adds a record of the section, if it may apply to notifications of later ranges.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of its texts.
    ///   - encoding: the record's bytes in the section.
    mutating func add(_ entry: NotificationEntry, in bytes: Span<UInt8>, encoding: Span<UInt8>) {
        let isGeneral = entry.record.device.isEmpty
        func isEqual(_ record: Record, _ text: KeyPath<RangeKey, TextRange>) -> Bool {
            let other = RangeKey(entry, in: .app)
            return record.key.bytes.span[record.key.key[keyPath: text]]
                .isEqual(to: bytes[other[keyPath: text]])
        }
        if !isGeneral, let last = current.first, !isEqual(last, \.device) { current = [] }
        if entry.isNotification || entry.isBadge { return }
        // The notifications with one identifier of a device are in one range.
        if !isGeneral, entry.hasIdentifier { return }
        var copy: [UInt8] = []
        copy.append(encoding)
        // A result may apply to a notification that has another collapse identifier, by its id.
        let record = (StoredKey(RangeKey(entry, in: .group), in: bytes), copy)
        guard !isGeneral else {
            general.append(record)
            return
        }
        if let last = current.last, !isEqual(last, \.app) {
            current.removeAll { !$0.key.key.app.isEmpty }
        }
        current.append(record)
    }

    /// Writes the records added so far that may apply to notifications of a range, in the order of the section.
    ///
    /// - Parameters:
    ///   - start: the first key of the range, which no added record exceeds.
    ///   - end: the first key after the range; nil for the last range.
    func write(
        from start: StoredKey, to end: StoredKey?, _ writer: inout StateWriter
    ) throws(ReplayError) {
        for records in [general, current] {
            for record in records where Self.mayApply(record.key, from: start, to: end) {
                try writer.add(record.encoding.span, to: .notifications)
            }
        }
    }

    private static func mayApply(_ record: StoredKey, from start: StoredKey, to end: StoredKey?) -> Bool {
        let (key, texts) = (record.key, record.bytes.span)
        let (low, lowTexts) = (start.key, start.bytes.span)
        guard key.device.isEmpty || texts[key.device].isEqual(to: lowTexts[low.device]) else { return false }
        // The end, if the whole range is of one device.
        let limit = end.flatMap { $0.bytes.span[$0.key.device].isEqual(to: lowTexts[low.device]) ? $0 : nil }
        if key.app.isEmpty || key.device.isEmpty && limit == nil { return true }
        func compare(_ other: RangeKey, _ otherTexts: Span<UInt8>) -> Int {
            let apps = texts[key.app].compare(to: otherTexts[other.app])
            if apps != 0 || key.text.isEmpty { return apps }
            return texts[key.text].compare(to: otherTexts[other.text])
        }
        if compare(low, lowTexts) < 0 { return false }
        guard let limit else { return true }
        return compare(limit.key, limit.bytes.span) <= 0
    }
}
