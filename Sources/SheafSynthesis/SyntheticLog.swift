/// A log of invented push notifications, of any length, with realistic frequencies and texts.
///
/// The same shape yields the same bytes on every machine: the log depends on nothing else, neither a clock nor a locale
/// nor the order of hash tables, and all arithmetic is on integers.
///
///     shape ──► catalogue ──┐   apps, encoded texts, distributions
///       seed ──► random ────┼──► draft ──► record ──► line
///                clock ─────┘
///
/// Every record is valid and has an app and an `aps` object, in a form of specification §2.
package struct SyntheticLog: Sendable {
    private let catalogue: Catalogue
    private let records: Int
    /// The number of records appended so far; at most `records`.
    private var generated = 0
    private var random: RandomStream
    /// Milliseconds since 1970, never decreasing; a record's timestamp is this time or a little earlier.
    private var clock: Int
    private var connected = ConnectedDevices()
    /// Buffers: the latest record, and its payload if that is a string.
    private var record, payload: JSONWriter

    /// Prepares a log.
    ///
    /// - Complexity: O(apps + threads + devices) in time; memory is bounded for every shape, by the table of a
    ///   `ZipfSampler` for each of the three and by `Catalogue.keptApps`.
    package init(_ shape: LogShape) {
        catalogue = Catalogue(shape)
        records = shape.records
        random = RandomStream(seed: shape.seed)
        clock = shape.start
        record = JSONWriter(style: catalogue.books[0].style)
        payload = record
    }

    /// Appends the next record as a line, including its LF.
    ///
    /// - Returns: false, with nothing appended, after the last record.
    package mutating func appendRecord(to output: inout [UInt8]) -> Bool {
        guard generated < records else { return false }
        clock += random.below(2 * Rates.meanInterval + 1)
        let lateness = random.chance(perMille: Rates.late) ? random.below(Rates.lateness) : 0
        let draft = catalogue.draft(
            generated, timestamp: clock - lateness, connected: &connected, using: &random)
        catalogue.write(draft, using: &random, to: &record, payload: &payload)
        output.append(contentsOf: record.bytes)
        output.append(UInt8(ascii: "\n"))
        generated += 1
        return true
    }
}
