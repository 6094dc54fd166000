import Foundation
import SheafGroups

@testable import SheafFlow

/// The measures of a log, written from the specification (§19): one pass for each person and interval, with everything in
/// memory.
struct MeasureModel {
    private let model: ReplayModel
    private let options: MeasureOptions
    /// The ends of the intervals.
    private let instants: [Int64]
    /// By interval, device and cell: the values in the order of `Measure`.
    private var values: [[String: [[String]: [UInt64]]]]
    /// By device: the cells with a notification.
    private var notified: [String: Set<[String]>] = [:]
    private(set) var withoutDevice = 0

    private static let all = ["", ""]

    /// - Parameters:
    ///   - model: the replay of the log by device.
    ///   - timeline: the intervals; nil for all of the log.
    init(_ model: ReplayModel, _ options: MeasureOptions, _ timeline: Timeline?) {
        var model = model
        if !model.tracksDelivery { (model.settings, model.openings) = ([], []) }
        self.model = model
        self.options = options
        let happenings = model.refusedPushes + model.responses
        let records =
            model.notifications + happenings + model.results
            + (model.options.appliesRemovals ? model.removals : [])
        instants = Self.instants(of: records.filter { $0.time != 0 }.map { Int64($0.time) }, timeline)
        values = Array(repeating: [:], count: instants.count)
        for push in model.notifications {
            if push.device.isEmpty { withoutDevice += 1 }
            add("pushes", push, at: push.time)
            notified[push.device, default: []].formUnion([Self.all, cell(of: push, level(of: push))])
            guard let effect = model.effect(on: push) else {
                add("suppressed", push, at: push.time)
                continue
            }
            if effect.hasBanner { add("banners", push, at: push.time) }
            if effect.hasSound { add("sounds", push, at: push.time) }
        }
        for push in model.refusedPushes { add("refused", push, at: push.time) }
        for response in model.responses { add(Self.measure(of: response), response, at: response.time, nil) }
        for chain in chains { addChanges(of: chain) }
        for index in instants.indices { addScreens(index) }
    }

    private static func instants(of times: [Int64], _ timeline: Timeline?) -> [Int64] {
        let newest = times.max() ?? 0
        var instants: Set<Int64> = [newest]
        if let timeline, let oldest = times.filter({ $0 > 0 }).min() {
            var instant = (oldest + timeline.offset) / timeline.step * timeline.step - timeline.offset
            while instant <= newest {
                if instant >= oldest { instants.insert(instant) }
                instant += timeline.step
            }
        }
        return instants.sorted()
    }

    private static func measure(of response: RecordModel) -> String {
        switch response.action {
        case "com.apple.UNNotificationDefaultActionIdentifier": "opened"
        case "com.apple.UNNotificationDismissActionIdentifier": "dismissed"
        default: "actions"
        }
    }

    /// The level that a push has by its settings, or would have.
    private func level(of push: RecordModel) -> String {
        if let effect = model.effect(on: push) { return effect.level }
        return model.options.profile == .ios12 && push.delivery.level != "critical"
            ? "active" : push.delivery.level
    }

    private func cell(of record: RecordModel, _ level: String?) -> [String] {
        switch options.division {
        case .app, .none: [record.app, ""]
        case .category: [record.app, record.category]
        case .level: [record.app, level == "time-sensitive" ? "timeSensitive" : level ?? ""]
        }
    }

    private mutating func add(_ measure: String, _ push: RecordModel, at time: Int) {
        let level =
            measure == "refused"
            ? model.options.profile == .ios12 && push.delivery.level != "critical"
                ? "active" : push.delivery.level
            : level(of: push)
        add(measure, push, at: time, level)
    }

    private mutating func add(_ measure: String, _ record: RecordModel, at time: Int, _ level: String?) {
        guard !record.device.isEmpty else { return }
        let interval = instants.firstIndex { time <= 0 || time <= $0 } ?? 0
        for cell in [Self.all, cell(of: record, level)] {
            set(measure, interval, record.device, cell) { $0 + 1 }
        }
    }

    private mutating func set(
        _ measure: String, _ interval: Int, _ device: String, _ cell: [String], _ value: (UInt64) -> UInt64
    ) {
        let index = Measure(rawValue: measure)!.index
        let none = [UInt64](repeating: 0, count: Measure.allCases.count)
        let old = values[interval][device, default: [:]][cell, default: none][index]
        values[interval][device, default: [:]][cell, default: none][index] = value(old)
    }

    // MARK: Updates and removals

    /// The versions of each notification, the oldest first.
    private var chains: [[RecordModel]] {
        let replaceable = Dictionary(grouping: model.notifications.filter { !$0.collapse.isEmpty }) {
            [$0.device, $0.app, $0.collapse]
        }
        return model.notifications.filter(\.collapse.isEmpty).map { [$0] }
            + replaceable.values.map { $0.sorted { $0.isOlder(than: $1) } }
    }

    /// What happens in a millisecond happens at once.
    private static func moment(_ time: Int) -> Int { max(time, 0) }

