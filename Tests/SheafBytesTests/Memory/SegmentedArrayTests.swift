import Testing

@testable import SheafBytes

@Suite struct SegmentedArrayTests {
    /// Covers counts around segment boundaries.
    @Test(arguments: [0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 5000])
    func behavesLikeAnArray(_ count: Int) {
        var array = SegmentedArray<Int>()
        for number in 0..<count { array.append(number) }
        #expect(array.count == count)
        #expect((0..<count).map { array[$0] } == Array(0..<count))
        for index in 0..<count { array[index] *= 2 }
        #expect((0..<count).map { array[$0] } == (0..<count).map { $0 * 2 })
        array.removeAll()
        #expect(array.count == 0)
        array.append(7)
        #expect(array.count == 1)
        #expect(array[0] == 7)
    }

    @Test func copiesAreIndependent() {
        var array = SegmentedArray<Int>()
        for number in 0..<1500 { array.append(number) }
        var copy = array
        copy[3] = -1
        copy.append(1500)
        array[1400] = -2
        #expect(array[3] == 3 && copy[3] == -1)
        #expect(array[1400] == -2 && copy[1400] == 1400)
        #expect(array.count == 1500 && copy.count == 1501)
    }

    /// A copy of more segments than a new table has room for.
    @Test func copyOfManySegmentsIsIndependent() {
        var array = SegmentedArray<SIMD64<Int64>>()
        let count = 9 << 12
        for number in 0..<count { array.append(SIMD64(repeating: Int64(number))) }
        var copy = array
        copy[0][0] = -1
        #expect(array[0][0] == 0 && copy[0][0] == -1)
        for index in stride(from: 1, to: count, by: 1 << 10) {
            #expect(copy[index][0] == Int64(index))
        }
    }

    @Test
    func indexOutOfBoundsTraps() async {
        await #expect(processExitsWith: .failure) {
            var array = SegmentedArray<Int>()
            for number in 0..<1500 { array.append(number) }
            _ = array[1500]
        }
        await #expect(processExitsWith: .failure) {
            var array = SegmentedArray<Int>()
            array.append(0)
            _ = array[-1]
        }
    }
}

/// Large allocations: their alignment, and that every byte is usable.
@Suite struct PageMemoryTests {
    @Test(arguments: [1 << 16, 1 << 18, 1 << 21])
    func allocationsAreAlignedToTheirSize(_ byteCount: Int) {
        var pieces: [UnsafeMutableRawPointer] = unsafe []
        for _ in 0..<5 { unsafe pieces.append(PageMemory.allocate(byteCount)) }
        for index in 0..<5 {
            #expect(unsafe Int(bitPattern: pieces[index]) & (byteCount - 1) == 0)
            // Safety: the first and the last byte of the allocation.
            let last = unsafe pieces[index] + (byteCount - 1)
            #expect(unsafe pieces[index].load(as: UInt8.self) == 0)
            #expect(unsafe last.load(as: UInt8.self) == 0)
            unsafe pieces[index].storeBytes(of: UInt8(index), as: UInt8.self)
            unsafe last.storeBytes(of: UInt8(index), as: UInt8.self)
        }
        for index in 0..<5 {
            #expect(unsafe pieces[index].load(as: UInt8.self) == UInt8(index))
            #expect(unsafe (pieces[index] + (byteCount - 1)).load(as: UInt8.self) == UInt8(index))
        }
        for index in 0..<5 { unsafe PageMemory.deallocate(pieces[index], byteCount) }
    }

    /// Allocates far more memory in turn than could be allocated at once.
    @Test func freedMemoryIsReusedAndZeroed() {
        for _ in 0..<500 {
            let memory = unsafe PageMemory.allocate(1 << 20)
            // Safety: the first byte of the allocation.
            #expect(unsafe memory.load(as: UInt8.self) == 0)
            unsafe memory.storeBytes(of: 1, as: UInt8.self)
            unsafe PageMemory.deallocate(memory, 1 << 20)
        }
    }
}
