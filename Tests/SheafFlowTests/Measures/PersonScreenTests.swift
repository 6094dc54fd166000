import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// One person's groups over time, compared with a screen that is built from scratch at each interval.
@Suite struct PersonScreenTests {
    private struct State {
        let group: Int
        let cell: Int
        let count: UInt64
        let intervals: Range<Int64>
        let newest: OrderKey

        func isShown(at interval: Int64) -> Bool {
            intervals.contains(interval) || intervals.upperBound == .max && intervals.lowerBound <= interval
        }
    }

    /// The values of each cell at the end of an interval.
    private func values(
        _ states: [State], _ interval: Int64, cells: Int, fold: Int
    ) -> [PersonScreen.Values] {
        let shown = states.filter { $0.isShown(at: interval) }
        let groups = Dictionary(grouping: shown, by: \.group).values.sorted { a, b in
            b.map(\.newest).max()! < a.map(\.newest).max()!
        }
        var values = Array(repeating: PersonScreen.Values(), count: cells)
        for (place, group) in groups.enumerated() {
            var counts = Array(repeating: UInt64(0), count: cells)
            for state in group {
                counts[0] += state.count
                counts[state.cell] += state.count
            }
            for (cell, count) in counts.enumerated() where count > 0 {
                values[cell].groups += 1
                values[cell].notifications += count
                values[cell].largest = max(values[cell].largest, count)
                if place >= fold { values[cell].buried += count }
            }
        }
        return values
    }

    @Test(arguments: Seeds.several(40)) func stepsAreTheChangesOfTheScreen(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fold = 1 + random.below(4)
        var screen = PersonScreen(fold: fold)
        // The same object is used for all people.
        for _ in 0..<5 {
            screen.removeAll()
            let cells = 2 + random.below(4)
            for _ in 1..<cells { _ = screen.addCell() }
            let groupCount = 1 + random.below(random.pick([3, 12, 200]))
            for _ in 0..<groupCount { _ = screen.addGroup() }
            var states: [State] = []
            for line in 0..<(1 + random.below(random.pick([5, 40, 400]))) {
                let start = Int64(random.below(12))
                let end = random.chance(40) ? .max : start + Int64(random.below(6))
                let order = OrderKey(
                    timestamp: Int64(random.below(1_000)), source: 0, line: UInt64(line + 1))
                let state = State(
                    group: random.below(groupCount), cell: 1 + random.below(cells - 1),
                    count: UInt64(1 + random.below(4)), intervals: start..<end, newest: order)
                states.append(state)
                screen.add(
                    state.count, of: state.group, in: state.cell, during: state.intervals,
                    newest: state.newest)
            }
            let steps = screen.steps()
            var found = Array(repeating: PersonScreen.Values(), count: cells)
            for interval in Int64(0)..<20 {
                for step in steps where step.interval == interval {
                    #expect(step.values != found[step.cell])
                    found[step.cell] = step.values
                }
                #expect(found == values(states, interval, cells: cells, fold: fold))
            }
        }
    }
}
