import SheafBytes

/// Stores whole notifications that a newer version may replace, with the texts of each in one block.
package struct NotificationStore: Sendable {
    private var arena = ByteArena()

    package init() {}

    /// Bytes of memory in use.
    package var heldBytes: Int { arena.heldBytes }

    package mutating func insert(_ record: NotificationRecord, in bytes: Span<UInt8>) -> PackedNotification {
        var notification = PackedNotification(block: .none)
        replace(&notification, by: record, in: bytes)
        return notification
    }

    /// Replaces a stored notification with another one.
    package mutating func replace(
        _ notification: inout PackedNotification, by record: NotificationRecord, in bytes: Span<UInt8>
    ) {
        PackedTexts.whole.pack(record, in: bytes, to: &notification.block, of: &arena)
    }

    /// Frees a stored notification, which must not be used afterwards.
    package mutating func remove(_ notification: PackedNotification) { arena.free(notification.block) }

    /// Returns the ranges of the notification's texts in `bytes(of:)`. The caller stores its numbers.
    package func record(of notification: PackedNotification) -> NotificationRecord {
        PackedTexts.whole.unpack(arena.bytes(of: notification.block))
    }

    /// Prefetches a notification that will be read soon.
    package func prefetch(_ notification: PackedNotification) { arena.prefetch(notification.block, lines: 3) }

    @_lifetime(borrow self)
    package func bytes(of notification: PackedNotification) -> Span<UInt8> {
        arena.bytes(of: notification.block)
    }

    /// Returns whether the record is a version of the stored notification, with the same device, app and collapse
    /// identifier (specification §5).
    package func isSameNotification(
        _ notification: PackedNotification, _ record: NotificationRecord, in bytes: Span<UInt8>
    ) -> Bool {
        let keptBytes = arena.bytes(of: notification.block)
        let kept = PackedTexts.whole.unpack(keptBytes)
        return keptBytes[kept.collapseIdentifier].isEqual(to: bytes[record.collapseIdentifier])
            && keptBytes[kept.app].isEqual(to: bytes[record.app])
            && keptBytes[kept.device].isEqual(to: bytes[record.device])
    }
}

/// A notification in a `NotificationStore`.
package struct PackedNotification: Sendable {
    var block: ByteArena.Block
}

// MARK: - Packed texts

/// Texts of a notification in one arena block: their lengths, then their bytes.
///
///     | length | length | … | bytes | bytes | … |      lengths as `LEB128`
///
/// A typical length takes one byte, so that packed texts are little larger than their bytes.
enum PackedTexts {
    /// The texts that a group keeps of its leading notification, including those of the group's key, so that adding a
    /// notification reads a single block. App and category are stored separately, as symbols. The identifier is unpacked as
    /// a `CompactText`, half as long if it is a UUID.
    case group
    /// All texts of a notification that may be replaced.
    case whole

