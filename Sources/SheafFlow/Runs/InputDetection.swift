import SheafBytes
import SheafGroups

/// Reads the first records of a source and reports how each one is understood.
package struct InputDetection {
    /// A record as it is understood, or an entry that is not.
    package struct DetectedRecord {
        package let line: UInt64
        /// The record's index in its line; nil if the line has only this one.
        package let index: UInt32?
        package let outcome: RecordDecoder.Outcome
        package let trace: EntryTrace?
    }

    /// The path of the source.
    package let source: String
    package private(set) var records: [DetectedRecord] = []
    /// The damage that ended the source before enough records were found.
    package private(set) var damagedSource: Statistics.DamagedSource?

    /// Reads up to `count` records of the first of a path's sources.
    ///
    /// - Throws: `ReplayError` if the source can't be opened or read.
    package init(
        _ path: String, _ input: LogInput, app: String? = nil, maximumLine: Int = Limits.lineBytes,
        records count: Int, inflater: Inflater = .standard, storage: any Storage = SystemStorage()
    ) throws(ReplayError) {
        let inputs = InputOptions(log: input.traced, defaultApp: app)
        let sizes = ChunkSizes(
            targetBytes: Limits.chunkBytes, maximumLine: maximumLine, constantBytes: inputs.constantBytes)
        var lines = LineDetection(inputs)
        var records: [DetectedRecord] = []
        (source, damagedSource) = try Self.readChunks(path, sizes, inflater: inflater, storage: storage) {
            chunk in
            records += lines.records(of: chunk, upTo: count - records.count)
            return records.count < count
        }
        self.records = records
    }

    /// Reads the chunks of the first of a path's sources.
    ///
    /// - Parameter body: uses a chunk, and returns whether more are needed.
    /// - Returns: the path of the source, and the damage that ended it before enough of it was read.
    /// - Throws: `ReplayError` if the source can't be opened or read.
    package static func readChunks(
        _ path: String, _ sizes: ChunkSizes, inflater: Inflater, storage: any Storage, _ body: (Chunk) -> Bool
    ) throws(ReplayError) -> (source: String, damage: Statistics.DamagedSource?) {
        let source = try SourceList.expand([path], storage: storage)[0]
        let reader = SourceReader(source, ordinal: 0, storage: storage, chunks: sizes, inflater: inflater)
        let unit = WorkUnit(index: 0, sizes, shards: 1)
        while true {
            let outcome = try reader.fill(unit)
            unit.checksum?.settle()
            guard body(unit.chunk) else { return (source.path, nil) }
            if let damage = outcome.damage {
                let name = SystemPath.shown(source.path)
                return (source.path, Statistics.DamagedSource(source: name, damage: damage))
            }
            if outcome.hasEnded { return (source.path, nil) }
        }
    }

    /// Whether every record is rejected because its payload or its app is not where it is looked for.
    private var isNotUnderstood: Bool {
        !records.isEmpty
            && records.allSatisfy { record in
                switch record.outcome {
                case .rejected(.payloadMissing), .rejected(.payloadInvalid), .rejected(.apsMissing),
                    .rejected(.appMissing), .rejected(.inputUnmatched):
                    true
                case .rejected, .notification, .silent, .refused, .otherPlatform, .removal, .settings,
                    .response, .result, .outcome:
                    false
                }
            }
    }

    /// Returns where the payload or the app probably is if no record is understood; nil if one is.
    ///
    /// - Parameter log: how a command names the log.
    package func hint(log: String) -> ReplayWarning.InputHint? {
        guard isNotUnderstood else { return nil }
        let lackApp = records.allSatisfy { $0.outcome == .rejected(.appMissing) }
        return lackApp
            ? InputHints.appHint(records, log: log) ?? .unknown(log: log)
            : InputHints.payloadHint(records, log: log)
    }

    /// Returns up to `count` records of some lines.
    package static func records(
        of text: [UInt8], _ inputs: InputOptions, maximumLine: Int, upTo count: Int
    ) -> [DetectedRecord] {
        let inputs = InputOptions(log: inputs.log.traced, defaultApp: inputs.defaultApp)
        let sizes = ChunkSizes(
            targetBytes: text.count + 1, maximumLine: maximumLine, constantBytes: inputs.constantBytes)
        let chunk = Chunk(text, maximumLine: maximumLine, annex: sizes.annex)
        var lines = LineDetection(inputs)
        return lines.records(of: chunk, upTo: count)
    }
}

/// Decodes lines for a report.
private struct LineDetection: ~Copyable {
    private let inputs: InputOptions
    private var decoder = RecordDecoder(keepsRejectedText: false)
    private let entries: EntryReader

    init(_ inputs: InputOptions) {
        self.inputs = inputs
        entries = EntryReader(inputs.log, isTracing: true)
    }

    mutating func records(of chunk: Chunk, upTo count: Int) -> [InputDetection.DetectedRecord] {
        var records: [InputDetection.DetectedRecord] = []
        if let app = inputs.defaultApp { decoder.setDefaultApp(chunk.constant(app) ?? .none) }
        var cursor = LineCursor(chunk)
        while records.count < count, let line = cursor.next(in: chunk) {
            switch line.shape {
            case .blank: continue
            case .tooLong:
                records.append(
                    InputDetection.DetectedRecord(
                        line: line.number, index: nil, outcome: .rejected(.lineTooLong), trace: nil))
                continue
            case .content: break
            }
            entries.begin(line.text, of: chunk, reason: nil, &decoder)
            while records.count < count,
                let item = entries.next(in: chunk, &decoder, at: RecordPosition(source: 0, line: line.number))
            {
                var trace = entries.trace
                // A change of settings or an outcome may be for all apps.
                let mayLackApp = item.outcome == .settings || item.outcome == .outcome
                let lacksApp = trace?.has("app") == false && (!mayLackApp || decoder.usesDefaultApp)
                if let app = inputs.defaultApp, lacksApp { trace?.add(defaultApp: app) }
                records.append(
                    InputDetection.DetectedRecord(
                        line: line.number, index: item.index, outcome: item.outcome, trace: trace))
            }
        }
        return records
    }
}
