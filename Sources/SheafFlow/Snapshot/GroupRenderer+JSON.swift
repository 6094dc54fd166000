import SheafBytes
import SheafGroups

extension GroupFormat {
    /// One JSON object per line (specification §10).
    static let ndjson = GroupFormat(isDivisible: true)

    /// The same lines, from which `PageLines` takes those that a page shows.
    static let html = GroupFormat()

    /// The same objects in one array.
    static let json = GroupFormat(
        header: { _ in [UInt8(ascii: "[")] }, separator: ",\n", footer: Array("\n]\n".utf8))
}

extension GroupRenderer {
    /// Appends a group as a JSON object. Texts that occur twice are escaped only once.
    @inline(never)
    mutating func appendJSON(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        appendKey(bytes[group.leading.device], state, bytes[group.leading.thread], store, to: &output)
        output.append(",\"count\":")
        output.appendDecimal(group.count)
        output.append(",\"total\":")
        output.appendDecimal(group.total)
        let shown = appendLeading(group, bytes, state, store, to: &output)
        let text = appendSummary(more: group.more, store, to: &output)
        output.append(group.argumentsTruncated ? "true" : "false")
        let hidden = appendHidden(group, bytes, to: &output)
        output.append("},\"display\":{")
        // The line already contains every displayed text, unless it is so long that it has been drained.
        if !output.appendCopy(of: group.hidesPreviews ? hidden : shown) {
            if group.hidesPreviews {
                appendHiddenTexts(group, bytes, to: &output)
            } else {
                appendLeadingTexts(group, bytes, to: &output)
            }
        }
        output.append(",\"summary\":")
        if group.hidesPreviews || text.isEmpty {
            output.append("null")
        } else if !output.appendCopy(of: text) {
            output.appendJSONString(summary.span)
        }
        output.append("},\"categories\":")
        appendCategories(store, to: &output)
        if let others {
            output.append(",\"otherCategories\":")
            Self.appendOthers(others, to: &output)
        }
        output.append(",\"first\":")
        output.appendDecimal(state.first)
        output.append(",\"last\":")
        output.appendDecimal(state.last)
        if showsDelivery { appendDelivery(state, store, to: &output) }
        output.append("}")
    }

    @inline(never)
    private func appendDelivery(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        guard let sums = store.delivery(of: state) else { return }
        var separator: StaticString = ",\"delivery\":{\""
        for (name, number) in zip(DeliverySums.names, sums.numbers) {
            output.append(separator)
            output.append(name)
            output.append("\":")
            output.appendDecimal(number)
            separator = ",\""
        }
        output.append("}")
    }

    @inline(__always)
    private func appendKey(
        _ device: Span<UInt8>, _ state: GroupState, _ thread: Span<UInt8>, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        if let instant {
            output.append("{\"at\":")
            output.appendDecimal(instant.instant.time)
            output.append(",")
        } else {
            output.append("{")
        }
        if byDevice {
            output.append("\"device\":")
            output.appendJSONStringOrNull(device)
            output.append(",\"app\":")
        } else {
            output.append("\"app\":")
        }
        output.appendJSONString(store.app(of: state))
        output.append(",\"thread\":")
        output.appendJSONStringOrNull(thread)
    }

    /// Appends the key of a group that has been emptied, and the number of its notifications.
    func appendEmptyJSON(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        appendKey(store.device(of: state), state, store.thread(of: state), store, to: &output)
        output.append(",\"count\":0")
        if let order = vanished(state) {
            output.append(",\"leading\":{\"timestamp\":")
            output.appendDecimal(order.timestamp)
            appendPosition(order, to: &output)
            output.append("}")
        }
        output.append("}")
    }

    // Mutating, like `appendSummary`, because a call of another method copies the renderer.

    /// - Returns: the range of the texts in the output, including their names.
    private mutating func appendLeading(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState,
        _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) -> Range<Int> {
        output.append(",\"leading\":{\"id\":")
        output.appendJSONStringOrNull(unpacked: bytes[group.leading.identifier])
        output.append(",\"timestamp\":")
        output.appendDecimal(group.leading.order.timestamp)
        output.append(",")
        let start = output.position
        appendLeadingTexts(group, bytes, to: &output)
        let texts = start..<output.position
        output.append(",\"category\":")
        output.appendJSONStringOrNull(
            store.category(store.leadingCategory(of: state)))
        appendPosition(group.leading.order, to: &output)
        return texts
    }

    // Inlined, because a call copies the renderer.
    @inline(__always)
    private func appendPosition(_ order: OrderKey, to output: inout OutputBuffer) {
        output.append(",\"source\":")
        names.append(order.source, to: &output)
        output.append(",\"line\":")
        output.appendDecimal(order.line)
    }

    /// - Returns: the range of the summary's text in the output; empty without a summary.
    private mutating func appendSummary(
        more: UInt64, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) -> Range<Int> {
        var text = 0..<0
        if summary.isEmpty {
            output.append("},\"summary\":null,\"arguments\":")
        } else {
            output.append("},\"summary\":{\"more\":")
            output.appendDecimal(more)
            output.append(",\"text\":")
            let start = output.position
            output.appendJSONString(summary.span)
            text = start..<output.position
            output.append("},\"arguments\":")
        }
        appendArguments(store, to: &output)
        output.append(",\"argumentsTruncated\":")
        return text
    }

    /// Appends the arguments as a JSON array.
    ///
    /// - Parameter passOn: called after each argument.
    @inline(__always)
    func appendArguments(
        _ store: borrowing GroupStore, to output: inout OutputBuffer,
        passOn: (inout OutputBuffer) -> Void = { _ in }
    ) {
        output.append("[")
        for index in arguments.indices {
            if index > 0 { output.append(",") }
            output.appendJSONString(store.text(of: arguments[index]))
            passOn(&output)
        }
        output.append("]")
    }

    /// Appends the texts that are shown while previews are hidden.
    ///
    /// - Returns: the range of the texts in the output, including their names.
    @inline(__always)
    private func appendHidden(
        _ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer
    ) -> Range<Int> {
        output.append(",\"hidden\":{")
        let start = output.position
        appendHiddenTexts(group, bytes, to: &output)
        return start..<output.position
    }

    @inline(__always)
    private func appendHiddenTexts(_ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer) {
        appendTexts(
            bytes[group.category.showsHiddenTitle ? group.leading.title : .none],
            bytes[group.category.showsHiddenSubtitle ? group.leading.subtitle : .none], hiddenBody.span,
            to: &output)
    }

    @inline(__always)
    private func appendLeadingTexts(_ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer) {
        appendTexts(
            bytes[group.leading.title], bytes[group.leading.subtitle], bytes[group.leading.body], to: &output)
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

    /// Appends the group's categories as a JSON array, in byte order of their names; the entry for notifications
    /// without a category is first.
    ///
    /// - Parameter passOn: called after each category.
    @inline(__always)
    mutating func appendCategories(
        _ store: borrowing GroupStore, to output: inout OutputBuffer,
        passOn: (inout OutputBuffer) -> Void = { _ in }
    ) {
        store.sortByName(&tallies)
        output.append("[")
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
            passOn(&output)
        }
        output.append("]")
    }

    /// Appends the sums over all categories that are not in the array.
    static func appendOthers(_ others: CategoryTally, to output: inout OutputBuffer) {
        output.append("{\"count\":")
        output.appendDecimal(others.count)
        output.append(",\"weight\":")
        output.appendDecimal(others.weight)
        output.append("}")
    }
}
