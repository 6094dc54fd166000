import SheafBytes
import SheafGroups

/// One group's line of the snapshot (specification §10).
///
/// Scratch arrays keep their capacity from group to group. What the configuration says of an app and of its
/// categories is looked up once per shard and remembered by symbol. Texts that stand in a line twice are escaped
/// once.
struct GroupRenderer {
    private let presentation: Presentation
    private let byDevice: Bool
    private let names: SourceNames

    private var tallies: [CategoryTally] = []
    private var arguments: [GroupStore.Argument] = []
    private var formatShares: [Share] = []
    private var placeholderShares: [Share] = []
    private var summary: [UInt8] = []
    private var hiddenBody: [UInt8] = []

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

    init(options: ReplayOptions, names: SourceNames, shards: Int) {
        presentation = Presentation(options.settings, locked: options.locked)
        byDevice = options.byDevice
        self.names = names
        apps = Array(repeating: [], count: shards)
        categories = Array(repeating: [:], count: shards)
    }

    /// Appends the line of the group at a place of the shard's order, with its LF.
    mutating func append(
        _ place: Int, of groups: borrowing SortedGroups, shard: Int, to output: inout OutputBuffer
    ) {
        append(groups.state(at: place), of: groups.store, shard: shard, to: &output)
    }

    /// Forgets what it knows of a shard, whose symbols mean something else from now on.
    mutating func forget(shard: Int) {
        apps[shard].removeAll()
        categories[shard].removeAll()
    }

    /// Appends the line of a group, with its LF.
    ///
    /// - Parameters:
    ///   - store: the state's.
    ///   - shard: whose symbols the store's are.
    mutating func append(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int, to output: inout OutputBuffer
    ) {
        let app = app(of: state, store, shard)
        let leading = store.leadingRecord(of: state)
        let category = category(store.leadingCategory(of: state), of: state, app, store, shard)
        store.collectTallies(of: state, into: &tallies)
        store.collectArguments(of: state, into: &arguments)
        composeSummary(state, app, store, shard)
        composeHiddenBody(leading, category)
        let more = tallies.reduce(0) { $0 + $1.weight }
        addLeading(leading, category: store.leadingCategory(of: state))

        appendKey(leading, state, store, to: &output)
        output.append(",\"count\":")
        output.appendDecimal(tallies.reduce(0) { $0 + $1.count })
        output.append(",\"total\":")
        output.appendDecimal(more + UInt64(leading.weight))
        let shown = appendLeading(leading, state, store, to: &output)
        let text = appendSummary(more: more, store, to: &output)
        output.append(state.argumentsTruncated ? "true" : "false")
        let hidden = appendHidden(leading, category, state, store, to: &output)
        output.append("},\"display\":{")
        // Whatever is on the screen stands in the line already.
        output.appendCopy(of: app.hidesPreviews ? hidden : shown)
        output.append(",\"summary\":")
        if app.hidesPreviews || text.isEmpty { output.append("null") } else { output.appendCopy(of: text) }
        appendCategories(store, to: &output)
        output.append(",\"first\":")
        output.appendDecimal(state.first)
        output.append(",\"last\":")
        output.appendDecimal(state.last)
        output.append("}\n")
    }
}

// MARK: - Parts of a line

extension GroupRenderer {
    private func appendKey(
        _ leading: NotificationRecord, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        let bytes = store.leadingBytes(of: state)
        if byDevice {
            output.append("{\"device\":")
            output.appendJSONStringOrNull(bytes[leading.device])
            output.append(",\"app\":")
        } else {
            output.append("{\"app\":")
        }
        output.appendJSONString(store.app(of: state))
        output.append(",\"thread\":")
        output.appendJSONStringOrNull(bytes[leading.thread])
    }

