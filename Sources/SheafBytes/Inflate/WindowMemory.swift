import Synchronization

/// The memory that the open sources of a run take for decoding zstd frames.
///
/// The memory budget has a part for each source. A source whose frames need more takes it from another consumer, which
/// has to leave `borrowedBytes` unused, up to a limit that is the same for every source. Whether a frame can be decoded
/// therefore depends on neither the other sources nor time.
package final class WindowMemory: Sendable {
    /// The memory that each source has anyway, in bytes.
    private let reserved: Int
    /// The memory that a source may take, in bytes: at least `reserved`.
    package let limit: Int
    private let borrowed = Atomic<Int>(0)

    package init(reserved: Int, limit: Int) {
        precondition(limit >= reserved, "a source may take what is reserved for it")
        self.reserved = reserved
        self.limit = limit
    }

    /// The memory that all sources take beyond what is reserved for them, in bytes.
    package var borrowedBytes: Int { borrowed.load(ordering: .relaxed) }

    /// Notes that a source takes `new` bytes instead of `old`.
    func change(from old: Int, to new: Int) {
        let change = max(new, reserved) - max(old, reserved)
        if change != 0 { borrowed.add(change, ordering: .relaxed) }
    }
}
