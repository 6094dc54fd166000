import SheafBytes

/// Values by keys of one to three texts, for the keys that are smallest in byte order: at most `limit`, and none of
/// more than `maximumKeyBytes`.
///
/// Which keys are kept, and their values, are a function of the set of updates, whatever their order and however they
/// are divided among tables that are merged: a key that is kept in the end is among the smallest of every part. An
/// update takes O(log n) comparisons, and one that adds a key moves O(n) entries, where n is the number of keys.
struct BoundedTable<Value: Equatable & Sendable>: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        fileprivate let bytes: [UInt8]
        fileprivate let ends: (first: Int, second: Int)
        fileprivate(set) var value: Value

        /// The texts of the key.
        var texts: (first: String, second: String, third: String) {
            let key = bytes.span
            return (
                key.extracting(0..<ends.first).string, key.extracting(ends.first..<ends.second).string,
                key.extracting(ends.second..<bytes.count).string
            )
        }

        static func == (a: Entry, b: Entry) -> Bool {
            a.ends == b.ends && a.bytes == b.bytes && a.value == b.value
        }
    }

    /// Ascending by key: by the first text, then the second, then the third.
    private(set) var entries: [Entry] = []
    /// Whether there are keys that are not kept.
    private(set) var isCut = false
    private let limit: Int
    /// The number of texts in a key; the others are empty.
    private let texts: Int

    /// The maximum length of a key's texts together, in bytes. With `limit`, it bounds the memory.
    static var maximumKeyBytes: Int { 512 }

    init(limit: Int, texts: Int = 3) {
        self.limit = limit
        self.texts = texts
    }

    var isEmpty: Bool { entries.isEmpty && !isCut }

    /// Updates the value of a key.
    ///
    /// - Parameters:
    ///   - value: the value of a new key.
    ///   - update: called with the value of an existing key.
    mutating func update(
        _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ value: Value,
        update: (inout Value) -> Void
    ) {
        guard first.count + second.count + third.count <= Self.maximumKeyBytes else {
            isCut = true
            return
        }
        let index = entries.indices.partitioningIndex {
            Self.compare(entries[$0], first, second, third) >= 0
        }
        if index < entries.count, Self.compare(entries[index], first, second, third) == 0 {
            return update(&entries[index].value)
        }
        guard index < limit else {
            isCut = true
            return
        }
        if entries.count == limit {
            entries.removeLast()
            isCut = true
        }
        entries.insert(Self.entry(first, second, third, value), at: index)
    }

    /// Adds another table of the same limit.
    ///
    /// - Parameter update: called with the value of a key and that of the same key in `other`.
    mutating func formUnion(_ other: BoundedTable, update: (inout Value, Value) -> Void) {
        for entry in other.entries {
            let (key, ends) = (entry.bytes.span, entry.ends)
            self.update(
                key.extracting(0..<ends.first), key.extracting(ends.first..<ends.second),
                key.extracting(ends.second..<entry.bytes.count), entry.value
            ) { update(&$0, entry.value) }
        }
        isCut = isCut || other.isCut
    }

    /// Records that there are keys that are not kept.
    mutating func cut() { isCut = true }

    /// Changes the value of each entry.
    mutating func updateValues(_ change: (inout Value) -> Void) {
        for index in entries.indices { change(&entries[index].value) }
    }

    private static func entry(
        _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ value: Value
    ) -> Entry {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(first.count + second.count + third.count)
        bytes.append(first)
        bytes.append(second)
        bytes.append(third)
        return Entry(bytes: bytes, ends: (first.count, first.count + second.count), value: value)
    }

    private static func compare(
        _ entry: Entry, _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>
    ) -> Int {
        let (key, ends) = (entry.bytes.span, entry.ends)
        let firsts = key.extracting(0..<ends.first).compare(to: first)
        if firsts != 0 { return firsts }
        let seconds = key.extracting(ends.first..<ends.second).compare(to: second)
        return seconds == 0 ? key.extracting(ends.second..<entry.bytes.count).compare(to: third) : seconds
    }
}

// MARK: - Encoding

extension BoundedTable {
    /// Appends the entries in order: their number, then for each its texts and its value. Whether there are
    /// other keys is not encoded.
    func append(to output: inout OutputBuffer, value: (Value, inout OutputBuffer) -> Void) {
        output.appendNumber(UInt64(entries.count))
        for entry in entries {
            let (key, ends) = (entry.bytes.span, entry.ends)
            output.appendText(key.extracting(0..<ends.first))
            if texts > 1 { output.appendText(key.extracting(ends.first..<ends.second)) }
            if texts > 2 { output.appendText(key.extracting(ends.second..<entry.bytes.count)) }
            value(entry.value, &output)
        }
    }

    /// Decodes entries into this table, which is empty. Rejects those that are not ascending, too many, or too long.
    ///
    /// - Parameter value: reads a value.
    mutating func read(
        _ reader: inout ByteReader, in bytes: Span<UInt8>, value: (inout ByteReader) -> Value
    ) {
        for _ in 0..<reader.number(upTo: UInt64(limit)) {
            let (first, second, third) = (
                bytes[reader.text()], texts > 1 ? bytes[reader.text()] : Span(),
                texts > 2 ? bytes[reader.text()] : Span()
            )
            let count = first.count + second.count + third.count
            let isNext = entries.last.map { Self.compare($0, first, second, third) < 0 } ?? true
            if !isNext || count > Self.maximumKeyBytes { reader.reject() }
            let value = value(&reader)
            guard reader.isValid else { return }
            entries.append(Self.entry(first, second, third, value))
        }
    }
}
