import Dispatch
import SheafBytes
import SheafGroups

/// Writes rejected lines in the order of sources and lines, regardless of the order in which chunks are decoded.
///
///     source 0   chunk 0, 1, 2 …   ──▶ the rejects file
///     source 1   chunk 0, 1 …      ──▶ a spool file, until source 0 has ended
///
/// A chunk that is decoded in parts is added once for each part; the next chunk's turn comes after the last part.
///
/// Invariants: the first source that has not ended writes to the file, later ones to spools; a source's chunks are
/// written in sequence. A parcel whose turn has not come is held, not copied, so the memory of waiting rejects is
/// bounded by the parcels; the parcel whose turn it is was read before them and never waits for them. One of many
/// sources may have ended long before its turn: its spool is closed until then.
///
/// Spools are next to the file. If the file is a device, a pipe or standard output, they are in the spill folder.
final class RejectLog: @unchecked Sendable {
    // Unchecked because the compiler cannot see that all state is used only on `queue`; every entry point checks this.
    let queue = DispatchQueue(label: "sheaf.rejects")
    private let format: Format
    /// Formatted lines: up to `Limits.copyBytes`, plus the line that exceeds it.
    private var lines = OutputBuffer()
    private let file: OutputFile
    private let storage: any Storage
    private let spills: SpillFolder
    private var spools: AppendedFiles
    private var sources: [Int: Progress] = [:]
    /// The source that writes to the file.
    private var current = 0
    /// Where rejects are kept until the end if the run can be resumed: no source writes to the file before then.
    private var kept: RejectSpools?
    /// Once true, nothing more is written: parcels that were in flight when the run failed still arrive.
    private var isDiscarded = false

    private struct Progress {
        var nextSequence = 0
        var waiting: [Int: Parcel] = [:]
        /// The number of chunks in the source; nil until it has ended.
        var chunkCount: Int?
        var spool: Spool?

        var isComplete: Bool { chunkCount == nextSequence }
    }

    private struct Spool {
        let path: String
        /// The length in bytes; nil until the file is created.
        var length: UInt64?
    }

    /// Appends a rejected line or record in the output format: its reason, source ordinal, line number, index in the
    /// line, and text.
    typealias Format = (RejectReason, Int, UInt64, UInt32?, Span<UInt8>, inout OutputBuffer) -> Void

    /// - Parameters:
    ///   - spills: the folder for spools that cannot be next to the file.
    ///   - maximumSpools: the most spools that are open at once.
    ///   - kept: where rejects are kept until the end; nil if the run cannot be resumed.
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

    /// Syncs the kept rejects to disk.
    ///
    /// - Returns: the number of kept bytes, by source.
    func sync() throws(StorageError) -> [Int: UInt64] {
        dispatchPrecondition(condition: .onQueue(queue))
        return try kept?.sync() ?? [:]
    }

    /// Adds a parcel, which may have no rejects, or the next part of one.
    ///
    /// - Returns: the parcels that are no longer needed: this one or others.
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

    /// Notes that a source has ended after `chunkCount` chunks with lines.
    func end(_ source: Int, chunkCount: Int) throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isDiscarded else { return }
        sources[source, default: Progress()].chunkCount = chunkCount
        try advance(source)
    }

    /// Finishes the file, after which all of it has been written.
    func finish() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try kept?.copy(to: file)
        try file.finish()
    }

    func commit() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try file.commit()
    }

    /// Removes the spools, and the file unless it was committed.
    func discard() {
        dispatchPrecondition(condition: .onQueue(queue))
        isDiscarded = true
        for progress in sources.values {
            guard let spool = progress.spool else { continue }
            try? spools.close(spool.path)
            try? storage.remove(spool.path)
        }
        sources = [:]
        // The file is last: if this process is killed here, the next run finds the spools through the file.
        file.discard()
    }

    private func takeNext(of source: Int) -> Parcel? {
        guard let next = sources[source]?.nextSequence,
            let parcel = sources[source]?.waiting.removeValue(forKey: next)
        else { return nil }
        if parcel.isComplete { sources[source]?.nextSequence += 1 }
        return parcel
    }

    private func write(_ parcel: Parcel) throws(StorageError) {
        parcel.access.begin(.shared)
        defer { parcel.access.end(.shared) }
        lines.removeAll()
        try parcel.rejects.forEach(in: parcel.chunk) {
            reason, line, index, text throws(StorageError) in
            format(reason, parcel.source, line, index, text, &lines)
            if lines.count >= Limits.copyBytes {
                try write(lines, of: parcel.source)
                lines.removeAll()
            }
        }
        if lines.count > 0 { try write(lines, of: parcel.source) }
    }

    private func write(_ lines: borrowing OutputBuffer, of source: Int) throws(StorageError) {
        if kept != nil {
            try kept?.write(lines.bytes, of: source)
            return
        }
        if source == current {
            try file.write(lines.bytes)
            return
        }
        if sources[source]?.spool == nil {
            sources[source]?.spool = Spool(path: try makeSpoolPath(for: source))
        }
        guard let spool = sources[source]?.spool else { return }
        try spools.append(lines.bytes, to: spool.path, length: spool.length)
        sources[source]?.spool?.length = (spool.length ?? 0) + UInt64(lines.count)
    }

    /// Advances to the next sources once the current one is complete, so that they write to the file.
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
