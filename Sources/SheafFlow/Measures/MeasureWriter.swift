import SheafBytes
import SheafGroups

/// Writes measures in any format: the distributions of people's values, or the values of each person.
struct MeasureWriter: ~Copyable {
    private let output: any ByteOutput
    private let options: MeasureOptions
    private let format: SnapshotFormat
    private let timeline: Timeline
    private let names: [String]
    private var buffer = OutputBuffer()
    private var hasRows = false
    /// The interval and the cell of the last row of a table.
    private var table: (at: Int64, app: [UInt8]?, part: [UInt8])?
    /// The rows of the current table.
    private var rows: [MeasureRow] = []
    private var cells: [PersonCell] = []

    /// - Parameters:
    ///   - timeline: the intervals, on whose clock text has times.
    ///   - continues: whether the output continues another one, so that CSV has no header.
    init(
        _ output: any ByteOutput, _ options: MeasureOptions, _ format: SnapshotFormat, _ timeline: Timeline,
        continues: Bool = false
    ) {
        (self.output, self.options, self.format) = (output, options, format)
        self.timeline = timeline
        names =
            ["at"] + (options.writesCells ? ["device"] : []) + ["app"]
            + (options.division.partName.map { ["\($0)"] } ?? [])
            + (options.writesCells
                ? Measure.allCases.map(\.rawValue)
                : ["measure", "people", "zero", "sum", "mean"] + options.quantiles.map { "p\($0.text)" } + [
                    "max"
                ])
        switch format {
        case .ndjson, .text, .html: break
        case .json: buffer.append("[")
        case .csv where continues, .csvISO where continues: break
        case .csv, .csvISO:
            let header = CSVColumns.header(measures: names.dropFirst(), hasTexts: format == .csvISO)
            buffer.append(header.span)
        }
    }

    /// Writes a distribution.
    mutating func write(_ row: MeasureRow) throws(ReplayError) {
        if case .text(let style) = format { return try add(row, style) }
        // A page receives the rows themselves.
        if format == .html { return }
        begin()
        append(time: row.at)
        appendText(row.appBytes, isNullable: true)
        if options.division.partName != nil { appendText(row.partBytes, isNullable: true) }
        appendText(Array(row.measure.rawValue.utf8), isNullable: false)
        for number in [row.people, row.zero, row.sum] { append(number) }
        appendName()
        buffer.appendDecimal(row.meanThousandths / 1_000)
        buffer.append(".")
        for place in [100, 10, 1] as [UInt64] {
            buffer.append(byte: UInt8(ascii: "0") + UInt8(row.meanThousandths / place % 10))
        }
        for number in row.quantiles + [row.max] { append(number) }
        try end()
    }

    /// Writes a person's values.
    mutating func write(_ cell: PersonCell) throws(ReplayError) {
        if case .text(let style) = format { return try add(cell, style) }
        begin()
        append(time: cell.at)
        appendText(cell.device, isNullable: false)
        appendText(cell.app, isNullable: true)
        if options.division.partName != nil { appendText(cell.part, isNullable: true) }
        for number in cell.values { append(number) }
        try end()
    }

    /// Writes the last table, and the end of the format.
    mutating func finish() throws(ReplayError) {
        if case .text(let style) = format {
            appendTable(style)
            appendCells(style)
        }
        if case .json = format { buffer.append(hasRows ? "\n]\n" : "]\n") }
        try flush()
    }

    private mutating func flush() throws(ReplayError) {
        try output.write(result: buffer.bytes)
        buffer.removeAll()
    }

    // MARK: Members and columns

    private var column = 0

    private mutating func begin() {
        column = 0
        switch format {
        case .json: buffer.append(hasRows ? ",\n{" : "\n{")
        case .ndjson: buffer.append("{")
        case .csv, .csvISO, .text, .html: break
        }
        hasRows = true
    }

    private mutating func end() throws(ReplayError) {
        switch format {
        case .json: buffer.append("}")
        case .ndjson: buffer.append("}\n")
        case .csv, .csvISO, .text, .html: buffer.append("\r\n")
        }
        if buffer.count >= Limits.pieceBytes { try flush() }
    }

    /// Appends what precedes a value.
    private mutating func appendName() {
        if column > 0 { buffer.append(",") }
        if !format.isCSV {
            buffer.append("\"")
            buffer.append(Array(names[column].utf8).span)
            buffer.append("\":")
        }
        column += 1
    }

    private mutating func append(_ number: UInt64) {
        appendName()
        buffer.appendDecimal(number)
    }

    private mutating func append(time: Int64) {
        appendName()
        buffer.appendCSVTime(time, isText: format == .csvISO)
    }

