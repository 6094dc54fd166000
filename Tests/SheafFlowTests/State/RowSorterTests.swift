import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

@Suite struct RowSorterTests {
    private func sorter(
        _ storage: MemoryStorage, maximumRows: Int, files: Int
    ) throws -> (RowSorter, SpillFolder) {
        let folder = try SpillFolder(in: nil, storage: storage)
        return (
            RowSorter(
                folder: folder, storage: storage, maximumBytes: maximumRows * 3 * MemoryLayout<Row>.stride,
                maximumFiles: files), folder
        )
    }

    @Test(arguments: Seeds.several(12)) func rowsAreSorted(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage()
        let (sorter, folder) = try sorter(
            storage, maximumRows: 1 + random.below(40), files: 2 + random.below(3))
        var expected: [Row] = []
        for _ in 0..<random.below(60) {
            let rows = (0..<random.below(12)).map { _ in
                Row(high: random.next() % 5, low: random.next() % 7, value: random.next())
            }
            expected += rows
            sorter.add(ContiguousArray(rows))
        }
        var merged = try sorter.sorted()
        var found: [Row] = []
        while let first = merged.first {
            let next = try merged.next()
            #expect(next == first)
            found.append(first)
        }
        #expect(try merged.next() == nil)
        func words(_ rows: [Row]) -> [[UInt64]] { rows.map { [$0.high, $0.low, $0.value] } }
        #expect(zip(found, found.dropFirst()).allSatisfy { !($1 < $0) })
        #expect(
            words(found).sorted { $0.lexicographicallyPrecedes($1) }
                == words(expected).sorted { $0.lexicographicallyPrecedes($1) })
        folder.removeAll()
        #expect(storage.entries.isEmpty)
    }

    @Test func aFailureToWriteIsThrownAtTheEnd() throws {
        let storage = MemoryStorage()
        let (sorter, folder) = try sorter(storage, maximumRows: 1, files: 2)
        folder.removeAll()
        // Files can't be created any more.
        sorter.add([Row(high: 1, low: 2, value: 3)])
        #expect(throws: ReplayError.self) { _ = try sorter.sorted() }
    }
}
