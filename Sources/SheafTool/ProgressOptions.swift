import ArgumentParser

/// How a run reports its progress on standard error.
struct ProgressOptions: ParsableArguments {
    @Option(
        help: .name(
            """
            How progress is reported on standard error: line, rewritten on a terminal; json, one object for each second; or \
            none. (default: line on a terminal, else none)
            """))
    var progress: Style?

    enum Style: String, ExpressibleByArgument, CaseIterable {
        case line, json, none
    }

    /// - Throws: `ValidationError` if the command writes only errors, which leaves no place for progress.
    func check(quiet: Bool) throws {
        guard quiet, let progress, progress != .none else { return }
        throw ValidationError(
            "--quiet writes only errors to standard error: --progress \(progress.rawValue) can't be given with it"
        )
    }
}
