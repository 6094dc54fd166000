import SheafBytes
import SheafGroups

/// The sources whose records a state may have, in the order of their ordinals.
struct SourceTable: Equatable, Sendable {
    /// Whether the ordinals are numbers in a job. If not, they are positions, 0 for the first source.
    let isNamed: Bool
    private(set) var entries: [Entry]
    private(set) var ordinals: OrdinalSet

    struct Entry: Equatable, Sendable {
        let ordinal: Int
        /// The path as given, or the source's name in the job.
        let name: String
        /// The lines whose records the state has; nil for all lines.
        var lines: LineSet?
    }

    /// Creates a table of sources whose ordinals are their positions.
    init(paths: [String]) {
        isNamed = false
        entries = paths.enumerated().map { Entry(ordinal: $0.offset, name: $0.element) }
        ordinals = OrdinalSet(0..<paths.count)
    }

    /// Creates a table of named sources.
    ///
    /// - Parameter entries: in the order of their ordinals, which are unique.
    init(named entries: [Entry]) {
        isNamed = true
        self.entries = entries
        ordinals = OrdinalSet(ascending: entries.map(\.ordinal))
    }

    var count: Int { entries.count }

    /// Returns the name of the source with an ordinal, which must be one of the table's. O(log n) if ordinals are
    /// missing between others, else O(1).
    func name(of ordinal: Int) -> String { entries[ordinals.index(of: ordinal)].name }

    /// Adds the sources of another state, whose ordinals are positions too, after these.
    mutating func append(_ other: SourceTable) {
        precondition(!isNamed && !other.isNamed, "only positions can be appended")
        let count = entries.count
        entries += other.entries.map { Entry(ordinal: count + $0.ordinal, name: $0.name) }
        ordinals = OrdinalSet(0..<entries.count)
    }
}

/// A set of source ordinals.
struct OrdinalSet: Equatable, Sendable {
    /// From the first ordinal to the last.
    let bounds: Range<Int>
    /// In ascending order; empty if all of `bounds` are in the set.
    private let ascending: [Int]

    /// All ordinals.
    static let all = OrdinalSet(0..<OrderKey.maximumSources)

    init(_ bounds: Range<Int>) { (self.bounds, ascending) = (bounds, []) }

    /// - Parameter ascending: unique ordinals in ascending order.
    init(ascending: [Int]) {
        let bounds = (ascending.first ?? 0)..<(ascending.last.map { $0 + 1 } ?? 0)
        self.bounds = bounds
        self.ascending = bounds.count == ascending.count ? [] : ascending
    }

    /// O(1) if all of `bounds` are in the set, else O(log n).
    func contains(_ ordinal: Int) -> Bool {
        bounds.contains(ordinal) && (ascending.isEmpty || ascending[index(of: ordinal)] == ordinal)
    }

    /// Returns the index of an ordinal in the set, or of the first greater one; at most that of the last one.
    func index(of ordinal: Int) -> Int {
        guard !ascending.isEmpty else { return ordinal - bounds.lowerBound }
        return ascending.dropLast().partitioningIndex { ordinal <= $0 }
    }
}

/// Some lines of a source, described well enough to detect most sets that have lines in common.
///
///     1 2 3 ─ 5        count 4, from 1 to 5, a sum of the lines' hashes
struct LineSet: Hashable, Sendable {
    private(set) var count: UInt64
    private(set) var first: UInt64
    private(set) var last: UInt64
    /// The sum of hashes of the lines' numbers, modulo 2⁶⁴. It does not depend on the lines' order.
    private(set) var sum: UInt64

    init(line: UInt64) { (count, first, last, sum) = (1, line, line, Self.hash(line)) }

    /// Creates a set from its description; nil if there is no such set.
    init?(count: UInt64, first: UInt64, last: UInt64, sum: UInt64) {
        guard count > 0, first > 0, first <= last, last < OrderKey.maximumLines, count <= last - first + 1
        else { return nil }
        (self.count, self.first, self.last, self.sum) = (count, first, last, sum)
    }

    @inline(__always)
    mutating func add(_ line: UInt64) {
        count += 1
        first = min(first, line)
        last = max(last, line)
        sum &+= Self.hash(line)
    }

    /// Adds the lines of another set.
    mutating func add(_ other: LineSet) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
        sum &+= other.sum
    }

    /// Whether a line was added twice: there are more lines than numbers from the first to the last.
    var hasRepeated: Bool { count > last - first + 1 }

    /// Whether both sets certainly have a line in common.
    func certainlyIntersects(_ other: LineSet) -> Bool {
        if self == other { return true }
        var union = self
        union.add(other)
        return union.hasRepeated
    }

    /// The finalizer of SplitMix64, which mixes all bits.
    private static func hash(_ line: UInt64) -> UInt64 {
        var bits = (line ^ line >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}

/// The sources' names as they appear in outputs, by ordinal: as JSON strings or as given.
///
/// Bytes that are not valid UTF-8 are shown as `SystemPath` shows them.
struct SourceNames: Sendable {
    private var ordinals = OrdinalSet(0..<0)
    private var names: [[UInt8]] = []
    private var paths: [[UInt8]] = []

    init(_ paths: [String]) { self.init(SourceTable(paths: paths)) }

    init(_ sources: SourceTable) {
        for source in sources.entries { append(source.name) }
        ordinals = sources.ordinals
    }

    /// Adds the source with the next ordinal.
    mutating func add(_ path: String) {
        append(path)
        ordinals = OrdinalSet(0..<paths.count)
    }

    private mutating func append(_ path: String) {
        let path = Array(SystemPath.shown(path).utf8)
        var buffer = OutputBuffer()
        buffer.appendJSONString(path.span)
        var name: [UInt8] = []
        name.append(buffer.bytes)
        paths.append(path)
        names.append(name)
    }

    /// Returns a source's name as given.
    func path(_ ordinal: Int) -> [UInt8] { paths[ordinals.index(of: ordinal)] }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinals.index(of: ordinal)]
        output.append(name.span)
    }
}
