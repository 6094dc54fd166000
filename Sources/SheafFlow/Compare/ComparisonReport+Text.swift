import SheafBytes

/// Renders a report as text: the verdict, then the apps, then the same texts and screens with both designs.
///
///     groups per person: p50 4 → 3, p95 31 → 12; of 1,000 people, 2.0 % have more and 40.1 % have fewer
///     banners per person: the same
///
///     app                groups  kept  split  merged  texts
///     com.example.news  120 → 80    40     20      10     95
extension ComparisonReport {
    private static var defaultWidth: Int { 80 }
    /// The number of apps in the table: those with the most differences.
    private static var shownApps: Int { 20 }

    /// Returns the report as lines, each with an LF. Control characters in texts of the log are replaced.
    ///
    /// - Parameter style: if it has a width, longer lines are wrapped or cut.
    public func text(_ style: TextStyle) -> [UInt8] {
        let width = max(20, style.width ?? Self.defaultWidth)
        var output = ""
        for sentence in verdict {
            for line in TextStyle.lines(of: sentence, width: width) {
                output += style.coloured(line, .bold) + "\n"
            }
        }
        for sentence in missing {
            for line in TextStyle.lines(of: sentence, width: width) { output += line + "\n" }
        }
        if !isEqual {
            output += table(style, width: width)
            for example in examples { output += text(example, style, width: width) }
            for screen in screens { output += Self.text(screen, style, width: width) }
        }
        if !failures.isEmpty { output += "\n" }
        for failure in failures {
            let line = "\(failure.condition.text): \(failure.values)"
            output +=
                style.coloured("failed", .red) + " " + TextStyle.fitted(Array(line.utf8), width: .max).text
            output += "\n"
        }
        return Array(output.utf8)
    }

    // MARK: The verdict

    /// What differs for people, groups and texts, in sentences.
    var verdict: [String] {
        guard !isEqual else {
            return ["Both designs show the same: " + Self.counted(all.groups.now, "group") + "."]
        }
        var sentences: [String] = []
        for measure in [Measure.groups, .banners] {
            guard let rows = all.measures.first(where: { $0.now.measure == measure }) else {
                // What happened was not measured, because it cannot differ.
                if hasSameEvents { sentences.append("\(measure.rawValue) per person: the same") }
                continue
            }
            sentences.append(
                "\(measure.rawValue) per person: \(Self.change(rows, people?[measure], of: people?.count ?? 0))"
            )
        }
        var groups = "groups: " + Self.change(all.groups)
        if let kept = all.kept, let split = all.split, let merged = all.merged {
            groups +=
                "; \(Numbers.grouped(kept)) kept, \(Numbers.grouped(split)) split, \(Numbers.grouped(merged)) merged"
        }
        sentences.append(groups)
        if all.notifications.now != all.notifications.new || all.only.map({ $0.now + $0.new > 0 }) ?? false {
            var notifications = "notifications: " + Self.change(all.notifications)
            if let only = all.only {
                notifications +=
                    "; \(Numbers.grouped(only.now)) only now, \(Numbers.grouped(only.new)) only with the new design"
            }
            sentences.append(notifications)
        }
        if all.leading + all.summaries > 0 {
            sentences.append(
                "texts: \(Self.counted(all.leading, "leading notification")) and "
                    + "\(Numbers.grouped(all.summaries)) \(all.summaries == 1 ? "summary" : "summaries") differ"
            )
        }
        return sentences
    }

    private static func counted(_ number: UInt64, _ noun: String) -> String { Numbers.count(number, noun) }

    private static func change(_ sides: Sides<UInt64>) -> String {
        sides.now == sides.new
            ? "\(Numbers.grouped(sides.now))"
            : "\(Numbers.grouped(sides.now)) → \(Numbers.grouped(sides.new))"
    }

    private static func change(
        _ rows: Sides<MeasureRow>, _ people: People.Change?, of count: UInt64
    ) -> String {
        guard rows.now.differs(from: rows.new) || people.map({ $0.more + $0.fewer > 0 }) ?? false else {
            return "the same"
        }
        var parts: [String] = []
        for (index, quantile) in ComparisonCondition.quantiles.enumerated()
        where ["50", "95"].contains(quantile.text) {
            parts.append("p\(quantile.text) \(change(rows.map { $0.quantiles[index] }))")
        }
        parts.append("max \(change(rows.map(\.max)))")
        var text = parts.joined(separator: ", ")
        if let people, count > 0 {
            func share(_ number: UInt64) -> String { Numbers.percent(Double(number) / Double(count)) }
            text +=
                "; of \(Numbers.grouped(count)) \(count == 1 ? "person" : "people"), \(share(people.more)) have more and "
                + "\(share(people.fewer)) have fewer"
        }
        return text
    }

    // MARK: The apps

