import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// The exit statuses of specification §10, named as in BSD's `sysexits`.
extension ExitCode {
    static let usage = ExitCode(64)
    static let data = ExitCode(65)
    static let noInput = ExitCode(66)
    static let internalError = ExitCode(70)
    static let cannotCreate = ExitCode(73)
    static let inputOutput = ExitCode(74)
    static let tryAgain = ExitCode(75)
    static let configuration = ExitCode(78)

    /// The status that a shell reports for a process that a signal ended.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(128 + number) }
}

/// An error as the user sees it: a message and an exit status.
struct Failure {
    let message: String
    let status: ExitCode

    /// - Parameter checkpoint: the folder from which the command can resume.
    init(_ error: ReplayError, checkpoint: String? = nil) {
        if case .interrupted = error, let checkpoint {
            message =
                "interrupted; run the same command again to resume from the checkpoint in '\(checkpoint)'"
        } else if case .notPartial = error {
            message =
                "\(error.description(naming: \.flag)); sheaf merge reads the files that sheaf replay --partial FILE writes"
        } else if case .source(let path, _) = error, let advice = SourceAdvice.pipe(from: path) {
            message = "\(path): is a URL, and only files and pipes are read; \(advice)"
        } else {
            message = error.description(naming: \.flag)
        }
        status =
            switch error {
            case .source, .notPartial, .damaged(_, .foreign, _), .damaged(_, .version, _): .noInput
            case .output: .cannotCreate
            case .reading, .writing, .damaged: .inputOutput
            case .usage: .usage
            case .inUse: .tryAgain
            case .alreadyRun: .internalError
            case .interrupted(let signal), .stopped(let signal, _): .signal(signal)
            }
    }

    init(_ error: ConfigurationError) {
        message = "\(error)"
        status = .configuration
    }

    /// Writes the message to standard error and returns the code to exit with.
    func reported() -> ExitCode {
        Message.write(message)
        return status
    }

    /// Runs the validation of a command, which reports invalid options together with the command's usage.
    ///
    /// - Throws: `ValidationError` for `ReplayError.usage`.
    static func validating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch ReplayError.usage(let message) {
            throw ValidationError(message.text(naming: \.flag))
        }
    }
}

extension RunOption {
    /// The option of the command line that sets this option.
    var flag: String {
        switch self {
        case .namedSources: "--sources-from"
        case .isKeyed: "--keyed"
        case .expectedSources: "--expect-sources"
        case .defaultApp: "--app"
        case .onlyApps: "--only-app"
        case .onlyDevices: "--only-device"
        case .since: "--since"
        case .until: "--until"
        case .maximumLine: "--max-line"
        case .output: "--output"
        case .format: "--format"
        case .top: "--top"
        case .partial: "--partial"
        case .rejects: "--rejects"
        case .statistics: "--stats"
        case .baselineOutput: "--write-baseline"
        case .findingsOutput: "--findings"
        case .byDevice: "--by-device"
        case .maximumArguments: "--max-arguments"
        case .profile: "--profile"
        case .appliesRemovals: "--removals"
        case .delivery: "--delivery"
        case .unique: "--unique"
        case .appliesOutcomes: "--outcomes"
        case .order: "--sort"
        case .locale: "--locale"
        case .locked: "--locked"
        case .now: "--now"
        case .every: "--every"
        case .timeZoneOffset: "--offset"
        case .timeZone: "--time-zone"
        case .emit: "--emit"
        case .lateness: "--lateness"
        case .maximumAhead: "--max-ahead"
        case .idle: "--idle"
        case .speed: "--speed"
        case .quantiles: "--quantiles"
        case .fold: "--fold"
        case .people: "--people"
        case .nowSnapshot: "--now-snapshot"
        case .newSnapshot: "--new-snapshot"
        case .cells: "--cells"
        case .limits: "--limit"
        case .partitions: "--partitions"
        case .threads: "--threads"
        case .memory: "--memory"
        case .spillFolder: "--spill-dir"
        case .chunkBytes: "--chunk-size"
        case .checkpoint: "--checkpoint"
        case .checkpointInterval: "--checkpoint-interval"
        }
    }
}
