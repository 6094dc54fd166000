import SheafBytes
import SheafGroups
import SheafText

/// Renders one group of a snapshot: as a line of JSON or CSV (specification §10), or as text for the screen.
///
///     state ──compose──▶ summary, hidden body, tallies, arguments ──▶ the format, `GroupRenderer+….swift`
///
/// A group is shown in the locale of its leading notification. Scratch arrays keep their capacity from group to group.
/// The configuration of an app and of its categories is looked up once per shard and locale, and cached by symbol.
struct GroupRenderer {
    let format: SnapshotFormat
    let byDevice: Bool
    let devices: DeviceNames?
    var names: SourceNames
    /// The instant of the next group's snapshot, and whether the group is the first one of it; nil if there is only one
    /// snapshot.
    var instant: (instant: SnapshotInstant, isFirst: Bool)?
    let timeline: Timeline?
    let timesFollowInstants: Bool
    /// Whether groups have the fate of their notifications.
    let showsDelivery: Bool
    private let profile: Profile
    let isCompared: Bool

    /// The tallies of all the group's notifications, by category.
    var tallies: [CategoryTally] = []
    /// The tally of the categories that are not among those with the smallest names; nil if there are none.
    var others: CategoryTally?
    var arguments: [GroupStore.Argument] = []
    /// Empty if the group consists of one notification.
    var summary: [UInt8] = []
    var hiddenBody: [UInt8] = []
    /// The end of each group rendered since `removeEnds`, as an offset in the output; nil if the ends are not needed.
    private(set) var ends: [Int]?
    /// The display in `locale`.
    var shown: Display
    /// The shares of the last group's rest, by format.
    private(set) var formatShares = ShareList()
    private var placeholderShares = ShareList()

    /// The number of arguments above which a summary's memory is reserved at once.
    private static let manyArguments = 64
    /// The size of a list separator plus the isolates around an item.
    private static let jointBytes = 16

    private let locales: LocalizedDisplays
    /// The locale of the next group's texts; `none` for that of the run.
    private var locale = LocaleCode.none
    /// The displays in other locales: few of those that occurred.
    private var otherDisplays: [LocaleCode: Display] = [:]
    private let shards: Int

    /// A display, and what is cached of it.
    struct Display {
        let presentation: Presentation
        /// nil if no times are shown.
        let times: ShownTimes?
        var alerts = AlertResolver()
        /// The cached apps, by shard and by the app's symbol.
        fileprivate var apps: [[KnownApp?]]
        /// The cached categories of apps whose categories are configured, by shard and by the symbols of app and category.
        fileprivate var categories: [[UInt64: Presentation.Category]]

        fileprivate init(_ display: LocalizedDisplay, shards: Int) {
            (presentation, times) = (display.presentation, display.times)
            apps = Array(repeating: [], count: shards)
            categories = Array(repeating: [:], count: shards)
        }

        fileprivate mutating func clearCaches(ofShard shard: Int) {
            apps[shard].removeAll()
            categories[shard].removeAll()
        }
    }

    /// The properties of an app that each of its groups needs. Trivial to copy, unlike the app itself. An app is unknown
    /// if the configuration has no categories for it.
    fileprivate typealias KnownApp = (hidesPreviews: Bool, isUnknown: Bool)

    /// A group's numbers and display settings. The composed texts are properties of the renderer.
    struct Group {
        let leading: NotificationRecord
        let category: Presentation.Category
        let hidesPreviews: Bool
        /// Whether the leading notification's texts come from string tables and are in `alerts.texts`.
        let isLocalized: Bool
        let argumentsTruncated: Bool
        let count: UInt64
        let total: UInt64
        let more: UInt64
    }

    /// - Parameter recordsEnds: whether the ends of groups are needed, even without a limit of lines.
    init(_ style: SnapshotStyle, names: SourceNames, shards: Int, recordsEnds: Bool = false) {
        locales = style.locales
        self.shards = shards
        shown = Display(style.locales.standard, shards: shards)
        profile = style.profile
        format = style.format
        isCompared = style.isCompared
        byDevice = style.byDevice
        devices = style.devices
        timeline = style.timeline
        timesFollowInstants = style.timesFollowInstants
        showsDelivery = style.showsDelivery
        self.names = names
        ends = style.maximumLines == nil && !recordsEnds ? nil : []
    }

