import SheafBytes
import SheafGroups

extension Measurement {
    /// Passes on the distribution of each measure of each cell in each interval, in the order of intervals, apps and
    /// parts, all apps together first. Removes the distributions.
    mutating func forEachRow(
        _ quantiles: [Quantile], check: () throws(ReplayError) -> Void,
        _ body: (MeasureRow) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var order = [0]
        if division != .none { order += (1..<max(1, cells.count)).sorted { precedes($0, $1) } }
        order.removeAll { cells[$0].people == 0 }
        var entries = try distributions.takeAll()
        var entry = try entries.next()
        let count = Measure.allCases.count
        // The people with each value: on screen at the instant, or of the events in the interval.
        var people = [[UInt64: Int64]](repeating: [:], count: cells.count * count)
        var interval = clock.first
        while true {
            try check()
            var changed: [Int] = []
            while let found = entry, found.interval == UInt64(interval &- clock.first) {
                let place = found.cell * count + found.measure
                if found.measure < Measure.firstOfScreen { changed.append(place) }
                people[place][found.value, default: 0] += found.people
                if people[place][found.value] == 0 { people[place][found.value] = nil }
                entry = try entries.next()
            }
            for cell in order {
                let names = cells[cell]
                for (index, measure) in Measure.allCases.enumerated() {
                    let values = people[cell * count + index].orderedByKey()
                    try body(
                        MeasureRow(
                            at: clock.instant(of: interval),
                            app: cell == 0 ? nil : Array(copying: apps.text(of: names.app)),
                            part: Array(copying: parts.text(of: names.part)), measure: measure,
                            people: names.people, values, quantiles))
                }
            }
            for place in changed { people[place].removeAll(keepingCapacity: true) }
            if interval >= clock.last { break }
            interval += 1
        }
    }
}
