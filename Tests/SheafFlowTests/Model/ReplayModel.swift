import Foundation
import SheafGroups

@testable import SheafFlow

/// A whole replay written from the specification: it keeps every notification, sorts and filters, and writes its lines
/// as text. It is slow, and shares only the configuration's values with the implementation.
struct ReplayModel {
    let options: ReplayOptions
    let paths: [String]
    var lines = 0
    var blank = 0
    var silent = 0
    /// The number of refused pushes by reason.
    var refused: [String: UInt64] = [:]
    /// The refused pushes that would not have been silent.
    var refusedPushes: [RecordModel] = []
    var earlier = 0
    var later = 0
    var untimed = 0
    var updated = 0
    var removed = 0
    var removals: [RecordModel] = []
    var suppressed = 0
    var quiet = 0
    /// The pushes that interrupted when they arrived, whether or not they were replaced or removed later.
    var banners = 0
    var sounds = 0
    var settings: [RecordModel] = []
    /// The removals that also report that an app was opened.
    var openings: [RecordModel] = []
    var responses: [RecordModel] = []
    /// The results of service extensions: those that replaced a content, and the number of the others.
    var results: [RecordModel] = []
    var expired = 0
    var resultsIgnored = 0
    var outcomes: [RecordModel] = []
    var outcomesIgnored = 0
    /// The number of records of a push besides the first one.
    var repeated = 0
    /// The notifications and silent records with a badge.
    var badges: [RecordModel] = []
    var rejected: [String: Int] = [:]
    var findings: [String: Int] = [:]
    /// The expected content of the rejects file.
    var rejects = ""
    /// The notifications in groups.
    var delivered: [RecordModel] = []
    var groups: [[RecordModel]] = []
    private(set) var notifications: [RecordModel] = []

    /// - Parameters:
    ///   - files: the path and the inflated text of each source.
    ///   - thread: returns the thread that the input makes of a push's own.
    init(
        _ files: [(path: String, text: [UInt8])], _ options: ReplayOptions,
        thread: (String) -> String = { $0 }
    ) {
        self.options = options
        paths = files.map(\.path)
        var notifications: [RecordModel] = []
        for (source, file) in files.enumerated() {
            for (index, line) in Self.split(file.text).enumerated() {
                guard var record = read(line, source: source, number: index + 1) else { continue }
                record.thread = thread(record.thread)
                notifications.append(record)
            }
        }
        if options.unique || options.appliesOutcomes {
            notifications = decided(notifications)
        }
        self.notifications = notifications
        deliver(notifications, removals, results)
        if tracksDelivery {
            let arrivals = notifications.compactMap { effect(on: $0) }
            banners = arrivals.count(where: \.hasBanner)
            sounds = arrivals.count(where: \.hasSound)
        }
        updated = notifications.count - delivered.count - removed - suppressed - quiet
        groups = grouped(delivered)
    }

