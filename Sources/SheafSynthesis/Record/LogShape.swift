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
    /// The valid numbers of apps. More than that would not make a log more realistic, and each takes time to prepare;
    /// the same holds for threads and devices.
    package static let appsRange = 1...1_000_000
    package static let threadsRange = 0...10_000_000
    package static let devicesRange = 0...10_000_000
    /// The time of the first record, in milliseconds since 1970.
    package let start: Int

    /// - Parameters:
    ///   - records: at least 0.
    ///   - apps: in `appsRange`.
    ///   - threads: in `threadsRange`.
    ///   - devices: in `devicesRange`.
    ///   - start: in milliseconds since 1970, at least 10^12, which cannot be mistaken for seconds; by default
    ///     2026-01-05.
    package init(
        records: Int, seed: UInt64, apps: Int = 200, threads: Int = 1_000, devices: Int = 10_000,
        start: Int = 1_767_571_200_000
    ) {
        precondition(records >= 0, "A log cannot have fewer than 0 records.")
        precondition(Self.appsRange.contains(apps), "The number of apps is out of range.")
        precondition(Self.threadsRange.contains(threads), "The number of threads is out of range.")
        precondition(Self.devicesRange.contains(devices), "The number of devices is out of range.")
        precondition(start >= 1_000_000_000_000, "A log starts at 10^12 ms since 1970 or later.")
        self.records = records
        self.seed = seed
        self.apps = apps
        self.threads = threads
        self.devices = devices
        self.start = start
    }
}
