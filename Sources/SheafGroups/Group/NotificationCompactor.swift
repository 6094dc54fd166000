import SheafBytes

/// Packs the texts of notifications into fewer bytes, for when very many are kept, and unpacks them.
///
///     identifier            two digits per byte (`CompactText`)
///     device                its symbol if it is long, one of the first ones, and no newer version may replace the
///                           notification; else as the identifier
///     app                   its symbol, in as few bytes as possible
///     category              the grouping in one byte, then the category's symbol
///     other texts           unchanged
///
/// A compacted record is an ordinary record whose texts are these bytes, so anything that stores records can store
/// it. Each text of a replaceable notification, and of others, has exactly one compacted form: two records compacted by the same compactor belong to the same
/// notification exactly when the original records do.
package struct NotificationCompactor: Sendable {
    private var apps = SymbolTable()
    private var categories = SymbolTable()
    private var devices = SymbolTable()

    /// The maximum number of devices with symbols, and the least length of one, so that symbols save memory even if each
    /// device has few notifications.
    private static let maximumDevices = 1 << 14
    private static let longDeviceBytes = 16
    /// Precedes a device's symbol: no form of a `CompactText`.
    private static let symbolForm: UInt8 = 0xff

    package init() {}

    /// Bytes of memory in use.
    package var heldBytes: Int { apps.heldBytes + categories.heldBytes + devices.heldBytes }

    /// Compacts a record.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the record's texts.
    ///   - compacted: the buffer for the compacted record's texts, whose previous contents are overwritten. It grows if
    ///     they do not fit, and may be longer than they are.
    package mutating func compact(
        _ record: NotificationRecord, in bytes: Span<UInt8>, into compacted: inout [UInt8]
    ) -> NotificationRecord {
        let app = apps.symbol(for: bytes[record.app])
        let category = categories.symbol(for: bytes[record.category])
        let device = record.isReplaceable ? nil : deviceSymbol(bytes[record.device])
        let texts = Int(record.device.count) + Int(record.identifier.count) + Self.otherBytes(of: record)
        Self.reserve(Self.symbolBytes + 2 * CompactText.additionalBytes + texts, in: &compacted)
        var buffer = compacted.mutableSpan
        var offset = 0
        var compact = record
        compact.app = Self.write(symbol: app, to: &buffer, at: &offset)
        let start = offset
        buffer[offset] = UInt8(record.grouping.number)
        offset += 1
        _ = Self.write(symbol: category, to: &buffer, at: &offset)
        compact.category = TextRange(start..<offset)
        if let device {
            let start = offset
            buffer[offset] = Self.symbolForm
            offset += 1
            _ = Self.write(symbol: device, to: &buffer, at: &offset)
            compact.device = TextRange(start..<offset)
        } else {
            compact.device = Self.pack(bytes[record.device], to: &buffer, at: &offset)
        }
        compact.identifier = Self.pack(bytes[record.identifier], to: &buffer, at: &offset)
        Self.copyOthers(of: record, in: bytes, to: &compact, in: &buffer, at: &offset)
        return compact
    }

    /// Returns the original of a compacted record.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the compacted record's texts.
    ///   - expanded: the buffer for the record's texts, whose previous contents are overwritten. It grows if they do not
    ///     fit, and may be longer than they are.
    package func expand(
        _ compact: NotificationRecord, in bytes: Span<UInt8>, into expanded: inout [UInt8]
    ) -> NotificationRecord {
        let packedCategory = bytes[compact.category]
        guard let grouping = Grouping(number: UInt64(packedCategory[0])) else {
            preconditionFailure("invalid grouping: \(packedCategory[0])")
        }
        let app = apps.text(of: Self.symbol(bytes[compact.app]))
        let category = categories.text(of: Self.symbol(packedCategory.extracting(droppingFirst: 1)))
        let device = bytes[compact.device]
        let identifier = bytes[compact.identifier]
        let hasSymbol = !device.isEmpty && device[0] == Self.symbolForm
        let known =
            hasSymbol ? devices.text(of: Self.symbol(device.extracting(droppingFirst: 1))) : Span()
        let deviceBytes = hasSymbol ? known.count : CompactText.unpackedCount(device)
        let textBytes = deviceBytes + CompactText.unpackedCount(identifier)
        Self.reserve(app.count + category.count + textBytes + Self.otherBytes(of: compact), in: &expanded)
        var buffer = expanded.mutableSpan
        var offset = 0
        var record = compact
        record.grouping = grouping
        record.app = Self.copy(app, to: &buffer, at: &offset)
        record.category = Self.copy(category, to: &buffer, at: &offset)
        record.device =
            hasSymbol
            ? Self.copy(known, to: &buffer, at: &offset) : Self.unpack(device, to: &buffer, at: &offset)
        record.identifier = Self.unpack(identifier, to: &buffer, at: &offset)
        Self.copyOthers(of: compact, in: bytes, to: &record, in: &buffer, at: &offset)
        return record
    }

    /// Returns the symbol of a device; nil if it has none. A device either has always one or never.
    private mutating func deviceSymbol(_ device: Span<UInt8>) -> UInt32? {
        guard device.count >= Self.longDeviceBytes else { return nil }
        return devices.count < Self.maximumDevices ? devices.symbol(for: device) : devices.find(device)
    }

    /// The most bytes of an app's symbol, the grouping, a category's symbol, and a device's symbol with its form.
    private static let symbolBytes = 4 + 1 + 4 + 5

    /// Makes room for `count` bytes in a buffer, with any contents. A buffer is not emptied: filling it with zeros each
    /// time would take longer than compacting.
    private static func reserve(_ count: Int, in buffer: inout [UInt8]) {
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: max(count, 2 * buffer.count)) }
    }

    /// The size of the texts that are copied unchanged, in bytes.
    private static func otherBytes(of record: NotificationRecord) -> Int {
        Int(record.thread.count) + Int(record.collapseIdentifier.count) + Int(record.title.count)
            + Int(record.subtitle.count) + Int(record.body.count) + Int(record.argument.count)
    }

    @inline(__always)
    private static func copyOthers(
        of source: NotificationRecord, in bytes: Span<UInt8>, to target: inout NotificationRecord,
        in buffer: inout MutableSpan<UInt8>, at offset: inout Int
    ) {
        target.thread = copy(bytes[source.thread], to: &buffer, at: &offset)
        target.collapseIdentifier = copy(bytes[source.collapseIdentifier], to: &buffer, at: &offset)
        target.title = copy(bytes[source.title], to: &buffer, at: &offset)
        target.subtitle = copy(bytes[source.subtitle], to: &buffer, at: &offset)
        target.body = copy(bytes[source.body], to: &buffer, at: &offset)
        target.argument = copy(bytes[source.argument], to: &buffer, at: &offset)
    }

    // These functions return the range of the bytes that they write.

    @inline(__always)
    private static func copy(
        _ text: Span<UInt8>, to buffer: inout MutableSpan<UInt8>, at offset: inout Int
    ) -> TextRange {
        let start = offset
        buffer.write(text, at: start)
        offset += text.count
        return TextRange(start..<offset)
    }

    private static func pack(
        _ text: Span<UInt8>, to buffer: inout MutableSpan<UInt8>, at offset: inout Int
    ) -> TextRange {
        let start = offset
        CompactText.pack(text, to: &buffer, at: &offset)
        return TextRange(start..<offset)
    }

    private static func unpack(
        _ packed: Span<UInt8>, to buffer: inout MutableSpan<UInt8>, at offset: inout Int
    ) -> TextRange {
        let start = offset
        CompactText.unpack(packed, to: &buffer, at: &offset)
        return TextRange(start..<offset)
    }

    /// Writes a symbol, lowest byte first, without leading zeros.
    private static func write(
        symbol: UInt32, to buffer: inout MutableSpan<UInt8>, at offset: inout Int
    ) -> TextRange {
        let start = offset
        var rest = symbol
        while rest != 0 {
            buffer[offset] = UInt8(truncatingIfNeeded: rest)
            offset += 1
            rest >>= 8
        }
        return TextRange(start..<offset)
    }

    private static func symbol(_ bytes: Span<UInt8>) -> UInt32 {
        var symbol: UInt32 = 0
        for index in bytes.indices { symbol |= UInt32(bytes[index]) << UInt32(8 * index) }
        return symbol
    }
}
