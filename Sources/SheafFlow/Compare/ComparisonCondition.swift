import SheafBytes

/// A condition on what differs between two designs, such as `groups.p95 > +10%`.
///
///     METRIC [@APP] > | >= | < | <= [+ | -] NUMBER [%]
///
/// A number with a sign is the difference from now, with `%` as a share of the value now. Without a sign it is a count, or
/// the value with the new design; with `%` it is a count as a share of all groups, notifications or people.
///
/// ```swift
/// let condition = try ComparisonCondition("split@com.example.news > 5%")
/// ```
public struct ComparisonCondition: Sendable {
    /// The condition as given.
    public let text: String
    let metric: Metric
    /// nil for all apps together.
    let app: String?
    let relation: Relation
    let bound: Bound

    /// What is compared with the bound.
    enum Metric: Equatable {
        /// A count with both designs: the groups or notifications of all people.
        case total(Total)
        /// A count of groups or notifications that one or the other design has.
        case count(Count)
        /// A number of a measure's distribution.
        case measure(Measure, Statistic)
        /// The people who have more or fewer of something.
        case people(Measure, more: Bool)
    }

    enum Total: String, CaseIterable { case groups, notifications }

    enum Count: String, CaseIterable {
        case kept, split, merged
        case onlyNow = "only.now"
        case onlyNew = "only.new"
        case leading = "texts.leading"
        case summaries = "texts.summary"
    }

    enum Statistic: Equatable {
        case mean, max, sum, people
        /// The place of the quantile among those that are measured.
        case quantile(Int)
    }

    enum Relation: String, CaseIterable {
        case greaterOrEqual = ">="
        case lessOrEqual = "<="
        case greater = ">"
        case less = "<"
    }

    /// A number in thousandths.
    struct Bound {
        let thousandths: Int64
        /// Whether it is a difference from the value now.
        let isDifference: Bool
        let isPercent: Bool
    }

    /// A condition that can't be understood.
    public struct ParsingError: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// The quantiles that are measured.
    static let quantiles = MeasureOptions.standardQuantiles

    /// - Throws: `ParsingError`, which has the expected form.
    public init(_ text: String) throws(ParsingError) {
        self.text = text
        func fail(_ reason: String) -> ParsingError { ParsingError(description: "'\(text)': \(reason)") }
        guard let sign = text.firstIndex(where: { "<>=".contains($0) }) else {
            throw fail("no comparison: write METRIC > NUMBER, such as groups.p95 > +10%")
        }
        let rest = text[sign...]
        guard let relation = Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw fail("the comparison must be >, >=, < or <=")
        }
        self.relation = relation
        let parts = Self.trimmed(text[..<sign]).split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        app = parts.count > 1 ? Self.trimmed(parts[1]) : nil
        if app == "" { throw fail("the app after @ is empty") }
        let name = Self.trimmed(parts.first ?? "")
        guard let metric = Self.metric(name) else {
            throw fail("'\(name)' is not a metric; these are: \(Self.metricNames)")
        }
        self.metric = metric
        let number = Self.trimmed(rest.dropFirst(relation.rawValue.count))
        guard let bound = Self.bound(number) else {
            throw fail(
                "'\(number)' must be a number, such as 12, +3 or +10%, with up to three decimals")
        }
        self.bound = bound
        switch metric {
        case .total, .measure:
            if bound.isPercent, !bound.isDifference {
                throw fail(
                    "write +\(number) for a difference from now: \(number) needs something that it is a share of"
                )
            }
        case .count, .people:
            if bound.isDifference {
                throw fail("'\(name)' counts differences: write the number without a sign")
            }
        }
        if case .people = metric, app != nil { throw fail("'\(name)' is only known for all apps together") }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private static func metric(_ name: String) -> Metric? {
        if let total = Total(rawValue: name) { return .total(total) }
        if let count = Count(rawValue: name) { return .count(count) }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2 else { return nil }
        if parts[0] == "more" || parts[0] == "fewer" {
            guard let measure = Measure(rawValue: parts[1]), measure == .groups || measure == .banners else {
                return nil
            }
            return .people(measure, more: parts[0] == "more")
        }
        guard let measure = Measure(rawValue: parts[0]) else { return nil }
        let statistic: Statistic
        switch parts[1] {
        case "mean": statistic = .mean
        case "max": statistic = .max
        case "sum": statistic = .sum
        case "people": statistic = .people
        default:
            guard let index = quantiles.firstIndex(where: { "p\($0.text)" == parts[1] }) else { return nil }
            statistic = .quantile(index)
        }
        return .measure(measure, statistic)
    }

    /// Whether it is about what happened, which takes a measurement if it is not about what is on screen.
    var isAboutEvents: Bool {
        switch metric {
        case .measure(let measure, _), .people(let measure, _): measure.index < Measure.firstOfScreen
        case .total, .count: false
        }
    }

    /// What a message lists.
    private static var metricNames: String {
        let counts = Total.allCases.map(\.rawValue) + Count.allCases.map(\.rawValue)
        let people = ["more.groups", "fewer.groups", "more.banners", "fewer.banners"]
        let numbers = quantiles.map { "p\($0.text)" } + ["mean", "max", "sum", "people"]
        return (counts + people).joined(separator: ", ")
            + ", and a measure with .\(numbers.joined(separator: ", .")): "
            + Measure.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func bound(_ text: String) -> Bound? {
        var digits = text[...]
        let isNegative = digits.first == "-"
        let isDifference = isNegative || digits.first == "+"
        if isDifference { digits.removeFirst() }
        let isPercent = digits.last == "%"
        if isPercent { digits = Substring(trimmed(digits.dropLast())) }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, let first = parts.first, first.count <= 15, let whole = Int64(first) else {
            return nil
        }
        let decimals = parts.count > 1 ? parts[1] : ""
        guard decimals.count <= 3, let rest = Int64((decimals + "000").prefix(3)) else { return nil }
        let thousandths = whole * 1_000 + rest
        return Bound(
            thousandths: isNegative ? -thousandths : thousandths, isDifference: isDifference,
            isPercent: isPercent)
    }
}

// MARK: - Evaluation

extension ComparisonCondition {
    /// A metric's value in thousandths: with both designs, or a count and the total that it is a part of.
    private enum Value {
        case sides(Sides<UInt64>)
        case count(UInt64, of: UInt64)
    }