    /// Appends the group at an index in the shard's order.
    ///
    /// - Returns: false if the group is large and that is not allowed.
    mutating func append(
        _ index: Int, of groups: borrowing SortedGroups, shard: Int, allowsLarge: Bool = true,
        to output: inout OutputBuffer
    ) -> Bool {
        let state = groups.state(at: index)
        guard allowsLarge || !groups.store.isLarge(state) else { return false }
        append(state, of: groups.store, shard: shard, to: &output)
        return true
    }

    /// Clears the caches for a shard whose symbols no longer have the same meaning.
    mutating func clearCaches(ofShard shard: Int) {
        shown.clearCaches(ofShard: shard)
        for code in otherDisplays.keys { otherDisplays[code]?.clearCaches(ofShard: shard) }
    }

    /// Shows what follows in a locale; in that of the run for `none`.
    mutating func select(_ code: LocaleCode) {
        if code != locale { change(to: code) }
    }

    @inline(never)
    private mutating func change(to code: LocaleCode) {
        if otherDisplays.count >= Limits.renderedLocales { otherDisplays.removeAll() }
        let next =
            otherDisplays.removeValue(forKey: code) ?? Display(locales.display(code), shards: shards)
        otherDisplays[locale] = shown
        (shown, locale) = (next, code)
    }

    /// Appends a group, preceded by the format's separator.
    ///
    /// - Parameters:
    ///   - store: the store that holds the state.
    ///   - shard: the shard whose symbols the store uses.
    // Not inlined into the loop over groups, which would copy parts of the renderer for each group.
    @inline(never)
    mutating func append(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int, to output: inout OutputBuffer
    ) {
        if let instant, instant.instant.isEmpty {
            appendEmpty(state, store, to: &output)
        } else {
            let group = compose(state, of: store, shard: shard)
            if group.isLocalized {
                // A copy, because the renderer is mutated while the texts are read.
                let texts = shown.alerts.texts
                append(group, texts.span, state, store, to: &output)
            } else {
                append(group, store.leadingBytes(of: state), state, store, to: &output)
            }
        }
        ends?.append(output.count)
    }

    /// Releases the memory of a large group's texts.
    mutating func releaseLargeTexts() {
        summary = []
        hiddenBody = []
    }

    /// Clears the recorded ends of groups.
    mutating func removeEnds() { ends?.removeAll(keepingCapacity: true) }

    /// The position of a notification that was alone in an emptied group; nil for other groups.
    func vanished(_ state: GroupState) -> OrderKey? {
        instant?.instant.isAlone == true ? state.leading.order : nil
    }
}

// MARK: - Composing texts

extension GroupRenderer {
    /// Computes a group's totals and composes its texts.
    @inline(__always)
    mutating func compose(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int
    ) -> Group {
        if showsDelivery { select(store.locale(of: state)) }
        let app = app(of: state, store, shard)
        var leading = store.leadingRecord(of: state)
        let category = category(store.leadingCategory(of: state), of: state, app, store, shard)
        others = store.collectTallies(of: state, into: &tallies)
        store.collectArguments(of: state, into: &arguments)
        if profile == .ios15 {
            leading.weight = 1
            for index in tallies.indices { tallies[index].ignoreArguments() }
            others?.ignoreArguments()
            arguments.removeAll(keepingCapacity: true)
        }
        composeSummary(state, app, store, shard)
        composeHiddenBody(leading, category)
        let bytes = store.leadingBytes(of: state)
        let isLocalized = AlertResolver.isNeeded(for: leading, in: bytes)
        if isLocalized {
            let presentation = shown.presentation
            shown.alerts.resolve(&leading, in: bytes, of: store.app(of: state), for: presentation)
        }
        let more = tallies.reduce(others?.weight ?? 0) { WeightSum.adding($0, $1.weight) }
        addLeading(leading, category: store.leadingCategory(of: state), of: store)
        return Group(
            leading: leading, category: category,
            hidesPreviews: state.showPreviews.map(shown.presentation.hidesPreviews) ?? app.hidesPreviews,
            isLocalized: isLocalized, argumentsTruncated: state.argumentsTruncated && profile == .ios12,
            count: tallies.reduce(others?.count ?? 0) { $0 + $1.count },
            total: WeightSum.adding(more, UInt64(leading.weight)), more: more)
    }

