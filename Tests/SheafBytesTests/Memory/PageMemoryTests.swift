import Testing

@testable import SheafBytes

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
