import SheafBytes
import SheafGroups

/// The inner stages of a replay, for benchmarks that measure them one by one. Not part of the public API.
package struct MeasuredGroups {
    private var table: GroupTable

    package init(maximumArguments: Int) { table = GroupTable(maximumArguments: maximumArguments) }

    /// Returns the hash of a record's group key.
    package static func hash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        Routing.groupHash(record, in: bytes)
    }

    package static func shard(of hash: UInt64, count: Int) -> Int { Routing.shard(of: hash, count: count) }

    /// Adds a window of records as a shard does, prefetching the memory that they access.
    package mutating func add(_ window: ArraySlice<NotificationRecord>, in bytes: Span<UInt8>) {
        let hashes = window.map { Routing.groupHash($0, in: bytes) }
        for step in PrefetchStep.allCases {
            for hash in hashes { table.prefetch(step, hash: hash, at: 0) }
        }
        for (record, hash) in zip(window, hashes) { table.add(record, in: bytes, hash: hash) }
    }

    /// Sorts and renders the groups and writes them to `file`.
    package func write(to file: OutputFile, options: ReplayOptions) throws {
        let shard = SortedShard(SortedGroups(table, order: options.order, byDevice: options.byDevice))
        var writer = SnapshotWriter(
            [shard], top: options.top, style: options.style, names: SourceNames(["sample"]),
            threads: options.threads)
        try writer.write(to: file, progress: RunProgress()) {}
    }
}
