import SheafBytes
import SheafGroups

/// What happened to people, as far as their notifications are kept one by one: counts in the order of state files, by device
/// and app.
///
///     versions, refused pushes, responses ──count──▶ rows ──full──▶ a file ─┐
///                                                    └── the last ones ─────┴─▶ ActivityReader
///
/// Memory: the rows that are not in a file yet, and the counts of one app of a person.
final class Activity {
    /// The intervals of the measures.
    let clock: SnapshotClock
    // A structure, so that its buffers can be borrowed.
    private var state: ActivityState

    init(_ clock: SnapshotClock, _ division: MeasureOptions.Division) {
        self.clock = clock
        state = ActivityState(clock, division)
    }

    /// The memory in use, in bytes.
    var heldBytes: Int { state.heldBytes }
    /// The number of pushes without a device.
    var withoutDevice: UInt64 { state.withoutDevice }
    /// The files with the rows, in order.
    var files: [StateFile] { state.files }

    /// Counts a push, and how it arrived.
    ///
    /// - Parameters:
    ///   - arrival: nil if settings suppressed it.
    ///   - isUpdate: whether there is an older version of its notification.
    ///   - rules: those that decided how it arrived.
    func count(
        push record: NotificationRecord, _ arrival: DeliveryEffect?, isUpdate: Bool, in bytes: Span<UInt8>,
        _ rules: DeliveryRules?
    ) {
        state.count(push: record, arrival, isUpdate: isUpdate, in: bytes, rules)
    }

    /// Counts a refused push or a response.
    func count(
        _ occurrence: Occurrence, of record: NotificationRecord, in bytes: Span<UInt8>,
        _ rules: DeliveryRules?
    ) {
        state.count(occurrence, of: record, in: bytes, rules)
    }

    /// Counts a measure of the app and the device of a record.
    func count(
        _ measure: Measure, _ number: UInt64, of record: NotificationRecord, _ level: InterruptionLevel?,
        in bytes: Span<UInt8>, at timestamp: Int64
    ) {
        state.count(measure, number, of: record, level, in: bytes, at: timestamp)
    }

    /// Moves the rows to a file.
    func spill(to folder: SpillFolder) throws(ReplayError) { try state.spill(to: folder) }
}

private struct ActivityState: ~Copyable {
    private let clock: SnapshotClock
    private let division: MeasureOptions.Division
    private var rows = OutputBuffer()
    private var rowCount = 0
    private(set) var files: [StateFile] = []
    /// The number of pushes without a device.
    private(set) var withoutDevice: UInt64 = 0
    private var device: [UInt8] = []
    private var app: [UInt8] = []
    private var parts = SymbolTable()
    private var counts: [Count] = []

    private struct Count {
        let part: UInt32
        let interval: Int64
        let measure: UInt8
        var count: UInt64

        mutating func isSame(as other: Count) -> Bool {
            part == other.part && interval == other.interval && measure == other.measure
        }

        static func precedes(_ a: Count, _ b: Count) -> Bool {
            if a.part != b.part { return a.part < b.part }
            if a.interval != b.interval { return a.interval < b.interval }
            return a.measure < b.measure
        }
    }

    private static func append(
        _ count: Count, _ device: [UInt8], _ app: [UInt8], _ parts: SymbolTable, to rows: inout OutputBuffer
    ) {
        rows.appendText(device.span)
        rows.appendText(app.span)
        rows.appendText(parts.text(of: count.part))
        rows.appendSignedNumber(count.interval)
        rows.appendNumber(UInt64(count.measure))
        rows.appendNumber(count.count)
    }

    /// The number of counts that are held.
    private static let maximumCounts = 1 << 12

    init(_ clock: SnapshotClock, _ division: MeasureOptions.Division) {
        (self.clock, self.division) = (clock, division)
    }

    /// The memory in use, in bytes.
    var heldBytes: Int { rows.heldBytes + counts.capacity * MemoryLayout<Count>.stride }

    mutating func count(
        push record: NotificationRecord, _ arrival: DeliveryEffect?, isUpdate: Bool, in bytes: Span<UInt8>,
        _ rules: DeliveryRules?
    ) {
        if record.device.isEmpty { withoutDevice += 1 }
        let time = record.order.timestamp
        let level = arrival?.level ?? rules?.level(of: record) ?? .active
        count(.pushes, 1, of: record, level, in: bytes, at: time)
        if isUpdate { count(.updates, 1, of: record, level, in: bytes, at: time) }
        guard let arrival else { return count(.suppressed, 1, of: record, level, in: bytes, at: time) }
        if arrival.showsBanner { count(.banners, 1, of: record, level, in: bytes, at: time) }
        if arrival.playsSound { count(.sounds, 1, of: record, level, in: bytes, at: time) }
    }

