import SheafBytes
import SheafGroups

extension PartialRun {
    /// Writes one JSON object for each file.
    func inspect(to output: any ByteOutput) throws(ReplayError) {
        for path in inputs.paths {
            try inputs.check()
            let report =
                SourceHead.isOfFormat(.keys, path, inputs.storage) ? try keys(path) : try partialResult(path)
            try output.write(result: report.span)
        }
    }

    private func keys(_ path: String) throws(ReplayError) -> [UInt8] {
        let file = try KeyFile.read(path, storage: inputs.storage)
        return JSONDocument.bytes { json in
            json.member("file", SystemPath.shown(path))
            switch file {
            case .ranges(let ranges):
                json.member("kind", "ranges")
                json.member("byDevice", ranges.unit != .group)
                if ranges.unit == .person { json.member("byPerson", true) }
                json.member("digest", Self.shown(ranges.digest))
                json.member("ranges", UInt64(ranges.count))
                json.member("identityKeys", UInt64(ranges.identities.count))
                json.member("groupKeys", UInt64(ranges.groups.count))
                if let removals = ranges.removals { json.member("removals", UInt64(removals.hashes.count)) }
            case .sample(let sample):
                json.member("kind", "sample")
                json.member("byDevice", sample.unit != .group)
                if sample.unit == .person { json.member("byPerson", true) }
                json.member("identityKeys", UInt64(sample.identities.items.count))
                json.member("groupKeys", UInt64(sample.groups.items.count))
                if let removals = sample.removals { json.member("removals", UInt64(removals.hashes.count)) }
            }
        }
    }

    private func partialResult(_ path: String) throws(ReplayError) -> [UInt8] {
        let (part, counts) = try inputs.read(path)
        let (header, slice) = (part.header, part.slice)
        let notifications = try recordCount(.notifications, of: part)
        let groups = try recordCount(.groups, of: part)
        return JSONDocument.bytes { json in
            json.member("file", SystemPath.shown(path))
            json.member("kind", slice == nil ? "partial" : "slice")
            json.member("version", UInt64(part.version))
            json.member("byDevice", header.byDevice)
            json.member("maxArguments", UInt64(header.maximumArguments))
            json.member("groupings", header.groupings) { json, item in
                json.member("app", item.app)
                json.member("grouping", item.grouping.rawValue)
            }
            json.member("input") { Self.append(header.input, to: &$0) }
            if let slice { json.member("slice") { Self.append(slice, to: &$0) } }
            if slice?.kind != .newest {
                json.member("sources", header.sources.entries) { json, source in
                    json.member("ordinal", UInt64(source.ordinal))
                    json.member("source", SystemPath.shown(source.name))
                    if let lines = source.lines {
                        json.member("lines", lines.count)
                        json.member("firstLine", lines.first)
                        json.member("lastLine", lines.last)
                    }
                }
            }
            json.member("named", header.sources.isNamed)
            json.member("counts") { json in
                json.member("bytesRead", counts.bytesRead)
                json.member("bytesInflated", counts.bytesInflated)
                json.member("lines", counts.tally.lines)
                json.member("records", counts.tally.records)
                json.member("notifications", counts.tally.notifications)
                json.member("updated", counts.updated)
                json.member("removed", counts.hidden.removed)
                json.member("suppressed", counts.hidden.suppressed)
                if counts.hidden.quiet > 0 { json.member("quiet", counts.hidden.quiet) }
                json.member("rejected", counts.tally.rejectedTotal)
                json.member("sourceErrors", UInt64(counts.damages.count))
            }
            json.member("identityRecords", notifications)
            json.member("groups", groups)
        }
    }

    private func recordCount(
        _ section: StateSection, of part: PartialFile
    ) throws(ReplayError) -> UInt64 {
        var count: UInt64 = 0
        try inputs.forEachRecord(section, of: part.state) { _ throws(ReplayError) in
            count += 1
            return true
        }
        return count
    }

    private static func append(_ input: InputIdentity, to json: inout JSONDocument) {
        json.member("name", input.name)
        if !input.digest.isEmpty { json.member("digest", input.digest) }
        if let app = input.app { json.member("app", app) }
        if let since = input.filter.since { json.member("since", milliseconds: since) }
        if let until = input.filter.until { json.member("until", milliseconds: until) }
        if !input.filter.apps.isEmpty { json.member("onlyApps", input.filter.apps.texts) }
        if !input.filter.devices.isEmpty { json.member("onlyDevices", input.filter.devices.texts) }
        if let timeline = input.timeline {
            json.member("every", milliseconds: timeline.step)
            if timeline.countsWeeks { json.member("weeks", true) }
            if let zone = timeline.clock?.name {
                json.member("timeZone", zone)
            } else {
                json.member("offset", milliseconds: timeline.offset)
            }
        }
        json.member("removals", input.appliesRemovals)
        json.member("delivery", input.tracksDelivery)
        if let division = input.division { json.member("per", division.rawValue) }
        if input.isUnique { json.member("unique", true) }
        if input.appliesOutcomes { json.member("outcomes", true) }
    }

    private static func append(_ slice: Slice, to json: inout JSONDocument) {
        json.member("kind", slice.kind.name)
        json.member("digest", shown(slice.digest))
        json.member("ranges", UInt64(slice.count))
        json.member("range", UInt64(slice.range))
        guard slice.kind.isMade else { return }
        json.member(slice.kind == .newest ? "identityRanges" : "peopleRanges", slice.covered) {
            $0.member("range", UInt64($1))
        }
        json.member("sources", shown(slice.sources))
        if slice.kind == .measures { json.member("fold", UInt64(slice.fold)) }
    }

    private static func shown(_ digest: UInt64) -> String { String(digest, radix: 16) }
}
