import SheafBytes

/// The measures that a page shows: those of all apps together in the last intervals, and those of the largest apps.
///
/// Rows arrive interval by interval, all apps together first, and have each app in each interval. The apps with the most
/// people are kept.
///
/// Memory: eight bytes for each number of the kept apps in the last intervals, up to twice `Limits.pageIntervals`.
struct PageMeasures {
    private let options: MeasureOptions
    private var instants: [Int64] = []
    private var cells: [Cell] = []
    private var index: [Key: Int] = [:]
    private var leftOut: (cells: UInt64, intervals: UInt64) = (0, 0)

    private struct Key: Hashable {
        let app: [UInt8]?
        let part: [UInt8]
    }

    private struct Cell {
        let key: Key
        let people: UInt64
        /// By measure, the numbers of each interval.
        var values: [Values]
    }

    private struct Values {
        var zero: [UInt64] = []
        var sum: [UInt64] = []
        var max: [UInt64] = []
        var quantiles: [[UInt64]]
        /// That of all intervals, also of those that are left out.
        var total: UInt64 = 0
        var isEmpty: Bool { total == 0 }

        mutating func removeFirst(_ count: Int) {
            zero.removeFirst(count)
            sum.removeFirst(count)
            max.removeFirst(count)
            for index in quantiles.indices { quantiles[index].removeFirst(count) }
        }
    }

    init(_ options: MeasureOptions) { self.options = options }

    mutating func add(_ row: MeasureRow) {
        if instants.last != row.at { begin(row.at) }
        guard let cell = cell(of: row) else { return }
        let measure = row.measure.index
        cells[cell].values[measure].zero.append(row.zero)
        cells[cell].values[measure].sum.append(row.sum)
        cells[cell].values[measure].max.append(row.max)
        for (index, value) in row.quantiles.enumerated() {
            cells[cell].values[measure].quantiles[index].append(value)
        }
        cells[cell].values[measure].total &+= row.sum
    }

    private mutating func begin(_ at: Int64) {
        instants.append(at)
        if instants.count > Limits.pageIntervals { leftOut.intervals += 1 }
        guard instants.count == 2 * Limits.pageIntervals else { return }
        instants.removeFirst(Limits.pageIntervals)
        for cell in cells.indices {
            for measure in cells[cell].values.indices {
                cells[cell].values[measure].removeFirst(Limits.pageIntervals)
            }
        }
    }

    /// Returns the index of a row's cell; nil if others have more people.
    private mutating func cell(of row: MeasureRow) -> Int? {
        let key = Key(app: row.appBytes, part: row.partBytes)
        if let known = index[key] { return known }
        // All cells occur in the first interval.
        guard instants.count == 1, leftOut.intervals == 0, row.measure.index == 0 else { return nil }
        let empty = Values(quantiles: options.quantiles.map { _ in [] })
        let cell = Cell(
            key: key, people: row.people, values: Measure.allCases.map { _ in empty })
        if cells.count <= Limits.pageApps {
            index[key] = cells.count
            cells.append(cell)
            return cells.count - 1
        }
        leftOut.cells += 1
        // The first cell is that of all apps.
        guard let last = cells.indices.dropFirst().min(by: { cells[$0].people <= cells[$1].people }),
            cells[last].people < row.people
        else { return nil }
        index[cells[last].key] = nil
        index[key] = last
        cells[last] = cell
        return last
    }

    // MARK: Writing

    func write(to json: inout JSONDocument) {
        json.member("quantiles", options.quantiles.map(\.text))
        json.member("per", options.division.rawValue)
        let instants = instants.suffix(Limits.pageIntervals)
        json.member("instants", numbers: Array(instants))
        let order = [0] + cells.indices.dropFirst().sorted { precedes(cells[$0], cells[$1]) }
        // Each number has some digits and a comma.
        var left = Limits.pageMeasureBytes
        json.member("cells", cells.isEmpty ? [] : order.map { cells[$0] }) { json, cell in
            json.member("app", cell.key.app.map { String(decoding: $0, as: UTF8.self) })
            if let name = options.division.partName, cell.key.app != nil {
                json.member(name, String(decoding: cell.key.part, as: UTF8.self))
            }
            json.member("people", cell.people)
            json.member("total") { json in
                for (measure, values) in zip(Measure.allCases, cell.values) where !values.isEmpty {
                    json.member(named: measure.rawValue, total(of: values, measure))
                }
            }
            let shown = cell.values.count { !$0.isEmpty }
            left -= shown * instants.count * (3 + options.quantiles.count) * Limits.pageNumberBytes
            guard left >= 0 || cell.key.app == nil else { return }
            json.member("values") { json in
                for (measure, values) in zip(Measure.allCases, cell.values) where !values.isEmpty {
                    json.member(named: measure.rawValue) { write(values, to: &$0) }
                }
            }
        }
        guard leftOut.cells > 0 || leftOut.intervals > 0 else { return }
        json.member("leftOut") { json in
            if leftOut.cells > 0 { json.member("apps", leftOut.cells) }
            if leftOut.intervals > 0 { json.member("intervals", leftOut.intervals) }
        }
    }

    /// Returns the sum of events of all intervals, or what is on screen at the end.
    private func total(of values: Values, _ measure: Measure) -> UInt64 {
        measure.index < Measure.firstOfScreen ? values.total : values.sum.last ?? 0
    }

    private func write(_ values: Values, to json: inout JSONDocument) {
        func shown(_ numbers: [UInt64]) -> [UInt64] { Array(numbers.suffix(Limits.pageIntervals)) }
        json.member("zero", numbers: shown(values.zero))
        json.member("sum", numbers: shown(values.sum))
        json.member("max", numbers: shown(values.max))
        for (quantile, numbers) in zip(options.quantiles, values.quantiles) {
            json.member(named: "p\(quantile.text)", numbers: shown(numbers))
        }
    }

    /// Whether a cell precedes another one: that with more pushes, or with the smaller name.
    private func precedes(_ a: Cell, _ b: Cell) -> Bool {
        let (first, second) = (a.values[Measure.pushes.index].total, b.values[Measure.pushes.index].total)
        if first != second { return first > second }
        let names = ((a.key.app ?? [], a.key.part), (b.key.app ?? [], b.key.part))
        if names.0.0 != names.1.0 { return names.0.0.lexicographicallyPrecedes(names.1.0) }
        return names.0.1.lexicographicallyPrecedes(names.1.1)
    }
}
