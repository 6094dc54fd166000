import SheafBytes
import SheafGroups

extension GroupRenderer {
    /// Appends a group as a row of cells. A null in JSON is an empty cell; a list is one cell that contains JSON.
    mutating func appendCSV(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        let leading = group.leading
        appendKeyCells(bytes[leading.device], state, bytes[leading.thread], store, to: &output)
        output.appendDecimal(group.count)
        output.append(",")
        output.appendDecimal(group.total)
        output.append(",")
        output.appendCSVCell(bytes[leading.identifier])
        output.append(",")
        output.appendDecimal(leading.order.timestamp)
        output.append(",")
        appendCells(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body], to: &output)
        output.append(",")
        output.appendCSVCell(store.category(store.leadingCategory(of: state)))
        output.append(",")
        output.appendCSVCell(names.path(leading.order.source).span)
        output.append(",")
        output.appendDecimal(leading.order.line)
        output.append(",")
        if !summary.isEmpty { output.appendDecimal(group.more) }
        output.append(",")
        output.appendCSVCell(summary.span)
        output.append(",")
        appendJSONCell(to: &output) { $0.appendArguments(store, to: &$1, passOn: $2) }
        output.append(group.argumentsTruncated ? ",true," : ",false,")
        appendHiddenCells(group, bytes, to: &output)
        output.append(",")
        appendDisplayCells(group, bytes, to: &output)
        output.append(",")
        appendJSONCell(to: &output) { $0.appendCategories(store, to: &$1, passOn: $2) }
        output.append(",")
        if let others { appendJSONCell(to: &output) { _, cell, _ in Self.appendOthers(others, to: &cell) } }
        output.append(",")
        output.appendDecimal(state.first)
        output.append(",")
        output.appendDecimal(state.last)
        if showsDelivery { appendDeliveryCells(state, store, to: &output) }
        output.append("\r\n")
    }

    /// Appends the key of a group that has been emptied, and the number of its notifications.
    func appendEmptyCSV(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        appendKeyCells(store.device(of: state), state, store.thread(of: state), store, to: &output)
        output.append("0")
        var empty = CSVColumns.columnsAfterCount(hasDelivery: showsDelivery)
        if let order = vanished(state) {
            output.append(",,,")
            output.appendDecimal(order.timestamp)
            output.append(",,,,,")
            output.appendCSVCell(names.path(order.source).span)
            output.append(",")
            output.appendDecimal(order.line)
            empty -= CSVColumns.columnsAfterCountToLine
        }
        for _ in 0..<empty { output.append(",") }
        output.append("\r\n")
    }

    private func appendDeliveryCells(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        guard let sums = store.delivery(of: state) else { return }
        for number in sums.numbers {
            output.append(",")
            output.appendDecimal(number)
        }
    }

    private func appendKeyCells(
        _ device: Span<UInt8>, _ state: GroupState, _ thread: Span<UInt8>, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        if let instant {
            output.appendDecimal(instant.instant.time)
            output.append(",")
        }
        if byDevice {
            output.appendCSVCell(device)
            output.append(",")
        }
        output.appendCSVCell(store.app(of: state))
        output.append(",")
        output.appendCSVCell(thread)
        output.append(",")
    }

    private func appendDisplayCells(_ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer) {
        let leading = group.leading
        if group.hidesPreviews {
            appendHiddenCells(group, bytes, to: &output)
            output.append(",")
        } else {
            appendCells(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body], to: &output)
            output.append(",")
            output.appendCSVCell(summary.span)
        }
    }

    private func appendHiddenCells(_ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer) {
        appendCells(
            bytes[group.category.showsHiddenTitle ? group.leading.title : .none],
            bytes[group.category.showsHiddenSubtitle ? group.leading.subtitle : .none], hiddenBody.span,
            to: &output)
    }

    private func appendCells(
        _ title: Span<UInt8>, _ subtitle: Span<UInt8>, _ body: Span<UInt8>, to output: inout OutputBuffer
    ) {
        output.appendCSVCell(title)
        output.append(",")
        output.appendCSVCell(subtitle)
        output.append(",")
        output.appendCSVCell(body)
    }

    /// Appends JSON as one cell.
    ///
    /// - Parameter json: appends the JSON; after each item it passes the text so far to `passOn`.
    private mutating func appendJSONCell(
        to output: inout OutputBuffer,
        _ json: (inout GroupRenderer, inout OutputBuffer, _ passOn: (inout OutputBuffer) -> Void) -> Void
    ) {
        var text = OutputBuffer()
        var isQuoted = false
        json(&self, &text) { text in
            // After an item the text contains a string, so the cell must be quoted.
            if !isQuoted { output.append("\"") }
            isQuoted = true
            output.appendCSVContent(text.bytes)
            text.removeAll()
        }
        guard isQuoted else { return output.appendCSVCell(text.bytes) }
        output.appendCSVContent(text.bytes)
        output.append("\"")
    }
}
