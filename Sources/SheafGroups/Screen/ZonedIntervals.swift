/// The intervals of a timeline on a clock that changes: each day of the zone begins one.
///
///     midnight    midnight   midnight    midnight
///     ├──┬──┬──┬──┼──┬──┬──┬─┼──┬──┬──┬──┼──       steps of 6 hours, the second day has 23
///     └─ stretch ─┴ stretch ─┴─ stretch ───        whose intervals have the length of the step, except for the last
///
/// A step is a part of a day, or several days. Between two changes of the clock all days are equal, so that each stretch
/// is one division. O(log n) for n changes of the clock.
@usableFromInline package final class ZonedIntervals: Sendable {
    package let clock: LocalClock
    private let step: Int64
    /// In ascending order; the first one begins before 1970 or then.
    private let stretches: [Stretch]

    private struct Stretch {
        /// In milliseconds since 1970.
        let start: Int64
        /// The number of the interval that ends at `start`.
        let number: Int64
        /// The number of intervals; `.max` if they only end with the next stretch.
        let count: Int64
    }

    private static let day: Int64 = 86_400_000

    /// Whether intervals of a length can begin at the same times each day, or each few days.
    package static func canHave(step: Int64) -> Bool { step > 0 && (day % step == 0 || step % day == 0) }

    /// - Parameters:
    ///   - step: the length of an interval in milliseconds, which divides a day or is a multiple of one; it counts
    ///     as a day if it does not.
    ///   - origin: the local midnight from which several days are counted, in milliseconds since 1970.
    package init(step: Int64, origin: Int64 = 0, _ clock: LocalClock) {
        let step = Self.canHave(step: step) ? step : Self.day
        let days = max(1, step / Self.day)
        let (perBlock, length) = (step < Self.day ? Self.day / step : 1, days * Self.day)
        func block(at time: Int64) -> Int64 {
            Self.quotient(Self.quotient(time + clock.offset(at: time) - origin, Self.day), days)
        }
        func start(of block: Int64) -> Int64 { clock.time(ofLocal: block * length + origin) }
        let first = block(at: 0)
        var stretches = [Stretch(start: start(of: first), number: first * perBlock, count: .max)]
        /// The first block that may follow the last stretch.
        var next = first
        for transition in clock.transitions where transition.time > 0 {
            let blocks = [block(at: transition.time - 1), block(at: transition.time)]
            guard let low = blocks.min(), let high = blocks.max() else { continue }
            for block in max(low, next)...max(high, next) {
                let (from, to) = (start(of: block), start(of: block + 1))
                guard block >= low, block <= high, to - from != length, let last = stretches.last else {
                    continue
                }
                // The blocks before it are regular.
                let number = last.number + (block - next) * perBlock
                let count = step < Self.day ? (to - from + step - 1) / step : to > from ? 1 : 0
                if last.count == .max, last.start == from { stretches.removeLast() }
                stretches.append(Stretch(start: from, number: number, count: count))
                stretches.append(Stretch(start: to, number: number + count, count: .max))
                next = block + 1
            }
        }
        self.step = step
        self.clock = clock
        self.stretches = stretches
    }

    private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    /// Returns the number of the interval of a time after 1970.
    @usableFromInline package func interval(of time: Int64) -> Int64 {
        let stretch = stretches[stretches.dropFirst().partitioningIndex { time <= $0.start } - 1]
        let elapsed = time - stretch.start
        let quotient = elapsed / step
        let number = quotient * step < elapsed ? quotient + 1 : quotient
        return stretch.number + min(number, stretch.count)
    }

    /// Returns the time at which an interval ends.
    package func instant(of interval: Int64) -> Int64 {
        let next = stretches.dropFirst().partitioningIndex { interval <= $0.number }
        let stretch = stretches[next - 1]
        let (number, isFar) = interval.subtractingReportingOverflow(stretch.number)
        let (elapsed, isHuge) = number.multipliedReportingOverflow(by: step)
        let (time, overflows) = stretch.start.addingReportingOverflow(elapsed)
        if isFar || isHuge || overflows { return interval < 0 ? .min : .max }
        guard next < stretches.count else { return time }
        let end = stretches[next].start
        return number == stretch.count ? end : min(time, end)
    }
}
