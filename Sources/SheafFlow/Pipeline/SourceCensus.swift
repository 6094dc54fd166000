/// Finds the sources whose records were all rejected. Each worker has its own census; they are summed at the end.
///
/// Memory: a bit for each source, and about 20 bytes for each with rejected records.
struct SourceCensus {
    /// By ordinal: whether records of the source were read.
    private var isRead: [UInt64] = []
    /// By ordinal: the number of rejected records, if there are any.
    private var rejected: [Int: UInt64] = [:]

    /// Counts records of a source.
    ///
    /// - Parameters:
    ///   - source: the source's ordinal.
    ///   - records: the number of those that were not rejected.
    mutating func count(_ source: Int, records: UInt64, rejected count: UInt64) {
        if records > 0 { markRead(source / 64, 1 << UInt64(source % 64)) }
        if count > 0 { rejected[source, default: 0] += count }
    }

    mutating func add(_ other: SourceCensus) {
        for (index, bits) in other.isRead.enumerated() where bits != 0 { markRead(index, bits) }
        rejected.merge(other.rejected) { $0 + $1 }
    }

    private mutating func markRead(_ index: Int, _ bits: UInt64) {
        if index >= isRead.count { isRead += Array(repeating: 0, count: index + 1 - isRead.count) }
        isRead[index] |= bits
    }

    /// The sources without other records than rejected ones, in order, with the number of these.
    var unread: [(source: Int, rejected: UInt64)] {
        rejected.filter { source, _ in
            source / 64 >= isRead.count || isRead[source / 64] >> UInt64(source % 64) & 1 == 0
        }
        .map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
}
