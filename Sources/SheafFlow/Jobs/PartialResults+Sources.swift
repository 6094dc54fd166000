import SheafBytes
import SheafGroups

extension PartialResults {
    /// Checks that both files have positions as ordinals, or both have named sources; and that both are slices by the
    /// same ranges, or neither is a slice.
    static func checkKind(of part: PartialFile, against first: PartialFile) throws(ReplayError) {
        if part.header.sources.isNamed != first.header.sources.isNamed {
            let named = part.header.sources.isNamed ? part.path : first.path
            throw unmergeable(
                part, first,
                "only '\(named)' has named sources (\(.namedSources)), so the order of all sources is unknown"
            )
        }
        switch (part.slice, first.slice) {
        case (nil, nil): return
        case (let slice?, let other?):
            if (slice.digest, slice.count) != (other.digest, other.count) {
                throw unmergeable(part, first, "they are slices by different ranges")
            }
        case (let slice, _):
            throw unmergeable(part, first, "only '\(slice == nil ? first.path : part.path)' is a slice")
        }
    }

    /// Combines the sources and the slices of all files.
    ///
    /// - Throws: `ReplayError.usage` if they don't fit together.
    mutating func combine(_ parts: [PartialFile], for purpose: Purpose) throws(ReplayError) {
        guard header.sources.isNamed else {
            for part in parts.dropFirst() { header.sources.append(part.header.sources) }
            return
        }
        let first = parts[0].path
        guard slice != nil else {
            if purpose == .newest {
                throw .usage("'\(first)' is not a slice of identities, but a whole partial result")
            }
            if purpose == .measures { throw .usage("'\(first)' is not a slice, but a whole partial result") }
            header.sources = try Self.union(parts)
            return
        }
        switch purpose {
        case .cutting: throw .usage("'\(first)' is a slice already")
        case .newest: try combineIdentities(parts)
        case .partial: try combineEqual(parts)
        case .snapshot where slice?.kind == .measures: try combineMeasures(parts)
        case .snapshot, .measures: try combineRange(parts)
        }
    }

    /// Combines the sources of files with named sources.
    ///
    /// - Throws: `ReplayError.usage` if two files certainly cover the same lines of a source.
    private static func union(_ parts: [PartialFile]) throws(ReplayError) -> SourceTable {
        // With the number of the part: copies of the parts would take memory for each source.
        var found: [(entry: SourceTable.Entry, part: Int)] = []
        for (number, part) in parts.enumerated() {
            found += part.header.sources.entries.map { ($0, number) }
        }
        found = found.ordered { $0.entry.ordinal < $1.entry.ordinal }
        var entries: [SourceTable.Entry] = []
        // The files with lines of the current source, to name the right one, and to find equal sets among many.
        var owners: [LineSet: Int] = [:]
        var first = 0
        for (entry, part) in found {
            guard let last = entries.last, last.ordinal == entry.ordinal else {
                entries.append(entry)
                owners = [:]
                if let lines = entry.lines { owners[lines] = part }
                first = part
                continue
            }
            var source: String { "source \(last.ordinal), '\(last.name)'" }
            guard last.name == entry.name else {
                throw unmergeable(
                    parts[first], parts[part],
                    "they are of different jobs: source \(last.ordinal) is '\(last.name)' in the first one and "
                        + "'\(entry.name)' in the second one")
            }
            guard var lines = last.lines, let others = entry.lines else {
                throw unmergeable(parts[first], parts[part], "both cover \(source)")
            }
            if let owner = owners.updateValue(part, forKey: others) {
                throw unmergeable(parts[owner], parts[part], "both cover the same lines of \(source)")
            }
            if lines.certainlyIntersects(others) {
                throw .usage(
                    "'\(parts[part].path)' can't be merged: it covers lines of \(source), that "
                        + "\(owners.count == 2 ? "'\(parts[first].path)' covers" : "files before it cover")")
            }
            lines.add(others)
            entries[entries.count - 1].lines = lines
        }
        return SourceTable(named: entries)
    }

