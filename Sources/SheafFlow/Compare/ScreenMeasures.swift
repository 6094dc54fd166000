import SheafBytes
import SheafGroups

/// The measures of people's screens (specification §19), from the groups of a snapshot by device.
///
/// They are those of a measurement without intervals if everyone who had a notification has one on screen: nothing is
/// removed, refused later or suppressed.
///
/// Memory: the distinct values of each measure of each app, and the groups of one person.
struct ScreenMeasures {
    /// By app: the people, and the number of people with each value of each measure; the first one is all apps together.
    private var cells: [Cell] = [Cell()]
    /// The current person's groups.
    private var groups: [(app: Int, count: UInt64, order: OrderKey)] = []
    /// The current person's values by app, for the apps in `touched`.
    private var values: [PersonScreen.Values] = [PersonScreen.Values()]
    private var touched: [Int] = []
    private let fold = MeasureOptions.standardFold

    private struct Cell {
        var people: UInt64 = 0
        var counts = [[UInt64: Int64]](repeating: [:], count: 4)
    }

    /// Adds a group of the current person.
    ///
    /// - Parameter app: the number of the app, from 1.
    mutating func add(app: Int, count: UInt64, order: OrderKey) {
        groups.append((app, count, order))
    }

    /// Ends the current person.
    mutating func endPerson() {
        guard !groups.isEmpty else { return }
        for group in groups {
            while cells.count <= group.app { cells.append(Cell()) }
            while values.count <= group.app { values.append(PersonScreen.Values()) }
            if values[group.app].groups == 0 { touched.append(group.app) }
            for place in [0, group.app] {
                values[place].groups += 1
                values[place].notifications += group.count
                values[place].largest = max(values[place].largest, group.count)
                values[place].buried += group.count
            }
        }
        if groups.count > fold { groups.sort { $1.order < $0.order } }
        for group in groups.prefix(fold) {
            values[0].buried -= group.count
            values[group.app].buried -= group.count
        }
        touched.append(0)
        for place in touched {
            cells[place].people += 1
            for (index, value) in values[place].all.enumerated() where value > 0 {
                cells[place].counts[index][value, default: 0] += 1
            }
            values[place] = PersonScreen.Values()
        }
        touched.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
    }

    /// Adds the measures of other people.
    ///
    /// - Parameter places: the numbers of the apps here, by their numbers there.
    mutating func add(_ other: ScreenMeasures, _ places: [Int]) {
        for (app, cell) in other.cells.enumerated() {
            while cells.count <= places[app] { cells.append(Cell()) }
            cells[places[app]].people += cell.people
            for (index, counts) in cell.counts.enumerated() {
                cells[places[app]].counts[index].merge(counts, uniquingKeysWith: +)
            }
        }
    }

    /// Returns the distributions, by app in byte order after all apps together. They have no time.
    ///
    /// - Parameter names: the names of the apps by number.
    func rows(names: [[UInt8]], _ quantiles: [Quantile]) -> [MeasureRow] {
        let apps = cells.indices.dropFirst().filter { cells[$0].people > 0 }.sorted {
            names[$0].lexicographicallyPrecedes(names[$1])
        }
        let measures = Measure.allCases.dropFirst(Measure.firstOfScreen)
        return ([0] + apps).flatMap { place in
            zip(measures, cells[place].counts).map { measure, counts in
                MeasureRow(
                    at: 0, app: place == 0 ? nil : names[place], part: [], measure: measure,
                    people: cells[place].people, counts.orderedByKey(), quantiles)
            }
        }
    }
}
