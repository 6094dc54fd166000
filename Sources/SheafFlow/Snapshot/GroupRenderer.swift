import SheafBytes
import SheafGroups

/// One group's line of the snapshot (specification §10).
///
/// Scratch arrays keep their capacity from group to group. What the configuration says of an app's category is
/// looked up once per shard and remembered by symbol.
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

    /// By shard: what is known of its symbols.
    private var apps: [[UInt32: Presentation.App]]
    private var categories: [[UInt64: Presentation.Category]]

    init(options: ReplayOptions, names: SourceNames, shards: Int) {
        presentation = Presentation(options.settings, locked: options.locked)
        byDevice = options.byDevice
        self.names = names
        apps = Array(repeating: [:], count: shards)
        categories = Array(repeating: [:], count: shards)
    }

    /// Appends the line of the group at a place of the shard's order, with its LF.
    mutating func append(
        _ place: Int, of groups: borrowing SortedGroups, shard: Int, to output: inout [UInt8]
    ) {
        let state = groups.state(at: place)
        let app = app(of: state, groups, shard)
        let leadingCategory = category(groups.store.leadingCategory(of: state), of: state, app, groups, shard)
        groups.store.collectTallies(of: state, into: &tallies)
        composeSummary(state, app, groups, shard)
        let leading = groups.store.leadingRecord(of: state)
        composeHiddenBody(state, leading, leadingCategory)
        addLeading(leading, category: groups.store.leadingCategory(of: state), to: &tallies, groups)

        output.append("{")
        if byDevice {
            output.append("\"device\":")
            output.appendJSONStringOrNull(groups.store.device(of: state))
            output.append(",")
        }
        output.append("\"app\":")
        output.appendJSONString(groups.store.app(of: state))
        output.append(",\"thread\":")
        output.appendJSONStringOrNull(groups.store.thread(of: state))
        output.append(",\"count\":")
        output.appendDecimal(tallies.reduce(0) { $0 + $1.count })
        let total = tallies.reduce(0) { $0 + $1.weight }
        output.append(",\"total\":")
        output.appendDecimal(total)
        appendLeading(leading, state, groups, to: &output)
        appendSummary(more: total - UInt64(leading.weight), groups, to: &output)
        output.append(",\"argumentsTruncated\":")
        output.append(state.argumentsTruncated ? "true" : "false")

        let bytes = groups.store.leadingBytes(of: state)
        let hiddenTitle = leadingCategory.showsHiddenTitle ? leading.title : .none
        let hiddenSubtitle = leadingCategory.showsHiddenSubtitle ? leading.subtitle : .none
        output.append(",\"hidden\":{")
        appendTexts(bytes[hiddenTitle], bytes[hiddenSubtitle], hiddenBody.span, to: &output)
        output.append("},\"display\":{")
        if app.hidesPreviews {
            appendTexts(bytes[hiddenTitle], bytes[hiddenSubtitle], hiddenBody.span, to: &output)
            output.append(",\"summary\":null")
        } else {
            appendTexts(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body], to: &output)
            output.append(",\"summary\":")
            output.appendJSONStringOrNull(summary.span)
        }
        appendCategories(groups, to: &output)
        output.append(",\"first\":")
        output.appendDecimal(state.first)
        output.append(",\"last\":")
        output.appendDecimal(state.last)
        output.append("}\n")
    }

    private func appendLeading(
        _ leading: NotificationRecord, _ state: GroupState, _ groups: borrowing SortedGroups,
        to output: inout [UInt8]
    ) {
        let bytes = groups.store.leadingBytes(of: state)
        output.append(",\"leading\":{\"id\":")
        output.appendJSONStringOrNull(bytes[leading.identifier])
        output.append(",\"timestamp\":")
        output.appendDecimal(leading.order.timestamp)
        output.append(",")
        appendTexts(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body], to: &output)
        output.append(",\"category\":")
        output.appendJSONStringOrNull(
            groups.store.categories.text(of: groups.store.leadingCategory(of: state)))
        output.append(",\"source\":")
        names.append(leading.order.source, to: &output)
        output.append(",\"line\":")
        output.appendDecimal(leading.order.line)
        output.append("}")
    }

    private func appendSummary(
        more: UInt64, _ groups: borrowing SortedGroups, to output: inout [UInt8]
    ) {
        output.append(",\"summary\":")
        if summary.isEmpty {
            output.append("null")
        } else {
            output.append("{\"more\":")
            output.appendDecimal(more)
            output.append(",\"text\":")
            output.appendJSONString(summary.span)
            output.append("}")
        }
        output.append(",\"arguments\":[")
        for (index, argument) in arguments.enumerated() {
            if index > 0 { output.append(",") }
            output.appendJSONString(groups.store.text(of: argument))
        }
        output.append("]")
    }

    private func appendTexts(
        _ title: Span<UInt8>, _ subtitle: Span<UInt8>, _ body: Span<UInt8>, to output: inout [UInt8]
    ) {
        output.append("\"title\":")
        output.appendJSONStringOrNull(title)
        output.append(",\"subtitle\":")
        output.appendJSONStringOrNull(subtitle)
        output.append(",\"body\":")
        output.appendJSONStringOrNull(body)
    }

    /// All the group's categories in byte order of name, none first.
    private mutating func appendCategories(_ groups: borrowing SortedGroups, to output: inout [UInt8]) {
        if tallies.count > 1 {
            let names = groups.store.categories
            tallies.sort { names.text(of: $0.category).compare(to: names.text(of: $1.category)) < 0 }
        }
        output.append("},\"categories\":[")
        for (index, tally) in tallies.enumerated() {
            output.append(index > 0 ? ",{\"category\":" : "{\"category\":")
            output.appendJSONStringOrNull(groups.store.categories.text(of: tally.category))
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
        _ state: GroupState, _ app: Presentation.App, _ groups: borrowing SortedGroups, _ shard: Int
    ) {
        summary.removeAll(keepingCapacity: true)
        formatShares.removeAll(keepingCapacity: true)
        placeholderShares.removeAll(keepingCapacity: true)
        groups.store.collectArguments(of: state, into: &arguments)
        guard !tallies.isEmpty else { return }
        for tally in tallies {
            let category = category(tally.category, of: state, app, groups, shard)
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
            argument: { index, output in output.append(groups.store.text(of: arguments[index])) },
            to: &summary)
    }

    private mutating func composeHiddenBody(
        _ state: GroupState, _ leading: NotificationRecord, _ category: Presentation.Category
    ) {
        hiddenBody.removeAll(keepingCapacity: true)
        placeholderShares.add(
            Share(
                format: category.placeholder, weight: UInt64(leading.weight), withoutArgument: 0,
                newest: leading.order))
        presentation.formats.appendHiddenBody(of: placeholderShares, to: &hiddenBody)
    }

    /// Counts the leading notification among the categories.
    private func addLeading(
        _ leading: NotificationRecord, category: UInt32, to tallies: inout [CategoryTally],
        _ groups: borrowing SortedGroups
    ) {
        if let index = tallies.firstIndex(where: { $0.category == category }) {
            tallies[index].count += 1
            tallies[index].weight += UInt64(leading.weight)
        } else {
            tallies.append(CategoryTally(category: category, leading: leading))
        }
    }

    private mutating func app(
        of state: GroupState, _ groups: borrowing SortedGroups, _ shard: Int
    ) -> Presentation.App {
        let symbol = groups.store.appSymbol(of: state)
        if let app = apps[shard][symbol] { return app }
        let app = presentation.app(groups.store.apps.text(of: symbol))
        apps[shard][symbol] = app
        return app
    }

    private mutating func category(
        _ symbol: UInt32, of state: GroupState, _ app: Presentation.App, _ groups: borrowing SortedGroups,
        _ shard: Int
    ) -> Presentation.Category {
        guard symbol != 0, !app.isUnknown else { return .unknown }
        let key = UInt64(groups.store.appSymbol(of: state)) << 32 | UInt64(symbol)
        if let category = categories[shard][key] { return category }
        let category = app.category(groups.store.categories.text(of: symbol))
        categories[shard][key] = category
        return category
    }
}
