import Dispatch
import SheafBytes

/// A stage of a run that receives the processed work units of its sources.
///
///     unit ────accept──▶ stage ──release──▶ free for the next chunk
///
/// Work units come in any order, from any thread; `accept` returns at once, and the stage works on queues of its own.
package protocol ReadingStage: AnyObject, Sendable {
    /// The number of times that the stage will release a processed work unit; 0 if it does not need it.
    func holderCount(of unit: WorkUnit) -> Int
    /// Passes on a processed work unit, if the stage needs it. After the last release the work unit must not be read.
    func accept(_ unit: WorkUnit, for run: some ReadingRun)
    /// Records that a source has ended after `chunkCount` chunks with lines.
    func sourceEnded(_ source: Int, chunkCount: Int, for run: some ReadingRun)
}

/// The stage that groups the notifications of a replay and writes its result: `GroupStage` at the end, `SnapshotStage`
/// also while records are read.
protocol ResultStage: ReadingStage {
    /// Begins, before anything is read.
    ///
    /// - Parameters:
    ///   - files: the files of the run's result.
    ///   - loaded: the checkpoint that the run resumes from, and its dumps; nil if it starts from the beginning.
    func begin(
        _ files: ResultFiles, _ loaded: (checkpoint: Checkpoint, dumps: [StateFile])?, for run: Replay
    ) throws(ReplayError)
    /// Writes the result, once all sources have been read.
    ///
    /// - Parameter sources: the sources whose records the result has.
    func finish(
        to files: inout ResultFiles, of sources: SourceTable, for run: Replay
    ) throws(ReplayError) -> ReplayResult
    /// Ends waiting; nothing is added from here on. May be called from any thread.
    func stop()
    /// Removes the files of a failed run, or keeps what is complete.
    ///
    /// - Parameter keepsComplete: whether to move complete snapshots into place.
    /// - Returns: whether they were.
    func discard(_ files: ResultFiles, keepsComplete: Bool) -> Bool

    /// The memory in use, in bytes.
    var heldBytes: Int { get }
    /// The number of records of pushes besides the first ones that were found so far.
    var repeated: UInt64 { get }
    /// The number of notifications that were replaced by newer versions.
    var updated: UInt64 { get }
    /// The files with state that was spilled since the run began or resumed.
    var runs: [StateFile] { get }
    /// Writes the state of the paused run: calls `write` for each file, with its index and a closure that writes it.
    func dump(_ write: @Sendable (Int, (inout StateWriter) throws(ReplayError) -> Void) -> DumpResult)
        -> [DumpResult]
    /// Returns the progress of the snapshots that the paused run has written; nil if it writes none before the end.
    func snapshotProgress() throws(ReplayError) -> StreamProgress?
}

/// The outcome of writing one of a checkpoint's dumps.
enum DumpResult: @unchecked Sendable {
    // Unchecked because a file is passed from one thread to another, and the first one no longer uses it.
    /// The name, and the file that must be synced and closed; nil if this has been done already.
    case success(String, (any WritableFile)?)
    case failure(ReplayError)
}

/// What writing the result found.
struct ReplayResult {
    /// What was found at the end of notifications that were counted while reading.
    var found = RunCounts()
    var hidden = VerdictCounts()
    /// The number of groups written.
    var groups: UInt64 = 0
    /// The devices of the notifications that were added to groups after reading; nil if groups are separated by device.
    var devices: DeviceCensus?
    /// nil unless people are measured.
    var people: MeasuredPeople?
    /// The number of late records, and what wrong clocks would have done; nil for a result that is written at the end.
    var late: UInt64?
    var bounds: SnapshotBounds?
    /// The number of pushes of live snapshots that later records no longer decide.
    var forgottenPushes: UInt64 = 0
}

// MARK: - Rejects

/// Writes the rejected lines of each work unit, or its findings.
extension RejectLog: ReadingStage {
    package func holderCount(of unit: WorkUnit) -> Int { 1 }

    package func accept(_ unit: WorkUnit, for run: some ReadingRun) {
        queue.async {
            do throws(StorageError) {
                for done in try self.add(unit) { run.release(done) }
            } catch {
                run.fail(.writing(error))
            }
        }
    }

    package func sourceEnded(_ source: Int, chunkCount: Int, for run: some ReadingRun) {
        queue.async {
            do throws(StorageError) {
                try self.end(source, chunkCount: chunkCount)
            } catch {
                run.fail(.writing(error))
            }
        }
    }

    /// Calls `body` on the log's queue.
    package func run<Result>(_ body: () throws(StorageError) -> Result) throws(ReplayError) -> Result {
        do throws(StorageError) {
            return try queue.run(body)
        } catch {
            throw ResultFiles.failure(of: error)
        }
    }
}

extension DispatchQueue {
    /// Runs `body` on the queue, waits for it, and throws its error.
    func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let result = sync { () -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
