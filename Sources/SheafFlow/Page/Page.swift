import SheafBytes
import SheafGroups
import SheafText
import Synchronization

/// A web page that shows results of runs: one file with everything in it.
///
///     a replay ──lines──────▶ PageLines ────┐
///     a measurement ──rows──▶ PageMeasures ─┼─▶ data, as one JSON object ─▶ page.html with the style and the script
///     a check ──a report────────────────────┘
///
/// The page of one run is the run's result. For a report, several runs share a page, which the report writes.
///
/// Memory: what the page shows, about as much as `Limits` allows for its parts, and the values of `PageMeasures`.
package final class Page: Sendable {
    private let state: Mutex<Contents>

    /// What kind of run made the page.
    package enum Kind: String {
        case replay, measure, compare, check, report
    }

    private struct Contents {
        let kind: Kind
        let command: String?
        /// How texts and times are shown; nil for a check.
        var display: PageDisplay?
        var lines: PageLines?
        /// Why each of the chosen people is shown.
        var chosen: [(device: String, reason: String)] = []
        /// The apps whose notifications are not grouped.
        var alone: [String] = []
        var threads: PageLines?
        var members: (lines: PageLines, alone: [String])?
        var measures: PageMeasures?
        var check: PageText?
        var comparison: (json: [UInt8], locale: String)?
        var statistics: [UInt8]?
    }

    /// - Parameter command: the command that makes the page, as the user typed it; nil if no command does.
    package init(_ kind: Kind, command: String?) {
        state = Mutex(Contents(kind: kind, command: command))
    }

    // MARK: Sections

    /// Sets how texts and times are shown.
    package func show(_ display: PageDisplay) { state.withLock { $0.display = display } }

    /// Begins the screens, and returns where the lines of the snapshot are written.
    ///
    /// - Parameters:
    ///   - alone: the apps whose notifications are not grouped, so that each line of them is a notification.
    ///   - chosen: the people to show, the most important ones first; nil to choose among all.
    package func beginScreens(
        byDevice: Bool, hasInstants: Bool, alone: [String],
        chosen: [(device: String, reason: String)]? = nil
    ) -> PageLines {
        let lines = PageLines(
            byDevice: byDevice, hasInstants: hasInstants, chosen: chosen?.map(\.device),
            maximumBytes: Limits.pageLineBytes)
        state.withLock { ($0.lines, $0.chosen, $0.alone) = (lines, chosen ?? [], alone) }
        return lines
    }

    /// Begins the notifications that groups of the screens open into, and returns where their lines are written.
    ///
    /// - Parameters:
    ///   - alone: the apps of the notifications.
    ///   - chosen: the people, the most important ones first.
    package func beginMembers(hasInstants: Bool, alone: [String], chosen: [String]) -> PageLines {
        let lines = PageLines(
            byDevice: true, hasInstants: hasInstants, chosen: chosen, maximumBytes: Limits.pageMemberBytes)
        state.withLock { $0.members = (lines, alone) }
        return lines
    }

    /// Begins the groups with the most notifications of all people.
    package func beginThreads() -> PageLines {
        let lines = PageLines(byDevice: false, hasInstants: false, maximumBytes: Limits.pageThreadBytes)
        state.withLock { $0.threads = lines }
        return lines
    }

    /// Begins the measures.
    package func beginMeasures(_ options: MeasureOptions) {
        state.withLock { $0.measures = PageMeasures(options) }
    }

    func add(_ row: MeasureRow) { state.withLock { $0.measures?.add(row) } }

    /// Begins the report of a check, and returns where its JSON is written.
    package func beginCheck() -> PageText {
        let text = PageText()
        state.withLock { $0.check = text }
        return text
    }

    /// Adds a comparison of two designs.
    ///
    /// - Parameters:
    ///   - json: the report.
    ///   - locale: that of the texts of the new design.
    func add(comparison json: [UInt8], locale: LocaleIdentifier) {
        state.withLock { $0.comparison = (json, Self.tag(locale)) }
    }

    func add(_ statistics: Statistics) {
        // Without times and sizes, so that the same records give the same bytes.
        state.withLock { $0.statistics = statistics.json(hasResources: false) }
    }

    // MARK: Writing

    /// Returns the page. Its sections must be complete.
    func bytes() -> [UInt8] {
        let data = state.withLock { contents in Self.data(contents) }
        let (style, script) = (PageFiles.style, PageFiles.script)
        let title = state.withLock { "Sheaf \($0.kind.rawValue)" }
        let parts: [String: [UInt8]] = [
            "lang": Array("en".utf8), "title": Array(title.utf8),
            "styleHash": Array(SHA256.base64(of: style.span).utf8),
            "scriptHash": Array(SHA256.base64(of: script.span).utf8),
            "style": style, "script": script, "data": data,
        ]
        return Self.filled(PageFiles.html, parts)
    }

    /// Returns a locale's language tag (BCP 47).
    static func tag(_ locale: LocaleIdentifier) -> String { "\(locale)".replacing("_", with: "-") }

    /// Returns a template in which each `{{name}}` is replaced by the part with that name.
    private static func filled(_ template: [UInt8], _ parts: [String: [UInt8]]) -> [UInt8] {
        var page: [UInt8] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            page += rest[..<open]
            rest = rest[open...]
            if rest.starts(with: "{{".utf8), let close = rest.firstIndex(of: UInt8(ascii: "}")),
                let part = parts[String(decoding: rest[(open + 2)..<close], as: UTF8.self)]
            {
                page += part
                rest = rest[(close + 2)...]
            } else {
                page.append(rest.removeFirst())
            }
        }
        return page + rest
    }

    /// Returns the data as JSON that a script element can contain: without `<`, which only strings have.
    private static func data(_ contents: Contents) -> [UInt8] {
        var json = JSONDocument.bytes { json in
            json.member("version", SheafVersion.current)
            json.member("kind", contents.kind.rawValue)
            if let command = contents.command { json.member("command", command) }
            contents.display?.write(to: &json)
            if let lines = contents.lines {
                json.member("screens") { write(lines, contents, to: &$0) }
            }
            if let (members, alone) = contents.members {
                json.member("members") { json in
                    json.member("byDevice", true)
                    json.member("lines", encoded: members.finish().lines)
                    json.member("alone", alone)
                }
            }
            if let threads = contents.threads { json.member("threads", encoded: threads.finish().lines) }
            if let measures = contents.measures { json.member("measures") { measures.write(to: &$0) } }
            if let check = contents.check { json.member("check", encoded: check.bytes) }
            if let (comparison, locale) = contents.comparison {
                json.member("newLocale", locale)
                json.member("comparison", encoded: comparison)
            }
            if let statistics = contents.statistics { json.member("statistics", encoded: statistics) }
        }
        if json.last == UInt8(ascii: "\n") { json.removeLast() }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") { escaped += Array("\\u003c".utf8) } else { escaped.append(byte) }
        }
        return escaped
    }

    private static func write(_ lines: PageLines, _ contents: Contents, to json: inout JSONDocument) {
        let (texts, instants) = lines.finish()
        json.member("byDevice", lines.byDevice)
        json.member("every", lines.hasInstants)
        json.member("lines", encoded: texts)
        if lines.hasInstants { json.member("instants", numbers: instants) }
        if !contents.alone.isEmpty { json.member("alone", contents.alone) }
        if let now = contents.display?.now { json.member("now", milliseconds: now) }
        if !contents.chosen.isEmpty {
            json.member("chosen", contents.chosen) { json, item in
                json.member("device", item.device)
                json.member("reason", item.reason)
            }
        }
        guard lines.leavesOut else { return }
        json.member("leftOut") { json in
            // With several snapshots, the same groups and people may be left out of each.
            if lines.hasInstants { return json.member("more", true) }
            if lines.leftOut.people > 0 { json.member("people", lines.leftOut.people) }
            json.member("groups", lines.leftOut.groups)
        }
    }
}

