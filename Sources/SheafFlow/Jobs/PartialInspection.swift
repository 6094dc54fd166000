import SheafBytes
import SheafGroups

/// Shows what partial results, slices and files of keys have.
///
/// ```swift
/// try PartialInspection(ReplayOptions(sources: ["17.partial"])).run()
/// ```
///
/// Writes one JSON object for each file to `ReplayOptions.output`. Reads every file completely, so that any damage is
/// found. Memory: the sources of one file, and one frame.
public final class PartialInspection: Sendable {
    private let inputs: PartialInputs

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Throws: `ReplayError` if an option is invalid, or a file is missing.
    public convenience init(_ options: ReplayOptions) throws(ReplayError) {
        try self.init(options, storage: SystemStorage())
    }

    package init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        inputs = try PartialInputs(options, storage: storage)
        try OutputCheck.check(options.files, inputs.files, storage: storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { inputs.interrupt(signal: signal) }

    /// Writes the objects. Blocks until done.
    ///
    /// - Throws: `ReplayError` if a file is damaged or has another format. `ReplayError.alreadyRun` if called a second time.
    public func run() throws(ReplayError) {
        try inputs.use.begin()
        var outputs = try ResultFiles(inputs.options.files, storage: inputs.storage)
        try outputs.writeResult { output throws(ReplayError) in
            for path in inputs.paths {
                try inputs.check()
                let report =
                    KeyFile.isKeyFile(path, storage: inputs.storage)
                    ? try keys(path) : try partialResult(path)
                do throws(StorageError) {
                    try output.write(report.span)
                } catch {
                    throw .writing(error)
                }
            }
        }
        try outputs.commit()
    }

    private func keys(_ path: String) throws(ReplayError) -> [UInt8] {
        let (byDevice, count, ranges) = try KeyFile.summary(path, storage: inputs.storage)
        return JSONReport.bytes { json in
            json.member("file", SystemPath.shown(path))
            json.member("kind", ranges == nil ? "sample" : "ranges")
            json.member("byDevice", byDevice)
            if let ranges {
                json.member("digest", Self.shown(ranges.digest))
                json.member("ranges", UInt64(ranges.count))
                json.member("identityKeys", UInt64(ranges.identities.count))
                json.member("groupKeys", UInt64(ranges.groups.count))
            } else {
                json.member("identityKeys", UInt64(count.identities))
                json.member("groupKeys", UInt64(count.groups))
            }
        }
    }

    private func partialResult(_ path: String) throws(ReplayError) -> [UInt8] {
        let maximumFrame = inputs.budget.largestFrame
        let summary = try PartialFile.read(path, maximumFrame: maximumFrame, storage: inputs.storage)
        let (header, counts) = (summary.header, summary.counts)
        let file = summary.file(path, sourceOffset: 0)
        let notifications = try records(.notifications, of: file)
        let groups = try records(.groups, of: file)
        return JSONReport.bytes { json in
            json.member("file", SystemPath.shown(path))
            json.member("kind", header.slice == nil ? "partial" : "slice")
            json.member("version", UInt64(summary.version))
            json.member("byDevice", header.byDevice)
            json.member("maxArguments", UInt64(header.maximumArguments))
            json.member("groupings", header.groupings) { json, item in
                json.member("app", item.app)
                json.member("grouping", item.grouping.rawValue)
            }
            json.member("input") { Self.append(header.input, to: &$0) }
            if let slice = header.slice { json.member("slice") { Self.append(slice, to: &$0) } }
            if header.slice?.kind != .newest {
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
                json.member("rejected", counts.tally.rejectedTotal)
                json.member("sourceErrors", UInt64(counts.damages.count))
            }
            json.member("identityRecords", notifications)
            json.member("groups", groups)
        }
    }

    /// Returns the number of records of a section.
    private func records(
        _ section: StateSection, of file: StateFile
    ) throws(ReplayError) -> UInt64 {
        var reader = try StateReader(file, section: section, storage: inputs.storage)
        var count: UInt64 = 0
        while try reader.advance() {
            count += 1
            if count % UInt64(Limits.groupsPerPiece) == 0 { try inputs.check() }
        }
        return count
    }

    private static func append(_ input: InputIdentity, to json: inout JSONReport) {
        json.member("name", input.name)
        if !input.digest.isEmpty { json.member("digest", input.digest) }
        if let app = input.app { json.member("app", app) }
        if let since = input.filter.since { json.member("since", milliseconds: since) }
        if let until = input.filter.until { json.member("until", milliseconds: until) }
        if !input.filter.apps.isEmpty { json.member("onlyApps", input.filter.apps.texts) }
        if !input.filter.devices.isEmpty { json.member("onlyDevices", input.filter.devices.texts) }
        if let timeline = input.timeline {
            json.member("every", milliseconds: timeline.step)
            json.member("offset", milliseconds: timeline.offset)
        }
        json.member("removals", input.appliesRemovals)
        json.member("delivery", input.tracksDelivery)
    }

    private static func append(_ slice: Slice, to json: inout JSONReport) {
        switch slice.kind {
        case .groups: json.member("kind", "groups")
        case .identities: json.member("kind", "identities")
        case .newest: json.member("kind", "newest")
        }
        json.member("digest", shown(slice.digest))
        json.member("ranges", UInt64(slice.count))
        json.member("range", UInt64(slice.range))
        guard slice.kind == .newest else { return }
        json.member("identityRanges", slice.identityRanges) { $0.member("range", UInt64($1)) }
        json.member("sources", shown(slice.sources))
    }

    private static func shown(_ digest: UInt64) -> String { String(digest, radix: 16) }
}
