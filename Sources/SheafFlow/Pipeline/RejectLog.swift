import Dispatch
import SheafBytes
import SheafGroups

/// Writes rejected lines, or the findings of a check, in the order of sources and lines, regardless of the order in
/// which chunks are decoded.
///
///     source 0   chunk 0, 1, 2 …   ──▶ the rejects file
///     source 1   chunk 0, 1 …      ──▶ a spool file, until source 0 has ended
///
/// Rejects of keyed lines are written in the order in which the lines are read.
///
/// Invariants: the first source that has not ended writes to the file, later ones to spools; a source's chunks are
/// written in sequence. One of many sources may have ended long before its turn: its spool is closed until then.
///
/// Memory: `WorkUnitOrder` holds the work units whose turn has not come, so that waiting rejects take no memory of
/// their own.
///
/// Spools are next to the file. If the file is a device, a pipe or standard output, they are in the spill folder.
package final class RejectLog: @unchecked Sendable {
    // Unchecked because the compiler cannot see that all state is used only on `queue`; every entry point checks this.
    package let queue = DispatchQueue(label: "sheaf.rejects")
    private let format: Format?
    /// Selects the lines that are written to the file; nil if all are.
    private let filter: Filter?
    /// Formatted lines: up to `Limits.copyBytes`, plus the line that exceeds it.
    private var lines = OutputBuffer()
    private let file: OutputFile
    private let storage: any Storage
    /// Returns the path of a new spool that can't be next to the file.
    private let makeSpoolPath: () throws(StorageError) -> String
    private var spools: AppendedFiles
    private var units = WorkUnitOrder()
    /// The spools of the sources whose turn has not come.
    private var spoolOfSource: [Int: Spool] = [:]
    /// The source that writes to the file.
    private var current = 0
    /// Where rejects are kept until the end if the run can be resumed: no source writes to the file before then.
    private var kept: RejectSpools?
    /// Once true, nothing more is written: work units that were in flight when the run failed still arrive.
    private var isDiscarded = false

    /// A spool file; its contents are nil until it is created.
    private typealias Spool = (path: String, contents: SpoolContents?)

    /// Appends a rejected line or record in the output format: its reason, source ordinal, line number, index in the
    /// line, and text.
    package typealias Format = (RejectReason, Int, UInt64, UInt32?, Span<UInt8>, inout OutputBuffer) -> Void

    /// Appends those of the lines of a source that are written. The lines come in the order of sources, and may end within
    /// a line, which continues with the next ones.
    package typealias Filter = (_ lines: Span<UInt8>, _ source: Int, inout OutputBuffer) -> Void

    /// - Parameters:
    ///   - format: the format of rejects; nil to write the findings of work units, which have theirs.
    ///   - filter: selects the lines that are written to the file; nil for all.
    ///   - maximumSpools: the most spools that are open at once.
    ///   - kept: where rejects are kept until the end; nil if the run cannot be resumed.
    ///   - syncsName: as for `OutputFile`.
    ///   - makeSpoolPath: returns the path of a new spool that can't be next to the file.
    package init(
        path: String, format: Format?, filter: Filter? = nil, storage: any Storage,
        maximumSpools: Int = Limits.openSpools, kept: RejectSpools? = nil, syncsName: Bool = false,
        makeSpoolPath: @escaping () throws(StorageError) -> String
    ) throws(StorageError) {
        self.storage = storage
        self.format = format
        self.filter = filter
        self.makeSpoolPath = makeSpoolPath
        spools = AppendedFiles(storage: storage, maximumOpen: maximumSpools, syncs: false)
        self.kept = kept
        file = try OutputFile(path, storage: storage, syncsName: syncsName)
    }

    /// Syncs the kept rejects to disk.
    ///
    /// - Returns: the contents of the kept files, by source.
    func sync() throws(StorageError) -> [Int: SpoolContents] {
        dispatchPrecondition(condition: .onQueue(queue))
        return try kept?.sync() ?? [:]
    }

    /// Adds a work unit, which may have no rejects, or the next part of one.
    ///
    /// - Returns: the work units that are no longer needed: this one or others.
    func add(_ unit: WorkUnit) throws(StorageError) -> [WorkUnit] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isDiscarded else { return [] }
        units.add(unit)
        var done: [WorkUnit] = []
        while let next = units.takeNext(of: unit.source) {
            try write(next)
            done.append(next)
        }
        try advance(unit.source)
        return done
    }

    /// Records that a source has ended after `chunkCount` chunks with lines.
    func end(_ source: Int, chunkCount: Int) throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isDiscarded else { return }
        units.end(source, chunkCount: chunkCount)
        try advance(source)
    }

    /// Writes lines about a source after those of all work units.
    package func append(_ lines: Span<UInt8>, of source: Int) throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try writeToFile(lines, of: source)
    }

    /// Finishes the file, after which all of it has been written.
    package func finish() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try kept?.copy(to: file)
        try file.finish()
    }

    package func commit() throws(StorageError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try file.commit()
    }

    /// Removes the spools, and the file unless it was committed.
    package func discard() {
        dispatchPrecondition(condition: .onQueue(queue))
        isDiscarded = true
        for spool in spoolOfSource.values {
            try? spools.close(spool.path)
            try? storage.remove(spool.path)
        }
        spoolOfSource = [:]
        units = WorkUnitOrder()
        // The file is last: if this process is killed here, the next run finds the spools through the file.
        file.discard()
    }

    private func write(_ unit: WorkUnit) throws(StorageError) {
        unit.access.begin(.shared)
        defer { unit.access.end(.shared) }
        guard let format else {
            if unit.findings.count > 0 { try write(unit.findings, of: unit.source) }
            return
        }
        lines.removeAll()
        try unit.decoded.rejects.forEach(in: unit.chunk) {
            reason, source, line, index, text throws(StorageError) in
            format(reason, source ?? unit.ordinal, line, index, text, &lines)
            if lines.count >= Limits.copyBytes {
                try write(lines, of: unit.source)
                lines.removeAll()
            }
        }
        if lines.count > 0 { try write(lines, of: unit.source) }
    }

    private func write(_ lines: borrowing OutputBuffer, of source: Int) throws(StorageError) {
        if kept != nil {
            try kept?.write(lines.bytes, of: source)
            return
        }
        if source == current {
            try writeToFile(lines.bytes, of: source)
            return
        }
        var spool: Spool
        if let known = spoolOfSource[source] {
            spool = known
        } else {
            spool = (try spoolPath(for: source), nil)
            spoolOfSource[source] = spool
        }
        try spools.append(lines.bytes, to: spool.path, length: spool.contents?.byteCount)
        var contents = spool.contents ?? SpoolContents()
        contents.append(lines.bytes)
        spool.contents = contents
        spoolOfSource[source] = spool
    }

    /// Advances to the next sources once the current one is complete, so that they write to the file.
    private func advance(_ source: Int) throws(StorageError) {
        if kept != nil {
            guard units.isComplete(source) else { return }
            units.remove(source)
            try kept?.close(source)
            return
        }
        while units.isComplete(current) {
            units.remove(current)
            current += 1
            if let spool = spoolOfSource.removeValue(forKey: current) { try take(spool, of: current) }
        }
    }

    private func spoolPath(for source: Int) throws(StorageError) -> String {
        if let path = file.spoolPath(source) { return path }
        return try makeSpoolPath()
    }

    /// Copies a spool to the file and removes it.
    private func take(_ spool: Spool, of source: Int) throws(StorageError) {
        defer { try? storage.remove(spool.path) }
        try spools.close(spool.path)
        let contents = spool.contents ?? SpoolContents()
        try contents.check(spool.path, storage: storage)
        try storage.forEachPart(of: spool.path, upTo: contents.byteCount) { part throws(StorageError) in
            try writeToFile(part, of: source)
        }
    }

    private func writeToFile(_ bytes: Span<UInt8>, of source: Int) throws(StorageError) {
        guard let filter else { return try file.write(bytes) }
        var selected = OutputBuffer(capacity: bytes.count)
        filter(bytes, source, &selected)
        try file.write(selected.bytes)
    }
}