    /// Composes the summary from the tallies of the rest.
    private mutating func composeSummary(
        _ state: GroupState, _ app: KnownApp, _ store: borrowing GroupStore, _ shard: Int
    ) {
        if !summary.isEmpty { summary.removeAll(keepingCapacity: true) }
        formatShares.removeAll()
        placeholderShares.removeAll()
        guard !tallies.isEmpty else { return }
        for tally in tallies {
            let category = category(tally.category, of: state, app, store, shard)
            var share = Share(
                format: category.format, number: tally.weight, withoutArgument: tally.withoutArgument,
                newest: tally.newest)
            formatShares.add(share)
            share.format = category.placeholder
            share.number = tally.count
            placeholderShares.add(share)
        }
        if let others {
            formatShares.add(
                Share(
                    format: 0, number: others.weight, withoutArgument: others.withoutArgument,
                    newest: others.newest))
            placeholderShares.add(
                Share(format: 0, number: others.count, withoutArgument: 0, newest: others.newest))
        }
        if arguments.count > Self.manyArguments {
            // A growing array takes up to three times its size.
            summary.reserveCapacity(
                arguments.reduce(0) { $0 + store.text(of: $1).count + Self.jointBytes })
        }
        let arguments = arguments
        shown.presentation.formats.appendSummary(
            of: formatShares.shares, argumentCount: arguments.count,
            argument: { index, output in output.append(store.text(of: arguments[index])) },
            to: &summary)
    }

    private mutating func composeHiddenBody(
        _ leading: NotificationRecord, _ category: Presentation.Category
    ) {
        hiddenBody.removeAll(keepingCapacity: true)
        placeholderShares.add(
            Share(
                format: category.placeholder, number: 1, withoutArgument: 0, newest: leading.order))
        shown.presentation.formats.appendHiddenBody(of: placeholderShares.shares, to: &hiddenBody)
    }

    /// Adds the leading notification to the tally of its category. If that is a new category and there are now too
    /// many, the surplus one is added to `others`.
    private mutating func addLeading(
        _ leading: NotificationRecord, category: UInt32, of store: borrowing GroupStore
    ) {
        for index in tallies.indices where tallies[index].category == category {
            tallies[index].count += 1
            tallies[index].weight = WeightSum.adding(tallies[index].weight, UInt64(leading.weight))
            return
        }
        tallies.append(CategoryTally(category: category, leading: leading))
        if tallies.count > GroupStore.maximumCategories { others = store.cut(&tallies, adding: others) }
    }

    private mutating func app(
        of state: GroupState, _ store: borrowing GroupStore, _ shard: Int
    ) -> KnownApp {
        let symbol = Int(store.appSymbol(of: state))
        if symbol < shown.apps[shard].count, let app = shown.apps[shard][symbol] { return app }
        let app = shown.presentation.app(store.app(of: state))
        let known: KnownApp = (app.hidesPreviews, app.isUnknown)
        while shown.apps[shard].count <= symbol { shown.apps[shard].append(nil) }
        shown.apps[shard][symbol] = known
        return known
    }

    private mutating func category(
        _ symbol: UInt32, of state: GroupState, _ app: KnownApp, _ store: borrowing GroupStore,
        _ shard: Int
    ) -> Presentation.Category {
        guard symbol != 0, !app.isUnknown else { return .unknown }
        let key = UInt64(store.appSymbol(of: state)) << 32 | UInt64(symbol)
        if let category = shown.categories[shard][key] { return category }
        let category = shown.presentation.category(
            store.category(symbol), of: shown.presentation.app(store.app(of: state)))
        shown.categories[shard][key] = category
        return category
    }
}
