import SheafBytes
import SheafGroups

extension GroupFormat {
    /// One row per group, after a header row with the column names (RFC 4180).
    static let csv = GroupFormat(
        isDivisible: true,
        header: {
            CSVColumns.header(
                byDevice: $0.byDevice, hasInstants: $0.timeline != nil, hasDelivery: $0.showsDelivery,
                hasTexts: $0.format == .csvISO)
        })
}

extension GroupRenderer {
    /// Appends a group as a row of cells. A null in JSON is an empty cell; a list is one cell that contains JSON.
    mutating func appendCSV(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        let leading = group.leading
        appendKey(bytes[leading.device], state, bytes[leading.thread], store, to: &output)
        output.appendNext(group.count)
        output.appendNext(group.total)
        output.append(",")
        output.appendCSVCell(unpacked: bytes[leading.identifier])
        appendNext(time: leading.order.timestamp, to: &output)
        output.appendNext(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body])
        output.appendNext(store.category(store.leadingCategory(of: state)))
        output.appendNext(names.path(leading.order.source).span)
        output.appendNext(leading.order.line)
        if summary.isEmpty { output.append(",") } else { output.appendNext(group.more) }
        output.appendNext(summary.span)
        appendJSON(to: &output) { $0.appendArguments(store, to: &$1, passOn: $2) }
        output.append(group.argumentsTruncated ? ",true" : ",false")
        appendHidden(group, bytes, to: &output)
        if group.hidesPreviews {
            appendHidden(group, bytes, to: &output)
            output.append(",")
        } else {
            output.appendNext(bytes[leading.title], bytes[leading.subtitle], bytes[leading.body])
            output.appendNext(summary.span)
        }
        appendJSON(to: &output) { $0.appendCategories(store, to: &$1, passOn: $2) }
        if let others {
            appendJSON(to: &output) { _, cell, _ in Self.appendOthers(others, to: &cell) }
        } else {
            output.append(",")
        }
        appendNext(time: state.first, to: &output)
        appendNext(time: state.last, to: &output)
        if showsDelivery, let sums = store.delivery(of: state) {
            for number in sums.numbers { output.appendNext(number) }
        }
        output.append("\r\n")
    }

    /// Appends the key of a group that has been emptied, and the number of its notifications.
    func appendEmptyCSV(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        appendKey(store.device(of: state), state, store.thread(of: state), store, to: &output)
        output.append(",0")
        var empty = CSVColumns.columnsAfterCount(hasDelivery: showsDelivery)
        if let order = vanished(state) {
            output.append(",,")
            appendNext(time: order.timestamp, to: &output)
            output.append(",,,,")
            output.appendNext(names.path(order.source).span)
            output.appendNext(order.line)
            empty -= CSVColumns.columnsAfterCountToLine
        }
        for _ in 0..<empty { output.append(",") }
        output.append("\r\n")
    }

    // Inlined, because calls copy the renderer.

    @inline(__always)
    private func appendKey(
        _ device: Span<UInt8>, _ state: GroupState, _ thread: Span<UInt8>, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        if let instant {
            output.appendCSVTime(instant.instant.time, isText: format == .csvISO)
            output.append(",")
        }
        if byDevice {
            output.appendCSVCell(device)
            output.append(",")
        }
        output.appendCSVCell(store.app(of: state))
        output.appendNext(thread)
    }

    @inline(__always)
    private func appendNext(time: Int64, to output: inout OutputBuffer) {
        output.append(",")
        output.appendCSVTime(time, isText: format == .csvISO)
    }

    @inline(__always)
    private func appendHidden(_ group: Group, _ bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendNext(
            bytes[group.category.showsHiddenTitle ? group.leading.title : .none],
            bytes[group.category.showsHiddenSubtitle ? group.leading.subtitle : .none], hiddenBody.span)
    }

    /// Appends JSON as one cell.
    ///
    /// - Parameter json: appends the JSON; after each item it passes the text so far to `passOn`.
    private mutating func appendJSON(
        to output: inout OutputBuffer,
        _ json: (inout GroupRenderer, inout OutputBuffer, _ passOn: (inout OutputBuffer) -> Void) -> Void
    ) {
        output.append(",")
        guard output.drain != nil else {
            let start = output.position
            json(&self, &output) { _ in }
            return output.makeCSVCell(from: start)
        }
        // The cell may be too large for the buffer.
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

extension OutputBuffer {
    /// Appends a comma and a cell.
    fileprivate mutating func appendNext(_ text: Span<UInt8>) {
        append(",")
        appendCSVCell(text)
    }

    fileprivate mutating func appendNext(_ title: Span<UInt8>, _ subtitle: Span<UInt8>, _ body: Span<UInt8>) {
        appendNext(title)
        appendNext(subtitle)
        appendNext(body)
    }

    fileprivate mutating func appendNext(_ number: UInt64) {
        append(",")
        appendDecimal(number)
    }
}