    mutating func count(
        _ occurrence: Occurrence, of record: NotificationRecord, in bytes: Span<UInt8>,
        _ rules: DeliveryRules?
    ) {
        // A response does not have the level of its notification.
        let level = occurrence == .refused ? rules?.level(of: record) : nil
        count(occurrence.measure, 1, of: record, level, in: bytes, at: record.order.timestamp)
    }

    mutating func count(
        _ measure: Measure, _ number: UInt64, of record: NotificationRecord, _ level: InterruptionLevel?,
        in bytes: Span<UInt8>, at timestamp: Int64
    ) {
        guard !record.device.isEmpty else { return }
        if !device.span.isEqual(to: bytes[record.device]) || !app.span.isEqual(to: bytes[record.app]) {
            flush()
            device.removeAll(keepingCapacity: true)
            app.removeAll(keepingCapacity: true)
            device.append(bytes[record.device])
            app.append(bytes[record.app])
        }
        if counts.count >= Self.maximumCounts { flush() }
        var part: UInt32 = 0
        switch division {
        case .app, .none: break
        case .category: part = parts.symbol(for: bytes[record.category])
        case .level: part = level.map { parts.symbol(for: Array($0.name.utf8).span) } ?? 0
        }
        counts.append(
            Count(
                part: part, interval: clock.interval(of: timestamp), measure: UInt8(measure.index),
                count: number))
    }

    private mutating func flush() {
        counts.sort(by: Count.precedes)
        var start = 0
        while start < counts.count {
            var sum = counts[start]
            start += 1
            while start < counts.count, counts[start].isSame(as: sum) {
                sum.count += counts[start].count
                start += 1
            }
            Self.append(sum, device, app, parts, to: &rows)
            rowCount += 1
        }
        counts.removeAll(keepingCapacity: true)
        // The parts of one app are few; those of all apps may be many.
        if parts.count > Self.maximumCounts { parts = SymbolTable() }
    }

    mutating func spill(to folder: SpillFolder) throws(ReplayError) {
        flush()
        guard rows.count > 0 else { return }
        let file = try folder.write { writer throws(ReplayError) in
            var offset = 0
            while offset < rows.count {
                let end = ActivityRow.end(from: offset, in: rows.bytes)
                try writer.add(rows.bytes.extracting(offset..<end), to: .measures)
                offset = end
            }
        }
        files.append(file)
        // With its memory, which counts as held.
        rows = OutputBuffer()
    }
}

extension Occurrence {
    /// What the event counts for.
    var measure: Measure {
        switch self {
        case .refused: .refused
        case .opened: .opened
        case .dismissed: .dismissed
        case .action: .actions
        }
    }
}

/// A count of events of a person and an app in an interval; its texts are ranges of the row's bytes.
struct ActivityRow {
    let device: TextRange
    let app: TextRange
    let part: TextRange
    let interval: Int64
    let measure: Int
    let count: UInt64

    init?(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        device = reader.text()
        app = reader.text()
        part = reader.text()
        interval = reader.signedNumber()
        measure = Int(reader.number(upTo: UInt64(Measure.firstOfScreen - 1)))
        count = reader.number()
        guard reader.isValid, reader.isAtEnd else { return nil }
    }

    /// Returns the end of the row that begins at an offset.
    fileprivate static func end(from offset: Int, in bytes: Span<UInt8>) -> Int {
        var reader = ByteReader(bytes, from: offset)
        for _ in 0..<3 { _ = reader.text() }
        for _ in 0..<3 { _ = reader.number() }
        return reader.offset
    }
}

/// Reads the rows of files one after the other.
struct ActivityReader: ~Copyable {
    private let files: [StateFile]
    private let storage: any Storage
    private var next = 0
    private var reader: StateReader?
    /// The current row; nil before the first and after the last one.
    private(set) var row: ActivityRow?
    private(set) var bytes: [UInt8] = []

    init(_ files: [StateFile], storage: any Storage) throws(ReplayError) {
        (self.files, self.storage) = (files, storage)
        try advance()
    }

    mutating func advance() throws(ReplayError) {
        while true {
            if var current = reader.take() {
                let hasRow = try current.advance()
                if hasRow {
                    bytes.removeAll(keepingCapacity: true)
                    bytes.append(current.bytes)
                    guard let row = ActivityRow(bytes.span) else { throw current.damage() }
                    self.row = row
                    reader = consume current
                    return
                }
            }
            guard next < files.count else {
                row = nil
                return
            }
            reader = try StateReader(files[next], section: .measures, storage: storage)
            next += 1
        }
    }
}
