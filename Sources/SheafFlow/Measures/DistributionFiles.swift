import HeapModule
import SheafBytes

/// Distributions that are written to sorted files when they are full, and merged at the end.
struct DistributionFiles {
    private var table = Distributions()
    private var files: [StateFile] = []
    private let storage: any Storage
    private let folder: SpillFolder
    /// The number of files that are merged at once.
    private let maximumFiles: Int

    init(folder: SpillFolder, storage: any Storage, maximumFiles: Int) {
        (self.folder, self.storage) = (folder, storage)
        self.maximumFiles = max(2, maximumFiles)
    }

    var heldBytes: Int { table.heldBytes }

    mutating func add(_ entry: Distributions.Entry) { table.add(entry) }

    /// Writes the table to a file.
    mutating func spill(to folder: SpillFolder) throws(ReplayError) {
        let entries = table.takeSorted()
        try write { entry throws(ReplayError) in
            for found in entries { try entry(found) }
        }
        guard files.count >= maximumFiles else { return }
        var merged = try DistributionMerge(files, [], storage: storage)
        let old = files
        files = []
        try write { entry throws(ReplayError) in
            while let found = try merged.next() { try entry(found) }
        }
        for file in old { folder.remove(file.path) }
    }

    private mutating func write(
        _ body: ((Distributions.Entry) throws(ReplayError) -> Void) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var record = OutputBuffer()
        files.append(
            try folder.write { writer throws(ReplayError) in
                try body { entry throws(ReplayError) in
                    record.removeAll()
                    record.append(word: entry.place)
                    record.append(word: entry.value)
                    record.append(word: UInt64(bitPattern: entry.people))
                    try writer.add(record.bytes, to: .measures)
                }
            })
    }

    /// Returns all entries, and removes them. Each value of a histogram is one entry.
    mutating func takeAll() throws(ReplayError) -> DistributionMerge {
        try DistributionMerge(files, table.takeSorted(), storage: storage)
    }
}

/// Merges the entries of sorted files, and those in memory, and adds up those of the same value.
struct DistributionMerge {
    private var cursors: Heap<Cursor>

    /// The next entry of a file, or of memory.
    private final class Cursor: Comparable {
        private var reader: StateReader?
        private var rest: ArraySlice<Distributions.Entry>
        private(set) var entry = Distributions.Entry(interval: 0, cell: 0, measure: 0, value: 0, people: 0)

        init(_ file: StateFile?, _ entries: [Distributions.Entry], _ storage: any Storage) throws(ReplayError)
        {
            rest = entries[...]
            reader = nil
            if let file { reader = try StateReader(file, section: .measures, storage: storage) }
        }

        func advance() throws(ReplayError) -> Bool {
            guard var current = reader.take() else {
                guard let next = rest.popFirst() else { return false }
                entry = next
                return true
            }
            guard try current.advance() else { return false }
            guard let next = Distributions.Entry(current.bytes) else { throw current.damage() }
            entry = next
            reader = consume current
            return true
        }

        static func < (a: Cursor, b: Cursor) -> Bool { Distributions.Entry.precedes(a.entry, b.entry) }
        static func == (a: Cursor, b: Cursor) -> Bool { a.entry.isSameValue(as: b.entry) }
    }

    init(
        _ files: [StateFile], _ entries: [Distributions.Entry], storage: any Storage
    ) throws(ReplayError) {
        cursors = Heap()
        let memory: [StateFile?] = entries.isEmpty ? [] : [nil]
        for file in memory + files {
            let cursor = try Cursor(file, file == nil ? entries : [], storage)
            if try cursor.advance() { cursors.insert(cursor) }
        }
    }

    /// Returns the next entry; nil after the last one. O(log n) for n files.
    mutating func next() throws(ReplayError) -> Distributions.Entry? {
        while let first = cursors.min {
            var entry = first.entry
            try advance()
            while let other = cursors.min, other.entry.isSameValue(as: entry) {
                entry.people += other.entry.people
                try advance()
            }
            if entry.people != 0 { return entry }
        }
        return nil
    }

    private mutating func advance() throws(ReplayError) {
        guard let first = cursors.min else { return }
        if try first.advance() { cursors.replaceMin(with: first) } else { cursors.removeMin() }
    }
}

extension Distributions.Entry {
    /// Decodes an entry of a file.
    fileprivate init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 24 else { return nil }
        self.init(
            place: bytes.firstWord, value: bytes.extracting(droppingFirst: 8).firstWord,
            people: Int64(bitPattern: bytes.extracting(droppingFirst: 16).firstWord))
    }
}