    private func table(_ style: TextStyle, width: Int) -> String {
        func weight(_ app: App) -> UInt64 {
            let groups =
                app.groups.now > app.groups.new
                ? app.groups.now - app.groups.new : app.groups.new - app.groups.now
            return max(groups, (app.split ?? 0) + (app.merged ?? 0), app.leading + app.summaries)
        }
        // What differs in other apps may move the groups of an app down: that is in its measures.
        let apps = self.apps.filter { weight($0) > 0 || $0.notifications.now != $0.notifications.new }
        guard !apps.isEmpty else { return "" }
        let largest = Array(apps.indices).ordered { weight(apps[$0]) > weight(apps[$1]) }.prefix(
            Self.shownApps)
        let rows = largest.ordered().map { index -> [String] in
            let app = apps[index]
            func number(_ value: UInt64?) -> String { value.map { Numbers.grouped($0) } ?? "–" }
            let groups =
                app.groups.now == app.groups.new
                ? Numbers.grouped(app.groups.now) : Self.change(app.groups)
            return [
                groups, number(app.kept), number(app.split), number(app.merged),
                number(app.leading + app.summaries),
            ]
        }
        let titles = ["groups", "kept", "split", "merged", "texts"]
        let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
        let gap = 2
        let room = max(8, width - widths.reduce(0) { $0 + $1 + gap })
        let names = largest.ordered().map { TextStyle.fitted(Array((apps[$0].name ?? "").utf8), width: room) }
        let nameWidth = max(3, names.map(\.columns).max() ?? 0)
        func line(_ name: String, _ columns: Int, _ cells: [String]) -> String {
            var line = name + String(repeating: " ", count: max(0, nameWidth - columns))
            for (cell, width) in zip(cells, widths) {
                line += String(repeating: " ", count: gap + width - cell.count) + cell
            }
            return line + "\n"
        }
        var output = "\n" + style.coloured(String(line("app", 3, titles).dropLast()), .faint) + "\n"
        for (name, row) in zip(names, rows) { output += line(name.text, name.columns, row) }
        if apps.count > largest.count {
            output += "and \(Numbers.count(UInt64(apps.count - largest.count), "more app"))\n"
        }
        return output
    }

    // MARK: Examples

    private func text(_ example: ScreenChanges.TextExample, _ style: TextStyle, width: Int) -> String {
        let now = example.groups.now
        let kind = example.isSummary ? "a summary" : "a leading notification"
        let title = now.text(now.app) + Array(", \(kind), \(place(of: now))".utf8)
        var output = "\n" + style.coloured(TextStyle.fitted(title, width: width).text, .bold) + "\n"
        for (name, group) in [("now", now), ("new", example.groups.new)] {
            let text = example.isSummary ? group.text(group.summary) : group.leadingText
            let shown = TextStyle.fitted(text.isEmpty ? Array("–".utf8) : text, width: width - 7).text
            output += "  \(style.coloured(name, .faint))  \(shown)\n"
        }
        return output
    }

    /// Returns the position of the leading notification of a group with the design in use.
    private func place(of group: ComparedGroup) -> String {
        "\(String(decoding: sources.now.path(group.order.source), as: UTF8.self)):\(group.order.line)"
    }

    /// Puts the newest groups of a person side by side.
    private static func text(
        _ screen: ScreenChanges.PersonChange, _ style: TextStyle, width: Int
    ) -> String {
        let title =
            "\(change(screen.count)) \(screen.count.new == 1 ? "group" : "groups")"
            + (screen.device.isEmpty
                ? "" : " on the screen of \(String(decoding: screen.device, as: UTF8.self))")
        var output =
            "\n" + style.coloured(TextStyle.fitted(Array(title.utf8), width: width).text, .bold) + "\n"
        let column = max(8, (width - 3) / 2)
        let now = cells(screen.groups.now, screen.count.now)
        let new = cells(screen.groups.new, screen.count.new)
        func row(_ left: [UInt8], _ right: [UInt8], isFaint: Bool) -> String {
            let (a, b) = (TextStyle.fitted(left, width: column), TextStyle.fitted(right, width: column))
            let padding = String(repeating: " ", count: max(0, column - a.columns))
            var line = a.text + padding + " │ " + b.text
            while line.last == " " { line.removeLast() }
            return (isFaint ? style.coloured(line, .faint) : line) + "\n"
        }
        output += row(Array("now".utf8), Array("new".utf8), isFaint: true)
        for index in 0..<max(now.count, new.count) {
            output += row(
                index < now.count ? now[index] : [], index < new.count ? new[index] : [], isFaint: false)
        }
        return output
    }

    /// Returns a line for the leading notification of each group, and one for its summary.
    private static func cells(_ groups: [ComparedGroup], _ count: UInt64) -> [[UInt8]] {
        var cells: [[UInt8]] = []
        for group in groups {
            cells.append(group.leadingText.isEmpty ? group.text(group.app) : group.leadingText)
            let summary = group.text(group.summary)
            if !summary.isEmpty { cells.append(Array("  + ".utf8) + summary) }
        }
        let more = count - UInt64(groups.count)
        if more > 0 { cells.append(Array("and \(Numbers.count(more, "more group"))".utf8)) }
        return cells
    }

    // MARK: Other formats

    /// Returns commands that GitHub Actions shows as annotations: an error for each condition that is true, a notice with
    /// the verdict, and a notice for each example at its line.
    public func github() -> [UInt8] {
        var output = ""
        for failure in failures {
            output += WorkflowCommand.line("error", ["title": failure.condition.text], failure.values)
        }
        output += WorkflowCommand.line(
            "notice", ["title": "comparison"], (verdict + missing).joined(separator: ". "))
        for example in examples {
            let (now, new) = (example.groups.now, example.groups.new)
            func shown(_ group: ComparedGroup) -> String {
                String(
                    decoding: example.isSummary ? group.text(group.summary) : group.leadingText, as: UTF8.self
                )
            }
            output += WorkflowCommand.line(
                "notice",
                [
                    "file": String(decoding: sources.now.path(now.order.source), as: UTF8.self),
                    "line": "\(now.order.line)", "title": now.string(now.app) ?? "",
                ], "\(shown(now)) → \(shown(new))")
        }
        return Array(output.utf8)
    }
}

extension ComparisonReport.People {
    fileprivate subscript(measure: Measure) -> Change { measure == .groups ? groups : banners }
}

extension ComparedGroup {
    /// The title, subtitle and body in one line.
    fileprivate var leadingText: [UInt8] {
        Array([title, subtitle, body].filter { !$0.isEmpty }.map(text).joined(separator: Array(" — ".utf8)))
    }
}
