import SheafBytes
import SheafGroups

extension GroupFormat {
    /// The groups as the user sees them on the screen.
    static let text = GroupFormat(separator: "\n", hasNote: true)
}

/// Renders a group as text for the screen:
///
///     Podcasts  5m ago              the app's name, the device if there is one, and the time if there is a clock
///       Radiolab                    the leading notification's title, subtitle and body, or the hidden preview
///       The new episode is here
///       7 more episodes             the summary of the rest
extension GroupRenderer {
    /// The role of a text, which determines how it is set off.
    private enum Role {
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

    private static var colourEnd: StaticString { "\u{1b}[0m" }

    /// Appends a group as text.
    func appendText(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        _ style: TextStyle, to output: inout OutputBuffer
    ) {
        appendHeading(style, to: &output)
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

    /// Appends the instant of a snapshot as a heading before its first group.
    private func appendHeading(_ style: TextStyle, to output: inout OutputBuffer) {
        guard let instant, instant.isFirst, let timeline else { return }
        let time = instant.instant.time
        let text = Array(InstantText.text(time, offset: timeline.minutes(at: time)).utf8)
        Self.appendLine(text.span, .heading, style, to: &output)
        output.append("\n")
    }

    /// Appends the name of a group that has been emptied.
    func appendEmptyText(
        _ state: GroupState, _ store: borrowing GroupStore, _ style: TextStyle, to output: inout OutputBuffer
    ) {
        appendHeading(style, to: &output)
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
        if let known = shown.presentation.app(app).name { name = known } else { name.append(app) }
        let device = store.device(of: state)
        if byDevice, !device.isEmpty {
            name.append(" · ")
            if let devices { devices.append(device, to: &name) } else { name.append(device) }
        }
        var time: [UInt8] = []
        shown.times?.append(timestamp, now: timesFollowInstants ? instant?.instant.time : nil, to: &time)
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
        append(role, style, to: &output) { output in
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
        }
        output.append("\n")
    }

    /// Appends the text that `body` appends, in the colour of its role.
    private static func append(
        _ role: Role, _ style: TextStyle, to output: inout OutputBuffer, _ body: (inout OutputBuffer) -> Void
    ) {
        let colour = style.hasColours ? role.colour : nil
        if let colour { output.append(colour) }
        body(&output)
        if colour != nil { output.append(colourEnd) }
    }
}

// MARK: - Times

/// Puts the time of a group's leading notification on the line with the app's name:
///
///     Podcasts  5m ago                 without a width, two spaces after the name
///     Podcasts           5m ago        with a width, at the end of the line
///     com.exam…  Yesterday, 9:41 AM    the name is cut first,
///     com.exa…  Yesterd…               then the time
extension GroupRenderer {
    /// The minimum number of columns between the name and the time.
    private static var gap: Int { 2 }
    /// The number of columns to which a name or a time may be cut; a shorter one is never cut.
    private static var minimumColumns: Int { 8 }

    /// Appends a name and a time as one line. If it is too short for both of them at their minimum, the time is left
    /// out.
    private static func appendLine(
        _ name: Span<UInt8>, time: Span<UInt8>, _ style: TextStyle, to output: inout OutputBuffer
    ) {
        var (shownName, shownTime): ([UInt8], [UInt8]) = ([], [])
        var nameColumns = DisplayText.append(name, width: style.width, to: &shownName)
        var timeColumns = DisplayText.append(time, width: nil, to: &shownTime)
        var gap = Self.gap
        if let width = style.width {
            let room = width - gap
            let minimum = (name: min(nameColumns, minimumColumns), time: min(timeColumns, minimumColumns))
            if minimum.name + minimum.time > room {
                shownTime.removeAll()
            } else if nameColumns + timeColumns > room {
                shownName.removeAll(keepingCapacity: true)
                nameColumns = DisplayText.append(
                    name, width: max(room - timeColumns, minimum.name), to: &shownName)
                shownTime.removeAll(keepingCapacity: true)
                timeColumns = DisplayText.append(time, width: room - nameColumns, to: &shownTime)
            }
            gap = width - nameColumns - timeColumns
        }
        append(.name, style, to: &output) { $0.append(shownName.span) }
        if !shownTime.isEmpty {
            for _ in 0..<gap { output.append(" ") }
            append(.time, style, to: &output) { $0.append(shownTime.span) }
        }
        output.append("\n")
    }
}
