import SheafBytes
import SheafGroups

/// Reads the first records of a source and reports how each one is understood.
package struct InputDetection {
    /// A record as it is understood, or an entry that is not.
    package struct Record {
        package let line: UInt64
        /// The record's index in its line; nil if the line has only this one.
        package let index: UInt32?
        package let outcome: RecordDecoder.Outcome
        package let trace: EntryTrace?
    }

    /// The path of the source.
    package let source: String
    package private(set) var records: [Record] = []
    /// The damage that ended the source before enough records were found.
    package private(set) var damagedSource: Statistics.DamagedSource?

    /// Reads up to `count` records of the first of the sources that a path stands for.
    ///
    /// - Throws: `ReplayError` if the source can't be opened or read.
    package init(
        _ path: String, _ input: LogInput, app: String? = nil, maximumLine: Int = Limits.lineBytes,
        records count: Int, storage: any Storage = SystemStorage()
    ) throws(ReplayError) {
        let sources = try SourceList.expand([path], storage: storage)
        source = sources[0].path
        let input = input.traced
        let inputs = InputOptions(log: input, defaultApp: app)
        let sizes = ChunkSizes(
            targetBytes: Limits.chunkBytes, maximumLine: maximumLine, constantBytes: inputs.constantBytes)
        let reader = SourceReader(sources[0], ordinal: 0, storage: storage, chunks: sizes)
        let parcel = Parcel(index: 0, sizes, shards: 1)
        var decoder = RecordDecoder(keepsRejectedText: false)
        let entries = EntryReader(input, isTracing: true)
        while records.count < count {
            let outcome = try reader.fill(parcel)
            parcel.checksum?.settle()
            if let app { decoder.setDefaultApp(parcel.chunk.constant(app) ?? .none) }
            var cursor = LineCursor(parcel.chunk)
            while records.count < count, let line = cursor.next(in: parcel.chunk) {
                switch line.shape {
                case .blank: continue
                case .tooLong:
                    records.append(
                        Record(line: line.number, index: nil, outcome: .rejected(.lineTooLong), trace: nil))
                    continue
                case .content: break
                }
                entries.begin(line.text, of: parcel.chunk, reason: nil, &decoder)
                while records.count < count,
                    let item = entries.next(in: parcel.chunk, &decoder, source: 0, line: line.number)
                {
                    var trace = entries.trace
                    if let app, trace?.has("app") == false { trace?.add(defaultApp: app) }
                    records.append(
                        Record(line: line.number, index: item.index, outcome: item.outcome, trace: trace))
                }
            }
            if records.count < count, let damage = outcome.damage {
                damagedSource = Statistics.DamagedSource(source: SystemPath.shown(source), damage: damage)
            }
            if outcome.hasEnded { break }
        }
    }
}
