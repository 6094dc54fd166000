/// How long a log is and how much it spreads. Equal shapes give equal logs.
public struct LogShape: Sendable, Equatable {
    /// How many lines.
    public let records: Int
    /// Another seed, another log of the same shape.
    public let seed: UInt64
    /// How many apps, drawn by Zipf's law.
    public let apps: Int
    /// How many thread identifiers, drawn by Zipf's law and whatever the app; 0 for a log without them.
    public let threads: Int
    /// How many devices, drawn by a flatter law; 0 for a log without them.
    public let devices: Int
    /// The most of each: more would not make a log more realistic, and preparing it takes time for each.
    public static let appsRange = 1...1_000_000
    public static let threadsRange = 0...10_000_000
    public static let devicesRange = 0...10_000_000
    /// The time of the first record, in milliseconds since 1970.
    public let start: Int

    /// - Parameters:
    ///   - records: at least 0.
    ///   - apps: in `appsRange`.
    ///   - threads: in `threadsRange`.
    ///   - devices: in `devicesRange`.
    ///   - start: at least 10^12, which cannot be mistaken for seconds; without it 2026-01-05.
    public init(
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
