import SheafBytes

/// Packs the texts of notifications into fewer bytes, for when very many are kept, and unpacks them.
///
///     device, identifier    two digits per byte (`CompactText`)
///     app                   its symbol, in as few bytes as possible
///     category              the grouping in one byte, then the category's symbol
///     other texts           unchanged
///
/// A compacted record is an ordinary record whose texts are these bytes, so anything that stores records can store
/// it. Each text has exactly one compacted form: two records compacted by the same compactor belong to the same
/// notification exactly when the original records do.
package struct NotificationCompactor: Sendable {
    private var apps = SymbolTable()
    private var categories = SymbolTable()

    package init() {}

    /// Bytes of memory in use.
    package var heldBytes: Int { apps.heldBytes + categories.heldBytes }

    /// Compacts a record.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the record's texts.
    ///   - compacted: the buffer for the compacted record's texts; its previous contents are removed.
    package mutating func compact(
        _ record: NotificationRecord, in bytes: Span<UInt8>, into compacted: inout [UInt8]
    ) -> NotificationRecord {
        compacted.removeAll(keepingCapacity: true)
        var compact = record
        compact.app = Self.add(to: &compacted) {
            Self.append(symbol: apps.symbol(for: bytes[record.app]), to: &$0)
        }
        compact.category = Self.add(to: &compacted) {
            $0.append(UInt8(record.grouping.number))
            Self.append(symbol: categories.symbol(for: bytes[record.category]), to: &$0)
        }
        compact.device = Self.add(to: &compacted) { CompactText.pack(bytes[record.device], to: &$0) }
        compact.identifier = Self.add(to: &compacted) { CompactText.pack(bytes[record.identifier], to: &$0) }
        Self.copyOthers(of: record, in: bytes, to: &compact, in: &compacted)
        return compact
    }

    /// Returns the original of a compacted record.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the compacted record's texts.
    ///   - expanded: the buffer for the record's texts; its previous contents are removed.
    package func expand(
        _ compact: NotificationRecord, in bytes: Span<UInt8>, into expanded: inout [UInt8]
    ) -> NotificationRecord {
        expanded.removeAll(keepingCapacity: true)
        var record = compact
        record.app = Self.add(to: &expanded) { $0.append(apps.text(of: Self.symbol(bytes[compact.app]))) }
        let category = bytes[compact.category]
        guard let grouping = Grouping(number: UInt64(category[0])) else {
            preconditionFailure("invalid grouping: \(category[0])")
        }
        record.grouping = grouping
        record.category = Self.add(to: &expanded) {
            $0.append(categories.text(of: Self.symbol(category.extracting(droppingFirst: 1))))
        }
        record.device = Self.add(to: &expanded) { CompactText.unpack(bytes[compact.device], to: &$0) }
        record.identifier = Self.add(to: &expanded) { CompactText.unpack(bytes[compact.identifier], to: &$0) }
        Self.copyOthers(of: compact, in: bytes, to: &record, in: &expanded)
        return record
    }

    @inline(__always)
    private static func copyOthers(
        of source: NotificationRecord, in bytes: Span<UInt8>, to target: inout NotificationRecord,
        in buffer: inout [UInt8]
    ) {
        target.thread = add(to: &buffer) { $0.append(bytes[source.thread]) }
        target.collapseIdentifier = add(to: &buffer) { $0.append(bytes[source.collapseIdentifier]) }
        target.title = add(to: &buffer) { $0.append(bytes[source.title]) }
        target.subtitle = add(to: &buffer) { $0.append(bytes[source.subtitle]) }
        target.body = add(to: &buffer) { $0.append(bytes[source.body]) }
        target.argument = add(to: &buffer) { $0.append(bytes[source.argument]) }
    }

    /// Returns the range of the bytes that `append` appends.
    @inline(__always)
    private static func add(to buffer: inout [UInt8], _ append: (inout [UInt8]) -> Void) -> TextRange {
        let start = buffer.count
        append(&buffer)
        return TextRange(start..<buffer.count)
    }

    /// Appends a symbol, lowest byte first, without leading zeros.
    private static func append(symbol: UInt32, to buffer: inout [UInt8]) {
        var rest = symbol
        while rest != 0 {
            buffer.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private static func symbol(_ bytes: Span<UInt8>) -> UInt32 {
        var symbol: UInt32 = 0
        for index in bytes.indices { symbol |= UInt32(bytes[index]) << UInt32(8 * index) }
        return symbol
    }
}
