import SheafBytes
import SheafGroups

/// Pushes that are decided once all records are read, because a later record may be an outcome of them (specification
/// §18) or another record of the same push (§18), and these outcomes: encoded records of the section of notifications,
/// in any order.
///
///     decoding ──encoded──▶ WaitingPushes ──sorted by id──▶ state files ──decided──▶ notifications
///
/// Memory: the encoded records, 8 bytes for each, and 24 bytes for each while they are sorted.
struct WaitingPushes: ~Copyable {
    private var records = OutputBuffer()
    private var starts: [Int] = []

    var count: Int { starts.count }
    var isEmpty: Bool { starts.isEmpty }

    /// The memory in use, in bytes, and that for sorting.
    var heldBytes: Int {
        records.heldBytes + starts.capacity * MemoryLayout<Int>.stride + count * MemoryLayout<SortKey>.stride
    }

    mutating func removeAll() {
        records.removeAll()
        starts.removeAll(keepingCapacity: true)
    }

    /// Adds a record that `body` appends.
    mutating func add(_ body: (inout OutputBuffer) -> Void) {
        starts.append(records.count)
        body(&records)
    }

    /// Adds all records of another list.
    mutating func add(_ other: borrowing WaitingPushes) {
        let offset = records.count
        records.append(other.records.bytes)
        for start in other.starts { starts.append(start + offset) }
    }

    /// Returns a record.
    @_lifetime(borrow self)
    borrowing func record(at index: Int) -> Span<UInt8> {
        let end = index + 1 < count ? starts[index + 1] : records.count
        return records.bytes.extracting(starts[index]..<end)
    }

    /// The start of a record's key, and its index.
    struct SortKey {
        let words: TextWords
        let index: UInt32
        let rank: UInt8
    }
}