    private mutating func addChanges(of chain: [RecordModel]) {
        for push in chain.dropFirst() { add("updates", push, at: push.time) }
        guard model.options.appliesRemovals else { return }
        for (index, push) in chain.enumerated() {
            let next = index + 1 < chain.count ? Self.moment(chain[index + 1].time) : nil
            if next == Self.moment(push.time) { continue }
            // The times at which the content changes.
            let changes = Set(
                model.results.filter {
                    push.modified(by: [$0]).extensionResult.position == [$0.source, $0.line]
                }
                .map { Self.moment($0.time) })
            let starts = changes.union([Self.moment(push.time)]).filter { $0 < next ?? .max }.sorted()
            for (index, start) in starts.enumerated() {
                let end = index + 1 < starts.count ? starts[index + 1] : next ?? .max
                let results = model.results.filter { Self.moment($0.time) <= start }
                let content = push.modified(by: results)
                guard let effect = model.effect(on: content) else { continue }
                let shown = model.chosen(content)
                let first = model.removals.filter { $0.removes(shown) }.min { $0.isOlder(than: $1) }
                guard let first, (start..<end).contains(Self.moment(first.time)) else { continue }
                add("removed", content, at: first.time, effect.level)
            }
        }
    }

    // MARK: Screens

    private mutating func addScreens(_ interval: Int) {
        let instant = instants[interval]
        let groups = model.grouped(model.delivered { $0.time <= 0 || $0.time <= instant })
        for (device, groups) in Dictionary(grouping: groups, by: { $0[0].device }) where !device.isEmpty {
            let ordered = groups.sorted { $1[0].isOlder(than: $0[0]) }
            for (place, group) in ordered.enumerated() {
                var parts: [[String]: UInt64] = [Self.all: UInt64(group.count)]
                for notification in group {
                    let level = notification.delivery.effect?.level ?? model.effect(on: notification)!.level
                    parts[cell(of: notification, level), default: 0] += 1
                }
                notified[device, default: []].formUnion(parts.keys)
                for (cell, count) in parts {
                    set("groups", interval, device, cell) { $0 + 1 }
                    set("notifications", interval, device, cell) { $0 + count }
                    set("largest", interval, device, cell) { max($0, count) }
                    if place >= options.fold { set("buried", interval, device, cell) { $0 + count } }
                }
            }
        }
    }

    // MARK: Results

    private var devices: [String] { notified.keys.filter { !$0.isEmpty }.sorted(by: precedes) }

    /// The cells in which any person had a notification, all apps together first.
    private var cells: [[String]] {
        let found = devices.reduce(into: Set<[String]>()) { $0.formUnion(notified[$1]!) }
        let own = found.subtracting([Self.all]).sorted { a, b in
            a[0] == b[0] ? precedes(a[1], b[1]) : precedes(a[0], b[0])
        }
        let all = found.isEmpty ? [] : [Self.all]
        return options.division == .none ? all : all + own
    }

    private func name(_ cell: [String]) -> String {
        let part = options.division.partName.map { ",\"\($0)\":\(jsonStringOrNull(cell[1]))" } ?? ""
        return "\"app\":\(jsonStringOrNull(cell[0]))" + part
    }

    private func value(_ measure: Int, _ interval: Int, _ device: String, _ cell: [String]) -> UInt64 {
        values[interval][device]?[cell]?[measure] ?? 0
    }

    /// The distributions, as lines.
    var lines: String {
        var lines = ""
        for (interval, instant) in instants.enumerated() {
            for cell in cells {
                let people = devices.filter { notified[$0]!.contains(cell) }
                for (index, measure) in Measure.allCases.enumerated() {
                    let sorted = people.map { value(index, interval, $0, cell) }.sorted()
                    let sum = sorted.reduce(0, +)
                    let quantiles = options.quantiles.map { quantile in
                        let rank = (quantile.thousandths * sorted.count + 99_999) / 100_000
                        return ",\"p\(quantile.text)\":\(sorted[max(rank, 1) - 1])"
                    }
                    let thousandths = (2_000 * Int(sum) + sorted.count) / (2 * sorted.count)
                    let rest = String(thousandths % 1_000 + 1_000).dropFirst()
                    lines +=
                        "{\"at\":\(instant),\(name(cell)),\"measure\":\"\(measure.rawValue)\",\"people\":\(people.count),"
                        + "\"zero\":\(sorted.count { $0 == 0 }),\"sum\":\(sum),"
                        + "\"mean\":\(thousandths / 1_000).\(rest)\(quantiles.joined()),\"max\":\(sorted.last!)}\n"
                }
            }
        }
        return lines
    }

    /// The values of each person, as lines.
    var cellLines: String {
        var lines = ""
        for device in devices {
            for (interval, instant) in instants.enumerated() {
                let own = cells.filter { notified[device]!.contains($0) }
                for cell in own where options.division == .none || cell != Self.all {
                    let all = Measure.allCases.indices.map { value($0, interval, device, cell) }
                    guard all.contains(where: { $0 > 0 }) else { continue }
                    let members = zip(Measure.allCases, all).map { "\"\($0.rawValue)\":\($1)" }
                    lines +=
                        "{\"at\":\(instant),\"device\":\(jsonString(device)),\(name(cell)),"
                        + "\(members.joined(separator: ","))}\n"
                }
            }
        }
        return lines
    }

    /// The values of each device and app in the first interval, if any is not 0.
    var appValues: [[String]] {
        values[0].keys.filter { !$0.isEmpty }.sorted(by: precedes).flatMap { device in
            values[0][device]!.filter { $0.key != Self.all && $0.value.contains { $0 > 0 } }
                .sorted { precedes($0.key[0], $1.key[0]) }
                .map { [device, $0.key[0]] + $0.value.map { "\($0)" } }
        }
    }
}
