import Synchronization

/// The CRC-32 of a gzip member, computed by the next thread that uses the bytes instead of the thread that inflates
/// them.
///
///     inflating ──owe(bytes)──▶ | piece | piece | ──settle()──▶ running CRC
///                               in order            by a decoding worker, before it changes the bytes, or by the
///                                                   inflating thread itself at the end of a member
///
/// Invariants: pieces are summed up in the order in which they were owed, by one thread at a time. A piece keeps the
/// object that owns its bytes until it is summed up. That object's user settles before changing the bytes; otherwise
/// the checksum is wrong. A thread waits only while another thread computes a checksum. Memory: one piece for each
/// contiguous run of bytes.
@safe package final class DeferredChecksum: Sendable {
    /// Bytes that were inflated but not summed up yet.
    @safe private struct Piece: @unchecked Sendable {
        // Unchecked because the bytes do not change while they are owed, and the owner is only released.
        let start: UnsafePointer<UInt8>
        var count: Int
        /// Invariant: the bytes stay allocated as long as this object exists.
        let owner: AnyObject

        // Safety: the addresses are only compared. Two addresses in memory of the same owner are in one allocation.
        func isFollowed(by bytes: UnsafePointer<UInt8>, of other: AnyObject) -> Bool {
            unsafe start + count == bytes && owner === other
        }
    }

    private let owed = Mutex<[Piece]>([])
    private let checksum = Mutex(Checksum())

    package init() {}

    /// Adds bytes that do not change until the next `settle`. O(1).
    ///
    /// Safety: the bytes must stay allocated as long as `owner` exists.
    @unsafe func owe(_ bytes: Span<UInt8>, ownedBy owner: AnyObject) {
        guard bytes.count > 0 else { return }
        // Safety: the address is used after the call, while the piece keeps the owner, and with it the bytes. The span
        // is not empty, so the address is not nil.
        let start = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress! }
        owed.withLock { pieces in
            if let last = pieces.indices.last, unsafe pieces[last].isFollowed(by: start, of: owner) {
                pieces[last].count += bytes.count
            } else {
                unsafe pieces.append(Piece(start: start, count: bytes.count, owner: owner))
            }
        }
    }

    /// Sums up all owed bytes and then `bytes`.
    func add(_ bytes: Span<UInt8>) {
        checksum.withLock { checksum in
            sumUp(&checksum)
            checksum.update(bytes)
        }
    }

    /// Sums up all owed bytes, which may change afterwards.
    package func settle() {
        checksum.withLock { sumUp(&$0) }
    }

    private func sumUp(_ checksum: inout Checksum) {
        while let piece = owed.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            // Safety: the bytes that `owe` was given stay allocated as long as their owner, at least until the end of
            // the closure.
            withExtendedLifetime(piece.owner) {
                checksum.update(unsafe Span(_unsafeStart: piece.start, count: piece.count))
            }
        }
    }

    /// Returns the checksum of all bytes since the last `restart`.
    func value() -> UInt32 {
        settle()
        return checksum.withLock { $0.value }
    }

    /// Starts again after bytes with the checksum `value`, and discards all owed bytes.
    func restart(from value: UInt32 = 0) {
        checksum.withLock { checksum in
            owed.withLock { $0.removeAll(keepingCapacity: true) }
            checksum = Checksum(value)
        }
    }
}
