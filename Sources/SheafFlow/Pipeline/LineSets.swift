import SheafBytes

/// The lines of each source that occurs in keyed lines.
///
/// Memory: about 60 bytes for each source.
struct LineSets: Sendable {
    private var index = HashIndex()
    private var entries: ContiguousArray<Element> = []
    /// The index of the entry to which a line was added last: the next line often is of the same source.
    private var last = 0

    struct Element: Sendable {
        let ordinal: Int
        var lines: LineSet
    }

    /// Adds a line if its source is known. O(1) expected.
    ///
    /// - Returns: whether the source is known.
    @inline(__always)
    mutating func add(_ line: UInt64, of ordinal: Int) -> Bool {
        if last < entries.count, entries[last].ordinal == ordinal {
            entries[last].lines.add(line)
            return true
        }
        guard let found = find(ordinal) else { return false }
        entries[found].lines.add(line)
        last = found
        return true
    }

    /// Adds the first line of a source, which must not be known.
    mutating func insert(_ lines: LineSet, of ordinal: Int) {
        index.insert(entries.count, hash: Self.hash(ordinal))
        last = entries.count
        entries.append(Element(ordinal: ordinal, lines: lines))
    }

    /// Adds the lines of another worker.
    mutating func add(_ other: LineSets) {
        for element in other.entries {
            if let found = find(element.ordinal) {
                entries[found].lines.add(element.lines)
            } else {
                insert(element.lines, of: element.ordinal)
            }
        }
    }

    /// The sources in the order of their ordinals.
    var sorted: [Element] { entries.ordered { $0.ordinal < $1.ordinal } }

    private func find(_ ordinal: Int) -> Int? {
        index.find(Self.hash(ordinal)) { entries[$0].ordinal == ordinal }
    }

    private static func hash(_ ordinal: Int) -> UInt64 { UInt64(ordinal) &* 0x9e37_79b9_7f4a_7c15 >> 32 }
}
