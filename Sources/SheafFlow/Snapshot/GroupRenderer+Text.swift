import SheafBytes
import SheafGroups

/// Renders a group as text for the screen:
///
///     Podcasts  5m ago              the app's name, the device if there is one, and the time if there is a clock
///       Radiolab                    the leading notification's title, subtitle and body, or the hidden preview
///       The new episode is here
///       7 more episodes             the summary of the rest
extension GroupRenderer {
    /// The role of a line, which determines how it is set off.
    enum Role {
        case heading, name, time, title, text, summary

        var indent: Int { self == .name || self == .heading ? 0 : 2 }

        /// The Select Graphic Rendition sequence (ECMA-48) for bold or faint text.
        var colour: StaticString? {
            switch self {
            case .heading: "\u{1b}[1;4m"
            case .name: "\u{1b}[1;36m"
            case .title: "\u{1b}[1m"
            case .text: nil
            case .time, .summary: "\u{1b}[2m"
            }
        }
    }

    static var colourEnd: StaticString { "\u{1b}[0m" }

    /// Appends a group as text.
    func appendText(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        _ style: TextStyle,
        to output: inout OutputBuffer
    ) {
        output.append(SnapshotFormat.textSeparator)
        let (leading, hides) = (group.leading, group.hidesPreviews)
        appendName(of: state, store, time: leading.order.timestamp, style, to: &output)
        let showsTitle = !hides || group.category.showsHiddenTitle
        let showsSubtitle = !hides || group.category.showsHiddenSubtitle
        Self.appendLine(bytes[showsTitle ? leading.title : .none], .title, style, to: &output)
        Self.appendLine(bytes[showsSubtitle ? leading.subtitle : .none], .text, style, to: &output)
        if hides {
            Self.appendLine(hiddenBody.span, .text, isList: true, style, to: &output)
        } else {
            Self.appendLine(bytes[leading.body], .text, style, to: &output)
            Self.appendLine(summary.span, .summary, isList: true, style, to: &output)
        }
    }

    /// Appends the instant of a snapshot as a heading.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - offset: the difference of the shown time from UTC, in milliseconds.
    func appendHeading(_ time: Int64, offset: Int64, _ style: TextStyle, to output: inout OutputBuffer) {
        output.append(SnapshotFormat.textSeparator)
        let text = Array(InstantText.text(time, offset: Int(offset / 60_000)).utf8)
        Self.appendLine(text.span, .heading, style, to: &output)
    }

    /// Appends the name of a group that has been emptied.
    func appendEmptyText(
        _ state: GroupState, _ store: borrowing GroupStore, _ style: TextStyle, to output: inout OutputBuffer
    ) {
        output.append(SnapshotFormat.textSeparator)
        appendName(of: state, store, time: 0, style, to: &output)
        var thread: [UInt8] = []
        thread.append(store.thread(of: state))
        Self.appendLine(thread.span, .text, style, to: &output)
        var nothing: [UInt8] = Array("–".utf8)
        if let order = vanished(state) {
            nothing += [UInt8(ascii: " ")] + names.path(order.source) + Array(":\(order.line)".utf8)
        }
        Self.appendLine(nothing.span, .summary, style, to: &output)
    }

    private func appendName(
        of state: GroupState, _ store: borrowing GroupStore, time timestamp: Int64, _ style: TextStyle,
        to output: inout OutputBuffer
    ) {
        let app = store.app(of: state)
        var name: [UInt8] = []
        if let known = presentation.app(app).name { name = known } else { name.append(app) }
        let device = store.device(of: state)
        if byDevice, !device.isEmpty {
            name.append(" · ")
            name.append(device)
        }
        var time: [UInt8] = []
        times?.append(timestamp, now: timesFollowInstants ? instant?.instant.time : nil, to: &time)
        if time.isEmpty {
            Self.appendLine(name.span, .name, style, to: &output)
        } else {
            Self.appendLine(name.span, time: time.span, style, to: &output)
        }
    }

    /// Appends a text as a line; appends nothing if the text is empty.
    ///
    /// - Parameter isList: whether Sheaf composed the text, which may then enclose its items in isolates.
    private static func appendLine(
        _ text: Span<UInt8>, _ role: Role, isList: Bool = false, _ style: TextStyle,
        to output: inout OutputBuffer
    ) {
        guard !text.isEmpty else { return }
        for _ in 0..<role.indent { output.append(" ") }
        let colour = style.hasColours ? role.colour : nil
        if let colour { output.append(colour) }
        var line: [UInt8] = []
        if let width = style.width {
            DisplayText.append(text, width: max(width - role.indent, 1), isList: isList, to: &line)
            output.append(line.span)
        } else {
            DisplayText.forEachPiece(of: text) { piece in
                line.removeAll(keepingCapacity: true)
                DisplayText.append(piece, width: nil, isList: isList, to: &line)
                output.append(line.span)
            }
        }
        if colour != nil { output.append(colourEnd) }
        output.append("\n")
    }
}
