/// Puts the work units of each source back into their sequence: a work unit that was decoded too early is held until
/// its turn.
///
/// A chunk that is decoded in parts is added once for each part; the next chunk's turn comes after the last part.
///
/// Memory: work units are held, not copied, so that their fixed number is the bound. The work unit whose turn it is was
/// read before those that wait for it.
struct WorkUnitOrder {
    private var sources: [Int: Progress] = [:]

    private struct Progress {
        var waiting: [Int: WorkUnit] = [:]
        var nextSequence = 0
        /// The number of chunks with lines; nil while the source is read.
        var chunkCount: Int?
    }

    /// Adds a decoded work unit, or the next part of one.
    mutating func add(_ unit: WorkUnit) {
        sources[unit.source, default: Progress()].waiting[unit.sequence] = unit
    }

    /// Removes and returns the work unit of a source whose turn it is; nil if it has not been added.
    mutating func takeNext(of source: Int) -> WorkUnit? {
        guard let next = sources[source]?.nextSequence,
            let unit = sources[source]?.waiting.removeValue(forKey: next)
        else { return nil }
        if unit.isComplete { sources[source]?.nextSequence += 1 }
        return unit
    }

    /// Records that a source has ended after `chunkCount` chunks with lines.
    mutating func end(_ source: Int, chunkCount: Int) {
        sources[source, default: Progress()].chunkCount = chunkCount
    }

    /// Whether a source has ended, and all its work units were taken.
    func isComplete(_ source: Int) -> Bool {
        guard let progress = sources[source] else { return false }
        return progress.chunkCount == progress.nextSequence
    }

    /// Frees the work units of a source.
    mutating func remove(_ source: Int) { sources[source] = nil }
}
