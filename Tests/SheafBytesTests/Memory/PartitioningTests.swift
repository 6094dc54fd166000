import SheafBytes
import Testing

@Suite struct PartitioningTests {
    @Test func theFirstIndexOfTheSecondPartIsFound() {
        for count in 0...33 {
            for first in 0...count {
                let elements = (0..<count).map { $0 >= first }
                #expect(elements.partitioningIndex { $0 } == first, "\(count) elements, from \(first) on")
            }
        }
    }

    @Test func indicesOfASliceAreThoseOfItsBase() {
        let slice = [1, 3, 5, 7, 9].dropFirst(2)
        #expect(slice.partitioningIndex { $0 > 4 } == 2)
        #expect(slice.partitioningIndex { $0 > 7 } == 4)
        #expect(slice.partitioningIndex { $0 > 9 } == 5)
    }

    @Test func fewElementsAreExamined() {
        var calls = 0
        let index = (0..<1_000_000).partitioningIndex {
            calls += 1
            return $0 >= 777_777
        }
        #expect(index == 777_777)
        #expect(calls <= 20)
    }
}
