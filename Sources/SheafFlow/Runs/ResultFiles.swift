import SheafBytes

/// The files that a run writes its result and its statistics to: all of them are whole before one is put in place.
struct ResultFiles {
    private let result: OutputFile
    private let statistics: OutputFile?
    /// Whether whoever read the result had enough before its end.
    private(set) var wasClosed = false

    /// Makes the files, so that a run does not find out at its end that it can't.
    ///
    /// - Parameter syncsNames: as for `OutputFile`.
    /// - Throws: `ReplayError.output`.
    init(_ options: ReplayOptions, storage: any Storage, syncsNames: Bool = false) throws(ReplayError) {
        do {
            result = try OutputFile(
                options.partial ?? options.output, storage: storage, syncsName: syncsNames)
            statistics = try options.statistics.map { path throws(StorageError) in
                try OutputFile(path, storage: storage, syncsName: syncsNames)
            }
        } catch {
            throw .output(error)
        }
    }

    /// Writes the result: `body` is given its file.
    mutating func writeResult(_ body: (OutputFile) throws(ReplayError) -> Void) throws(ReplayError) {
        do throws(ReplayError) {
            try body(result)
            try Self.finish(result)
        } catch .writing(let error) where error.isClosedPipe {
            // `| head` has read enough: the run is no failure, and its other outputs are wanted.
            wasClosed = true
        }
    }

    func write(_ statistics: Statistics) throws(ReplayError) {
        guard let file = self.statistics else { return }
        do {
            try file.write(statistics.json().span)
        } catch {
            throw .writing(error)
        }
        try Self.finish(file)
    }

    /// Puts the files in place, the result last.
    func commit() throws(ReplayError) {
        do {
            try statistics?.commit()
            if !wasClosed { try result.commit() }
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// What it means that an output could not be ended or put in its place.
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
