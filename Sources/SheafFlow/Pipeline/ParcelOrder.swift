/// Puts the parcels of each source back into their sequence: a parcel that was decoded too early is held until its
/// turn.
///
/// A chunk that is decoded in parts is added once for each part; the next chunk's turn comes after the last part.
///
/// Memory: parcels are held, not copied, so that their fixed number is the bound. The parcel whose turn it is was read
/// before those that wait for it.
struct ParcelOrder {
    private var sources: [Int: Progress] = [:]

    private struct Progress {
        var waiting: [Int: Parcel] = [:]
        var nextSequence = 0
        /// The number of chunks with lines; nil while the source is read.
        var chunkCount: Int?
    }

    /// Adds a decoded parcel, or the next part of one.
    mutating func add(_ parcel: Parcel) {
        sources[parcel.source, default: Progress()].waiting[parcel.sequence] = parcel
    }

    /// Removes and returns the parcel of a source whose turn it is; nil if it has not been added.
    mutating func takeNext(of source: Int) -> Parcel? {
        guard let next = sources[source]?.nextSequence,
            let parcel = sources[source]?.waiting.removeValue(forKey: next)
        else { return nil }
        if parcel.isComplete { sources[source]?.nextSequence += 1 }
        return parcel
    }

    /// Notes that a source has ended after `chunkCount` chunks with lines.
    mutating func end(_ source: Int, chunkCount: Int) {
        sources[source, default: Progress()].chunkCount = chunkCount
    }

    /// Whether a source has ended, and all its parcels were taken.
    func isComplete(_ source: Int) -> Bool {
        guard let progress = sources[source] else { return false }
        return progress.chunkCount == progress.nextSequence
    }

    /// Frees the parcels of a source.
    mutating func forget(_ source: Int) { sources[source] = nil }
}
