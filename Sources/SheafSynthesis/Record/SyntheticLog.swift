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
    /// For refused pushes only, so that all other parts of the log are the same whatever their share is.
    private var refusals: RandomStream
    private let refused: Int
    /// For removals only, likewise.
    private var departures: RandomStream
    private let removed: Int
    private var shown = ShownDrafts()
    /// The mean time between two records, in milliseconds.
    private let interval: Int
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
        refusals = RandomStream(seed: RandomStream.mix(shape.seed) &+ 1)
        refused = shape.refused
        departures = RandomStream(seed: RandomStream.mix(shape.seed) &+ 2)
        removed = shape.removed
        interval =
            shape.days.map { $0 * Rates.millisecondsPerDay / max(1, shape.records) } ?? Rates.meanInterval
        clock = shape.start
        record = JSONWriter(style: catalogue.books[0].style)
        payload = record
    }

    /// Appends the next record as a line, including its LF.
    ///
    /// - Returns: false, with nothing appended, after the last record.
    package mutating func appendRecord(to output: inout [UInt8]) -> Bool {
        guard generated < records else { return false }
        clock += random.below(2 * interval + 1)
        let lateness = random.chance(perMille: Rates.late) ? random.below(Rates.lateness) : 0
        var draft = catalogue.draft(
            generated, timestamp: clock - lateness, connected: &connected, using: &random)
        if refused > 0, refusals.below(1_000_000) < refused { draft.refusal = .random(using: &refusals) }
        catalogue.write(&draft, using: &random, to: &record, payload: &payload)
        if removed > 0 {
            if departures.below(1_000_000) < removed, let old = shown.random(using: &departures) {
                catalogue.writeRemoval(of: old, at: clock, using: &departures, to: &record)
            } else if draft.purpose == .alert {
                shown.add(draft)
            }
        }
        output.append(contentsOf: record.bytes)
        output.append(UInt8(ascii: "\n"))
        generated += 1
        return true
    }
}

/// The length of a log and its numbers of apps, threads and devices. Equal shapes yield equal logs.
package struct LogShape: Sendable, Equatable {
    /// The number of records, one per line.
    package let records: Int
    /// The seed of the random numbers: another one yields a different log with the same numbers.
    package let seed: UInt64
    /// The number of apps, drawn by Zipf's law.
    package let apps: Int
    /// The number of thread identifiers, drawn by Zipf's law and independently of the app; 0 for none.
    package let threads: Int
    /// The number of devices, drawn by a flatter law; 0 for none.
    package let devices: Int
    /// The number of refused pushes in 1,000,000 records.
    package let refused: Int
    /// The number of removals in 1,000,000 records.
    package let removed: Int
    /// The number of days from the first record to the last one; nil for one day per 2,000,000 records.
    package let days: Int?
    /// The valid numbers of apps. More than that would not make a log more realistic, and each takes time to prepare;
    /// the same holds for threads and devices.
    package static let appsRange = 1...1_000_000
    package static let threadsRange = 0...10_000_000
    package static let devicesRange = 0...10_000_000
    package static let refusedRange = 0...1_000_000
    package static let removedRange = 0...1_000_000
    package static let daysRange = 1...10_000
    /// The time of the first record, in milliseconds since 1970.
    package let start: Int

    /// - Parameters:
    ///   - records: at least 0.
    ///   - apps: in `appsRange`.
    ///   - threads: in `threadsRange`.
    ///   - devices: in `devicesRange`.
    ///   - refused: the pushes that the push service refuses, in 1,000,000 records.
    ///   - removed: the records that report a removal instead of a push, in 1,000,000 records.
    ///   - days: in `daysRange`. A shorter log is the beginning of a longer one only if it is nil.
    ///   - start: in milliseconds since 1970, at least 10^12, which cannot be mistaken for seconds; by default
    ///     2026-01-05.
    package init(
        records: Int, seed: UInt64, apps: Int = 200, threads: Int = 1_000, devices: Int = 10_000,
        refused: Int = 0, removed: Int = 0, days: Int? = nil, start: Int = 1_767_571_200_000
    ) {
        precondition(records >= 0, "A log cannot have fewer than 0 records.")
        precondition(Self.appsRange.contains(apps), "The number of apps is out of range.")
        precondition(Self.threadsRange.contains(threads), "The number of threads is out of range.")
        precondition(Self.devicesRange.contains(devices), "The number of devices is out of range.")
        precondition(Self.refusedRange.contains(refused), "The share of refused pushes is out of range.")
        precondition(Self.removedRange.contains(removed), "The share of removals is out of range.")
        precondition(days.map(Self.daysRange.contains) ?? true, "The number of days is out of range.")
        precondition(start >= 1_000_000_000_000, "A log starts at 10^12 ms since 1970 or later.")
        self.records = records
        self.seed = seed
        self.apps = apps
        self.threads = threads
        self.devices = devices
        self.refused = refused
        self.removed = removed
        self.days = days
        self.start = start
    }
}
