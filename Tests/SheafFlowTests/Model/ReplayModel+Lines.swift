import Foundation
import SheafGroups

@testable import SheafFlow

extension ReplayModel {
    /// Returns a group's line (§10) for its notifications, newest first.
    func line(of group: [RecordModel]) -> String {
        let delivery = delivery(of: group)
        let group = options.profile == .ios15 ? group.map(withoutArgument) : group
        let leading = group[0]
        let language = leading.delivery.language
        let rest = Array(group.dropFirst())
        let total = group.reduce(0) { $0 + $1.weight }
        let (arguments, isTruncated) = arguments(of: rest)
        let summary = rest.isEmpty ? "" : summary(of: rest, arguments, in: language)
        let setting = category(of: leading)
        let hidden = texts(
            setting?.options.contains(.hiddenPreviewsShowTitle) == true ? leading.title : "",
            setting?.options.contains(.hiddenPreviewsShowSubtitle) == true ? leading.subtitle : "",
            hiddenBody(of: group, in: language))
        let shown = texts(leading.title, leading.subtitle, leading.body)
        let display =
            hidesPreviews(of: leading)
            ? "\(hidden),\"summary\":null" : "\(shown),\"summary\":\(jsonStringOrNull(summary))"
        let more = rest.reduce(0) { $0 + $1.weight }
        let members = [
            options.byDevice ? "\"device\":\(jsonStringOrNull(leading.device))" : nil,
            "\"app\":\(jsonString(leading.app))",
            "\"thread\":\(jsonStringOrNull(leading.thread))",
            "\"count\":\(group.count)",
            "\"total\":\(total)",
            "\"leading\":{\"id\":\(jsonStringOrNull(leading.identifier)),\"timestamp\":\(leading.time),\(shown),"
                + "\"category\":\(jsonStringOrNull(leading.category)),"
                + "\"source\":\(jsonString(paths[leading.source])),\"line\":\(leading.line)}",
            "\"summary\":" + (rest.isEmpty ? "null" : "{\"more\":\(more),\"text\":\(jsonString(summary))}"),
            "\"arguments\":[\(arguments.map(jsonString).joined(separator: ","))]",
            "\"argumentsTruncated\":\(isTruncated)",
            "\"hidden\":{\(hidden)}",
            "\"display\":{\(display)}",
            "\"categories\":[\(categories(of: group))]",
            "\"first\":\(group.map(\.time).min()!)",
            "\"last\":\(leading.time)",
            delivery,
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }

    private func withoutArgument(_ notification: RecordModel) -> RecordModel {
        var notification = notification
        (notification.argument, notification.weight) = ("", 1)
        return notification
    }

    private func texts(_ title: String, _ subtitle: String, _ body: String) -> String {
        "\"title\":\(jsonStringOrNull(title)),\"subtitle\":\(jsonStringOrNull(subtitle)),"
            + "\"body\":\(jsonStringOrNull(body))"
    }

    private func categories(of group: [RecordModel]) -> String {
        Set(group.map(\.category)).sorted(by: precedes).map { name in
            let some = group.filter { $0.category == name }
            let weight = some.reduce(0) { $0 + $1.weight }
            return "{\"category\":\(jsonStringOrNull(name)),\"count\":\(some.count),\"weight\":\(weight)}"
        }.joined(separator: ",")
    }

    private func arguments(of rest: [RecordModel]) -> ([String], Bool) {
        var distinct: [String] = []
        for notification in rest where !notification.argument.isEmpty {
            if !distinct.contains(notification.argument) { distinct.append(notification.argument) }
        }
        let limit = options.maximumArguments
        return (Array(distinct.prefix(limit)), distinct.count > limit)
    }

    private func category(of notification: RecordModel) -> CategorySettings? {
        notification.category.isEmpty
            ? nil : options.settings.apps[notification.app]?.categories[notification.category]
    }

    private func hidesPreviews(of leading: RecordModel) -> Bool {
        leading.delivery.showPreviews == "never"
            || leading.delivery.showPreviews == "whenAuthenticated" && options.locked
    }

    /// Returns the summary text (§7).
    private func summary(of rest: [RecordModel], _ arguments: [String], in language: String) -> String {
        let more = rest.reduce(0) { $0 + $1.weight }
        let haveArguments = rest.allSatisfy { !$0.argument.isEmpty }
        var formats: [String?] = []
        for notification in rest {
            let format = category(of: notification)?.summaryFormat?.source
            if !formats.contains(format) { formats.append(format) }
        }
        if formats.count == 1 {
            guard let format = formats[0] else {
                return defaultText(more, from: haveArguments ? arguments : [], in: language)
            }
            if format.contains("@"), !haveArguments { return defaultText(more, in: language) }
            return filled(format, more, arguments, in: language)
        }
        if formats.contains(where: { $0?.contains("@") == true }) { return defaultText(more, in: language) }
        return list(
            formats.map { format in
                let some = rest.filter { category(of: $0)?.summaryFormat?.source == format }
                let weight = some.reduce(0) { $0 + $1.weight }
                return format.map { filled($0, weight, [], in: language) }
                    ?? defaultText(weight, in: language)
            }, in: language)
    }

    /// - Parameter arguments: who the notifications are from; empty if that is not shown.
    private func defaultText(_ count: Int, from arguments: [String] = [], in language: String) -> String {
        let names = arguments.isEmpty ? nil : list(arguments, in: language)
        switch language {
        case "de":
            return "\(count) weitere Mitteilung\(count == 1 ? "" : "en")" + (names.map { " von \($0)" } ?? "")
        case "ja": return names.map { "ほかに\($0)から\(count)件の通知" } ?? "ほかに\(count)件の通知"
        default:
            return "\(count) more notification\(count == 1 ? "" : "s")" + (names.map { " from \($0)" } ?? "")
        }
    }

    /// Returns the body for hidden previews (§8).
    private func hiddenBody(of group: [RecordModel], in language: String) -> String {
        var placeholders: [String?] = []
        for notification in group {
            let placeholder = category(of: notification)?.placeholder?.source
            if !placeholders.contains(placeholder) { placeholders.append(placeholder) }
        }
        return list(
            placeholders.map { placeholder in
                let count = group.count { category(of: $0)?.placeholder?.source == placeholder }
                guard let placeholder else { return defaultPlaceholder(count, in: language) }
                return placeholder.contains("%u")
                    ? filled(placeholder, count, [], in: language) : placeholder
            }, in: language)
    }

    private func defaultPlaceholder(_ count: Int, in language: String) -> String {
        switch language {
        case "de": count == 1 ? "Mitteilung" : "\(count) Mitteilungen"
        case "ja": count == 1 ? "通知" : "\(count)件の通知"
        default: count == 1 ? "Notification" : "\(count) Notifications"
        }
    }

    private func filled(_ format: String, _ count: Int, _ arguments: [String], in language: String) -> String
    {
        var text = format
        for conversion in ["%1$u", "%u", "%lld"] {
            text = text.replacingOccurrences(of: conversion, with: String(count))
        }
        for conversion in ["%2$@", "%@"] {
            text = text.replacingOccurrences(of: conversion, with: list(arguments, in: language))
        }
        return text.replacingOccurrences(of: "%%", with: "%")
    }

    private func list(_ items: [String], in language: String) -> String {
        switch (language, items.count) {
        case ("ja", _): items.joined(separator: "、")
        case ("de", 3...): items.dropLast().joined(separator: ", ") + " und " + items.last!
        case ("de", _): items.joined(separator: " und ")
        case (_, 3...): items.dropLast().joined(separator: ", ") + ", and " + items.last!
        default: items.joined(separator: " and ")
        }
    }
}
