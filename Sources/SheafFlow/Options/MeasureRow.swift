/// The distribution of a measure among people, in an interval.
public struct MeasureRow: Sendable {
    /// The end of the interval, in milliseconds since 1970.
    public let at: Int64
    /// nil for a person's apps together.
    let appBytes: [UInt8]?
    /// The category or level; empty for none.
    let partBytes: [UInt8]
    public let measure: Measure
    /// The number of people who had a notification of the app anywhere in the window.
    public let people: UInt64
    /// The number of them whose value is 0.
    public let zero: UInt64
    /// The sum of their values.
    public let sum: UInt64
    /// By quantile, in the order of the options.
    public let quantiles: [UInt64]
    /// The largest value.
    public let max: UInt64

    /// The mean in thousandths, rounded; halves are rounded up.
    var meanThousandths: UInt64 {
        guard people > 0 else { return 0 }
        let (high, low) = sum.multipliedFullWidth(by: 1_000)
        let (all, overflows) = low.addingReportingOverflow(people / 2)
        return people.dividingFullWidth((high + (overflows ? 1 : 0), all)).quotient
    }

    /// - Parameter values: the values that are not 0 with the people who have each, in ascending order.
    init(
        at: Int64, app: [UInt8]?, part: [UInt8], measure: Measure, people: UInt64,
        _ values: [(key: UInt64, value: Int64)], _ quantiles: [Quantile]
    ) {
        (self.at, self.measure, self.people) = (at, measure, people)
        (appBytes, partBytes) = (app, part)
        let counted = values.reduce(UInt64(0)) { $0 + UInt64($1.value) }
        zero = people - counted
        sum = values.reduce(UInt64(0)) { $0 &+ $1.key &* UInt64($1.value) }
        max = values.last?.key ?? 0
        self.quantiles = quantiles.map { [zero] quantile in
            let rank = quantile.rank(among: people)
            var reached = zero
            if rank <= reached { return 0 }
            for (value, count) in values {
                reached += UInt64(count)
                if rank <= reached { return value }
            }
            return 0
        }
    }

    /// The app; nil for a person's apps together.
    public var app: String? { appBytes.map { String(decoding: $0, as: UTF8.self) } }
    /// The category or level; nil for none.
    public var part: String? { partBytes.isEmpty ? nil : String(decoding: partBytes, as: UTF8.self) }
}