    /// - Parameter isNullable: whether an empty text is `null`.
    private mutating func appendText(_ text: [UInt8]?, isNullable: Bool) {
        appendName()
        let text = text ?? []
        if format.isCSV {
            buffer.appendCSVCell(text.span)
        } else if isNullable {
            buffer.appendJSONStringOrNull(text.span)
        } else {
            buffer.appendJSONString(text.span)
        }
    }
}

// MARK: - Text

extension MeasureWriter {
    private mutating func add(_ row: MeasureRow, _ style: TextStyle) throws(ReplayError) {
        if let table, (table.at, table.app, table.part) != (row.at, row.appBytes, row.partBytes) {
            appendTable(style)
        }
        table = (row.at, row.appBytes, row.partBytes)
        rows.append(row)
        if buffer.count >= Limits.pieceBytes { try flush() }
    }

    /// The number of columns of a bar.
    private static let barWidth = 10

    /// Appends the table of an interval and a cell. Measures that are 0 for all people are left out.
    private mutating func appendTable(_ style: TextStyle) {
        guard let table, let people = rows.first?.people else { return }
        defer { rows.removeAll() }
        if hasRows { buffer.append("\n") }
        hasRows = true
        let part =
            table.part.isEmpty ? "" : " · " + DisplayText.shown(String(decoding: table.part, as: UTF8.self))
        let app =
            table.app.map { DisplayText.shown(String(decoding: $0, as: UTF8.self)) + part } ?? "all apps"
        let head =
            "\(app), \(Numbers.grouped(people)) \(people == 1 ? "person" : "people"), until \(time(table.at))"
        append(line: style.hasColours ? "\u{1b}[1m\(head)\u{1b}[0m" : head)
        let titles = ["", "zero", "mean"] + options.quantiles.map { "p\($0.text)" } + ["max"]
        let shown = rows.filter { $0.sum > 0 }
        let body = shown.map { row in
            [row.measure.rawValue, Numbers.grouped(row.zero), Self.decimal(row.meanThousandths)]
                + row.quantiles.map { Numbers.grouped($0) } + [Numbers.grouped(row.max)]
        }
        guard !body.isEmpty else { return append(line: "  nothing") }
        let widths = titles.indices.map { index in ([titles] + body).map(\.[index].count).max() ?? 0 }
        // The bar shows the people who have any.
        append(line: Self.line(titles, widths))
        for (row, texts) in zip(shown, body) {
            append(line: Self.line(texts, widths) + "  " + Self.bar(row.people - row.zero, of: row.people))
        }
    }

    private static func line(_ texts: [String], _ widths: [Int]) -> String {
        let cells = zip(texts, widths).enumerated().map { index, cell in
            let padding = String(repeating: " ", count: cell.1 - cell.0.count)
            return index == 0 ? cell.0 + padding : padding + cell.0
        }
        var line = "  " + cells.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Returns a bar with a share of ten columns, in eighths of a column.
    private static func bar(_ part: UInt64, of all: UInt64) -> String {
        let eighths = Int((Double(part) / Double(max(1, all)) * Double(8 * barWidth)).rounded(.up))
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }

    private static func decimal(_ thousandths: UInt64) -> String {
        let tenths = (thousandths + 50) / 100
        return "\(Numbers.grouped(tenths / 10)).\(tenths % 10)"
    }

    private func time(_ at: Int64) -> String { InstantText.text(at, offset: timeline.minutes(at: at)) }

    private mutating func append(line: String) {
        buffer.append(Array(line.utf8).span)
        buffer.append("\n")
    }

    private mutating func add(_ cell: PersonCell, _ style: TextStyle) throws(ReplayError) {
        if let last = cells.last, last.device != cell.device { appendCells(style) }
        cells.append(cell)
        if cells.count >= Limits.groupsPerPiece { appendCells(style) }
        if buffer.count >= Limits.pieceBytes { try flush() }
    }

    /// Appends the values of a person that are not 0.
    private mutating func appendCells(_ style: TextStyle) {
        guard let first = cells.first else { return }
        defer { cells.removeAll(keepingCapacity: true) }
        if hasRows { buffer.append("\n") }
        hasRows = true
        let device = DisplayText.shown(String(decoding: first.device, as: UTF8.self))
        append(line: style.hasColours ? "\u{1b}[1m\(device)\u{1b}[0m" : device)
        for cell in cells {
            let part = cell.part.isEmpty ? "" : " · " + String(decoding: cell.part, as: UTF8.self)
            let app =
                cell.app.map { DisplayText.shown(String(decoding: $0, as: UTF8.self) + part) } ?? "all apps"
            let values = zip(Measure.allCases, cell.values).filter { $0.1 > 0 }
                .map { "\(Numbers.grouped($0.1)) \($0.0.rawValue)" }
            append(line: "  \(app), until \(time(cell.at)): \(values.joined(separator: ", "))")
        }
    }
}
