import SheafBytes

/// Which records a replay groups, or a check reads: those in a range of time (specification §14), of some apps, and for
/// some devices.
///
/// A record without a timestamp is in every range. A removal, a change of settings or the result of a service extension
/// without an app or without a device is about all of them.
struct RecordFilter: Equatable, Sendable {
    /// The oldest timestamp of the records that are grouped, in milliseconds since 1970; nil for no limit.
    var since: Int64?
    /// The newest timestamp, in milliseconds since 1970; nil for no limit.
    var until: Int64?
    var apps = NameSet()
    var devices = NameSet()

    /// The relation of a record to the range of time.
    enum Position {
        case earlier, inside, later
    }

    /// Whether it leaves nothing out.
    var isUnlimited: Bool { !hasWindow && !selects }
    /// Whether some timestamps are outside of the range.
    var hasWindow: Bool { since != nil || until != nil }
    /// Whether some apps or devices are left out.
    var selects: Bool { !apps.isEmpty || !devices.isEmpty }

    func position(of timestamp: Int64) -> Position {
        if let since, timestamp < since { return .earlier }
        if let until, timestamp > until { return .later }
        return .inside
    }

    /// Returns whether records of an app and for a device are read. O(log names).
    ///
    /// - Parameter isReport: whether a record without an app or a device is about all of them.
    func selects(app: Span<UInt8>, device: Span<UInt8>, isReport: Bool) -> Bool {
        (apps.isEmpty || apps.contains(app) || isReport && app.isEmpty)
            && (devices.isEmpty || devices.contains(device) || isReport && device.isEmpty)
    }
}

/// A set of names, in an order in which bytes are found without a copy: by length, then in byte order.
struct NameSet: Equatable, Sendable {
    private var names: [[UInt8]] = []

    init() {}

    init(_ names: some Sequence<String>) {
        self.names = Set(names.map { Array($0.utf8) }).sorted { Self.precedes($0.span, $1.span) }
    }

    var isEmpty: Bool { names.isEmpty }
    /// The names as texts, in the order of the set.
    var texts: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

    /// O(log n).
    func contains(_ name: Span<UInt8>) -> Bool {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            let other = names[middle]
            if name.isEqual(to: other.span) { return true }
            if Self.precedes(other.span, name) { low = middle + 1 } else { high = middle }
        }
        return false
    }

    private static func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return a.count < b.count }
        for index in a.indices where a[index] != b[index] { return a[index] < b[index] }
        return false
    }
}

extension RecordFilter {
    /// The options that give the range of time, as part of a message.
    var shownWindow: OptionMessage {
        switch (since, until) {
        case (nil, nil): "neither \(.since) nor \(.until)"
        case (let since?, nil): "\(.since) \(since)"
        case (nil, let until?): "\(.until) \(until)"
        case (let since?, let until?): "\(.since) \(since) \(.until) \(until)"
        }
    }

    /// The options that select apps and devices, as part of a message.
    var shownSelection: OptionMessage {
        var options = apps.texts.map { "\(.onlyApps) '\($0)'" as OptionMessage }
        options += devices.texts.map { "\(.onlyDevices) '\($0)'" as OptionMessage }
        guard let first = options.first else { return "neither \(.onlyApps) nor \(.onlyDevices)" }
        return options.dropFirst().reduce(first) { "\($0) \($1)" }
    }
}