    /// Checks that exactly these sources are covered.
    func checkSources(are expected: [NamedSource]) throws(ReplayError) {
        guard header.sources.isNamed else {
            throw .usage(
                "\(.expectedSources) has no effect: the partial results were written without \(.namedSources)"
            )
        }
        if slice?.kind == .newest {
            throw .usage(
                "\(.expectedSources) has no effect on slices of newest versions, which do not list their sources"
            )
        }
        var wanted: [Int: NamedSource] = [:]
        for source in expected { wanted[source.ordinal] = source }
        for entry in header.sources.entries {
            guard let source = wanted.removeValue(forKey: entry.ordinal) else {
                throw .usage(
                    "source \(entry.ordinal), '\(entry.name)', is not expected: it may be of another job")
            }
            if source.name != entry.name {
                throw .usage(
                    "source \(entry.ordinal) is '\(entry.name)', not '\(source.name)' as expected: it may be of another job"
                )
            }
            if let lines = source.lines, let found = entry.lines?.count, found != lines {
                throw .usage(
                    "source \(entry.ordinal), '\(entry.name)', is expected to have \(lines) lines, but the partial results "
                        + "cover \(found): some are \(found < lines ? "missing" : "covered twice")")
            }
        }
        guard let first = wanted.keys.min(), let source = wanted[first] else { return }
        let others = wanted.count == 1 ? "" : ", and \(wanted.count - 1) more"
        throw .usage("no partial result covers source \(first), '\(source.name)'\(others)")
    }
}

// MARK: - Slices

extension PartialResults {
    /// Combines slices of one kind and range, or measures of any ranges.
    private mutating func combineEqual(_ parts: [PartialFile]) throws(ReplayError) {
        let first = parts[0]
        for part in parts {
            guard let slice = part.slice, let other = first.slice,
                slice.kind != other.kind || slice.range != other.range && slice.kind != .measures
            else { continue }
            throw .usage(
                "'\(first.path)' has \(first.sliceName), '\(part.path)' \(part.sliceName): only slices with the same can be "
                    + "merged into a partial result")
        }
        if slice?.kind.isMade == true {
            slice = try Self.coveringUnion(parts)
        } else {
            header.sources = try Self.union(parts)
        }
    }

    /// Combines the measures of all ranges.
    private mutating func combineMeasures(_ parts: [PartialFile]) throws(ReplayError) {
        if let other = parts.first(where: { $0.slice?.kind != .measures }) {
            throw .usage(
                "'\(parts[0].path)' has \(parts[0].sliceName), '\(other.path)' \(other.sliceName): the measures of all "
                    + "ranges are merged")
        }
        slice = try Self.coveringUnion(parts)
        guard let slice, let missing = Set(0..<slice.count).subtracting(slice.covered).min() else { return }
        throw .usage("the measures of range \(missing) of \(slice.count) are missing")
    }

    /// Combines slices of newest versions of one range of groups, or measures.
    private static func coveringUnion(_ parts: [PartialFile]) throws(ReplayError) -> Slice? {
        let first = parts[0]
        var owners: [Int: PartialFile] = [:]
        for part in parts {
            if part.slice?.sources != first.slice?.sources {
                throw unmergeable(first, part, "they were made from different sources")
            }
            if part.slice?.delivery != first.slice?.delivery {
                throw unmergeable(
                    first, part,
                    "they were made with different configurations of delivery, profiles, or choices of \(.locked)"
                )
            }
            if part.slice?.fold != first.slice?.fold {
                throw unmergeable(first, part, "they were made with different values of \(.fold)")
            }
            for range in part.slice?.covered ?? [] {
                guard let other = owners.updateValue(part, forKey: range) else { continue }
                let what = part.slice?.kind == .measures ? "measures" : "newest versions"
                throw unmergeable(other, part, "both have the \(what) of range \(range)")
            }
        }
        guard var result = first.slice else { return nil }
        result.covered = owners.keys.ordered()
        if result.kind == .measures { result.range = result.covered.first ?? 0 }
        return result
    }

