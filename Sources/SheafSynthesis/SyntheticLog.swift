/// A log of push notifications that never were: as long as wanted, realistic in its shares and its texts.
///
/// The same shape gives the same bytes, everywhere and always. Nothing is read but the shape:
/// no clock, no locale, no hash order; arithmetic is on integers alone.
///
///     shape ──► catalogue ──┐   apps, encoded texts, distributions
///       seed ──► random ────┼──► draft ──► record ──► line
///                clock ─────┘
///
/// Every record is valid and holds an app and an `aps` object, in the form of the contract's §2.
public struct SyntheticLog: Sendable {
    private let catalogue: Catalogue
    private let records: Int
    /// How many records were made; at most `records`.
    private var made = 0
    private var random: RandomStream
    /// Milliseconds since 1970, never decreasing: a record's timestamp is this, or a little earlier.
    private var clock: Int
    private var connected = ConnectedDevices()
    /// Empty, or the record that was made last, and its payload where that is a string.
    private var record, payload: JSONWriter

    /// Prepares a log.
    ///
    /// - Complexity: O(apps + threads + devices) in time; memory is bounded whatever the shape, by the table of a
    ///   `ZipfSampler` for each of the three and by `Catalogue.keptApps`.
    public init(_ shape: LogShape) {
        catalogue = Catalogue(shape)
        records = shape.records
        random = RandomStream(seed: shape.seed)
        clock = shape.start
        record = JSONWriter(style: catalogue.books[0].style)
        payload = record
    }

    /// Appends the next record as one line, with its LF.
    ///
    /// - Returns: false, and nothing appended, once all records were made.
    public mutating func appendRecord(to output: inout [UInt8]) -> Bool {
        guard made < records else { return false }
        clock += random.below(2 * Rates.meanInterval + 1)
        let lateness = random.chance(perMille: Rates.late) ? random.below(Rates.lateness) : 0
        let draft = catalogue.draft(made, timestamp: clock - lateness, connected: &connected, using: &random)
        catalogue.write(draft, using: &random, to: &record, payload: &payload)
        output.append(contentsOf: record.bytes)
        output.append(UInt8(ascii: "\n"))
        made += 1
        return true
    }
}
