import SheafBytes

extension ComparisonReport {
    /// Returns the report as one JSON object followed by an LF. The same records and designs give the same bytes.
    public func json() -> [UInt8] {
        JSONDocument.bytes { json in
            json.member("equal", isEqual)
            json.member("verdict", verdict)
            json.member("failures", failures) { json, failure in
                json.member("condition", failure.condition.text)
                json.member("values", failure.values)
            }
            if !missing.isEmpty { json.member("missing", missing) }
            if let people {
                json.member("people") { json in
                    json.member("count", people.count)
                    for (name, change) in [("groups", people.groups), ("banners", people.banners)] {
                        json.member(named: name) { json in
                            json.member("more", change.more)
                            json.member("fewer", change.fewer)
                        }
                    }
                }
            }
            json.member("all") { Self.write(all, measures: all.measures, to: &$0) }
            json.member("apps", apps) { json, app in
                Self.write(app, measures: app.measures.filter { $0.now.differs(from: $0.new) }, to: &json)
            }
            json.member("examples", examples) { json, example in
                let group = example.groups.now
                json.member("app", group.string(group.app))
                json.member("device", group.string(group.device))
                json.member("thread", group.string(group.thread))
                json.member("text", example.isSummary ? "summary" : "leading")
                json.member("now") { write(example.groups.now, sources.now, to: &$0) }
                json.member("new") { write(example.groups.new, sources.new, to: &$0) }
            }
            json.member("screens", screens) { json, screen in
                json.member(
                    "device", screen.device.isEmpty ? nil : String(decoding: screen.device, as: UTF8.self))
                json.member("groups") { Self.write(screen.count, to: &$0) }
                for (name, groups, sources) in [
                    ("now", screen.groups.now, sources.now), ("new", screen.groups.new, sources.new),
                ] {
                    json.member(named: name, groups) { json, group in
                        json.member("app", group.string(group.app))
                        json.member("thread", group.string(group.thread))
                        json.member("count", group.count)
                        write(group, sources, to: &json)
                    }
                }
            }
            json.member("statistics") { json in
                json.member("now", encoded: statistics.now.json(hasResources: false))
                json.member("new", encoded: statistics.new.json(hasResources: false))
            }
        }
    }

    /// Writes what is shown of a group, and where its leading notification is.
    private func write(_ group: ComparedGroup, _ sources: SourceNames, to json: inout JSONDocument) {
        json.member("title", group.string(group.title))
        json.member("subtitle", group.string(group.subtitle))
        json.member("body", group.string(group.body))
        json.member("summary", group.string(group.summary))
        json.member("timestamp", milliseconds: group.order.timestamp)
        json.member("source", String(decoding: sources.path(group.order.source), as: UTF8.self))
        json.member("line", group.order.line)
    }

    private static func write(_ app: App, measures: [Sides<MeasureRow>], to json: inout JSONDocument) {
        json.member("app", app.name)
        json.member("groups") { write(app.groups, to: &$0) }
        json.member("notifications") { write(app.notifications, to: &$0) }
        if let kept = app.kept { json.member("kept", kept) }
        if let split = app.split { json.member("split", split) }
        if let merged = app.merged { json.member("merged", merged) }
        if let only = app.only { json.member("only") { write(only, to: &$0) } }
        json.member("texts") { json in
            json.member("leading", app.leading)
            json.member("summary", app.summaries)
        }
        json.member("measures", measures) { json, rows in
            json.member("measure", rows.now.measure.rawValue)
            json.member("now") { write(rows.now, to: &$0) }
            json.member("new") { write(rows.new, to: &$0) }
            json.member("difference") { json in
                func difference(_ name: String, _ now: UInt64, _ new: UInt64) {
                    json.member(named: name, signed: Int64(clamping: new) - Int64(clamping: now))
                }
                difference("people", rows.now.people, rows.new.people)
                difference("sum", rows.now.sum, rows.new.sum)
                for (index, quantile) in ComparisonCondition.quantiles.enumerated() {
                    difference("p\(quantile.text)", rows.now.quantiles[index], rows.new.quantiles[index])
                }
                difference("max", rows.now.max, rows.new.max)
            }
        }
    }

    private static func write(_ sides: Sides<UInt64>, to json: inout JSONDocument) {
        json.member("now", sides.now)
        json.member("new", sides.new)
    }

    private static func write(_ row: MeasureRow, to json: inout JSONDocument) {
        json.member("people", row.people)
        json.member("zero", row.zero)
        json.member("sum", row.sum)
        json.member("mean", Double(row.meanThousandths) / 1_000, decimals: 3)
        for (index, quantile) in ComparisonCondition.quantiles.enumerated() {
            json.member(named: "p\(quantile.text)", row.quantiles[index])
        }
        json.member("max", row.max)
    }
}

extension ComparedGroup {
    /// Returns a text; nil if it is empty.
    func string(_ range: Range<Int>) -> String? {
        range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
    }
}
