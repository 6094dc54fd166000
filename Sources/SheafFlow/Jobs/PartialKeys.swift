import SheafBytes
import SheafGroups

/// Finds the keys at which partial results are cut into ranges of about the same size.
///
/// ```swift
/// var options = ReplayOptions(sources: ["17.partial", "18.partial"])
/// options.output = "ranges"
/// try PartialKeys(options, partitions: 7).run()
/// ```
///
/// A machine that has only some of a job's partial results can write a sample of their keys. Samples are small, and
/// ranges are made of them as of the partial results themselves. No result depends on where the ranges are cut.
///
/// Memory: at most 524,288 keys of each section for all files together, of some hundred bytes each.
public final class PartialKeys: Sendable {
    private let inputs: PartialInputs
    private let partitions: Int?

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - options: the options of a replay, with partial results and samples of keys as sources. `output` is the path
    ///     of the ranges.
    ///   - partitions: the number of ranges, from `Limits.partitionsRange`; nil to write a sample of the keys.
    /// - Throws: `ReplayError` if an option is invalid, a file is missing, or the output would replace a file.
    public convenience init(_ options: ReplayOptions, partitions: Int?) throws(ReplayError) {
        try self.init(options, partitions: partitions, storage: SystemStorage())
    }

    package init(
        _ options: ReplayOptions, partitions: Int?, storage: any Storage
    ) throws(ReplayError) {
        inputs = try PartialInputs(options, storage: storage)
        if let partitions, !Limits.partitionsRange.contains(partitions) {
            let range = Limits.partitionsRange
            throw .usage(
                "the number of partitions is \(partitions), but must be from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        self.partitions = partitions
        var files = options.files
        files.resultName = partitions == nil ? "the sample of keys" : "the ranges"
        try OutputCheck.check(files, inputs.files, storage: storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { inputs.interrupt(signal: signal) }

    /// Reads the files and writes the ranges or the sample. Blocks until done.
    ///
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run() throws(ReplayError) {
        try inputs.use.begin()
        var outputs = try ResultFiles(inputs.options.files, storage: inputs.storage)
        var sample: KeySample?
        let limit = KeySample.limit(files: inputs.files.count, isFinal: partitions != nil)
        for path in inputs.paths {
            try inputs.check()
            if KeyFile.isKeyFile(path, storage: inputs.storage) {
                try KeyFile.read(path, into: &sample, limit: limit, storage: inputs.storage)
            } else {
                try read(path, into: &sample, limit: limit)
            }
        }
        sample?.sort()
        guard let sample else { preconditionFailure("there is at least one file") }
        try outputs.writeResult { output throws(ReplayError) in
            if let partitions {
                try KeyFile.write(sample.ranges(count: partitions), to: output)
            } else {
                try KeyFile.write(sample, to: output)
            }
        }
        try inputs.check()
        try outputs.commit()
    }

    /// Adds the keys of a partial result.
    private func read(_ path: String, into sample: inout KeySample?, limit: Int) throws(ReplayError) {
        let summary = try PartialFile.read(
            path, maximumFrame: inputs.budget.largestFrame, storage: inputs.storage)
        let byDevice = summary.header.byDevice
        try summary.header.checkHasNoTimeline(path)
        let file = summary.file(path, sourceOffset: 0)
        var found = KeySample(byDevice: byDevice, limit: limit)
        var count = 0
        func check() throws(ReplayError) {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try inputs.check() }
        }
        var reader = try StateReader(file, section: .notifications, storage: inputs.storage)
        while try reader.advance() {
            try check()
            let bytes = reader.bytes
            guard let entry = NotificationEntry(bytes, of: file) else { throw reader.damage() }
            found.identities.add(byteCount: bytes.count) {
                let group = byDevice ? nil : RangeKey(groupOf: entry)
                return (
                    StoredKey(RangeKey(entry, byDevice: byDevice), in: bytes),
                    group.map { StoredKey($0, in: bytes) }
                )
            }
        }
        reader = try StateReader(file, section: .groups, storage: inputs.storage)
        while try reader.advance() {
            try check()
            let bytes = reader.bytes
            guard GroupEntry(bytes, of: file) != nil else { throw reader.damage() }
            found.groups.add(byteCount: bytes.count) {
                (StoredKey(RangeKey(group: bytes, byDevice: byDevice), in: bytes), nil)
            }
        }
        found.groups.appendGroups(of: found.identities)
        try KeySample.add(found, of: path, to: &sample)
    }
}
