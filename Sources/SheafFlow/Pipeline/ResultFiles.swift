import SheafBytes

/// The output files for a run's result and statistics. All of them are complete before any is moved into place.
///
///     a run ──result──▶ the file
///           ──result──▶ the sections of a page ──▶ the file, with the statistics
package struct ResultFiles {
    /// nil if the result is a section of a page that another run writes.
    private let file: OutputFile?
    /// The page that the result is a section of; nil for other formats.
    private let page: PageSection?
    private let statistics: OutputFile?
    /// Whether the reader of the result closed it before all of it was written.
    package private(set) var wasClosed = false

    /// Creates the files in advance, so that a run does not find out only at the end that they can't be created.
    ///
    /// - Parameters:
    ///   - page: a page, and where the run writes its section.
    ///   - syncsNames: as for `OutputFile`.
    /// - Throws: `ReplayError.output`.
    package init(
        _ files: RunFiles, page: PageSection? = nil, storage: any Storage,
        syncsNames: Bool = false
    ) throws(ReplayError) {
        self.page = page
        do {
            file =
                files.result.isEmpty
                ? nil : try OutputFile(files.result, storage: storage, syncsName: syncsNames)
            statistics = try files.statistics.map { path throws(StorageError) in
                try OutputFile(path, storage: storage, syncsName: syncsNames)
            }
        } catch {
            throw .output(error)
        }
    }

    /// The file of a result that is written while records are read.
    var result: OutputFile {
        guard let file else { preconditionFailure("the result is a section of a page") }
        return file
    }

    /// Adds a row of measures to the page; nil for other formats.
    var receiveRow: (@Sendable (MeasureRow) -> Void)? {
        guard let page = page?.page else { return nil }
        return { page.add($0) }
    }

    /// Writes the result: passes its file to `body` and finishes the file. A page is finished by `writePage()`.
    package mutating func writeResult(_ body: (any ByteOutput) throws(ReplayError) -> Void)
        throws(ReplayError)
    {
        if let page { return try body(page.output) }
        try writeFile(body)
    }

    /// Writes a result that is in memory.
    package mutating func writeResult(_ bytes: [UInt8]) throws(ReplayError) {
        try writeResult { output throws(ReplayError) in try output.write(result: bytes.span) }
    }

    /// Writes the page that the result is a section of, once it is complete, unless another run does.
    package mutating func writePage() throws(ReplayError) {
        guard let page, file != nil else { return }
        try writeFile { output throws(ReplayError) in
            try output.write(result: page.page.bytes().span)
        }
    }

    private mutating func writeFile(_ body: (any ByteOutput) throws(ReplayError) -> Void) throws(ReplayError)
    {
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

    /// Writes the statistics, and the page if there is one.
    package mutating func write(_ statistics: Statistics) throws(ReplayError) {
        page?.page.add(statistics)
        try writePage()
        try writeStatistics(statistics.json())
    }

    /// Writes the file of the statistics, if there is one.
    package func writeStatistics(_ bytes: [UInt8]) throws(ReplayError) {
        guard let file = self.statistics else { return }
        do {
            try file.write(bytes.span)
        } catch {
            throw .writing(error)
        }
        try Self.finish(file)
    }

    /// Moves the files into place, the result last.
    package func commit() throws(ReplayError) {
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
            try file?.commit()
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// Removes the files that were not moved into place.
    package func discard() {
        file?.discard()
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

extension ByteOutput {
    /// Writes a part of a result.
    ///
    /// - Throws: `ReplayError.writing`.
    func write(result bytes: Span<UInt8>) throws(ReplayError) {
        do throws(StorageError) {
            try write(bytes)
        } catch {
            throw .writing(error)
        }
    }
}
