import SheafBytes
import SheafGroups

extension PartialResults {
    /// Checks that a file was written with the same options as the first one.
    static func check(
        _ header: PartialHeader, of path: String, against first: PartialHeader, of firstPath: String
    ) throws(ReplayError) {
        func fail(_ what: OptionMessage) -> ReplayError {
            .usage("'\(path)' and '\(firstPath)' can't be merged: they were written with different \(what)")
        }
        if header.byDevice != first.byDevice { throw fail("\(.byDevice) settings") }
        if header.maximumArguments != first.maximumArguments { throw fail("\(.maximumArguments) values") }
        if header.groupings != first.groupings { throw fail("app groupings") }
        try check(header.input, of: path, against: first.input, of: firstPath)
    }

    private static func check(
        _ input: InputIdentity, of path: String, against first: InputIdentity, of firstPath: String
    ) throws(ReplayError) {
        let difference: OptionMessage
        switch input.difference(from: first) {
        case nil: return
        case .name:
            difference = "'\(firstPath)' was read with input '\(first.name)', '\(path)' with '\(input.name)'"
        case .digest:
            difference = "they were read with different versions of '\(input.name)'"
        case .app:
            difference =
                "'\(firstPath)' was read with the app \(first.shownApp) for records without one, "
                + "'\(path)' with \(input.shownApp)"
        case .removals:
            let (with, without) = input.appliesRemovals ? (path, firstPath) : (firstPath, path)
            difference = "'\(with)' was written with \(.appliesRemovals), '\(without)' without"
        case .delivery:
            let (with, without) = input.tracksDelivery ? (path, firstPath) : (firstPath, path)
            difference =
                "'\(with)' was written with \(.delivery) or a configuration of delivery, '\(without)' without"
        case .timeline:
            difference =
                "'\(firstPath)' was written with \(first.shownTimeline), '\(path)' with \(input.shownTimeline)"
        case .window:
            difference =
                "'\(firstPath)' was written with \(first.filter.shownWindow), '\(path)' with \(input.filter.shownWindow)"
        case .selection:
            difference =
                "'\(firstPath)' was written with \(first.filter.shownSelection), '\(path)' with "
                + "\(input.filter.shownSelection)"
        }
        throw .usage("'\(path)' and '\(firstPath)' can't be merged: \(difference)")
    }

    /// Checks that the configuration groups apps in the same way as the partial results.
    static func check(
        _ groupings: [PartialHeader.AppGrouping], against settings: Settings, of path: String
    ) throws(ReplayError) {
        var written: [String: Grouping] = [:]
        for item in groupings { written[item.app] = item.grouping }
        for app in settings.apps.keys.sorted() {
            let wanted = settings.apps[app]?.grouping ?? .automatic
            let found = written[app] ?? .automatic
            guard wanted != found else { continue }
            throw .usage(
                "the configuration groups '\(app)' as '\(wanted.rawValue)', but '\(path)' was written with "
                    + "'\(found.rawValue)'")
        }
    }
}
