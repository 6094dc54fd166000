import SheafBytes
import SheafGroups

/// One person's groups over time, from which the measures of the screen follow.
///
///     states of groups, each with the intervals in which its notifications are on screen
///         ──add──▶ changes ──in the order of intervals──▶ groups by recency ──▶ values of cells that have changed
///
/// A **cell** is what measures are about: an app, or a part of it, such as a category. A group's notifications may belong
/// to several cells, which each have a **part** of it. The person's apps together are a cell, too: the first one.
///
/// Memory: that of one person's states. O(n log n) for n states, plus what moving groups among the others takes.
struct PersonScreen {
    /// What is on screen of a cell.
    struct Values: Equatable {
        var groups: UInt64 = 0
        var notifications: UInt64 = 0
        var largest: UInt64 = 0
        var buried: UInt64 = 0

        /// In the order of `Measure`.
        var all: [UInt64] { [groups, notifications, largest, buried] }
    }

    /// A cell's values from an interval on.
    struct Step {
        let interval: Int64
        let cell: Int
        let values: Values
    }

    /// The number of a person's cells, the first one included.
    private(set) var cellCount = 1
    /// The number of groups at the top of the screen whose notifications are not buried.
    private let fold: Int

    private struct Change {
        let interval: Int64
        let part: Int32
        let isEnd: Bool
        /// Whether the notifications never leave the screen.
        let isForever: Bool
        let count: UInt64
        let newest: OrderKey
    }

    private struct Part {
        let group: Int32
        let cell: Int32
        /// The next part of the same group; -1 for none.
        let next: Int32
        var count: UInt64 = 0
        /// The count at the last step.
        var shown: UInt64 = 0
    }

    private struct Group {
        /// The last of its parts.
        var part: Int32 = -1
        var count: UInt64 = 0
        /// The count at the last step.
        var shown: UInt64 = 0
        /// The newest of the notifications that never leave the screen.
        var newestForever: OrderKey?
        /// The newest notifications of the states that end.
        var open: [OrderKey] = []
        /// The order key by which it is in `recency`; nil if it is not on screen.
        var shownAt: OrderKey?

        var newest: OrderKey? {
            guard let ending = open.max() else { return newestForever }
            return newestForever.map { max($0, ending) } ?? ending
        }
    }

    private struct Cell {
        var values = Values()
        /// The values of the last step.
        var last = Values()
        /// The notifications in the groups at the top.
        var top: UInt64 = 0
        var isTouched = false
        /// Whether the largest part may have become smaller.
        var mayShrink = false
        /// The number of parts by their counts, once a cell with many parts may have shrunk; nil before.
        var sizes: [UInt64: Int]?

        mutating func update(from shown: UInt64, to count: UInt64) {
            values.notifications = values.notifications &- shown &+ count
            if shown == 0, count > 0 { values.groups += 1 }
            if shown > 0, count == 0 { values.groups -= 1 }
            if sizes != nil {
                sizes?[shown, default: 0] -= 1
                sizes?[count, default: 0] += 1
            }
            if count >= values.largest {
                values.largest = count
            } else if shown == values.largest {
                mayShrink = true
            }
        }
    }

    private var changes: [Change] = []
    private var parts: [Part] = []
    private var groups: [Group] = []
    private var cells: [Cell] = []
    /// The groups on screen, the newest first.
    private var recency: [(newest: OrderKey, group: Int32)] = []
    private var touchedCells: [Int] = []
    private var touchedParts: [Int32] = []
    private var movedGroups: [Int32] = []
    private var topGroups: [Int32] = []

    /// The number of changed groups up to which each is moved among the others, and not all are sorted.
    private static let fewGroups = 16
    /// The number of parts up to which all are looked at when the largest one of a cell may have become smaller.
    private static let fewParts = 64

