import SheafBytes
import SheafGroups

/// A chunk in flight, with its decoded notifications in one batch per shard.
///
/// The number of work units is fixed; work units and their buffers are reused. A work unit has one owner at a time (its
/// reader, then a worker). After decoding it is only read, by the shards and the writer of rejects, until the last of
/// them releases it.
package final class WorkUnit: @unchecked Sendable {
    // Unchecked because the owner changes with the stage: `FlowControl` passes it on, a queue orders the accesses. Each
    // stage begins an access: the reader and the worker an exclusive one, the others a shared one.
    package let access = AccessCheck()
    package private(set) var chunk: Chunk
    /// The work unit's index among all work units.
    let index: Int
    /// The source's index among those of the run.
    package var source = 0
    /// The source's ordinal in order keys, unless each line has its own.
    var ordinal = 0
    /// The chunk's index in its source.
    var sequence = 0
    /// The deferred checksum of the chunk's bytes, which must be settled before decoding changes them.
    package var checksum: DeferredChecksum?
    /// Where decoding continues when the shards have released the part that was decoded; nil if the whole chunk is
    /// decoded, or nothing of it.
    package var remainder: Remainder?
    /// The first line without a valid key; nothing after it is decoded. nil if all keys are valid.
    var invalidKey: InvalidKey?
    /// What was decoded of the chunk, or of the part that was decoded last.
    var decoded: Decoded
    /// The findings of the chunk or the part in their output format, if they are kept.
    package var findings = OutputBuffer()
    /// The work units of the run's other branches. Those of branches that one worker decodes share a chunk.
    let others: [WorkUnit]

    /// The records of a chunk, or of a part of it. Its buffers keep their capacity from chunk to chunk.
    struct Decoded: ~Copyable {
        /// The notifications by shard.
        var batches: [ContiguousArray<RoutedRecord>]
        /// The other records by shard, in the order of the chunk.
        var events: [ContiguousArray<ScreenEvent>]
        /// The pushes that wait for their decision, and the outcomes.
        var waiting = WaitingPushes()
        /// The rejected lines, if they are kept.
        var rejects = RejectedLines()
        /// All records of the person who is traced.
        var traces: [RecordTrace] = []

        init(shards: Int) {
            batches = Array(repeating: [], count: shards)
            events = Array(repeating: [], count: shards)
        }

        mutating func removeAll() {
            for index in batches.indices { batches[index].removeAll(keepingCapacity: true) }
            for index in events.indices { events[index].removeAll(keepingCapacity: true) }
            waiting.removeAll()
            rejects.removeAll()
            traces.removeAll()
        }
    }

    /// The part of a chunk that is not decoded yet.
    package struct Remainder {
        /// The lines.
        package var cursor: LineCursor
        /// The line before them, if it has more records, and its reader.
        package var entries: (line: LineCursor.Line, source: Int, reader: EntryReader)?

        package init(
            cursor: LineCursor,
            entries: (line: LineCursor.Line, source: Int, reader: EntryReader)? = nil
        ) {
            self.cursor = cursor
            self.entries = entries
        }
    }

    /// - Parameters:
    ///   - shards: the number of shards of each branch.
    ///   - decodings: by branch.
    convenience init(
        index: Int, _ sizes: ChunkSizes, shards: Int, decodings: [BranchDecoding] = [(branch: 0, rule: nil)]
    ) {
        var chunks: [Chunk] = []
        for (branch, decoding) in decodings.enumerated() {
            guard decoding.branch == branch else {
                chunks.append(chunks[decoding.branch])
                continue
            }
            // The branches with rules share copies of the lines, and each may add as much as the branch itself.
            let rules = decodings.count { $0.branch == branch && $0.rule != nil }
            let copies = rules == 0 ? 0 : sizes.capacity + rules * sizes.annex
            chunks.append(Chunk(capacity: sizes.capacity, annex: sizes.annex + copies))
        }
        self.init(
            index: index, chunks[0], shards: shards,
            others: chunks.dropFirst().map { WorkUnit(index: index, $0, shards: shards, others: []) })
    }

    private init(index: Int, _ chunk: Chunk, shards: Int, others: [WorkUnit]) {
        self.index = index
        self.chunk = chunk
        self.others = others
        decoded = Decoded(shards: shards)
    }

    /// Whether the whole chunk is decoded, once a worker has processed the work unit.
    var isComplete: Bool { remainder == nil && others.allSatisfy(\.isComplete) }

    /// The work unit of a branch.
    func ofBranch(_ branch: Int) -> WorkUnit { branch == 0 ? self : others[branch - 1] }

    /// Copies the lines, which are not decoded yet, to the work units of the other branches.
    ///
    /// - Parameter decodings: those that the work unit was created with.
    func copyLines(_ decodings: [BranchDecoding]) {
        for (index, other) in others.enumerated() {
            other.access.begin()
            defer { other.access.end() }
            (other.source, other.ordinal, other.sequence) = (source, ordinal, sequence)
            if decodings[index + 1].branch == index + 1 { other.chunk.copyLines(of: chunk) }
        }
    }

    /// Returns a copy of the chunk's first lines. Decoding changes them.
    func head(upTo count: Int) -> [UInt8] {
        access.begin()
        defer { access.end() }
        var head: [UInt8] = []
        head.append(chunk.bytes.extracting(chunk.start..<min(chunk.end, chunk.start + count)))
        if chunk.end - chunk.start > count {
            head.removeLast(head.count - ((head.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1))
        }
        return head
    }

    /// Frees the work unit's memory, once all input is read.
    func releaseMemory() {
        access.begin()
        defer { access.end() }
        for other in others { other.releaseMemory() }
        chunk = Chunk(capacity: 1)
        decoded = Decoded(shards: 0)
        findings = OutputBuffer()
    }

    /// Whether there is anything for a shard.
    func hasWork(for shard: Int) -> Bool {
        !decoded.batches[shard].isEmpty || !decoded.events[shard].isEmpty
            || waitingShard(of: decoded.batches.count) == shard
    }

    /// The shard that keeps the pushes that wait, which may be any: they are decided once they are sorted. nil if there are
    /// none.
    func waitingShard(of count: Int) -> Int? { decoded.waiting.isEmpty ? nil : (ordinal + sequence) % count }

    package func removeRecords() {
        decoded.removeAll()
        findings.removeAll()
    }
}

// MARK: - Records in order

extension WorkUnit {
    /// A decoded record.
    enum Item {
        case notification(RoutedRecord)
        case event(ScreenEvent)

        var order: OrderKey {
            switch self {
            case .notification(let item): item.record.order
            case .event(let event): event.order
            }
        }
    }

    /// Calls `body` with each decoded record in the order of the source, for work units with a single shard.
    func forEachInOrder<Failure: Error>(_ body: (Item) throws(Failure) -> Void) throws(Failure) {
        let events = decoded.events[0]
        var next = 0
        for item in decoded.batches[0] {
            while next < events.count, events[next].order.precedesInSource(item.record.order) {
                try body(.event(events[next]))
                next += 1
            }
            try body(.notification(item))
        }
        for event in events[next...] { try body(.event(event)) }
    }
}

extension OrderKey {
    /// Whether an event comes before a notification of the same source: also if it is the outcome that the same record has.
    fileprivate func precedesInSource(_ other: OrderKey) -> Bool {
        line == other.line ? index <= other.index : line < other.line
    }
}

// MARK: - Sequence

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

// MARK: - Workers

/// Processes the lines of one work unit, or a part of it, at a time; its counts accumulate over all work units.
package protocol ChunkWorker: AnyObject, Sendable {
    /// Processes all lines of the work unit, or those before `WorkUnit.remainder`, which it sets.
    ///
    /// - Returns: the number of records processed, including rejected ones.
    func process(_ unit: WorkUnit) -> UInt64
}
