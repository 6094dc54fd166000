import SheafBytes
import SheafGroups

/// A key by which sorted state is cut into ranges: that of a group, or of a notification that a newer version may
/// replace.
///
///     group             device | app | thread       | order, if the app's grouping is `off`, the newest first
///     notification      device | app | identifier   | order, if it has no identifier, the oldest first
///     by device         device | app
///     by person         device
///
/// Records that must stay together have the same key. The texts are in the buffer that accompanies a key.
struct RangeKey: Equatable, Sendable {
    /// What a range keeps together, with its flag in a file of keys.
    enum Unit: UInt64, Sendable {
        /// A group; of notifications, the versions of one.
        case group = 0
        /// The groups of an app on a device, and their notifications.
        case app = 1
        /// Everything of a person, who is a device.
        case person = 4
    }

    var device = TextRange.none
    var app = TextRange.none
    /// The thread or the identifier.
    var text = TextRange.none
    /// nil precedes all others.
    var order: OrderKey?

    init() {}

    /// The key of an encoded group.
    init(group bytes: Span<UInt8>, in unit: Unit) {
        let key = GroupKey(bytes)
        device = key.device
        if unit != .person { app = key.app }
        if unit == .group { (text, order) = (key.thread, key.order) }
    }

    /// The key of a notification or of another record of that section.
    ///
    /// A record that applies to several notifications of an app has the key before all of theirs.
    init(_ entry: NotificationEntry, in unit: Unit) {
        device = entry.record.device
        if unit != .person { app = entry.record.app }
        guard unit == .group, entry.hasIdentifier else { return }
        text = entry.record.removalIdentifier
        if text.isEmpty { order = entry.newest }
    }

    /// The key of the group that a notification joins; nil for other records. Groups are not separated by device.
    init?(groupOf entry: NotificationEntry) {
        guard entry.isNotification else { return nil }
        app = entry.record.app
        if entry.record.grouping != .byApp { text = entry.record.thread }
        if entry.record.grouping == .off { order = entry.newest }
    }

    /// Decodes a key; the reader is invalid if the bytes are.
    init(_ reader: inout ByteReader) {
        (device, app, text) = (reader.text(), reader.text(), reader.text())
        if reader.number(upTo: 1) == 1 { order = reader.orderKey(sourceOffset: 0) }
    }

    func append(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendText(bytes[text])
        output.appendNumber(order == nil ? 0 : 1)
        if let order { output.append(order) }
    }

    /// Returns a negative number if this key precedes `other`, 0 if they are equal.
    ///
    /// - Parameter newestFirst: the order of records that share the rest of their key: that of groups.
    func compare(
        _ bytes: Span<UInt8>, to other: RangeKey, _ otherBytes: Span<UInt8>, newestFirst: Bool
    ) -> Int {
        let devices = bytes[device].compare(to: otherBytes[other.device])
        if devices != 0 { return devices }
        let apps = bytes[app].compare(to: otherBytes[other.app])
        if apps != 0 { return apps }
        let texts = bytes[text].compare(to: otherBytes[other.text])
        if texts != 0 { return texts }
        guard let order, let otherOrder = other.order else {
            return (order == nil ? 0 : 1) - (other.order == nil ? 0 : 1)
        }
        if order == otherOrder { return 0 }
        return (order < otherOrder) == newestFirst ? 1 : -1
    }
}

/// A key with its own texts.
struct StoredKey: Equatable, Sendable {
    /// The encoding of a `RangeKey`.
    let bytes: [UInt8]
    /// Its texts are in `bytes`.
    let key: RangeKey

    init(_ key: RangeKey, in bytes: Span<UInt8>) {
        var output = OutputBuffer()
        key.append(in: bytes, to: &output)
        var copy: [UInt8] = []
        copy.append(output.bytes)
        var reader = ByteReader(copy.span)
        self.key = RangeKey(&reader)
        self.bytes = copy
    }

    func compare(to other: RangeKey, _ otherBytes: Span<UInt8>, newestFirst: Bool) -> Int {
        key.compare(bytes.span, to: other, otherBytes, newestFirst: newestFirst)
    }

    func compare(to other: StoredKey, newestFirst: Bool) -> Int {
        compare(to: other.key, other.bytes.span, newestFirst: newestFirst)
    }
}