    init(fold: Int) { self.fold = fold }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        changes.capacity * MemoryLayout<Change>.stride + parts.capacity * MemoryLayout<Part>.stride
            + groups.capacity * MemoryLayout<Group>.stride + recency.capacity * 32
    }

    /// Begins the next person.
    mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        recency.removeAll(keepingCapacity: true)
        touchedCells.removeAll(keepingCapacity: true)
        touchedParts.removeAll(keepingCapacity: true)
        movedGroups.removeAll(keepingCapacity: true)
        topGroups.removeAll(keepingCapacity: true)
        cellCount = 1
    }

    /// Adds a cell of the person, and returns its index.
    mutating func addCell() -> Int {
        defer { cellCount += 1 }
        return cellCount
    }

    /// Adds a group, and returns its index.
    mutating func addGroup() -> Int {
        groups.append(Group())
        return groups.count - 1
    }

    /// Adds notifications of a group in a cell.
    ///
    /// - Parameters:
    ///   - intervals: those at whose ends they are on screen; with the upper bound `Int64.max`, all from the first one on.
    ///   - newest: the order key of the newest one.
    mutating func add(
        _ count: UInt64, of group: Int, in cell: Int, during intervals: Range<Int64>, newest: OrderKey
    ) {
        let part = Int32(part(of: group, in: cell))
        let isForever = intervals.upperBound == .max
        changes.append(
            Change(
                interval: intervals.lowerBound, part: part, isEnd: false, isForever: isForever,
                count: count, newest: newest))
        guard !isForever else { return }
        changes.append(
            Change(
                interval: intervals.upperBound, part: part, isEnd: true, isForever: false,
                count: count, newest: newest))
    }

    /// Returns the part of a group in a cell. O(parts of the group).
    private mutating func part(of group: Int, in cell: Int) -> Int {
        var index = groups[group].part
        while index >= 0 {
            if parts[Int(index)].cell == cell { return Int(index) }
            index = parts[Int(index)].next
        }
        parts.append(Part(group: Int32(group), cell: Int32(cell), next: groups[group].part))
        groups[group].part = Int32(parts.count - 1)
        return parts.count - 1
    }

    /// Returns the values of each cell from each interval on in which they change, in the order of intervals.
    mutating func steps() -> [Step] {
        cells = Array(repeating: Cell(), count: cellCount)
        changes.sort { $0.interval < $1.interval }
        var steps: [Step] = []
        var start = 0
        while start < changes.count {
            let interval = changes[start].interval
            var end = start
            while end < changes.count, changes[end].interval == interval {
                apply(changes[end])
                end += 1
            }
            updateGroups()
            updateTop()
            for cell in touchedCells {
                cells[cell].isTouched = false
                if cells[cell].mayShrink { updateLargest(of: cell) }
                cells[cell].values.buried = cells[cell].values.notifications - cells[cell].top
                guard cells[cell].values != cells[cell].last else { continue }
                cells[cell].last = cells[cell].values
                steps.append(Step(interval: interval, cell: cell, values: cells[cell].values))
            }
            touchedCells.removeAll(keepingCapacity: true)
            start = end
        }
        return steps
    }

    private mutating func touch(_ cell: Int) {
        guard !cells[cell].isTouched else { return }
        cells[cell].isTouched = true
        touchedCells.append(cell)
    }

    private mutating func apply(_ change: Change) {
        let (part, group) = (Int(change.part), Int(parts[Int(change.part)].group))
        touchedParts.append(change.part)
        if change.isEnd {
            parts[part].count &-= change.count
            groups[group].count &-= change.count
            if let index = groups[group].open.firstIndex(of: change.newest) {
                groups[group].open.swapAt(index, groups[group].open.count - 1)
                groups[group].open.removeLast()
            }
        } else {
            parts[part].count &+= change.count
            groups[group].count &+= change.count
            if change.isForever {
                groups[group].newestForever =
                    groups[group].newestForever.map { max($0, change.newest) } ?? change.newest
            } else {
                groups[group].open.append(change.newest)
            }
        }
    }

    /// Updates the counts of cells, and finds the groups whose place has changed.
    private mutating func updateGroups() {
        for index in touchedParts {
            let part = parts[Int(index)]
            if part.count != part.shown {
                touch(Int(part.cell))
                cells[Int(part.cell)].update(from: part.shown, to: part.count)
                parts[Int(index)].shown = part.count
            }
            let group = groups[Int(part.group)]
            if group.count != group.shown {
                touch(0)
                cells[0].update(from: group.shown, to: group.count)
                groups[Int(part.group)].shown = group.count
            }
            let newest = group.count > 0 ? group.newest : nil
            guard newest != group.shownAt else { continue }
            movedGroups.append(part.group)
            guard touchedParts.count <= Self.fewGroups else { continue }
            if let order = group.shownAt { recency.remove(at: place(of: order)) }
            if let newest { recency.insert((newest, part.group), at: place(of: newest)) }
            groups[Int(part.group)].shownAt = newest
        }
        if !movedGroups.isEmpty, touchedParts.count > Self.fewGroups {
            for index in movedGroups {
                let group = groups[Int(index)]
                groups[Int(index)].shownAt = group.count > 0 ? group.newest : nil
            }
            recency.removeAll(keepingCapacity: true)
            for (index, group) in groups.enumerated() {
                if let newest = group.shownAt { recency.append((newest, Int32(index))) }
            }
            recency.sort { $1.newest < $0.newest }
        }
        movedGroups.removeAll(keepingCapacity: true)
        touchedParts.removeAll(keepingCapacity: true)
    }

    /// Returns the index of the first group on screen that is not newer than an order key. O(log n).
    private func place(of order: OrderKey) -> Int {
        recency.indices.partitioningIndex { recency[$0].newest <= order }
    }

    /// Adds up the notifications of the groups at the top.
    private mutating func updateTop() {
        for group in topGroups { forEachPart(of: group) { $0.resetTop(of: Int($1.cell)) } }
        topGroups.removeAll(keepingCapacity: true)
        if cells[0].top > 0 { resetTop(of: 0) }
        for (_, group) in recency.prefix(fold) {
            topGroups.append(group)
            forEachPart(of: group) { $0.cells[Int($1.cell)].top += $1.count }
            cells[0].top += groups[Int(group)].count
        }
        for group in topGroups { forEachPart(of: group) { $0.touch(Int($1.cell)) } }
        if !topGroups.isEmpty { touch(0) }
    }

    private mutating func resetTop(of cell: Int) {
        cells[cell].top = 0
        touch(cell)
    }

    private mutating func forEachPart(of group: Int32, _ body: (inout Self, Part) -> Void) {
        var index = groups[Int(group)].part
        while index >= 0 {
            let part = parts[Int(index)]
            body(&self, part)
            index = part.next
        }
    }

    /// Finds the largest part of a cell, or the largest group.
    private mutating func updateLargest(of cell: Int) {
        cells[cell].mayShrink = false
        if cells[cell].sizes == nil {
            let counts =
                cell == 0 ? groups.map(\.count) : parts.compactMap { $0.cell == cell ? $0.count : nil }
            guard counts.count > Self.fewParts else {
                cells[cell].values.largest = counts.max() ?? 0
                return
            }
            var sizes: [UInt64: Int] = [:]
            for count in counts { sizes[count, default: 0] += 1 }
            cells[cell].sizes = sizes
        }
        var largest = cells[cell].values.largest
        // Each step down takes back a notification that was added.
        while largest > 0, cells[cell].sizes?[largest] ?? 0 <= 0 { largest -= 1 }
        cells[cell].values.largest = largest
    }
}
