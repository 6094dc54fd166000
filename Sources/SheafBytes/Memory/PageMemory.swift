#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Large pieces of memory straight from the system, and back to it at once: what a table held is not held any more
/// when the table is gone, whatever the allocator would keep for later.
enum PageMemory {
    /// Memory of `byteCount` bytes, all zeros, at a multiple of `byteCount`, a power of two and pages.
    ///
    /// Untouched pages take none. Traps when the system has no addresses left.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        // Twice as much has a multiple in it; what stands around that is given back.
        let whole = unsafe mmap(nil, 2 * byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
        guard let whole = unsafe whole, unsafe whole != MAP_FAILED else {
            fatalError("the system has no memory left")
        }
        let before = (byteCount - Int(bitPattern: whole) & (byteCount - 1)) & (byteCount - 1)
        // Safety: both ends are parts of the mapping that nothing uses.
        unsafe unmap(whole, before)
        unsafe unmap(whole + before + byteCount, byteCount - before)
        return unsafe whole + before
    }

    /// Gives back what `allocate` gave.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        unsafe unmap(memory, byteCount)
    }

    private static func unmap(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount > 0 { unsafe munmap(memory, byteCount) }
    }

    #if canImport(Darwin)
    private static let anonymous = MAP_ANON
    #else
    private static let anonymous = Int32(MAP_ANONYMOUS)
    #endif
}
