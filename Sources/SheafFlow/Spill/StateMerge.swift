import HeapModule
import SheafBytes

/// One file's place in a merge: the record that is next.
final class StateCursor<Entry: StateRecord>: Comparable {
    private var reader: StateReader
    private(set) var entry: Entry
    /// How many notifications the records that were read are made of.
    private(set) var count: UInt64
    /// The file's place among those that are merged.
    let index: Int
    let sourceOffset: Int

    /// - Returns: nil when the file's section is empty.
    init?(_ file: StateFile, index: Int, storage: any Storage) throws(ReplayError) {
        // Of a partial result everything was checked before; of a run the last section's merge reads everything.
        var reader = try StateReader(file, section: Entry.section, storage: storage, readsOn: false)
        guard try reader.advance() else { return nil }
        guard let entry = Entry(reader.bytes, sourceOffset: file.sourceOffset),
            file.canHold(entry, entry.notificationCount, in: reader.bytes)
        else { throw reader.damage() }
        self.entry = entry
        count = entry.notificationCount
        self.reader = reader
        self.index = index
        sourceOffset = file.sourceOffset
    }

    /// Hands the record's bytes to `body`.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result { Self.hand(reader, to: body) }

    @inline(__always)
    private static func hand<Result>(
        _ reader: borrowing StateReader, to body: (Span<UInt8>) -> Result
    ) -> Result {
        body(reader.bytes)
    }

    /// What it is called that the record makes no sense.
    func damage() -> ReplayError { Self.damage(of: reader) }

    private static func damage(of reader: borrowing StateReader) -> ReplayError { reader.damage() }

    /// Goes on to the file's next record; false behind the last one.
    func advance() throws(ReplayError) -> Bool {
        try Self.advance(&reader, &entry, &count)
    }

    /// Records that are out of order are damage: a merge of them would be wrong in silence.
    private static func advance(
        _ reader: inout StateReader, _ entry: inout Entry, _ count: inout UInt64
    ) throws(ReplayError) -> Bool {
        guard try reader.advance(keeping: entry.keyBytes) else { return false }
        guard let next = Entry(reader.bytes, sourceOffset: reader.file.sourceOffset),
            entry.compare(reader.previousBytes, to: next, reader.bytes) < 0
        else { throw reader.damage() }
        // Both at most the largest sum, unless the file is this run's own.
        count &+= next.notificationCount
        guard reader.file.canHold(next, count, in: reader.bytes) else { throw reader.damage() }
        entry = next
        return true
    }

    /// Negative when this record comes before another file's, 0 when they are of one key.
    private func compare(to other: StateCursor) -> Int {
        withBytes { mine in other.withBytes { entry.compare(mine, to: other.entry, $0) } }
    }

    static func < (a: StateCursor, b: StateCursor) -> Bool { a.compare(to: b) < 0 }
    static func == (a: StateCursor, b: StateCursor) -> Bool { a.compare(to: b) == 0 }
}

/// The records of several sorted files, in the order of all. Records of one key come one behind the other.
///
/// Holds an open file and a frame for each of the files, of which there are as many as `MemoryBudget.mergeable` has room
/// for.
struct StateMerge<Entry: StateRecord> {
    private var cursors: Heap<StateCursor<Entry>>
    private var isStarted = false
    /// By file: how many notifications the section's records are made of, of those that were read to its end.
    private(set) var counts: [UInt64]

    init(_ files: [StateFile], storage: any Storage) throws(ReplayError) {
        cursors = Heap()
        counts = Array(repeating: 0, count: files.count)
        for (index, file) in files.enumerated() {
            if let cursor = try StateCursor<Entry>(file, index: index, storage: storage) {
                cursors.insert(cursor)
            }
        }
    }

    /// The next record: its file's cursor, which stands there until the next call; nil when there is none left.
    /// O(log files).
    mutating func next() throws(ReplayError) -> StateCursor<Entry>? {
        if isStarted, let last = cursors.min {
            if try last.advance() {
                cursors.replaceMin(with: last)
            } else {
                cursors.removeMin()
                counts[last.index] = last.count
            }
        }
        isStarted = true
        return cursors.min
    }
}
