#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Large blocks of memory that come directly from the system and return to it when they are freed: a destroyed table
/// holds no memory, whereas the allocator may keep freed memory for reuse.
enum PageMemory {
    /// Allocates `byteCount` bytes, all zeros, aligned to `byteCount`, which is a power of two and a multiple of the
    /// page size.
    ///
    /// Untouched pages take no memory. Traps if the system has no addresses left.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        // A mapping of twice the size contains an aligned block. The parts before and after the block are unmapped.
        //
        // Safety: without a requested address, the system maps pages that are not in use.
        let whole = unsafe mmap(nil, 2 * byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
        guard let whole = unsafe whole, unsafe whole != MAP_FAILED else {
            fatalError("the system has no memory left")
        }
        let before = (byteCount - Int(bitPattern: whole) & (byteCount - 1)) & (byteCount - 1)
        // Safety: both parts are inside the mapping and outside the block, and nothing refers to them.
        unsafe unmap(whole, before)
        unsafe unmap(whole + before + byteCount, byteCount - before)
        return unsafe whole + before
    }

    /// Frees a block.
    ///
    /// Safety: `allocate` must have returned it for the same `byteCount`. Nothing may refer to it afterwards.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        unsafe unmap(memory, byteCount)
    }

    /// Safety: the bytes must be whole pages of a mapping of `allocate`. Nothing may refer to them afterwards.
    private static func unmap(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount > 0 { unsafe munmap(memory, byteCount) }
    }

    #if canImport(Darwin)
    private static let anonymous = MAP_ANON
    #else
    private static let anonymous = Int32(MAP_ANONYMOUS)
    #endif
}
