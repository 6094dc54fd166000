import HeapModule
import SheafBytes

/// The lines of a snapshot that a page shows: those of the people, or of the groups, that fit into it.
///
///     rendered groups ──lines──▶ of a person or a group ──priority──▶ kept, until their sum exceeds the limit
///                                                                     └─▶ then without those that come last
///
/// A person is kept or left out as a whole, so that every screen on the page is complete, unless one alone is larger than
/// the limit: then the lines after it are left out. If there is one snapshot, those with the most notifications are kept;
/// if there are several, whose first lines do not show that yet, a sample by a hash of their names. Nothing depends on threads, because lines arrive in the order of the snapshot.
///
/// Memory: the kept lines, and one line or one person that is not kept yet, each up to the limit.
package final class PageLines: ByteOutput, @unchecked Sendable {
    // Unchecked because the run's thread writes the lines, and the page reads them once the run has ended.
    let byDevice: Bool
    /// Whether there are several snapshots.
    let hasInstants: Bool
    /// The ranks of people that are chosen already, by their encoded names; nil to choose among all.
    private let ranks: [[UInt8]: UInt64]?
    private let maximumBytes: Int
    /// Whether one person fills the page, so that no further lines are kept.
    private var isFull = false
    /// The beginning of a line whose rest has not been written yet.
    private var partial: [UInt8] = []
    /// Whether the rest of a line that is too long is skipped.
    private var skipsLine = false
    private var units: [[UInt8]: Unit] = [:]
    private var byPriority = Heap<Priority>()
    private var keptBytes = 0
    /// Units with this priority or a greater one are left out; nil if none is.
    private var limit: Priority?
    /// The person whose lines are being read, for one snapshot by device.
    private var current: (key: [UInt8], unit: Unit, notifications: UInt64)?
    private var lineCount: UInt64 = 0
    /// The groups that are left out, and the people; exact for one snapshot.
    private(set) var leftOut: (people: UInt64, groups: UInt64) = (0, 0)

    private struct Unit {
        var lines: [(number: UInt64, at: Int64, text: [UInt8])] = []
        var byteCount = 0
    }

    /// The order in which units are kept.
    private struct Priority: Comparable {
        let value: UInt64
        /// That of the unit, which decides between equal values.
        let key: [UInt8]

        static func < (a: Priority, b: Priority) -> Bool {
            a.value == b.value ? a.key.lexicographicallyPrecedes(b.key) : a.value < b.value
        }
    }

    /// - Parameters:
    ///   - hasInstants: whether there are several snapshots.
    ///   - chosen: the people to show, the most important ones first; nil to choose among all.
    init(byDevice: Bool, hasInstants: Bool, chosen: [String]? = nil, maximumBytes: Int) {
        (self.byDevice, self.hasInstants, self.maximumBytes) = (byDevice, hasInstants, maximumBytes)
        ranks = chosen.map { names in
            Dictionary(zip(names.map(Self.encoded), UInt64(0)...), uniquingKeysWith: min)
        }
    }

    /// Returns a text as lines have it, without the quotes.
    private static func encoded(_ text: String) -> [UInt8] {
        var output = OutputBuffer()
        output.appendJSONString(Array(text.utf8).span)
        return Array(copying: output.bytes.extracting(1..<output.count - 1))
    }

    // MARK: Lines

    package func write(_ bytes: Span<UInt8>) throws(StorageError) {
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            end(line: bytes.extracting(start..<index))
            start = index + 1
        }
        append(bytes.extracting(droppingFirst: start))
    }

    private func append(_ bytes: Span<UInt8>) {
        if skipsLine { return }
        if partial.count + bytes.count > maximumBytes {
            // Its key is still there, so that its person can be left out.
            partial = Array(partial.prefix(Limits.pageKeyBytes))
            if partial.isEmpty {
                partial.append(bytes.extracting(first: min(bytes.count, Limits.pageKeyBytes)))
            }
            skipsLine = true
        } else {
            partial.append(bytes)
        }
    }

    private func end(line rest: Span<UInt8>) {
        append(rest)
        let isComplete = !skipsLine
        skipsLine = false
        var line: [UInt8] = []
        swap(&line, &partial)
        guard let key = PageKey(line, byDevice: byDevice) else { return }
        lineCount += 1
        add(line, key, isComplete: isComplete)
    }

    private func add(_ line: [UInt8], _ key: PageKey, isComplete: Bool) {
        guard byDevice, !hasInstants, ranks == nil else {
            let priority = priority(of: key)
            guard isComplete else { return leaveOut(from: priority) }
            return keep(line, key, priority)
        }
        // The lines of a person follow each other.
        if current?.key != key.name { endPerson() }
        if current == nil { current = (key.name, Unit(), 0) }
        current?.notifications += key.count
        if isComplete, var person = current, person.unit.byteCount + line.count <= maximumBytes {
            current = nil
            person.unit.lines.append((lineCount, key.at, line))
            person.unit.byteCount += line.count
            current = person
        } else {
            leftOut.groups += 1
        }
    }

    /// Keeps the current person, or leaves all of the person's groups out.
    private func endPerson() {
        guard let (key, unit, notifications) = current else { return }
        current = nil
        let priority = Priority(value: .max - notifications, key: key)
        guard isKept(priority) else {
            leftOut.people += 1
            leftOut.groups += UInt64(unit.lines.count)
            return
        }
        insert(unit, priority)
        shrink()
    }

    private func priority(of key: PageKey) -> Priority {
        if let ranks { return Priority(value: ranks[key.name] ?? .max, key: key.name) }
        return hasInstants
            ? Priority(value: key.name.span.stableHash(seed: 0), key: key.name)
            : Priority(value: .max - key.count, key: key.name)
    }

    private func keep(_ line: [UInt8], _ key: PageKey, _ priority: Priority) {
        guard isKept(priority), !isFull else {
            leftOut.groups += 1
            return
        }
        if units[key.name] == nil { insert(Unit(), priority) }
        if units.count == 1, keptBytes + line.count > maximumBytes {
            isFull = true
            leftOut.groups += 1
            return
        }
        units[key.name]?.lines.append((lineCount, key.at, line))
        units[key.name]?.byteCount += line.count
        keptBytes += line.count
        shrink()
    }

    // MARK: Units

    private func isKept(_ priority: Priority) -> Bool { limit.map { priority < $0 } ?? true }

    private func insert(_ unit: Unit, _ priority: Priority) {
        keptBytes += unit.byteCount
        guard units[priority.key] == nil else {
            units[priority.key]?.lines += unit.lines
            units[priority.key]?.byteCount += unit.byteCount
            return
        }
        units[priority.key] = unit
        byPriority.insert(priority)
    }

    /// Leaves the last units out until the others fit.
    private func shrink() {
        while keptBytes > maximumBytes, let last = byPriority.max { leaveOut(from: last) }
    }

    /// Leaves the units with a priority or a greater one out.
    private func leaveOut(from priority: Priority) {
        if isKept(priority) { limit = priority }
        while let last = byPriority.max, !isKept(last) {
            byPriority.removeMax()
            guard let unit = units.removeValue(forKey: last.key) else { continue }
            keptBytes -= unit.byteCount
            leftOut.groups += UInt64(unit.lines.count)
            if byDevice { leftOut.people += 1 }
        }
    }

    // MARK: Result

    /// Ends the last person, and returns the lines in their order.
    func finish() -> (lines: [[UInt8]], instants: [Int64]) {
        endPerson()
        let lines = units.values.flatMap(\.lines).ordered { $0.number < $1.number }
        var instants: [Int64] = []
        for line in lines where instants.last != line.at { instants.append(line.at) }
        return (lines.map(\.text), hasInstants ? instants : [])
    }

    /// Whether some people or groups are not among the lines.
    var leavesOut: Bool { leftOut.groups > 0 || leftOut.people > 0 || limit != nil }
}

