import Synchronization

/// The CRC-32 of a gzip member, computed by the next thread that uses the bytes instead of the thread that inflates
/// them.
///
///     inflating ──owe(bytes)──▶ | piece | piece | ──settle()──▶ running CRC
///                               in order            by a decoding worker, before it changes the bytes, or by the
///                                                   inflating thread itself at the end of a member
///
/// Invariants: pieces are summed up in the order in which they were owed, by one thread at a time. The bytes of a
/// piece do not change until it is summed up: their owner settles before changing or freeing them. A thread waits
/// only while another thread computes a checksum. Memory: one piece for each contiguous run of bytes.
@safe package final class DeferredChecksum: Sendable {
    /// Bytes that were inflated but not summed up yet.
    @safe private struct Piece: @unchecked Sendable {
        // Unchecked because the bytes do not change while they are owed.
        let start: UnsafePointer<UInt8>
        var count: Int
    }

    private let owed = Mutex<[Piece]>([])
    private let checksum = Mutex(Checksum())

    package init() {}

    /// Adds bytes that stay allocated and unchanged until the next `settle`. O(1).
    func owe(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        // Safety: the address is used after the call, while the owner of the bytes keeps them until it has settled.
        let start = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress! }
        owed.withLock { pieces in
            if let last = pieces.indices.last, unsafe pieces[last].start + pieces[last].count == start {
                pieces[last].count += bytes.count
            } else {
                unsafe pieces.append(Piece(start: start, count: bytes.count))
            }
        }
    }

    /// Sums up all owed bytes, which may change afterwards.
    package func settle() {
        checksum.withLock { checksum in
            while let piece = owed.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                // Safety: the owner of the bytes keeps them allocated and unchanged until it has settled, which waits
                // for this call.
                checksum.update(unsafe Span(_unsafeStart: piece.start, count: piece.count))
            }
        }
    }

    /// Returns the checksum of all bytes since the last `restart`.
    func value() -> UInt32 {
        settle()
        return checksum.withLock { $0.value }
    }

    /// Starts again after bytes with the checksum `value`, and forgets all owed bytes.
    func restart(from value: UInt32 = 0) {
        checksum.withLock { checksum in
            owed.withLock { $0.removeAll(keepingCapacity: true) }
            checksum = Checksum(value)
        }
    }
}
