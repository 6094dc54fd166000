import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The work before the first record and for each group takes time proportional to the size of the configuration: eight
/// times the size takes about eight times as long. A linear search for every item would take sixty-four times as long.
///
/// The tests compare this thread's CPU time, the best of several runs, so that other work does not affect the result.
@Suite(.serialized) struct ScalingTests {
    struct Case: NamedCase {
        let name: String
        /// The smaller number of items.
        let count: Int
        /// Prepares the given number of items, and returns the work to measure.
        let prepare: @Sendable (Int) throws -> () throws -> Void

        init(_ name: String, count: Int, _ prepare: @escaping @Sendable (Int) throws -> () throws -> Void) {
            self.name = name
            self.count = count
            self.prepare = prepare
        }
    }

    private static func makeSettings(apps: Int, categories: Int, keys: Bool = false) throws -> Settings {
        var settings = Settings()
        for app in 0..<apps {
            var known = AppSettings()
            for number in 0..<categories {
                var category = CategorySettings()
                let name = "\(app) \(number)"
                if keys {
                    category.summaryFormatKey = "KEY \(name)"
                } else {
                    category.summaryFormat = try MessageFormat("%u more of \(name)", role: .summary)
                    category.placeholder = try MessageFormat("%u of \(name)", role: .placeholder)
                }
                known.categories["CATEGORY \(number)"] = category
            }
            settings.apps["com.example.\(app)"] = known
        }
        return settings
    }

    private static func json(apps: Int, of app: String = "{}") -> [UInt8] {
        Array(
            "{\"apps\":{\((0..<apps).map { "\"com.example.\($0)\":\(app)" }.joined(separator: ",\n"))}}".utf8)
    }

    static let cases = [
        Case("shares of a group", count: 4_000) { count in
            {
                var shares = ShareList()
                for round in 0..<2 {
                    for format in 0..<count {
                        let order = OrderKey(timestamp: Int64(round), source: 0, line: 1)
                        shares.add(Share(format: format, number: 1, withoutArgument: 0, newest: order))
                    }
                }
                #expect(shares.shares.count == count)
            }
        },
        Case("formats of one app", count: 1_000) { count in
            let settings = try makeSettings(apps: 1, categories: count)
            return { _ = Presentation(settings, locked: false) }
        },
        Case("formats of many apps", count: 500) { count in
            let settings = try makeSettings(apps: count, categories: 2)
            return { _ = Presentation(settings, locked: false) }
        },
        Case("categories known to checks", count: 1_000) { count in
            let settings = try makeSettings(apps: count, categories: 2)
            return { _ = KnownCategories(settings) }
        },
        Case("keys of tables", count: 500) { count in
            let settings = try makeSettings(apps: count, categories: 1, keys: true)
            let entries = (0..<count).map { ("KEY \($0) 0", StringEntry(.text("%u more of \($0)"))) }
            var tables = StringTables()
            tables.add(StringTable(language: "en", entries: Dictionary(uniqueKeysWithValues: entries)))
            let all = settings.apps.mapValues { _ in tables }
            return {
                let strings = try ResolvedStrings(settings, tables: all, locale: .default)
                #expect(strings.missing.isEmpty)
            }
        },
        Case("reading a configuration", count: 500) { count in
            let json = json(
                apps: count, of: #"{"name":"A","categories":{"c":{"categorySummaryFormat":"%u"}}}"#)
            return {
                let settings = try Settings(json: json, file: "f")
                #expect(settings.apps.count == count)
            }
        },
        Case("looking for repeated keys", count: 2_000) { count in
            let json = json(apps: count)
            return { #expect(JSONLocation.firstRepeatedKey(in: json) == nil) }
        },
    ]

    @Test(arguments: cases)
    func timeIsProportional(_ item: Case) throws {
        let few = try Self.seconds(item.prepare(item.count))
        let many = try Self.seconds(item.prepare(8 * item.count))
        #expect(many / few < 28, "\(few) s, and \(many) s for eight times as many")
    }

    /// Returns the shortest CPU time of several runs of `body`.
    private static func seconds(_ body: () throws -> Void) throws -> Double {
        var minimum = Double.infinity
        for _ in 0..<3 {
            let start = processorTime()
            try body()
            minimum = min(minimum, processorTime() - start)
        }
        return max(minimum, 1e-9)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
