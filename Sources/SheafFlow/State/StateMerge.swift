import HeapModule
import SheafBytes

/// The cursor of one file in a merge, at the file's next record.
final class StateCursor<Entry: StateRecord>: Comparable {
    private var reader: StateReader
    private(set) var entry: Entry
    /// The number of notifications in all records read so far.
    private(set) var count: UInt64
    /// The file's index in the list of merged files.
    let index: Int
    let sourceOffset: Int

    /// - Returns: nil when the file's section is empty.
    init?(_ file: StateFile, index: Int, storage: any Storage) throws(ReplayError) {
        // Partial results were checked completely before; the merge of a run's last section reads the whole file.
        var reader = try StateReader(file, section: Entry.section, storage: storage, checksRemainder: false)
        guard try reader.advance() else { return nil }
        var first = Entry(reader.bytes, of: file)
        while file.isDecided, first?.isWaiting == true {
            guard try reader.advance() else { return nil }
            first = Entry(reader.bytes, of: file)
        }
        guard let entry = first, file.canHold(entry, entry.notificationCount, in: reader.bytes) else {
            throw reader.damage()
        }
        self.entry = entry
        count = entry.notificationCount
        self.reader = reader
        self.index = index
        sourceOffset = file.sourceOffset
    }

    /// Calls `body` with the record's bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result { Self.withBytes(of: reader, body) }

    @inline(__always)
    private static func withBytes<Result>(
        of reader: borrowing StateReader, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        body(reader.bytes)
    }

    /// Returns the error for a record with invalid contents.
    func damage() -> ReplayError { Self.damage(of: reader) }

    private static func damage(of reader: borrowing StateReader) -> ReplayError { reader.damage() }

    /// Advances to the file's next record; returns false after the last one.
    func advance() throws(ReplayError) -> Bool {
        try Self.advance(&reader, &entry, &count)
    }

    /// Reports records out of order as damage: merging them would silently give a wrong result.
    private static func advance(
        _ reader: inout StateReader, _ entry: inout Entry, _ count: inout UInt64
    ) throws(ReplayError) -> Bool {
        guard try reader.advance(keeping: entry.keyBytes) else { return false }
        guard let next = Entry(reader.bytes, of: reader.file),
            entry.compare(reader.previousBytes, to: next, reader.bytes) < 0
        else { throw reader.damage() }
        // Both are at most the largest valid sum, except in this run's own files.
        count &+= next.notificationCount
        guard reader.file.canHold(next, count, in: reader.bytes) else { throw reader.damage() }
        entry = next
        return true
    }

    /// Returns a negative number if this record precedes another file's record, 0 if their keys are equal.
    private func compare(to other: StateCursor) -> Int {
        withBytes { mine in other.withBytes { entry.compare(mine, to: other.entry, $0) } }
    }

    static func < (a: StateCursor, b: StateCursor) -> Bool { a.compare(to: b) < 0 }
    static func == (a: StateCursor, b: StateCursor) -> Bool { a.compare(to: b) == 0 }
}

/// Merges the records of several sorted files into one sequence. Records with equal keys are adjacent.
///
/// Holds an open file and a frame for each file; `MemoryBudget.mergeable` limits the number of files.
struct StateMerge<Entry: StateRecord> {
    private var cursors: Heap<StateCursor<Entry>>
    private var isStarted = false
    /// By file: the number of notifications in the section's records, once all of them have been read.
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

    /// The cursor at the record that `next` returned last; nil before the first and after the last one.
    var current: StateCursor<Entry>? { isStarted ? cursors.min : nil }

    /// Returns the cursor at the next record, which is valid until the next call; nil after the last record. O(log n)
    /// for n files.
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