    /// Combines slices of identities of one or several ranges, each with all of its sources.
    private mutating func combineIdentities(_ parts: [PartialFile]) throws(ReplayError) {
        var ranges: [Int: [PartialFile]] = [:]
        for part in parts {
            guard let slice = part.slice, slice.kind == .identities else {
                throw .usage("'\(part.path)' has \(part.sliceName), not a slice of identities")
            }
            ranges[slice.range, default: []].append(part)
        }
        if header.byDevice {
            throw .usage(
                "'\(parts[0].path)' was written with \(.byDevice): its identities are in the ranges of their groups, so merge both "
                    + "kinds of slices")
        }
        let sorted = ranges.orderedByKey()
        header.sources = try Self.union(sorted[0].value)
        for (_, parts) in sorted.dropFirst() {
            if try Self.union(parts) == header.sources { continue }
            throw Self.unmergeableSlices(
                sorted[0].value[0], parts[0], "a range of identities lacks sources that another one has")
        }
        slice = Slice(
            .newest, digest: slice?.digest ?? 0, count: slice?.count ?? 1, range: 0,
            covered: sorted.map(\.key), sources: header.sources.digest)
    }

    /// Combines all slices that make up one range of a snapshot.
    private mutating func combineRange(_ parts: [PartialFile]) throws(ReplayError) {
        let needed: Slice.Kind = header.byDevice ? .identities : .newest
        let groups = parts.filter { $0.slice?.kind == .groups }
        let others = parts.filter { $0.slice?.kind == needed }
        guard let first = groups.first, let slice = first.slice else {
            throw .usage("no slice of groups is given: a part of a result needs all slices of its range")
        }
        if let wrong = parts.first(where: { $0.slice?.kind != .groups && $0.slice?.kind != needed }) {
            if wrong.slice?.kind == .measures {
                throw .usage(
                    "'\(wrong.path)' has \(wrong.sliceName): measures are merged with those of other ranges")
            }
            throw .usage(
                header.byDevice
                    ? "'\(wrong.path)' has newest versions, but with \(.byDevice) slices of identities are merged"
                    : "'\(wrong.path)' is a slice of identities: merge the slices of newest versions that are made from it"
            )
        }
        if let other = (groups + others).first(where: { $0.slice?.range != slice.range }) {
            throw .usage(
                "'\(first.path)' has \(first.sliceName), '\(other.path)' \(other.sliceName): a part of a result is of one range"
            )
        }
        header.sources = try Self.union(groups)
        self.slice = slice
        guard let other = others.first else {
            throw .usage(
                "no slice of \(header.byDevice ? "identities" : "newest versions") of range \(slice.range) is given: a part of a "
                    + "result needs all slices of its range")
        }
        let newest = header.byDevice ? nil : try Self.coveringUnion(others)
        let isSame =
            header.byDevice
            ? try Self.union(others) == header.sources : newest?.sources == header.sources.digest
        guard isSame else {
            throw Self.unmergeableSlices(
                first, other, "they are made from different sources, so slices are missing")
        }
        guard let newest else { return }
        self.slice?.delivery = newest.delivery
        if let missing = Set(0..<slice.count).subtracting(newest.covered).min() {
            throw .usage(
                "the newest versions of range \(missing) of \(slice.count) are missing from range \(slice.range) of the groups"
            )
        }
    }

    private static func unmergeableSlices(
        _ part: PartialFile, _ other: PartialFile, _ reason: OptionMessage
    ) -> ReplayError {
        .usage(
            "the slices with '\(part.path)' and those with '\(other.path)' can't be merged: \(reason)")
    }
}

extension PartialFile {
    /// What a slice has, as part of a message.
    fileprivate var sliceName: String {
        guard let slice else { return "no slice" }
        return switch slice.kind {
        case .groups: "range \(slice.range) of the groups"
        case .identities: "range \(slice.range) of the identities"
        case .newest: "newest versions in range \(slice.range) of the groups"
        case .measures: "measures of people"
        }
    }
}
