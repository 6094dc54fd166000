import SheafBytes
import SheafGroups

extension PartialResults {
    /// Checks that both files have positions as ordinals, or both have named sources; and that both are slices by the
    /// same ranges, or neither is a slice.
    static func checkKind(of part: Part, against first: Part) throws(ReplayError) {
        func fail(_ difference: OptionMessage) -> ReplayError {
            .usage("'\(part.path)' and '\(first.path)' can't be merged: \(difference)")
        }
        if part.header.sources.isNamed != first.header.sources.isNamed {
            let named = part.header.sources.isNamed ? part.path : first.path
            throw fail(
                "only '\(named)' has named sources (\(.namedSources)), so the order of all sources is unknown"
            )
        }
        guard (part.header.slice == nil) == (first.header.slice == nil) else {
            let slice = part.header.slice == nil ? first.path : part.path
            throw fail("only '\(slice)' is a slice")
        }
        guard let slice = part.header.slice, let other = first.header.slice else { return }
        if (slice.digest, slice.count) != (other.digest, other.count) {
            throw fail("they are slices by different ranges")
        }
    }

    /// Combines the headers of all files.
    ///
    /// - Throws: `ReplayError.usage` if their sources or slices don't fit together.
    static func combined(_ parts: [Part], for purpose: Purpose) throws(ReplayError) -> PartialHeader {
        var header = parts[0].header
        guard header.sources.isNamed else {
            for part in parts.dropFirst() { header.sources.append(part.header.sources) }
            return header
        }
        guard header.slice != nil else {
            if purpose == .newest {
                throw .usage("'\(parts[0].path)' is not a slice of identities, but a whole partial result")
            }
            header.sources = try union(parts)
            return header
        }
        switch purpose {
        case .cutting: throw .usage("'\(parts[0].path)' is a slice already")
        case .newest: return try combinedIdentities(parts)
        case .partial: return try combinedSlices(parts)
        case .snapshot: return try combinedRange(parts)
        }
    }

    /// Combines the sources of files with named sources.
    ///
    /// - Throws: `ReplayError.usage` if two files certainly cover the same lines of a source.
    static func union(_ parts: [Part]) throws(ReplayError) -> SourceTable {
        var found: [(entry: SourceTable.Entry, path: String)] = []
        for part in parts {
            found += part.header.sources.entries.map { ($0, part.path) }
        }
        found.sort { $0.entry.ordinal < $1.entry.ordinal }
        var entries: [SourceTable.Entry] = []
        // The files with lines of the current source, to name the right one, and to find equal sets among many.
        var owners: [LineSet: String] = [:]
        var first = ""
        for item in found {
            guard let last = entries.last, last.ordinal == item.entry.ordinal else {
                entries.append(item.entry)
                owners = [:]
                if let lines = item.entry.lines { owners[lines] = item.path }
                first = item.path
                continue
            }
            func fail(_ path: String, _ what: String) -> ReplayError {
                .usage("'\(path)' and '\(item.path)' can't be merged: \(what)")
            }
            guard last.name == item.entry.name else {
                throw fail(
                    first,
                    "they are of different jobs: source \(last.ordinal) is '\(last.name)' in the first one and "
                        + "'\(item.entry.name)' in the second one")
            }
            guard var lines = last.lines, let others = item.entry.lines else {
                throw fail(first, "both cover source \(last.ordinal), '\(last.name)'")
            }
            if let owner = owners.updateValue(item.path, forKey: others) {
                throw fail(owner, "both cover the same lines of source \(last.ordinal), '\(last.name)'")
            }
            if lines.certainlyIntersects(others) {
                throw .usage(
                    "'\(item.path)' can't be merged: it covers lines of source \(last.ordinal), '\(last.name)', that "
                        + "\(owners.count == 2 ? "'\(first)' covers" : "files before it cover")")
            }
            lines.add(others)
            entries[entries.count - 1].lines = lines
        }
        return SourceTable(named: entries)
    }

