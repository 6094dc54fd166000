import SheafBytes
import SheafGroups

/// What a snapshot has of one group: a line of JSON or CSV (specification §10), or what the screen shows.
///
///     state ──compose──▶ summary, hidden body, tallies, arguments ──▶ a format's own writing, `GroupRenderer+….swift`
///
/// Scratch arrays keep their capacity from group to group. What the configuration says of an app and of its
/// categories is looked up once per shard and remembered by symbol.
struct GroupRenderer {
    let presentation: Presentation
    let format: SnapshotFormat
    let byDevice: Bool
    let names: SourceNames
    private let profile: Profile

    /// Of all the group's notifications, by category.
    var tallies: [CategoryTally] = []
    /// Of the categories that are not among those with the smallest names; nil when there are none.
    var others: CategoryTally?
    var arguments: [GroupStore.Argument] = []
    /// Empty when the group is one notification.
    var summary: [UInt8] = []
    var hiddenBody: [UInt8] = []
    /// Where the lines of each group end that was rendered since `forgetEnds`; nil where nothing asks for it.
    private(set) var ends: [Int]?
    private var alerts = AlertResolver()
    private var formatShares = ShareList()
    private var placeholderShares = ShareList()

    /// A summary of more arguments has its memory reserved at once.
    private static let manyArguments = 64
    /// What is between two items of a list, with isolates around an item.
    private static let jointBytes = 16

    /// By shard, and by the app's symbol: what is known of it.
    private var apps: [[KnownApp?]]
    /// By shard, and by the symbols of app and category: of apps whose categories are configured.
    private var categories: [[UInt64: Presentation.Category]]

    /// What each group of an app asks of it. Plain memory, unlike the app itself.
    private struct KnownApp {
        let hidesPreviews: Bool
        /// Whether the configuration says nothing of its categories.
        let isUnknown: Bool
    }

    /// A group's numbers, and how it is shown; its texts are the renderer's.
    struct Group {
        let leading: NotificationRecord
        let category: Presentation.Category
        let hidesPreviews: Bool
        /// Whether the leading notification's texts stand in `alerts.texts`, out of string tables.
        let isLocalized: Bool
        let argumentsTruncated: Bool
        let count: UInt64
        let total: UInt64
        let more: UInt64
    }

    /// - Parameter presentation: that of the options, which all renderers have in common.
    init(options: ReplayOptions, presentation: Presentation, names: SourceNames, shards: Int) {
        self.presentation = presentation
        profile = options.profile
        format = options.format
        byDevice = options.byDevice
        self.names = names
        ends = options.maximumLines == nil ? nil : []
        apps = Array(repeating: [], count: shards)
        categories = Array(repeating: [:], count: shards)
    }

    /// Appends the group at a place of the shard's order.
    ///
    /// - Returns: false for a large group where that is not allowed.
    mutating func append(
        _ place: Int, of groups: borrowing SortedGroups, shard: Int, allowsLarge: Bool = true,
        to output: inout OutputBuffer
    ) -> Bool {
        let state = groups.state(at: place)
        guard allowsLarge || !groups.store.isLarge(state) else { return false }
        append(state, of: groups.store, shard: shard, to: &output)
        return true
    }

    /// Forgets what it knows of a shard, whose symbols mean something else from now on.
    mutating func forget(shard: Int) {
        apps[shard].removeAll()
        categories[shard].removeAll()
    }

    /// Appends a group, after what separates two of them.
    ///
    /// - Parameters:
    ///   - store: the state's.
    ///   - shard: whose symbols the store's are.
    mutating func append(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int, to output: inout OutputBuffer
    ) {
        let group = compose(state, of: store, shard: shard)
        append(group, state, store, to: &output)
        ends?.append(output.count)
    }

    /// Gives back the memory that texts of a large group took.
    mutating func forgetLargeTexts() {
        summary = []
        hiddenBody = []
    }

    /// Forgets where groups end.
    mutating func forgetEnds() { ends?.removeAll(keepingCapacity: true) }

    private mutating func append(
        _ group: Group, _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        if group.isLocalized {
            // Not the renderer's own, which changes while it is looked at.
            let texts = alerts.texts
            append(group, texts.span, state, store, to: &output)
        } else {
            append(group, store.leadingBytes(of: state), state, store, to: &output)
        }
    }

    /// - Parameter bytes: what the leading notification's texts stand in.
    private mutating func append(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        switch format {
        case .ndjson:
            appendJSON(group, bytes, state, store, to: &output)
            output.append("\n")
        case .json:
            output.append(SnapshotFormat.jsonSeparator)
            appendJSON(group, bytes, state, store, to: &output)
        case .csv: appendCSV(group, bytes, state, store, to: &output)
        case .text(let style): appendText(group, bytes, state, store, style, to: &output)
        }
    }
}

// MARK: - What the configuration makes of a group

extension GroupRenderer {
    /// Sums the group up, and makes its texts.
    @inline(__always)
    private mutating func compose(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int
    ) -> Group {
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
            alerts.resolve(&leading, in: bytes, of: store.app(of: state), for: presentation)
        }
        let more = tallies.reduce(others?.weight ?? 0) { WeightSum.adding($0, $1.weight) }
        addLeading(leading, category: store.leadingCategory(of: state), of: store)
        return Group(
            leading: leading, category: category, hidesPreviews: app.hidesPreviews,
            isLocalized: isLocalized, argumentsTruncated: state.argumentsTruncated && profile == .ios12,
            count: tallies.reduce(others?.count ?? 0) { $0 + $1.count },
            total: WeightSum.adding(more, UInt64(leading.weight)), more: more)
    }

    /// The summary of the rest, from its tallies.
    private mutating func composeSummary(
        _ state: GroupState, _ app: KnownApp, _ store: borrowing GroupStore, _ shard: Int
    ) {
        summary.removeAll(keepingCapacity: true)
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
            // An array that grows takes its size three times over.
            summary.reserveCapacity(
                arguments.reduce(0) { $0 + store.text(of: $1).count + Self.jointBytes })
        }
        let arguments = arguments
        presentation.formats.appendSummary(
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
        presentation.formats.appendHiddenBody(of: placeholderShares.shares, to: &hiddenBody)
    }

    /// Counts the leading notification among the categories, of which there are then as many as before, or one more unless
    /// that is one too many.
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
        if symbol < apps[shard].count, let app = apps[shard][symbol] { return app }
        let app = presentation.app(store.app(of: state))
        let known = KnownApp(hidesPreviews: app.hidesPreviews, isUnknown: app.isUnknown)
        while apps[shard].count <= symbol { apps[shard].append(nil) }
        apps[shard][symbol] = known
        return known
    }

    private mutating func category(
        _ symbol: UInt32, of state: GroupState, _ app: KnownApp, _ store: borrowing GroupStore,
        _ shard: Int
    ) -> Presentation.Category {
        guard symbol != 0, !app.isUnknown else { return .unknown }
        let key = UInt64(store.appSymbol(of: state)) << 32 | UInt64(symbol)
        if let category = categories[shard][key] { return category }
        let category = presentation.category(
            store.category(symbol), of: presentation.app(store.app(of: state)))
        categories[shard][key] = category
        return category
    }
}