/// The part of a page that a run writes.
package struct PageSection: Sendable {
    let page: Page
    let output: any ByteOutput & Sendable

    package init(
        page: Page,
        output: any ByteOutput & Sendable
    ) {
        self.page = page
        self.output = output
    }
}

/// A part of a page as it is written.
package final class PageText: ByteOutput, Sendable {
    private let text = Mutex<[UInt8]>([])

    var bytes: [UInt8] { text.withLock(\.self) }

    package func write(_ bytes: Span<UInt8>) throws(StorageError) {
        let copy = Array(copying: bytes)
        text.withLock { $0 += copy }
    }

    package init() {}
}

extension ReplayOptions {
    /// Returns the page that the result of a run is; nil for other formats.
    func newPage() -> PageSection? {
        newPage(byDevice: byDevice, every: every, measures: measures, alone: appsAlone)
    }

    /// - Parameters:
    ///   - measures: what is measured; nil for snapshots.
    ///   - alone: the apps whose notifications are not grouped.
    func newPage(
        byDevice: Bool, every: Timeline?, measures: MeasureOptions?, alone: [String]
    ) -> PageSection? {
        guard format == .html, partial == nil else { return nil }
        let page = Page(measures == nil ? .replay : .measure, command: command)
        page.show(display)
        guard let measures else {
            return PageSection(
                page: page,
                output: page.beginScreens(byDevice: byDevice, hasInstants: every != nil, alone: alone))
        }
        page.beginMeasures(measures)
        return PageSection(page: page, output: PageText())
    }

    /// How a page shows texts and times.
    package var display: PageDisplay {
        PageDisplay(
            locale: Page.tag(locale), profile: profile.rawValue, locked: locked,
            zone: (timeZone == nil ? timeZoneOffset : 0, timeZone?.name),
            now: every == nil ? now ?? until : nil,
            names: settings.apps.orderedByKey().prefix(Limits.pageNames).compactMap { app, settings in
                settings.name.map { (app, $0) }
            })
    }

    /// The apps whose notifications are not grouped, in byte order.
    package var appsAlone: [String] { settings.apps.filter { $0.value.grouping == .off }.keys.ordered() }
}

/// How a page shows texts and times.
package struct PageDisplay {
    let locale: String
    let profile: String
    let locked: Bool
    /// The minutes by which the clock of times is ahead of UTC, and the name of the time zone if it has one.
    let zone: (minutes: Int, name: String?)
    /// The time on the device's clock, in milliseconds since 1970; nil for that of each snapshot, or of the newest record.
    let now: Int64?
    /// The names of apps, by identifier.
    let names: [(app: String, name: String)]

    func write(to json: inout JSONDocument) {
        json.member("locale", locale)
        json.member("profile", profile)
        json.member("locked", locked)
        json.member("timeZone") { json in
            json.member("minutes", milliseconds: Int64(zone.minutes))
            if let name = zone.name { json.member("name", name) }
        }
        guard !names.isEmpty else { return }
        json.member("names") { json in
            for item in names { json.member(named: item.app, text: item.name) }
        }
    }
}
