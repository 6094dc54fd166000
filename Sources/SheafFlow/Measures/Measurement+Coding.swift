import SheafBytes
import SheafGroups

/// The measures of the people of some ranges as records of a partial result.
///
///     pushes without a device | cells                                 one record
///     app | part | people                                             for each cell, that of all apps together first
///     interval after the first one | cell | measure | value
///         | people, or people more or less, signed                    for each value, in this order
///
/// Cells are in byte order of their texts. What is on screen is counted where it changes (`Distributions`).
extension Measurement {
    /// Writes everything, and removes the distributions.
    ///
    /// - Parameter state: the files of the run, with the folder for distributions that don't fit into memory.
    mutating func write(to writer: inout StateWriter, _ state: StateFiles) throws(ReplayError) {
        var record = OutputBuffer()
        record.appendNumber(withoutDevice)
        record.appendNumber(UInt64(cells.count))
        try writer.add(record.bytes, to: .measures)
        let order = [0] + (1..<max(1, cells.count)).sorted { precedes($0, $1) }
        var places = [Int](repeating: 0, count: cells.count)
        for (place, index) in order.enumerated() {
            places[index] = place
            record.removeAll()
            record.appendText(apps.text(of: cells[index].app))
            record.appendText(parts.text(of: cells[index].part))
            record.appendNumber(cells[index].people)
            try writer.add(record.bytes, to: .measures)
        }
        // Cells are numbered as people were found to have them. In the order of their texts, entries have other places.
        var ordered = state.distributions
        var found = try distributions.takeAll()
        while let entry = try found.next() {
            ordered.add(entry.inCell(places[entry.cell]))
            if state.isFull(ordered.heldBytes) { try ordered.spill(to: state.folder) }
        }
        var entries = try ordered.takeAll()
        var count = 0
        while let entry = try entries.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try state.check() }
            record.removeAll()
            record.appendNumber(entry.interval)
            record.appendNumber(UInt64(entry.cell))
            record.appendNumber(UInt64(entry.measure))
            record.appendNumber(entry.value)
            record.appendSignedNumber(entry.people)
            try writer.add(record.bytes, to: .measures)
        }
    }

    /// Adds the people of a file, who are others.
    ///
    /// - Parameter state: the files of the run.
    mutating func add(
        _ file: StateFile, _ clock: SnapshotClock, of state: StateFiles
    ) throws(ReplayError) {
        self.clock = clock
        var reader = try StateReader(file, section: .measures, storage: state.storage)
        guard try reader.advance(), let (withoutDevice, count) = Self.head(reader.bytes) else {
            throw reader.damage()
        }
        self.withoutDevice += withoutDevice
        var places: [Int] = []
        var check = DistributionCheck(intervals: UInt64(bitPattern: clock.last &- clock.first))
        while places.count < count {
            guard try reader.advance(), let cell = Self.cell(reader.bytes) else { throw reader.damage() }
            let bytes = reader.bytes
            // The cell of all apps together names none.
            guard cell.app.isEmpty == places.isEmpty else { throw reader.damage() }
            let place =
                places.isEmpty
                ? 0 : place(of: apps.symbol(for: bytes[cell.app]), parts.symbol(for: bytes[cell.part]))
            cells[place].people += cell.people
            guard cells[place].people <= Self.maximumPeople else { throw reader.damage() }
            places.append(place)
            check.people.append(Int64(cell.people))
        }
        var read = 0
        while try reader.advance() {
            read += 1
            if read % Limits.groupsPerPiece == 0 { try state.check() }
            guard let entry = Distributions.Entry(record: reader.bytes), check.add(entry) else {
                throw reader.damage()
            }
            distributions.add(entry.inCell(places[entry.cell]))
            if state.isFull(distributions.heldBytes) { try distributions.spill(to: state.folder) }
        }
        guard check.end() else { throw reader.damage() }
    }

    private static let maximumPeople: UInt64 = 1 << 56

    private static func head(_ bytes: Span<UInt8>) -> (withoutDevice: UInt64, cells: Int)? {
        var reader = ByteReader(bytes)
        let withoutDevice = reader.number(upTo: maximumPeople)
        let count = Int(reader.number(upTo: UInt64(Distributions.maximumCells)))
        return reader.isValid && reader.isAtEnd && count > 0 ? (withoutDevice, count) : nil
    }

    private static func cell(_ bytes: Span<UInt8>) -> (app: TextRange, part: TextRange, people: UInt64)? {
        var reader = ByteReader(bytes)
        let cell = (app: reader.text(), part: reader.text(), people: reader.number(upTo: maximumPeople))
        return reader.isValid && reader.isAtEnd ? cell : nil
    }
}

extension Distributions.Entry {
    /// Decodes an entry of a partial result; nil if it is invalid.
    fileprivate init?(record bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        let interval = reader.number(upTo: UInt64(UInt32.max))
        let cell = Int(reader.number(upTo: UInt64(Distributions.maximumCells)))
        let measure = Int(reader.number(upTo: UInt64(Measure.allCases.count - 1)))
        self.init(
            interval: interval, cell: cell, measure: measure, value: reader.number(),
            people: reader.signedNumber())
        guard reader.isValid, reader.isAtEnd, value > 0, people != 0 else { return nil }
    }
}

/// Checks that entries are in order, and that no more people have a value than there are.
private struct DistributionCheck {
    /// The number of the last interval.
    let intervals: UInt64
    /// By cell.
    var people: [Int64] = []
    private var last: Distributions.Entry?
    /// By cell and measure of the screen: those who have a value, and all of them.
    private var shown: [UInt64: (byValue: [UInt64: Int64], total: Int64)] = [:]
    /// Those who have a value of the last measure of events.
    private var counted: Int64 = 0

    init(intervals: UInt64) { self.intervals = intervals }

    /// Returns whether the entry may follow the ones before it.
    mutating func add(_ entry: Distributions.Entry) -> Bool {
        guard entry.interval <= intervals, people.indices.contains(entry.cell) else { return false }
        if let last {
            guard Distributions.Entry.precedes(last, entry) else { return false }
            if last.place != entry.place, !end() { return false }
        }
        last = entry
        let limit = people[entry.cell]
        guard entry.people.magnitude <= limit.magnitude else { return false }
        if entry.measure < Measure.firstOfScreen {
            counted += entry.people
            return entry.people > 0 && counted <= limit
        }
        let key = entry.place & (1 << 32 - 1)
        let number = (shown[key]?.byValue[entry.value] ?? 0) + entry.people
        shown[key, default: ([:], 0)].byValue[entry.value] = number == 0 ? nil : number
        shown[key]?.total += entry.people
        return number >= 0
    }

    /// Returns whether the people of the last cell, measure and interval are at most all of the cell.
    mutating func end() -> Bool {
        guard let last else { return true }
        counted = 0
        guard last.measure >= Measure.firstOfScreen else { return true }
        return (0...people[last.cell]).contains(shown[last.place & (1 << 32 - 1)]?.total ?? 0)
    }
}
