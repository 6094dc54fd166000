import SheafBytes
import SheafGroups

/// The records that may concern notifications of later ranges: removals, changes of settings and results of service
/// extensions. Each range of identities has all records that concern its notifications, so that it can be read without
/// the others.
///
///     ranges    d1 a x … │ d1 a y … d2 │ d2 …          a record of app `a` on device `d1` is also in the second range,
///                                                      one without a device in all of them
///
/// Holds the records without a device, and those of the current device that concern all of its apps, or the current app.
struct ConcerningRecords {
    /// Without a device.
    private var general: [Record] = []
    /// Of the current device.
    private var current: [Record] = []

    private struct Record {
        let key: RangeKey
        /// The texts of the key, then the encoding.
        let bytes: [UInt8]
        let encodingStart: Int
        var encoding: Span<UInt8> {
            @_lifetime(borrow self)
            get { bytes.span.extracting(droppingFirst: encodingStart) }
        }
    }

    /// Notes a record of the section, if it may concern notifications of later ranges.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of its texts.
    ///   - encoding: the record's bytes in the section.
    mutating func note(_ entry: NotificationEntry, in bytes: Span<UInt8>, encoding: Span<UInt8>) {
        let isGeneral = entry.record.device.isEmpty
        if !isGeneral, let last = current.first, !isEqual(last, entry, bytes, \.device) { current = [] }
        if entry.isNotification { return }
        // The notifications with one identifier of a device are in one range.
        if !isGeneral, entry.concernsOneIdentifier { return }
        var copy: [UInt8] = []
        var key = RangeKey()
        key.device = copy.appendText(bytes[entry.record.device])
        key.app = copy.appendText(bytes[entry.record.app])
        // A result may concern a notification that has another collapse identifier, by its id.
        if entry.concernsOneIdentifier {
            key.text = copy.appendText(bytes[entry.record.removalIdentifier])
        }
        let start = copy.count
        copy.append(encoding)
        let record = Record(key: key, bytes: copy, encodingStart: start)
        guard !isGeneral else {
            general.append(record)
            return
        }
        if let last = current.last, !isEqual(last, entry, bytes, \.app) {
            current.removeAll { !$0.key.app.isEmpty }
        }
        current.append(record)
    }

    private func isEqual(
        _ record: Record, _ entry: NotificationEntry, _ bytes: Span<UInt8>,
        _ text: KeyPath<RangeKey, TextRange>
    ) -> Bool {
        let other = RangeKey(entry, byDevice: true)
        return record.bytes.span[record.key[keyPath: text]].isEqual(to: bytes[other[keyPath: text]])
    }

    /// Writes the records noted so far that may concern notifications of a range, in the order of the section.
    ///
    /// - Parameters:
    ///   - start: the first key of the range, which no noted record exceeds.
    ///   - end: the first key after the range; nil for the last range.
    func write(
        from start: StoredKey, to end: StoredKey?, _ writer: inout StateWriter
    ) throws(ReplayError) {
        for records in [general, current] {
            for record in records where Self.mayConcern(record, start, end) {
                try writer.add(record.encoding, to: .notifications)
            }
        }
    }

    private static func mayConcern(_ record: Record, _ start: StoredKey, _ end: StoredKey?) -> Bool {
        let (key, texts) = (record.key, record.bytes.span)
        let (low, lowTexts) = (start.key, start.bytes.span)
        guard key.device.isEmpty || texts[key.device].isEqual(to: lowTexts[low.device]) else { return false }
        // The end, if the whole range is of one device.
        let limit = end.flatMap { $0.bytes.span[$0.key.device].isEqual(to: lowTexts[low.device]) ? $0 : nil }
        if key.app.isEmpty || key.device.isEmpty && limit == nil { return true }
        func compare(_ other: RangeKey, _ otherTexts: Span<UInt8>) -> Int {
            let apps = texts[key.app].compare(to: otherTexts[other.app])
            if apps != 0 || key.text.isEmpty { return apps }
            return texts[key.text].compare(to: otherTexts[other.text])
        }
        if compare(low, lowTexts) < 0 { return false }
        guard let limit else { return true }
        return compare(limit.key, limit.bytes.span) <= 0
    }
}