    /// - Returns: where its texts are, names and all.
    private func appendLeading(
        _ leading: NotificationRecord, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) -> Range<Int> {
        let bytes = store.leadingBytes(of: state)
        output.append(",\"leading\":{\"id\":")
        output.appendJSONStringOrNull(bytes[leading.identifier])
        output.append(",\"timestamp\":")
        output.appendDecimal(leading.order.timestamp)
        output.append(",")
        let start = output.count
        appendTexts(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body], to: &output)
        let texts = start..<output.count
        output.append(",\"category\":")
        output.appendJSONStringOrNull(
            store.category(store.leadingCategory(of: state)))
        output.append(",\"source\":")
        names.append(leading.order.source, to: &output)
        output.append(",\"line\":")
        output.appendDecimal(leading.order.line)
        return texts
    }

    /// - Returns: where the summary's text is; empty when there is none.
    private func appendSummary(
        more: UInt64, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) -> Range<Int> {
        var text = 0..<0
        if summary.isEmpty {
            output.append("},\"summary\":null,\"arguments\":[")
        } else {
            output.append("},\"summary\":{\"more\":")
            output.appendDecimal(more)
            output.append(",\"text\":")
            let start = output.count
            output.appendJSONString(summary.span)
            text = start..<output.count
            output.append("},\"arguments\":[")
        }
        for index in arguments.indices {
            if index > 0 { output.append(",") }
            output.appendJSONString(store.text(of: arguments[index]))
        }
        output.append("],\"argumentsTruncated\":")
        return text
    }

    /// - Returns: where the texts are that are shown while previews are hidden, names and all.
    private func appendHidden(
        _ leading: NotificationRecord, _ category: Presentation.Category, _ state: GroupState,
        _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) -> Range<Int> {
        let bytes = store.leadingBytes(of: state)
        output.append(",\"hidden\":{")
        let start = output.count
        appendTexts(
            bytes[category.showsHiddenTitle ? leading.title : .none],
            bytes[category.showsHiddenSubtitle ? leading.subtitle : .none], hiddenBody.span, to: &output)
        return start..<output.count
    }

    private func appendTexts(
        _ title: Span<UInt8>, _ subtitle: Span<UInt8>, _ body: Span<UInt8>, to output: inout OutputBuffer
    ) {
        output.append("\"title\":")
        output.appendJSONStringOrNull(title)
        output.append(",\"subtitle\":")
        output.appendJSONStringOrNull(subtitle)
        output.append(",\"body\":")
        output.appendJSONStringOrNull(body)
    }

    /// All the group's categories in byte order of name, none first.
    private mutating func appendCategories(_ store: borrowing GroupStore, to output: inout OutputBuffer) {
        if tallies.count > 1 {
            // Not the store: what is lent is copied each time that a closure looks at it.
            let names = store.categories
            tallies.sort { names.text(of: $0.category).compare(to: names.text(of: $1.category)) < 0 }
        }
        output.append("},\"categories\":[")
        for index in tallies.indices {
            let tally = tallies[index]
            if index > 0 { output.append(",") }
            output.append("{\"category\":")
            output.appendJSONStringOrNull(store.category(tally.category))
            output.append(",\"count\":")
            output.appendDecimal(tally.count)
            output.append(",\"weight\":")
            output.appendDecimal(tally.weight)
            output.append("}")
        }
        output.append("]")
    }
}

// MARK: - What the configuration makes of a group

extension GroupRenderer {
    /// The summary of the rest, from its tallies.
    private mutating func composeSummary(
        _ state: GroupState, _ app: KnownApp, _ store: borrowing GroupStore, _ shard: Int
    ) {
        summary.removeAll(keepingCapacity: true)
        formatShares.removeAll(keepingCapacity: true)
        placeholderShares.removeAll(keepingCapacity: true)
        guard !tallies.isEmpty else { return }
        for tally in tallies {
            let category = category(tally.category, of: state, app, store, shard)
            var share = Share(
                format: category.format, weight: tally.weight, withoutArgument: tally.withoutArgument,
                newest: tally.newest)
            formatShares.add(share)
            share.format = category.placeholder
            placeholderShares.add(share)
        }
        let arguments = arguments
        presentation.formats.appendSummary(
            of: formatShares, argumentCount: arguments.count,
            argument: { index, output in output.append(store.text(of: arguments[index])) },
            to: &summary)
    }

    private mutating func composeHiddenBody(
        _ leading: NotificationRecord, _ category: Presentation.Category
    ) {
        hiddenBody.removeAll(keepingCapacity: true)
        placeholderShares.add(
            Share(
                format: category.placeholder, weight: UInt64(leading.weight), withoutArgument: 0,
                newest: leading.order))
        presentation.formats.appendHiddenBody(of: placeholderShares, to: &hiddenBody)
    }

    /// Counts the leading notification among the categories.
    private mutating func addLeading(_ leading: NotificationRecord, category: UInt32) {
        for index in tallies.indices where tallies[index].category == category {
            tallies[index].count += 1
            tallies[index].weight += UInt64(leading.weight)
            return
        }
        tallies.append(CategoryTally(category: category, leading: leading))
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
        let category = presentation.app(store.app(of: state))
            .category(store.category(symbol))
        categories[shard][key] = category
        return category
    }
}
