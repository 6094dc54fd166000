import Testing

@testable import SheafBytes

@Suite struct SizeClassTests {
    /// Up to 2^32 bytes, so that an index fits a byte.
    private static let all = (0...215).map { SizeClass(index: $0) }

    @Test func sizesGrow() {
        let sizes = Self.all.map(\.bytes)
        #expect(sizes.first == 16)
        #expect(sizes.last == 1 << 32)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(sizes.allSatisfy { $0 % 16 == 0 })
    }

    /// Every count is assigned the smallest class that fits it.
    @Test func smallestClassIsChosen() {
        for (index, sizeClass) in Self.all.enumerated() {
            let before = index == 0 ? 0 : Self.all[index - 1].bytes
            #expect(SizeClass(holding: sizeClass.bytes) == sizeClass)
            #expect(SizeClass(holding: before + 1) == sizeClass)
            #expect(SizeClass(holding: (before + 1 + sizeClass.bytes) / 2) == sizeClass)
        }
    }

    @Test func smallCountsWasteAtMostAnEighth() {
        for count in 1...5000 {
            let sizeClass = SizeClass(holding: count)
            #expect(sizeClass.bytes >= count)
            #expect(sizeClass.bytes - count < max(16, count / 8 + 1), "\(count) in \(sizeClass.bytes)")
        }
    }

    @Test func countsOutOfRangeTrap() async {
        await #expect(processExitsWith: .failure) { _ = SizeClass(holding: 0) }
        await #expect(processExitsWith: .failure) { _ = SizeClass(holding: 1 << 32 + 1) }
    }
}
