import HeapModule
import SheafBytes
import Synchronization

/// Sorts rows that several threads add; those that memory has no room for go to sorted files.
///
///     rows ──full──▶ a file ─┐
///       └── the last ones ───┴─▶ RowMerge
///
/// Memory: at most `maximumBytes`, with that for sorting. The number of files is bounded, because files are merged when
/// there are `maximumFiles`.
final class RowSorter: Sendable {
    private let folder: SpillFolder
    private let storage: any Storage
    private let maximumRows: Int
    private let maximumFiles: Int
    private let state = Mutex(State())

    private struct State {
        var rows = ContiguousArray<Row>()
        var files: [StateFile] = []
        var failure: ReplayError?
    }

    /// - Parameter maximumBytes: the memory for the rows, in bytes.
    init(folder: SpillFolder, storage: any Storage, maximumBytes: Int, maximumFiles: Int) {
        (self.folder, self.storage, self.maximumFiles) = (folder, storage, max(2, maximumFiles))
        // Sorting may need half of the rows again, and a growing array twice its size.
        maximumRows = max(1, maximumBytes / (3 * MemoryLayout<Row>.stride))
    }

    /// Creates a sorter for a quarter of the memory for state, and of the open files.
    convenience init(
        _ folder: SpillFolder, _ storage: any Storage, _ budget: MemoryBudget, _ openFiles: OpenFiles
    ) {
        self.init(
            folder: folder, storage: storage, maximumBytes: budget.state / 4,
            maximumFiles: openFiles.merged / 4)
    }

    /// Adds rows. A failure to write them is thrown by `sorted()`.
    func add(_ rows: ContiguousArray<Row>) {
        state.withLock { state in
            state.rows += rows
            guard state.rows.count >= maximumRows, state.failure == nil else { return }
            do throws(ReplayError) {
                try spill(&state)
            } catch {
                state.failure = error
                state.rows = []
            }
        }
    }

    /// Returns all rows in order, and removes them. O(n log n).
    func sorted() throws(ReplayError) -> RowMerge {
        let state = self.state.withLock { state in
            defer { state = State() }
            return state
        }
        if let failure = state.failure { throw failure }
        var rows = state.rows
        Self.sort(&rows)
        return try RowMerge(state.files, rows, folder, storage)
    }

    /// Sorts rows. Hashes and positions are spread evenly, so that rows are first distributed over many ranges of their first
    /// number; then each range is sorted. O(n) expected for even numbers, O(n log n) otherwise; needs memory for the rows
    /// again.
    private static func sort(_ rows: inout ContiguousArray<Row>) {
        guard rows.count > 64, let (least, greatest) = bounds(of: rows) else { return rows.sort() }
        let count = min(rows.count / 8, 1 << 16)
        // No range has an index of `count` or more.
        let width = (greatest - least) / UInt64(count) + 1
        var ends = [Int](repeating: 0, count: count + 1)
        for row in rows { ends[Int((row.high - least) / width) + 1] += 1 }
        for index in 0..<count { ends[index + 1] += ends[index] }
        var sorted = ContiguousArray(repeating: Row(high: 0, low: 0, value: 0), count: rows.count)
        for row in rows {
            let range = Int((row.high - least) / width)
            sorted[ends[range]] = row
            ends[range] += 1
        }
        rows = []
        var start = 0
        for end in ends.dropLast() {
            if end - start > 1 { sorted[start..<end].sort() }
            start = end
        }
        rows = sorted
    }

    private static func bounds(of rows: ContiguousArray<Row>) -> (least: UInt64, greatest: UInt64)? {
        guard var (least, greatest) = rows.first.map({ ($0.high, $0.high) }) else { return nil }
        for row in rows {
            least = min(least, row.high)
            greatest = max(greatest, row.high)
        }
        return (least, greatest)
    }