    /// Checks that exactly these sources are covered.
    static func check(
        _ header: PartialHeader, covers expected: [NamedSource]
    ) throws(ReplayError) {
        guard header.sources.isNamed else {
            throw .usage(
                "\(.expectedSources) has no effect: the partial results were written without \(.namedSources)"
            )
        }
        if header.slice?.kind == .newest {
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
    /// Combines slices of one kind and range.
    private static func combinedSlices(_ parts: [Part]) throws(ReplayError) -> PartialHeader {
        var header = parts[0].header
        guard let first = header.slice else { return header }
        for part in parts {
            guard let slice = part.header.slice, (slice.kind, slice.range) != (first.kind, first.range) else {
                continue
            }
            throw .usage(
                "'\(parts[0].path)' has \(first.described), '\(part.path)' \(slice.described): only slices with the same can be "
                    + "merged into a partial result")
        }
        if first.kind == .newest {
            header.slice = try newestUnion(parts)
        } else {
            header.sources = try union(parts)
        }
        return header
    }

    /// Combines slices of newest versions of one range of groups.
    private static func newestUnion(_ parts: [Part]) throws(ReplayError) -> Slice? {
        var owners: [Int: String] = [:]
        var result = parts[0].header.slice
        for part in parts {
            guard let slice = part.header.slice, let first = result else { continue }
            if slice.sources != first.sources {
                throw .usage(
                    "'\(parts[0].path)' and '\(part.path)' can't be merged: they were made from different sources"
                )
            }
            if slice.delivery != first.delivery {
                throw .usage(
                    "'\(parts[0].path)' and '\(part.path)' can't be merged: they were made with different configurations of "
                        + "delivery, or profiles")
            }
            for range in slice.identityRanges {
                guard let other = owners.updateValue(part.path, forKey: range) else { continue }
                throw .usage(
                    "'\(other)' and '\(part.path)' can't be merged: both have the newest versions of range \(range)"
                )
            }
        }
        result?.identityRanges = owners.keys.sorted()
        return result
    }

    /// Combines slices of identities of one or several ranges, each with all of its sources.
    private static func combinedIdentities(_ parts: [Part]) throws(ReplayError) -> PartialHeader {
        var ranges: [Int: [Part]] = [:]
        for part in parts {
            guard let slice = part.header.slice, slice.kind == .identities else {
                throw .usage(
                    "'\(part.path)' has \(part.header.slice?.described ?? "no slice"), not a slice of identities"
                )
            }
            ranges[slice.range, default: []].append(part)
        }
        var header = parts[0].header
        if header.byDevice {
            throw .usage(
                "'\(parts[0].path)' was written with \(.byDevice): its identities are in the ranges of their groups, so merge both "
                    + "kinds of slices")
        }
        var first: (path: String, sources: SourceTable)?
        for range in ranges.keys.sorted() {
            let parts = ranges[range] ?? []
            let sources = try union(parts)
            if let first, first.sources != sources {
                throw .usage(
                    "the slices with '\(first.path)' and those with '\(parts[0].path)' can't be merged: a range of identities lacks "
                        + "sources that another one has")
            }
            first = first ?? (parts[0].path, sources)
        }
        header.sources = first?.sources ?? header.sources
        header.slice = Slice(
            .newest, digest: header.slice?.digest ?? 0, count: header.slice?.count ?? 1, range: 0,
            identityRanges: ranges.keys.sorted(), sources: header.sources.digest)
        return header
    }

    /// Combines all slices that make up one range of a snapshot.
    private static func combinedRange(_ parts: [Part]) throws(ReplayError) -> PartialHeader {
        var kinds: [Slice.Kind: [Part]] = [:]
        for part in parts { if let slice = part.header.slice { kinds[slice.kind, default: []].append(part) } }
        var header = parts[0].header
        let needed: Slice.Kind = header.byDevice ? .identities : .newest
        guard let groups = kinds[.groups], let slice = groups[0].header.slice else {
            throw .usage("no slice of groups is given: a part of a snapshot needs all slices of its range")
        }
        if let wrong = kinds.first(where: { $0.key != .groups && $0.key != needed })?.value[0] {
            throw .usage(
                header.byDevice
                    ? "'\(wrong.path)' has newest versions, but with \(.byDevice) slices of identities are merged"
                    : "'\(wrong.path)' is a slice of identities: merge the slices of newest versions that are made from it"
            )
        }
        let others = kinds[needed] ?? []
        for part in groups + others {
            guard let other = part.header.slice, other.range != slice.range else { continue }
            throw .usage(
                "'\(groups[0].path)' has \(slice.described), '\(part.path)' \(other.described): a part of a snapshot is of one range"
            )
        }
        header.sources = try union(groups)
        header.slice = slice
        guard !others.isEmpty else {
            throw .usage(
                "no slice of \(header.byDevice ? "identities" : "newest versions") of range \(slice.range) is given: a part of a "
                    + "snapshot needs all slices of its range")
        }
        if header.byDevice {
            let covered = try union(others)
            if covered != header.sources { throw differentSources(groups[0], others[0]) }
        } else {
            let newest = try newestUnion(others)
            if newest?.sources != header.sources.digest { throw differentSources(groups[0], others[0]) }
            header.slice?.delivery = newest?.delivery ?? 0
            let missing = Set(0..<slice.count).subtracting(newest?.identityRanges ?? [])
            if let first = missing.min() {
                throw .usage(
                    "the newest versions of range \(first) of \(slice.count) are missing from range \(slice.range) of the groups"
                )
            }
        }
        return header
    }

    private static func differentSources(_ groups: Part, _ other: Part) -> ReplayError {
        .usage(
            "the slices with '\(groups.path)' and those with '\(other.path)' can't be merged: they are made from different sources, "
                + "so slices are missing")
    }
}

extension Slice {
    /// What the slice has, as part of a message.
    var described: String {
        switch kind {
        case .groups: "range \(range) of the groups"
        case .identities: "range \(range) of the identities"
        case .newest: "newest versions in range \(range) of the groups"
        }
    }
}
