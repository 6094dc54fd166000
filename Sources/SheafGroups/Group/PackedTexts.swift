import SheafBytes

/// Texts of a notification in one arena block: their lengths, then their bytes.
///
///     | length | length | … | bytes | bytes | … |      lengths as `LEB128`
///
/// A typical length takes one byte, so that packed texts are little larger than their bytes.
enum PackedTexts {
    /// The texts that a group keeps of its leading notification, including those of the group's key, so that adding a
    /// notification reads a single block. App and category are stored separately, as symbols.
    case group
    /// All texts of a notification that may be replaced.
    case whole

    /// Packs these texts of `record` into `block`, or into a new block if they do not fit.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the record's texts, which must not be part of the arena.
    ///   - block: `.none`, or a block that these texts were packed into before.
    @inline(__always)
    func pack(
        _ record: NotificationRecord, in bytes: Span<UInt8>, to block: inout ByteArena.Block,
        of arena: inout ByteArena
    ) {
        let size = packedSize(of: record)
        if arena.capacity(of: block) < size {
            arena.free(block)
            block = arena.allocate(size)
        }
        arena.edit(block) { target in
            var offset = 0
            Self.put(record.device.count, &target, &offset)
            Self.put(record.thread.count, &target, &offset)
            Self.put(record.identifier.count, &target, &offset)
            Self.put(record.title.count, &target, &offset)
            Self.put(record.subtitle.count, &target, &offset)
            Self.put(record.body.count, &target, &offset)
            Self.put(record.argument.count, &target, &offset)
            if self == .whole {
                Self.put(record.app.count, &target, &offset)
                Self.put(record.collapseIdentifier.count, &target, &offset)
                Self.put(record.category.count, &target, &offset)
            }
            Self.put(bytes[record.device], &target, &offset)
            Self.put(bytes[record.thread], &target, &offset)
            Self.put(bytes[record.identifier], &target, &offset)
            Self.put(bytes[record.title], &target, &offset)
            Self.put(bytes[record.subtitle], &target, &offset)
            Self.put(bytes[record.body], &target, &offset)
            Self.put(bytes[record.argument], &target, &offset)
            if self == .whole {
                Self.put(bytes[record.app], &target, &offset)
                Self.put(bytes[record.collapseIdentifier], &target, &offset)
                Self.put(bytes[record.category], &target, &offset)
            }
        }
    }

    /// Returns the ranges of these texts in a block's bytes.
    @inline(__always)
    func unpack(_ bytes: Span<UInt8>) -> NotificationRecord {
        var record = NotificationRecord()
        var offset = 0
        record.device.count = Self.takeCount(bytes, &offset)
        record.thread.count = Self.takeCount(bytes, &offset)
        record.identifier.count = Self.takeCount(bytes, &offset)
        record.title.count = Self.takeCount(bytes, &offset)
        record.subtitle.count = Self.takeCount(bytes, &offset)
        record.body.count = Self.takeCount(bytes, &offset)
        record.argument.count = Self.takeCount(bytes, &offset)
        if self == .whole {
            record.app.count = Self.takeCount(bytes, &offset)
            record.collapseIdentifier.count = Self.takeCount(bytes, &offset)
            record.category.count = Self.takeCount(bytes, &offset)
        }
        var start = UInt32(offset)
        Self.assignStart(&record.device, &start)
        Self.assignStart(&record.thread, &start)
        Self.assignStart(&record.identifier, &start)
        Self.assignStart(&record.title, &start)
        Self.assignStart(&record.subtitle, &start)
        Self.assignStart(&record.body, &start)
        Self.assignStart(&record.argument, &start)
        if self == .whole {
            Self.assignStart(&record.app, &start)
            Self.assignStart(&record.collapseIdentifier, &start)
            Self.assignStart(&record.category, &start)
        }
        return record
    }

    private func packedSize(of record: NotificationRecord) -> Int {
        var size =
            Self.packedSize(record.device) + Self.packedSize(record.thread)
            + Self.packedSize(record.identifier) + Self.packedSize(record.title)
            + Self.packedSize(record.subtitle) + Self.packedSize(record.body)
            + Self.packedSize(record.argument)
        if self == .whole {
            size +=
                Self.packedSize(record.app) + Self.packedSize(record.collapseIdentifier)
                + Self.packedSize(record.category)
        }
        return size
    }

    private static func packedSize(_ text: TextRange) -> Int {
        LEB128.byteCount(of: UInt64(text.count)) + Int(text.count)
    }

    @inline(__always)
    private static func put(_ count: UInt32, _ target: inout MutableSpan<UInt8>, _ offset: inout Int) {
        LEB128.write(UInt64(count), to: &target, at: &offset)
    }

    @inline(__always)
    private static func put(_ text: Span<UInt8>, _ target: inout MutableSpan<UInt8>, _ offset: inout Int) {
        target.write(text, at: offset)
        offset += text.count
    }

    @inline(__always)
    private static func takeCount(_ bytes: Span<UInt8>, _ offset: inout Int) -> UInt32 {
        guard let count = LEB128.read(bytes, at: &offset) else {
            preconditionFailure("packed texts begin with their lengths")
        }
        return UInt32(truncatingIfNeeded: count)
    }

    @inline(__always)
    private static func assignStart(_ text: inout TextRange, _ start: inout UInt32) {
        text.start = start
        start += text.count
    }
}
