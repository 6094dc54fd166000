/// Processes the lines of one work unit, or a part of it, at a time; its counts accumulate over all work units.
protocol ChunkWorker: AnyObject, Sendable {
    /// Processes all lines of the work unit, or those before `WorkUnit.remainder`, which it sets.
    ///
    /// - Returns: the number of records processed, including rejected ones.
    func process(_ unit: WorkUnit) -> UInt64
}
