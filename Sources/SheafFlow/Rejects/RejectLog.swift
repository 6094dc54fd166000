import Dispatch
import SheafBytes
import SheafGroups

/// Writes rejected lines in the order of sources and lines, whatever the order in which chunks are decoded.
///
///     source 0   chunk 0, 1, 2 …   ──▶ the rejects file
///     source 1   chunk 0, 1 …      ──▶ a spool file, until source 0 has ended
///
/// Invariants: the first source that has not ended writes to the file, later ones to spools; a source's chunks
/// are written by their sequence. A parcel whose turn has not come is held, not copied, so what waits is bounded
/// by the parcels; the one whose turn it is has been read before them and never waits for them. A source in a log of
/// many may have ended long before its turn: its spool waits closed.
///
/// Spools are next to the file. Where that is a device, a pipe or standard output, they are in the folder for spilled
/// state.
final class RejectLog: @unchecked Sendable {
    // Unchecked because the compiler does not see that all of it is used on `queue` alone; every entry checks.
    let queue = DispatchQueue(label: "sheaf.rejects")
    private let format: Format
    /// Lines as they are written: `Limits.copyBytes`, and the one that went beyond it.
    private var lines: [UInt8] = []
    private let file: OutputFile
    private let storage: any Storage
    private let spills: SpillFolder
    private var spools: AppendedFiles
    private var sources: [Int: Progress] = [:]
    /// The source that writes to the file.
    private var current = 0
    /// Where rejects are kept until the end, when a run may be gone on with: no source writes to the file before.
    private var kept: RejectSpools?
    /// After it nothing is written: parcels that were under way when the run failed still come.
    private var isDiscarded = false

    private struct Progress {
        var nextSequence = 0
        var waiting: [Int: Parcel] = [:]
        /// How many chunks the source has, once it has ended.
        var chunkCount: Int?
        var spool: Spool?

        var isComplete: Bool { chunkCount == nextSequence }
    }

    private struct Spool {
        let path: String
        /// How many bytes it has; nil until it is made.
        var length: UInt64?
    }

    /// Appends a rejected line as it is written: why, its source's ordinal, its number and its text.
    typealias Format = (RejectReason, Int, UInt64, Span<UInt8>, inout [UInt8]) -> Void

    /// - Parameters:
    ///   - spills: where spools are that have no place next to the file.
    ///   - maximumSpools: how many spools are open at once.
    ///   - kept: where rejects are kept until the end; nil when no run goes on where this one ends.
    ///   - syncsName: as for `OutputFile`.
    init(
        path: String, format: @escaping Format, storage: any Storage, spills: SpillFolder,
        maximumSpools: Int = Limits.openSpools,
        kept: RejectSpools? = nil, syncsName: Bool = false
    ) throws(StorageError) {
        self.storage = storage
        self.format = format
        self.spills = spills
        spools = AppendedFiles(storage: storage, maximumOpen: maximumSpools, syncs: false)
        self.kept = kept
        file = try OutputFile(path, storage: storage, syncsName: syncsName)
    }

    /// Puts what is kept on the disk.
    ///
    /// - Returns: how many bytes there are, by source.
    func sync() throws(StorageError) -> [Int: UInt64] {
        dispatchPrecondition(condition: .onQueue(queue))
        return try kept?.sync() ?? [:]
    }

    /// A decoded parcel's rejects, none included. Returns the parcels that are done with, this one or others.
    func add(_ parcel: Parcel) throws(StorageError) -> [Parcel] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isDiscarded else { return [] }
        sources[parcel.source, default: Progress()].waiting[parcel.sequence] = parcel
        var done: [Parcel] = []
        while let next = takeNext(of: parcel.source) {
            try write(next)
            done.append(next)
        }
        try advance(parcel.source)
        return done
    }

    /// The source has ended after so many chunks with lines.
    func end(_ source: Int, chunkCount: Int) throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isDiscarded else { return }
        sources[source, default: Progress()].chunkCount = chunkCount
        try advance(source)
    }

    /// Ends the file; all of it is written then.
    func finish() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try kept?.copy(to: file)
        try file.finish()
    }

    func commit() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try file.commit()
    }

    /// Removes the file and the spools, unless it was committed.
    func discard() {
        dispatchPrecondition(condition: .onQueue(queue))
        isDiscarded = true
        for progress in sources.values {
            guard let spool = progress.spool else { continue }
            try? spools.close(spool.path)
            try? storage.remove(spool.path)
        }
        sources = [:]
        // Last: if this process is killed here, the next run finds the spools by way of the file.
        file.discard()
    }

    private func takeNext(of source: Int) -> Parcel? {
        guard let next = sources[source]?.nextSequence,
            let parcel = sources[source]?.waiting.removeValue(forKey: next)
        else { return nil }
        sources[source]?.nextSequence += 1
        return parcel
    }

    private func write(_ parcel: Parcel) throws(StorageError) {
        lines.removeAll(keepingCapacity: true)
        try parcel.rejects.forEach(in: parcel.chunk) { reason, line, text throws(StorageError) in
            format(reason, parcel.source, line, text, &lines)
            if lines.count >= Limits.copyBytes {
                try write(lines, of: parcel.source)
                lines.removeAll(keepingCapacity: true)
            }
        }
        if !lines.isEmpty { try write(lines, of: parcel.source) }
    }

    private func write(_ lines: [UInt8], of source: Int) throws(StorageError) {
        if kept != nil {
            try kept?.write(lines.span, of: source)
            return
        }
        if source == current {
            try file.write(lines.span)
            return
        }
        if sources[source]?.spool == nil {
            sources[source]?.spool = Spool(path: try makeSpoolPath(for: source))
        }
        guard let spool = sources[source]?.spool else { return }
        try spools.append(lines.span, to: spool.path, length: spool.length)
        sources[source]?.spool?.length = (spool.length ?? 0) + UInt64(lines.count)
    }

    /// Lets the next sources write to the file once the current one is complete.
    private func advance(_ source: Int) throws(StorageError) {
        if kept != nil {
            guard sources[source]?.isComplete == true else { return }
            sources[source] = nil
            try kept?.close(source)
            return
        }
        while sources[current]?.isComplete == true {
            sources[current] = nil
            current += 1
            if let spool = sources[current]?.spool {
                sources[current]?.spool = nil
                try take(spool)
            }
        }
    }

    private func makeSpoolPath(for source: Int) throws(StorageError) -> String {
        if let path = file.spoolPath(source) { return path }
        return try spills.makeSpoolPath()
    }

    /// Copies a spool to the file and removes it.
    private func take(_ spool: Spool) throws(StorageError) {
        defer { try? storage.remove(spool.path) }
        try spools.close(spool.path)
        var input = try storage.openOwn(spool.path)
        defer { input.close() }
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        while true {
            var target = buffer.mutableSpan
            let count = try input.read(into: &target)
            if count == 0 { return }
            try file.write(buffer.span.extracting(first: count))
        }
    }
}
