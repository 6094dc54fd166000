import SheafBytes

/// How many people have each value of each measure: exact histograms of every interval.
///
///     person ──values that are not 0──▶ events   interval · cell · measure · value    people
///            ──values that change─────▶ screen   interval · cell · measure · value    people more, or less
///
/// What happened in an interval is counted in it. What is on screen is counted only where it changes: the histogram of an
/// instant is the sum of the changes until then. So a person costs nothing in intervals without any change, and people
/// whose value is 0 are never counted: they are all others.
///
/// Memory: 48 bytes or less for each entry. A table that is full is sorted and written to a file.
struct Distributions {
    /// A histogram's place, and the people who have one of its values.
    struct Entry {
        /// The interval's number after the first one, the cell, and the measure.
        var place: UInt64
        var value: UInt64
        /// Less than 0 if more people no longer have the value than newly have it.
        var people: Int64

        init(interval: UInt64, cell: Int, measure: Int, value: UInt64, people: Int64) {
            place = interval << 32 | UInt64(cell) << Self.measureBits | UInt64(measure)
            (self.value, self.people) = (value, people)
        }

        init(place: UInt64, value: UInt64, people: Int64) {
            (self.place, self.value, self.people) = (place, value, people)
        }

        private static let measureBits: UInt64 = 4
        /// No interval has this number.
        fileprivate static let free = Entry(place: .max, value: 0, people: 0)

        /// Returns the entry of another cell.
        func inCell(_ cell: Int) -> Entry {
            Entry(interval: interval, cell: cell, measure: measure, value: value, people: people)
        }

        var interval: UInt64 { place >> 32 }
        var cell: Int { Int(place >> Self.measureBits & (1 << (32 - Self.measureBits) - 1)) }
        var measure: Int { Int(place & (1 << Self.measureBits - 1)) }

        func isSameValue(as other: Entry) -> Bool { place == other.place && value == other.value }

        static func precedes(_ a: Entry, _ b: Entry) -> Bool {
            a.place == b.place ? a.value < b.value : a.place < b.place
        }
    }

    /// The maximum number of cells.
    static let maximumCells = 1 << 28

    /// Open addressing, with linear probing.
    private var places: [Entry] = []
    private(set) var count = 0

    /// The memory in use, in bytes, and that for sorting the entries.
    var heldBytes: Int { places.capacity * MemoryLayout<Entry>.stride + count * MemoryLayout<Entry>.stride }

    /// Adds people to those who have a value. O(1) expected.
    mutating func add(_ entry: Entry) {
        if count * 4 >= places.count * 3 { grow() }
        let index = place(of: entry)
        if places[index].place == Entry.free.place {
            places[index] = entry
            count += 1
        } else {
            places[index].people += entry.people
        }
    }

    /// Returns all entries in order except those of 0 people, and removes them.
    mutating func takeSorted() -> [Entry] {
        var entries = places.filter { $0.place != Entry.free.place && $0.people != 0 }
        places = []
        count = 0
        entries.sort(by: Entry.precedes)
        return entries
    }

    private func place(of entry: Entry) -> Int {
        let mask = places.count - 1
        let hash = (entry.place &* UInt64.goldenRatio ^ entry.value) &* UInt64.goldenRatio
        var index = Int(truncatingIfNeeded: hash >> 20) & mask
        while places[index].place != Entry.free.place, !places[index].isSameValue(as: entry) {
            index = (index + 1) & mask
        }
        return index
    }

    private mutating func grow() {
        let old = places
        places = [Entry](repeating: .free, count: max(1 << 10, old.count * 2))
        for entry in old where entry.place != Entry.free.place { places[place(of: entry)] = entry }
    }
}
