import SheafBytes

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
    static func appendLine(
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
        append(shownName, .name, style, to: &output)
        if !shownTime.isEmpty {
            for _ in 0..<gap { output.append(" ") }
            append(shownTime, .time, style, to: &output)
        }
        output.append("\n")
    }

    private static func append(
        _ text: [UInt8], _ role: Role, _ style: TextStyle, to output: inout OutputBuffer
    ) {
        let colour = style.hasColours ? role.colour : nil
        if let colour { output.append(colour) }
        output.append(text.span)
        if colour != nil { output.append(colourEnd) }
    }
}