/// The beginning of a line that a snapshot has for a group.
private struct PageKey {
    /// 0 if there is one snapshot.
    var at: Int64 = 0
    /// The encoded device, or the encoded app and thread.
    var name: [UInt8] = []
    var count: UInt64 = 0

    init?(_ line: [UInt8], byDevice: Bool) {
        var index = 1
        func skip(_ text: StaticString) -> Bool {
            let end = index + text.utf8CodeUnitCount
            guard end <= line.count, line[index..<end].elementsEqual(text.description.utf8) else {
                return false
            }
            index = end
            return true
        }
        func number() -> UInt64 {
            var number: UInt64 = 0
            while index < line.count, (48...57).contains(line[index]) {
                number = number &* 10 &+ UInt64(line[index] - 48)
                index += 1
            }
            return number
        }
        /// Returns a string without its quotes; empty for null.
        func text() -> ArraySlice<UInt8>? {
            if skip("null") { return [] }
            guard skip("\"") else { return nil }
            let start = index
            while index < line.count, line[index] != UInt8(ascii: "\"") {
                index += line[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard index < line.count else { return nil }
            index += 1
            return line[start..<index - 1]
        }
        guard line.first == UInt8(ascii: "{") else { return nil }
        if skip("\"at\":") {
            let isNegative = skip("-")
            at = Int64(bitPattern: number()) * (isNegative ? -1 : 1)
            guard skip(",") else { return nil }
        }
        if skip("\"device\":") {
            guard let device = text(), skip(",") else { return nil }
            if byDevice { name += device }
        }
        guard skip("\"app\":"), let app = text(), skip(",\"thread\":"), let thread = text() else {
            return nil
        }
        if !byDevice { name += app + [0] + thread }
        if skip(",\"count\":") { count = number() }
    }
}
