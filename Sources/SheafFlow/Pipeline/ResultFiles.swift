import SheafBytes

/// The output files for a run's result and statistics. All of them are complete before any is moved into place.
struct ResultFiles {
    let result: OutputFile
    private let statistics: OutputFile?
    /// Whether the reader of the result closed it before all of it was written.
    private(set) var wasClosed = false

    /// Creates the files in advance, so that a run does not find out only at the end that they can't be created.
    ///
    /// - Parameter syncsNames: as for `OutputFile`.
    /// - Throws: `ReplayError.output`.
    init(_ files: RunFiles, storage: any Storage, syncsNames: Bool = false) throws(ReplayError) {
        do {
            result = try OutputFile(files.result, storage: storage, syncsName: syncsNames)
            statistics = try files.statistics.map { path throws(StorageError) in
                try OutputFile(path, storage: storage, syncsName: syncsNames)
            }
        } catch {
            throw .output(error)
        }
    }

    /// Writes the result: passes its file to `body` and finishes the file.
    mutating func writeResult(_ body: (OutputFile) throws(ReplayError) -> Void) throws(ReplayError) {
        do throws(ReplayError) {
            try body(result)
            try Self.finish(result)
        } catch .writing(let error) where error.isClosedPipe {
            // The reader has read enough, like `| head`. The run has not failed: its other outputs are still wanted.
            wasClosed = true
        }
    }

    /// Finishes a result that was written before.
    ///
    /// - Parameter wasClosed: whether its reader closed it early.
    mutating func finishResult(wasClosed: Bool) throws(ReplayError) {
        self.wasClosed = wasClosed
        if !wasClosed { try writeResult { _ in } }
    }

    func write(_ statistics: Statistics) throws(ReplayError) {
        try writeStatistics(statistics.json())
    }

    /// Writes the file of the statistics, if there is one.
    func writeStatistics(_ bytes: [UInt8]) throws(ReplayError) {
        guard let file = self.statistics else { return }
        do {
            try file.write(bytes.span)
        } catch {
            throw .writing(error)
        }
        try Self.finish(file)
    }

    /// Moves the files into place, the result last.
    func commit() throws(ReplayError) {
        do {
            try statistics?.commit()
        } catch {
            throw Self.failure(of: error)
        }
        if !wasClosed { try commitResult() }
    }

    /// Moves the result into place.
    func commitResult() throws(ReplayError) {
        do {
            try result.commit()
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// Removes the files that were not moved into place.
    func discard() {
        result.discard()
        statistics?.discard()
    }

    /// Converts an error from finishing an output or moving it into place.
    static func failure(of error: StorageError) -> ReplayError {
        error.operation == .rename ? .output(error) : .writing(error)
    }

    private static func finish(_ file: OutputFile) throws(ReplayError) {
        do {
            try file.finish()
        } catch {
            throw .writing(error)
        }
    }
}