    private func spill(_ state: inout State) throws(ReplayError) {
        var rows = ContiguousArray<Row>()
        swap(&rows, &state.rows)
        Self.sort(&rows)
        state.files.append(
            try write { add throws(ReplayError) in
                for row in rows { try add(row) }
            })
        guard state.files.count >= maximumFiles else { return }
        var merged = try RowMerge(state.files, [], folder, storage)
        state.files = [
            try write { add throws(ReplayError) in
                while let row = try merged.next() { try add(row) }
            }
        ]
    }

    private func write(
        _ body: ((Row) throws(ReplayError) -> Void) throws(ReplayError) -> Void
    ) throws(ReplayError) -> StateFile {
        var record = OutputBuffer()
        return try folder.write { writer throws(ReplayError) in
            try body { row throws(ReplayError) in
                row.encode(to: &record)
                try writer.add(record.bytes, to: .measures)
            }
        }
    }
}

/// Merges the rows of sorted files, and those in memory. Files are removed at their end.
struct RowMerge {
    /// All rows, if none are in files.
    private let rows: ContiguousArray<Row>
    private var index = 0
    private var cursors = Heap<Cursor>()

    /// The next row of a file, or of memory.
    private final class Cursor: Comparable {
        private var reader: StateReader?
        private let path: String
        private let folder: SpillFolder
        private let rows: ContiguousArray<Row>
        private var index = 0
        private(set) var row = Row(high: 0, low: 0, value: 0)

        init(
            _ file: StateFile?, _ rows: ContiguousArray<Row>, _ folder: SpillFolder, _ storage: any Storage
        ) throws(ReplayError) {
            (self.rows, self.folder, path) = (rows, folder, file?.path ?? "")
            reader = nil
            if let file { reader = try StateReader(file, section: .measures, storage: storage) }
        }

        func advance() throws(ReplayError) -> Bool {
            guard var current = reader.take() else {
                guard index < rows.count else { return false }
                row = rows[index]
                index += 1
                return true
            }
            guard try current.advance() else {
                folder.remove(path)
                return false
            }
            guard let next = Row(current.bytes) else { throw current.damage() }
            row = next
            reader = consume current
            return true
        }

        static func < (a: Cursor, b: Cursor) -> Bool { a.row < b.row }
        static func == (a: Cursor, b: Cursor) -> Bool { a.row == b.row }
    }

    fileprivate init(
        _ files: [StateFile], _ rows: ContiguousArray<Row>, _ folder: SpillFolder, _ storage: any Storage
    ) throws(ReplayError) {
        self.rows = files.isEmpty ? rows : []
        guard !files.isEmpty else { return }
        let memory: [StateFile?] = rows.isEmpty ? [] : [nil]
        for file in memory + files {
            let cursor = try Cursor(file, file == nil ? rows : [], folder, storage)
            if try cursor.advance() { cursors.insert(cursor) }
        }
    }

    /// The next row; nil after the last one.
    var first: Row? { index < rows.count ? rows[index] : cursors.min?.row }

    /// Removes and returns the next row; nil after the last one. O(log n) for n files.
    mutating func next() throws(ReplayError) -> Row? {
        if index < rows.count {
            defer { index += 1 }
            return rows[index]
        }
        guard let first = cursors.min else { return nil }
        let row = first.row
        if cursors.count == 1 {
            if try !first.advance() { cursors.removeMin() }
        } else if try first.advance() {
            cursors.replaceMin(with: first)
        } else {
            cursors.removeMin()
        }
        return row
    }
}

extension Row {
    /// Replaces the contents of `record` with the row.
    func encode(to record: inout OutputBuffer) {
        record.removeAll()
        record.append(word: high)
        record.append(word: low)
        record.append(word: value)
    }

    /// Decodes a row of a file; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count == MemoryLayout<Row>.size else { return nil }
        self.init(
            high: bytes.firstWord, low: bytes.extracting(droppingFirst: 8).firstWord,
            value: bytes.extracting(droppingFirst: 16).firstWord)
    }
}
