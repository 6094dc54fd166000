import SheafBytes
import SheafGroups

/// One part of the groups.
final class Shard: @unchecked Sendable {
    // Unchecked because one thread at a time has it: the job queue runs a shard's jobs one by one, and what comes
    // behind them begins when all are done.
    let index: Int
    private let shardCount: Int
    private let byDevice: Bool
    private let maximumArguments: Int
    private let rules: GroupingRules
    private var tables: Tables
    /// Where state was put that did not fit.
    private(set) var files: [StateFile] = []
    /// Of the groups that replaceable notifications were added to; nil where devices are told apart.
    private(set) var devices: DeviceCensus?
    /// How many notifications were replaced by newer versions in tables that were handed over.
    private var updatedBefore: UInt64 = 0

    init(index: Int, count: Int, options: ReplayOptions, rules: GroupingRules) {
        self.index = index
        shardCount = count
        byDevice = options.byDevice
        maximumArguments = options.maximumArguments
        self.rules = rules
        devices = options.byDevice ? nil : DeviceCensus()
        tables = Tables(groups: GroupTable(maximumArguments: options.maximumArguments))
    }

    /// What the shard holds. A structure, so that the shard's storage is claimed once a batch and not once a
    /// record.
    private struct Tables {
        var groups: GroupTable
        var replaceable = ReplaceableTable()

        mutating func add(_ batch: ContiguousArray<RoutedRecord>, in bytes: Span<UInt8>) {
            var start = 0
            while start < batch.count {
                let window = start..<min(start + Limits.prefetchedRecords, batch.count)
                for step in PrefetchStep.allCases {
                    for place in window { prefetch(step, for: batch[place]) }
                }
                for place in window { add(batch[place], in: bytes) }
                start = window.upperBound
            }
        }

        @inline(__always)
        private mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
            if item.record.isReplaceable {
                replaceable.add(item, in: bytes)
            } else {
                groups.add(item.record, in: bytes, hash: item.groupHash)
            }
        }

        @inline(__always)
        private func prefetch(_ step: PrefetchStep, for item: RoutedRecord) {
            if item.record.isReplaceable {
                replaceable.prefetch(step, hash: item.identityHash)
            } else {
                groups.prefetch(step, hash: item.groupHash)
            }
        }
    }

    /// How many notifications were replaced by newer versions.
    var updated: UInt64 { updatedBefore + tables.replaceable.updated }

    /// Bytes of memory in use.
    var heldBytes: Int { tables.groups.heldBytes + tables.replaceable.heldBytes }

    /// About how many bytes there will be when the notifications that can be replaced have become groups.
    var foldedBytes: Int { tables.groups.heldBytes + 3 * tables.replaceable.heldBytes }

    /// Puts all state on the disk, sorted, and gives the memory back.
    func spill(to folder: SpillFolder) throws(ReplayError) {
        let replaceable = takeReplaceable()
        let groups = takeGroups()
        guard replaceable.count + groups.count > 0 else { return }
        let rules = rules
        let byDevice = byDevice
        files.append(
            try folder.write { writer throws(ReplayError) in
                try writer.add(replaceable)
                try writer.add(SortedGroups(groups, order: .key, byDevice: byDevice), rules)
            })
    }

    /// Writes all state as it is, and keeps it.
    func dump(to writer: inout StateWriter) throws(ReplayError) {
        try writer.addUnsorted(tables.replaceable, tables.groups, rules)
    }

    /// Takes a group that was dumped.
    func restore(_ group: EncodedGroup, in bytes: Span<UInt8>, hash: UInt64) {
        tables.groups.add(group, in: bytes, hash: hash)
    }

    /// Takes a notification that was dumped.
    func restore(_ item: RoutedRecord, in bytes: Span<UInt8>) { tables.replaceable.add(item, in: bytes) }

    /// How many groups there are now, those of replaceable notifications not among them.
    var groupCount: Int {
        return tables.groups.count
    }

    /// Adds the parcel's notifications that belong to this shard.
    func apply(_ parcel: Parcel) {
        let chunk = parcel.chunk
        let bytes = chunk.bytes
        tables.add(parcel.batches[index], in: bytes)
    }

    /// Hands over the notifications that can be replaced no more: the input is at its end.
    func takeReplaceable() -> ReplaceableTable {
        updatedBefore += tables.replaceable.updated
        let table = tables.replaceable
        tables.replaceable = ReplaceableTable()
        return table
    }

    /// Adds the newest versions whose groups belong to this shard.
    func fold(_ replaceable: [ReplaceableTable]) {
        for table in replaceable {
            table.forEach(where: { Routing.shard(of: $0, count: shardCount) == index }) {
                hash, record, bytes in
                var record = record
                if !byDevice {
                    devices?.noteGroup(record.device, of: record, in: bytes, groupHash: hash)
                    record.device = .none
                }
                tables.groups.add(record, in: bytes, hash: hash)
            }
        }
    }

    /// Hands over the finished groups, in the order of the snapshot.
    func takeSorted(_ order: ReplayOptions.Order) -> SortedShard {
        SortedShard(SortedGroups(takeGroups(), order: order, byDevice: byDevice))
    }

    private func takeGroups() -> GroupTable {
        var table = tables.groups
        tables.groups = GroupTable(maximumArguments: maximumArguments)
        // Sorting takes about the memory that this gives back.
        table.forgetIndex()
        return table
    }
}