    /// Returns the failure if the condition is true.
    ///
    /// - Throws: `ReplayError.usage` if the compared files do not have the metric.
    func failure(in report: ComparisonReport) throws(ReplayError) -> ComparisonReport.Failure? {
        guard let value = value(in: report) else {
            throw .usage("the condition '\(text)' needs numbers that the compared files do not hold")
        }
        switch value {
        case .sides(let sides):
            guard isTrue(sides) else { return nil }
            return ComparisonReport.Failure(
                condition: self,
                values: "\(Self.decimal(sides.now)) → \(Self.decimal(sides.new))\(Self.change(sides))")
        case .count(let count, let all):
            guard isTrue(count, of: all) else { return nil }
            let share = all > 0 ? " (\(Numbers.percent(Double(count) / Double(all))))" : ""
            return ComparisonReport.Failure(
                condition: self,
                values: "\(Numbers.grouped(count)) of \(Numbers.grouped(all))\(share)")
        }
    }

    private func value(in report: ComparisonReport) -> Value? {
        let found = app.map { name in report.allApps.first { $0.name == name } } ?? report.all
        // An app that does not occur has nothing of anything.
        let scope = found ?? ComparisonReport.App(absent: app, from: report.all)
        func sides(_ sides: Sides<UInt64>) -> Value { .sides(sides.map { $0 * 1_000 }) }
        switch metric {
        case .total(.groups): return sides(scope.groups)
        case .total(.notifications): return sides(scope.notifications)
        case .count(let count):
            let common = min(scope.groups.now, scope.groups.new)
            switch count {
            case .kept: return scope.kept.map { .count($0, of: scope.groups.now) }
            case .split: return scope.split.map { .count($0, of: scope.groups.now) }
            case .merged: return scope.merged.map { .count($0, of: scope.groups.new) }
            case .onlyNow: return scope.only.map { .count($0.now, of: scope.notifications.now) }
            case .onlyNew: return scope.only.map { .count($0.new, of: scope.notifications.new) }
            case .leading: return .count(scope.leading, of: common)
            case .summaries: return .count(scope.summaries, of: common)
            }
        case .people(let measure, let more):
            return report.people.map { people in
                let change = measure == .groups ? people.groups : people.banners
                return .count(more ? change.more : change.fewer, of: people.count)
            }
        case .measure(let measure, let statistic):
            // Nobody has anything of an app that does not occur, and of a log without people.
            let isAbsent = found == nil && !report.all.measures.isEmpty
            if isAbsent || report.people?.count == 0 { return .sides(Sides(now: 0, new: 0)) }
            guard let rows = scope.measures.first(where: { $0.now.measure == measure }) else { return nil }
            return .sides(rows.map { Self.thousandths($0, statistic) })
        }
    }

    private static func thousandths(_ row: MeasureRow, _ statistic: Statistic) -> UInt64 {
        switch statistic {
        case .mean: row.meanThousandths
        case .max: row.max * 1_000
        case .sum: row.sum * 1_000
        case .people: row.people * 1_000
        case .quantile(let index): row.quantiles[index] * 1_000
        }
    }

    private func isTrue(_ sides: Sides<UInt64>) -> Bool {
        let (now, new) = (Int64(clamping: sides.now), Int64(clamping: sides.new))
        guard bound.isDifference else { return compares(Int128(new), Int128(bound.thousandths)) }
        let difference = Int128(new) - Int128(now)
        guard bound.isPercent else { return compares(difference, Int128(bound.thousandths)) }
        // A percentage of nothing: any increase is more, and no change is 0 %.
        guard now > 0 else {
            return compares(difference > 0 ? Int128(Int64.max) : 0, Int128(bound.thousandths))
        }
        return compares(difference * 100_000, Int128(bound.thousandths) * Int128(now))
    }

    private func isTrue(_ count: UInt64, of all: UInt64) -> Bool {
        guard bound.isPercent else { return compares(Int128(count) * 1_000, Int128(bound.thousandths)) }
        // A share of nothing is 0 %.
        return compares(Int128(count) * 100_000, Int128(bound.thousandths) * Int128(max(all, 1)))
    }

    private func compares(_ a: Int128, _ b: Int128) -> Bool {
        switch relation {
        case .greater: a > b
        case .greaterOrEqual: a >= b
        case .less: a < b
        case .lessOrEqual: a <= b
        }
    }

    private static func decimal(_ thousandths: UInt64) -> String {
        thousandths % 1_000 == 0
            ? Numbers.grouped(thousandths / 1_000)
            : Numbers.decimal(Double(thousandths) / 1_000, decimals: 1)
    }

    /// Returns the change in percent, in parentheses; nothing if it is not defined.
    static func change(_ sides: Sides<UInt64>) -> String {
        guard sides.now > 0, sides.now != sides.new else { return "" }
        let isMore = sides.new > sides.now
        let difference = isMore ? sides.new - sides.now : sides.now - sides.new
        return " (\(isMore ? "+" : "-")\(Numbers.percent(Double(difference) / Double(sides.now))))"
    }
}
