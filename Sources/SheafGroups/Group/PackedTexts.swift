import SheafBytes

/// Some texts of a notification in one arena block: their lengths, then their bytes.
///
///     | length | length | … | bytes | bytes | … |      lengths in 7-bit groups, lowest first (LEB128)
///
/// A typical length takes one byte, so that texts cost little more than themselves.
struct PackedTexts: OptionSet {
    let rawValue: UInt16

    static let app = PackedTexts(rawValue: 1 << 0)
    static let device = PackedTexts(rawValue: 1 << 1)
    static let thread = PackedTexts(rawValue: 1 << 2)
    static let identifier = PackedTexts(rawValue: 1 << 3)
    static let collapseIdentifier = PackedTexts(rawValue: 1 << 4)
    static let category = PackedTexts(rawValue: 1 << 5)
    static let title = PackedTexts(rawValue: 1 << 6)
    static let subtitle = PackedTexts(rawValue: 1 << 7)
    static let body = PackedTexts(rawValue: 1 << 8)
    static let argument = PackedTexts(rawValue: 1 << 9)
    private static let bits = 0..<UInt16(10)

    /// What a group keeps of its leading notification, its own key among it: one block to look at when a
    /// notification is added. App and category stand beside it as symbols.
    static let group: PackedTexts = [
        .device, .thread, .identifier, .title, .subtitle, .body, .argument,
    ]
    /// All that is kept of a notification that may be replaced.
    static let whole = PackedTexts(rawValue: 1 << 10 - 1)

    /// Puts these texts of `record` into `block`, or into another one when it has no room for them.
    ///
    /// - Parameters:
    ///   - bytes: the buffer that the record's texts stand in, which is not the arena's.
    ///   - block: none, or one that these texts were packed into before.
    func pack(
        _ record: NotificationRecord, in bytes: Span<UInt8>, to block: inout ByteArena.Block,
        of arena: inout ByteArena
    ) {
        var size = 0
        forEach { bit in
            let count = record[text: bit].count
            size += Self.lengthBytes(count) + Int(count)
        }
        if arena.capacity(of: block) < size {
            arena.free(block)
            block = arena.allocate(size)
        }
        arena.edit(block) { target in
            var offset = 0
            forEach { bit in
                var count = record[text: bit].count
                while count >= 0x80 {
                    target[offset] = UInt8(truncatingIfNeeded: count) | 0x80
                    count >>= 7
                    offset += 1
                }
                target[offset] = UInt8(count)
                offset += 1
            }
            forEach { bit in
                let text = bytes[record[text: bit]]
                target.write(text, at: offset)
                offset += text.count
            }
        }
    }

    /// Where these texts stand in a block's bytes.
    func unpack(_ bytes: Span<UInt8>) -> NotificationRecord {
        var record = NotificationRecord()
        var offset = 0
        forEach { bit in
            var count: UInt32 = 0
            var shift: UInt32 = 0
            while true {
                let byte = bytes[offset]
                offset += 1
                count |= UInt32(byte & 0x7f) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            record[text: bit].count = count
        }
        forEach { bit in
            record[text: bit].start = UInt32(offset)
            offset += Int(record[text: bit].count)
        }
        return record
    }

    @inline(__always)
    private func forEach(_ body: (UInt16) -> Void) {
        for bit in Self.bits where rawValue >> bit & 1 == 1 { body(bit) }
    }

    private static func lengthBytes(_ count: UInt32) -> Int {
        count < 0x80 ? 1 : (UInt32.bitWidth - count.leadingZeroBitCount + 6) / 7
    }
}

extension NotificationRecord {
    /// A text by its place in `PackedTexts`.
    fileprivate subscript(text bit: UInt16) -> TextRange {
        get {
            switch bit {
            case 0: app
            case 1: device
            case 2: thread
            case 3: identifier
            case 4: collapseIdentifier
            case 5: category
            case 6: title
            case 7: subtitle
            case 8: body
            default: argument
            }
        }
        set {
            switch bit {
            case 0: app = newValue
            case 1: device = newValue
            case 2: thread = newValue
            case 3: identifier = newValue
            case 4: collapseIdentifier = newValue
            case 5: category = newValue
            case 6: title = newValue
            case 7: subtitle = newValue
            case 8: body = newValue
            default: argument = newValue
            }
        }
    }
}
