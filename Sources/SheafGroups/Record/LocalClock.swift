import SheafBytes

/// The clock of a time zone: its difference from UTC at each time.
///
/// ```swift
/// var options = ReplayOptions(sources: ["log.ndjson"])
/// // Times in text are those of UTC+2.
/// options.timeZone = LocalClock(offset: 7_200_000)
/// ```
///
/// A clock that is set back shows some times twice, of which the first one counts, and one that is set forward skips
/// some, which it reaches when it is set.
public struct LocalClock: Equatable, Sendable {
    /// The name of the zone in the IANA time zone database; nil for a fixed difference from UTC.
    public let name: String?
    /// The difference before the first transition, in milliseconds.
    package let first: Int64
    /// In ascending order of time, each with another difference than the previous one.
    package let transitions: [Transition]

    /// A change of the difference from UTC.
    package struct Transition: Equatable, Sendable {
        /// When the clock is set, in milliseconds since 1970.
        package let time: Int64
        /// The difference from then on, in milliseconds.
        package let offset: Int64

        package init(time: Int64, offset: Int64) { (self.time, self.offset) = (time, offset) }
    }

    /// Creates a clock with a fixed difference.
    ///
    /// - Parameter offset: in milliseconds, less than a day.
    public init(offset: Int64) {
        name = nil
        first = offset
        transitions = []
    }

    /// Creates the clock of a zone.
    ///
    /// - Returns: nil if the transitions are not ascending, or a difference is more than 26 hours.
    package init?(name: String, first: Int64, transitions: [Transition]) {
        var kept: [Transition] = []
        for next in transitions {
            if let last = kept.last, last.time >= next.time { return nil }
            if (kept.last?.offset ?? first) != next.offset { kept.append(next) }
        }
        let offsets = [first] + kept.map(\.offset)
        guard offsets.allSatisfy({ abs($0) <= Self.margin }) else { return nil }
        (self.name, self.first, self.transitions) = (name, first, kept)
    }

    /// More than any difference from UTC, in milliseconds.
    private static let margin: Int64 = 26 * 3_600_000

    /// Returns the difference from UTC at a time, in milliseconds. O(log n) for n transitions.
    ///
    /// - Parameter time: milliseconds since 1970.
    package func offset(at time: Int64) -> Int64 {
        let index = index(after: time)
        return index == 0 ? first : transitions[index - 1].offset
    }

    /// Returns the difference from UTC at a time, in whole minutes.
    package func minutes(at time: Int64) -> Int { Int(offset(at: time) / 60_000) }

    /// The number of transitions until a time.
    private func index(after time: Int64) -> Int {
        transitions.partitioningIndex { time < $0.time }
    }

    /// Returns the first time, in milliseconds since 1970, at which the clock shows a time or a later one of that day.
    ///
    /// - Parameter local: what the clock shows, in milliseconds since 1970-01-01 on that clock.
    package func time(ofLocal local: Int64) -> Int64 {
        guard abs(local) < .max / 2 else { return local }
        for index in index(after: local - Self.margin)...index(after: local + Self.margin) {
            let offset = index == 0 ? first : transitions[index - 1].offset
            let start = index == 0 ? Int64.min : transitions[index - 1].time
            let end = index < transitions.count ? transitions[index].time : .max
            // The clock may be set to a later time when it shows an earlier one.
            let time = max(start, local - offset)
            if time < end { return time }
        }
        return local - offset(at: local)
    }
}
