import Synchronization

/// A member's CRC-32, computed by whoever comes to its bytes next and not by the thread that inflates them.
///
///     inflating ──owe(bytes)──▶ | piece | piece | ──settle()──▶ running CRC
///                               in order            by a decoding worker, before it changes the bytes, or by the
///                                                   inflating thread itself at a member's end
///
/// Invariants: pieces are taken in the order in which they were owed, one thread at a time; a piece's bytes stand
/// still until it was taken, for which those see to it who own them: they settle first. Nothing waits for anybody
/// but for a piece that is being computed. Memory: one piece for each run of bytes that lie behind each other.
@safe public final class DeferredChecksum: Sendable {
    /// Bytes that were inflated and not yet summed up.
    @safe private struct Piece: @unchecked Sendable {
        // Unchecked because the bytes stand still while they are owed.
        let start: UnsafePointer<UInt8>
        var count: Int
    }

    private let owed = Mutex<[Piece]>([])
    private let checksum = Mutex(Checksum())

    public init() {}

    /// Notes bytes that stand still until the next `settle`. O(1).
    func owe(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        let start = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress! }
        owed.withLock { pieces in
            if let last = pieces.indices.last, unsafe pieces[last].start + pieces[last].count == start {
                pieces[last].count += bytes.count
            } else {
                unsafe pieces.append(Piece(start: start, count: bytes.count))
            }
        }
    }

    /// Sums up all that is owed. After that the bytes may change.
    public func settle() {
        checksum.withLock { checksum in
            while let piece = owed.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                // Safety: whoever owns the bytes keeps them as they are until they have settled.
                checksum.update(unsafe Span(_unsafeStart: piece.start, count: piece.count))
            }
        }
    }

    /// The sum of all bytes since the last `restart`.
    func value() -> UInt32 {
        settle()
        return checksum.withLock { $0.value }
    }

    /// Begins anew, behind bytes that have the sum `value`, and forgets what is owed.
    func restart(from value: UInt32 = 0) {
        checksum.withLock { checksum in
            owed.withLock { $0.removeAll(keepingCapacity: true) }
            checksum = Checksum(value)
        }
    }
}
