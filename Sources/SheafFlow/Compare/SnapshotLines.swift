import SheafBytes
import SheafGroups

/// Reads the groups of a snapshot in NDJSON, as records of `ComparedGroup`.
///
///     the inflated file ──▶ lines ──parsed──▶ key, leading notification, what is shown ──▶ records
///
/// Memory: a piece of the file, its records, and one line.
final class SnapshotLines: @unchecked Sendable {
    // Unchecked because one thread reads the lines, and another one takes the names once it has ended.
    private let path: String
    private var input: SourceInput
    private var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
    /// The beginning of a line whose rest has not been read yet.
    private var rest: [UInt8] = []
    /// The names of the sources in the lines, in the order in which they occur.
    private(set) var names = SourceNames([])
    private var ordinals: [[UInt8]: Int] = [:]
    private var hasEnded = false
    private var line: UInt64 = 0
    /// The last group, which is passed on once it is known whether the next one has the same key.
    private var last: Parsed?
    private var lastRepeats = false

    private struct Parsed {
        var device: [UInt8] = []
        var app: [UInt8] = []
        var thread: [UInt8] = []
        var texts = [[UInt8]](repeating: [], count: 4)
        var count: UInt64 = 0
        var order = OrderKey(timestamp: 0, source: 0, line: 0)

        func hasKey(of other: Parsed) -> Bool {
            device == other.device && app == other.app && thread == other.thread
        }

        func precedes(_ other: Parsed) -> Bool {
            for (mine, theirs) in [(device, other.device), (app, other.app), (thread, other.thread)]
            where mine != theirs { return mine.lexicographicallyPrecedes(theirs) }
            return other.order < order
        }
    }

    /// - Throws: `ReplayError.source` if the file can't be opened, or is not a snapshot in NDJSON.
    init(_ source: Source, storage: any Storage, inflater: Inflater) throws(ReplayError) {
        path = source.path
        do {
            input = SourceInput(try storage.openForReading(source.path), inflater: inflater)
        } catch {
            throw .source(path: source.path, reason: "it cannot be opened: \(error.reason)")
        }
    }

    /// Returns the next records; nil at the end.
    ///
    /// - Throws: `ReplayError.source` if a line is not one of a snapshot in the order of keys, or the file is damaged.
    func read() throws(ReplayError) -> [UInt8]? {
        var records = OutputBuffer()
        while records.count == 0 {
            guard !hasEnded else {
                guard let group = last.take() else { return nil }
                Self.append(group, isAlone: lastRepeats, to: &records)
                break
            }
            let count = try readPiece()
            hasEnded = count == 0
            for byte in buffer[..<count] {
                guard byte == UInt8(ascii: "\n") else {
                    rest.append(byte)
                    continue
                }
                try endLine(to: &records)
            }
            if hasEnded { try endLine(to: &records) }
        }
        return Array(copying: records.bytes)
    }

    private func readPiece() throws(ReplayError) -> Int {
        do {
            var target = buffer.mutableSpan
            return try input.read(into: &target)
        } catch {
            throw .source(path: path, reason: "reading it failed: \(error)")
        }
    }

    private func endLine(to records: inout OutputBuffer) throws(ReplayError) {
        line += 1
        if !rest.isEmpty { try add(rest, to: &records) }
        rest.removeAll(keepingCapacity: true)
    }

    private func add(_ text: [UInt8], to records: inout OutputBuffer) throws(ReplayError) {
        guard let group = parsed(text) else {
            throw .source(path: path, reason: "line \(line) is not a group of a snapshot")
        }
        let repeats = last.map { $0.hasKey(of: group) } ?? false
        if let last {
            if !last.precedes(group) {
                throw .source(
                    path: path,
                    reason: "line \(line) is not in the order of keys, as sheaf replay --sort key writes them"
                )
            }
            Self.append(last, isAlone: lastRepeats || repeats, to: &records)
        }
        (last, lastRepeats) = (group, repeats)
    }

    private static func append(_ group: Parsed, isAlone: Bool, to records: inout OutputBuffer) {
        let (title, subtitle, body, summary) = (
            group.texts[0], group.texts[1], group.texts[2], group.texts[3]
        )
        records.appendCompared(
            count: group.count, group.order, isAlone: isAlone, group.device.span, group.app.span,
            group.thread.span, title.span, subtitle.span, body.span, summary.span)
    }

    /// Returns the group of a line; nil if the line is not a group.
    private func parsed(_ line: [UInt8]) -> Parsed? {
        var group = Parsed()
        var found = 0
        var members = JSONMembers(at: 0)
        let bytes = line.span
        while let member = members.next(in: bytes) {
            let (key, value) = (bytes.extracting(member.key), bytes.extracting(member.value))
            if key.isEqual(to: "device") {
                group.device = value.textOrNone
            } else if key.isEqual(to: "app") {
                group.app = value.textOrNone
                found += 1
            } else if key.isEqual(to: "thread") {
                group.thread = value.textOrNone
            } else if key.isEqual(to: "count") {
                group.count = UInt64(value.string) ?? 0
                found += 1
            } else if key.isEqual(to: "leading") {
                group.order = order(bytes, member.value.lowerBound)
                found += 1
            } else if key.isEqual(to: "display") {
                var inner = JSONMembers(at: member.value.lowerBound)
                while let text = inner.next(in: bytes) {
                    let name = bytes.extracting(text.key)
                    for (index, known) in ["title", "subtitle", "body", "summary"].enumerated()
                    where name.string == known {
                        group.texts[index] = bytes.extracting(text.value).textOrNone
                    }
                }
                found += 1
            }
        }
        return found == 4 && group.count > 0 ? group : nil
    }

    /// Returns the order key of the leading notification that begins at an offset.
    private func order(_ bytes: Span<UInt8>, _ start: Int) -> OrderKey {
        var (timestamp, ordinal, line): (Int64, Int, UInt64) = (0, 0, 0)
        var members = JSONMembers(at: start)
        while let member = members.next(in: bytes) {
            let (key, value) = (bytes.extracting(member.key), bytes.extracting(member.value))
            if key.isEqual(to: "timestamp") { timestamp = Int64(value.string) ?? 0 }
            if key.isEqual(to: "line") { line = min(UInt64(value.string) ?? 0, OrderKey.maximumLines - 1) }
            if key.isEqual(to: "source") { ordinal = self.ordinal(of: value.textOrNone) }
        }
        return OrderKey(timestamp: timestamp, source: ordinal, line: line)
    }

    private func ordinal(of source: [UInt8]) -> Int {
        if let known = ordinals[source] { return known }
        let ordinal = ordinals.count % OrderKey.maximumSources
        ordinals[source] = ordinal
        names.add(String(decoding: source, as: UTF8.self))
        return ordinal
    }
}

extension Span where Element == UInt8 {
    /// The text of a string; an empty one for any other value.
    fileprivate var textOrNone: [UInt8] { count > 1 && self[0] == UInt8(ascii: "\"") ? jsonText : [] }
}