    /// Packs these texts of `record` into `block`, or into a new block if they do not fit.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of the record's texts, which must not be part of the arena.
    ///   - isUnpacked: whether `unpack` returned the record: its identifier then is a `CompactText` already.
    ///   - block: `.none`, or a block that these texts were packed into before.
    @inline(__always)
    func pack(
        _ record: NotificationRecord, in bytes: Span<UInt8>, isUnpacked: Bool = false,
        to block: inout ByteArena.Block, of arena: inout ByteArena
    ) {
        let identifier = bytes[record.identifier]
        let compacts = self == .group && !isUnpacked
        let uuid = compacts ? CompactText.UUID(identifier) : nil
        var record = record
        if uuid != nil {
            record.identifier.count = UInt32(CompactText.UUID.byteCount)
        } else if compacts, !identifier.isEmpty {
            record.identifier.count += UInt32(CompactText.additionalBytes)
        }
        let (size, areShort) = packedSize(of: record)
        if arena.capacity(of: block) < size {
            arena.free(block)
            block = arena.allocate(self == .group ? size | Self.groupSlack : size)
        }
        arena.edit(block) { target in
            var offset = 0
            if areShort {
                // The block has room for eight bytes, whatever its size. Texts follow the lengths of a group at once,
                // and overwrite the last of these bytes.
                target.write(firstWord: shortLengths(of: record))
                offset = Self.groupTexts
                if self == .whole {
                    target[8] = UInt8(truncatingIfNeeded: record.collapseIdentifier.count)
                    target[9] = UInt8(truncatingIfNeeded: record.category.count)
                    offset = Self.wholeTexts
                }
            } else {
                putLengths(of: record, &target, &offset)
            }
            Self.put(bytes[record.device], &target, &offset)
            Self.put(bytes[record.thread], &target, &offset)
            if let uuid {
                uuid.write(to: &target, at: &offset)
            } else if compacts {
                CompactText.writePlain(identifier, to: &target, at: &offset)
            } else {
                Self.put(identifier, &target, &offset)
            }
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
        let word = bytes.firstWord
        guard self == .group, word & Self.longLengths == 0 else { return unpackAnyLengths(bytes) }
        // Each length takes one byte.
        record.device.count = UInt32(truncatingIfNeeded: word & 0x7f)
        record.thread.count = UInt32(truncatingIfNeeded: word >> 8 & 0x7f)
        record.identifier.count = UInt32(truncatingIfNeeded: word >> 16 & 0x7f)
        record.title.count = UInt32(truncatingIfNeeded: word >> 24 & 0x7f)
        record.subtitle.count = UInt32(truncatingIfNeeded: word >> 32 & 0x7f)
        record.body.count = UInt32(truncatingIfNeeded: word >> 40 & 0x7f)
        record.argument.count = UInt32(truncatingIfNeeded: word >> 48 & 0x7f)
        assignStarts(to: &record, from: Self.groupTexts)
        return record
    }

    /// The top bits of a group's lengths, if each takes one byte.
    private static let longLengths: UInt64 = 0x0080_8080_8080_8080
    /// The number of lengths, which is the offset of the texts if each length takes one byte.
    private static let groupTexts = 7
    private static let wholeTexts = 10
    /// The bits of the number of bytes that a group's block has room for: up to 15 more than needed, since the leading
    /// notification is replaced often, and another block is rarely in the cache.
    private static let groupSlack = 15

    /// Returns the ranges of these texts, whose lengths may take any number of bytes.
    @inline(never)
    private func unpackAnyLengths(_ bytes: Span<UInt8>) -> NotificationRecord {
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
        assignStarts(to: &record, from: offset)
        return record
    }

    @inline(__always)
    private func assignStarts(to record: inout NotificationRecord, from offset: Int) {
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
    }

    /// Returns the size of the packed texts, and whether each length takes one byte.
    @inline(__always)
    private func packedSize(of record: NotificationRecord) -> (size: Int, areShort: Bool) {
        var size = Int(record.device.count) + Int(record.thread.count) + Int(record.identifier.count)
        size += Int(record.title.count) + Int(record.subtitle.count) + Int(record.body.count)
        size += Int(record.argument.count)
        var bits = record.device.count | record.thread.count | record.identifier.count
        bits |= record.title.count | record.subtitle.count | record.body.count | record.argument.count
        if self == .whole {
            size += Int(record.app.count) + Int(record.collapseIdentifier.count) + Int(record.category.count)
            bits |= record.app.count | record.collapseIdentifier.count | record.category.count
        }
        // No length is greater than all their bits together.
        guard bits < 0x80 else { return (size + lengthBytes(of: record), false) }
        return (size + (self == .whole ? Self.wholeTexts : Self.groupTexts), true)
    }

    /// Returns the first eight lengths, each in one byte; the eighth is 0 for a group.
    @inline(__always)
    private func shortLengths(of record: NotificationRecord) -> UInt64 {
        var word = UInt64(record.device.count) | UInt64(record.thread.count) << 8
        word |= UInt64(record.identifier.count) << 16 | UInt64(record.title.count) << 24
        word |= UInt64(record.subtitle.count) << 32 | UInt64(record.body.count) << 40
        word |= UInt64(record.argument.count) << 48
        return self == .whole ? word | UInt64(record.app.count) << 56 : word
    }

    @inline(never)
    private func putLengths(
        of record: NotificationRecord, _ target: inout MutableSpan<UInt8>, _ offset: inout Int
    ) {
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
    }

    /// Returns the number of bytes that the lengths take.
    @inline(never)
    private func lengthBytes(of record: NotificationRecord) -> Int {
        func bytes(_ text: TextRange) -> Int { LEB128.byteCount(of: UInt64(text.count)) }
        var count = bytes(record.device) + bytes(record.thread) + bytes(record.identifier)
        count += bytes(record.title) + bytes(record.subtitle) + bytes(record.body) + bytes(record.argument)
        if self == .whole {
            count += bytes(record.app) + bytes(record.collapseIdentifier) + bytes(record.category)
        }
        return count
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
