import SheafBytes
import SheafGroups

/// Counts of responses by app, category and action (specification §16).
///
/// The counts of the smallest combinations in byte order are kept, so that merging counts in any order gives the same
/// result, and the others are one number.
struct ResponseCounts: Equatable, Sendable {
    /// The number of responses.
    var total: UInt64 = 0
    /// By app, category and action; the category may be empty.
    var kinds = BoundedTable<UInt64>(limit: Limits.responseKinds)

    /// The number of responses of combinations that are not kept.
    var others: UInt64 { total - listed }

    /// The number of responses of the combinations that are kept.
    var listed: UInt64 { kinds.entries.reduce(0) { $0 + $1.value } }

    mutating func count(_ response: ResponseRecord, in bytes: Span<UInt8>) {
        total += 1
        kinds.update(bytes[response.app], bytes[response.category], bytes[response.action], 1) { $0 += 1 }
    }

    /// Decodes the counts of combinations.
    ///
    /// - Returns: false if a combination has no app or no action, or if the counts exceed `total`.
    mutating func read(_ reader: inout ByteReader, in bytes: Span<UInt8>) -> Bool {
        let total = total
        var left = total
        kinds.read(&reader, in: bytes) { reader in
            let count = reader.number(upTo: left)
            if count == 0 { reader.reject() }
            left -= count
            return count
        }
        if left > 0 { kinds.cut() }
        return kinds.entries.allSatisfy { !$0.texts.first.isEmpty && !$0.texts.third.isEmpty }
    }

    mutating func add(_ other: ResponseCounts) {
        total += other.total
        kinds.formUnion(other.kinds) { $0 += $1 }
    }
}