    /// Splits a source into lines (§1): the CR before an LF is dropped, and so is a byte order mark at the start.
    static func split(_ text: [UInt8]) -> [[UInt8]] {
        var text = text
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text.removeFirst(3) }
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Array.init)
        if lines.last == [] { lines.removeLast() }
        return lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    }

    private mutating func read(_ line: [UInt8], source: Int, number: Int) -> RecordModel? {
        lines += 1
        if line.count > options.maximumLine {
            reject("line.too-long", Array(line.prefix(1_024)), source, number)
            return nil
        }
        if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
            blank += 1
            return nil
        }
        let record = RecordModel(line, source: source, line: number)
        if isOutsideWindow(record) { return nil }
        untimed += record.isUntimed ? 1 : 0
        for finding in record.findings { findings[finding, default: 0] += 1 }
        if mayBeDecided(record) { return record }
        if [.notification, .silent].contains(record.outcome), record.badge != nil { badges.append(record) }
        switch record.outcome {
        case .notification: return record
        case .outcome:
            if options.appliesOutcomes { outcomes.append(record) } else { outcomesIgnored += 1 }
        case .silent: silent += 1
        case .refused(let reason):
            refused[reason, default: 0] += 1
            if !record.isRefusedSilent { refusedPushes.append(record) }
        case .removal where record.opensApp && tracksDelivery:
            if options.appliesRemovals, !isBeforeWindow(record) {
                removals.append(record)
                openings.append(record)
            } else {
                settings.append(record)
            }
        case .removal: removals.append(record)
        case .settings: settings.append(record)
        case .response: responses.append(record)
        case .result:
            if !tracksDelivery {
                resultsIgnored += 1
            } else if replacesContent(record) {
                results.append(record)
                if record.badge != nil { badges.append(record) }
            } else {
                expired += 1
            }
        case .rejected(let reason): reject(reason, line, source, number, detail: record.mistake)
        }
        return nil
    }

    /// Counts a record before `since` or after `until` (§14).
    private mutating func isOutsideWindow(_ record: RecordModel) -> Bool {
        if case .rejected = record.outcome { return false }
        if record.isUntimed { return false }
        // An outcome may be of a push at any time.
        if record.outcome == .outcome { return false }
        // A change of settings before the window holds during it.
        let isChange = record.outcome == .settings || record.opensApp && tracksDelivery
        if !isChange, isBeforeWindow(record) {
            earlier += 1
            return true
        }
        if let until = options.until, Int64(record.time) > until {
            later += 1
            return true
        }
        return false
    }

    private func isBeforeWindow(_ record: RecordModel) -> Bool {
        if record.isUntimed { return false }
        return options.since.map { Int64(record.time) < $0 } ?? false
    }

    private mutating func reject(
        _ reason: String, _ text: [UInt8], _ source: Int, _ number: Int, detail: String? = nil
    ) {
        rejected[reason, default: 0] += 1
        let written: String
        if let valid = String(validating: text, as: UTF8.self) {
            written = jsonString(valid)
        } else {
            written = "\"\(Data(text).base64EncodedString())\",\"encoding\":\"base64\""
        }
        let details = detail.map { "\"detail\":\(jsonString($0))," } ?? ""
        rejects +=
            "{\"source\":\(jsonString(paths[source])),\"line\":\(number),\"reason\":\"\(reason)\",\(details)"
            + "\"text\":\(written)}\n"
    }

    /// Whether later records may decide a push (§18).
    private func mayBeDecided(_ record: RecordModel) -> Bool {
        switch record.outcome {
        case .notification: break
        case .refused: if record.isRefusedSilent { return false }
        default: return false
        }
        return (options.unique || options.appliesOutcomes) && !(record.identifier + record.collapse).isEmpty
    }

    /// Leaves out pushes that were refused, or that are records of another push.
    private mutating func decided(_ records: [RecordModel]) -> [RecordModel] {
        let waiting = records.filter(mayBeDecided)
        var pushes: [[RecordModel]] = []
        var places: [[String]: Int] = [:]
        var decided: [RecordModel] = []
        for record in records {
            guard mayBeDecided(record) else {
                decided.append(record)
                continue
            }
            let key = [record.device, record.app, record.identifier]
            if options.unique, !record.identifier.isEmpty, let place = places[key] {
                pushes[place].append(record)
                repeated += 1
                continue
            }
            places[key] = pushes.count
            pushes.append([record])
        }
        for records in pushes {
            let push = records.min { $0.isOlder(than: $1) }!
            let answers =
                answers(of: push, in: waiting)
                + outcomes.filter { $0.answer != nil && $0.isOutcome(of: push) }
            if case .refused(let reason)? = answers.max(by: { $0.isOlder(than: $1) })?.answer {
                refused[reason, default: 0] += 1
                refusedPushes.append(push)
                continue
            }
            decided.append(push)
            if push.badge != nil { badges.append(push) }
        }
        return decided
    }

    /// The records with an answer that are records of the same push.
    private func answers(of push: RecordModel, in records: [RecordModel]) -> [RecordModel] {
        records.filter { other in
            guard other.answer != nil else { return false }
            if push.identifier.isEmpty { return (other.source, other.line) == (push.source, push.line) }
            return other.identifier == push.identifier && other.app == push.app && other.device == push.device
        }
    }

    /// Keeps only the newest version of each notification (§5), unless it was suppressed (§16) or removed (§15).
    private mutating func deliver(
        _ notifications: [RecordModel], _ removals: [RecordModel], _ results: [RecordModel]
    ) {
        delivered = []
        removed = 0
        suppressed = 0
        quiet = 0
        var newest: [[String]: RecordModel] = [:]
        for notification in notifications {
            if notification.collapse.isEmpty {
                delivered.append(notification)
                continue
            }
            let identity = [notification.device, notification.app, notification.collapse]
            if let other = newest[identity], notification.isOlder(than: other) { continue }
            newest[identity] = notification
        }
        delivered += newest.values
        if !results.isEmpty {
            delivered = delivered.map { $0.modified(by: results) }
        }
        if tracksDelivery {
            let appeared = delivered.compactMap { notification in
                effect(on: notification).map { effect in
                    var notification = notification
                    notification.delivery.effect = effect
                    return notification
                }
            }
            suppressed = delivered.count - appeared.count
            // They are in Notification Center, but not on the lock screen.
            delivered = appeared.filter { !options.locked || $0.delivery.effect?.isQuiet == false }
            quiet = appeared.count - delivered.count
        }
        delivered = delivered.map(chosen)
        guard options.appliesRemovals else { return }
        let count = delivered.count
        delivered.removeAll { notification in removals.contains { $0.removes(notification) } }
        removed = count - delivered.count
    }

    /// Returns the notifications that are on screen after the records that `isRead` includes.
    func delivered(where isRead: (RecordModel) -> Bool) -> [RecordModel] {
        var model = self
        model.deliver(
            notifications.filter(isRead), removals.filter(isRead), results.filter(isRead))
        return model.delivered
    }

    /// Groups notifications and sorts the groups in snapshot order, each with its newest notification first (§6, §10).
    func grouped(_ delivered: [RecordModel]) -> [[RecordModel]] {
        var byKey: [[String]: [RecordModel]] = [:]
        for var notification in delivered {
            if !options.byDevice { notification.device = "" }
            if notification.delivery.grouping == "byApp" { notification.thread = "" }
            byKey[key(of: notification), default: []].append(notification)
        }
        return byKey.values.map { $0.sorted { $1.isOlder(than: $0) } }.sorted(by: groupPrecedes)
    }

    func key(of notification: RecordModel) -> [String] {
        let key = [notification.device, notification.app, notification.thread]
        return notification.isAlone ? key + ["\(notification.source) \(notification.line)"] : key
    }

    func groupPrecedes(_ first: [RecordModel], _ second: [RecordModel]) -> Bool {
        let (a, b) = (first[0], second[0])
        if options.order == .recent { return b.isOlder(than: a) }
        for key in [\RecordModel.device, \.app, \.thread] where a[keyPath: key] != b[keyPath: key] {
            return precedes(a[keyPath: key], b[keyPath: key])
        }
        if a.isAlone != b.isAlone { return b.isAlone }
        return b.isOlder(than: a)
    }

    var snapshot: String {
        options.every.map(snapshots) ?? groups.map { line(of: $0) + "\n" }.joined()
    }
}
