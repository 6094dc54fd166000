import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// The exit statuses of specification §10, named as in BSD's `sysexits`.
enum ExitStatus {
    static let usage: Int32 = 64
    static let data: Int32 = 65
    static let noInput: Int32 = 66
    static let internalError: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let tryAgain: Int32 = 75
    static let configuration: Int32 = 78
    /// What a shell adds to a signal's number to form the status of a process that the signal ended.
    static let signalBase: Int32 = 128
}

/// An error as the user sees it: a message and an exit status.
struct Failure {
    let message: String
    let status: Int32

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
        switch error {
        case .source, .notPartial, .damaged(_, .foreign, _), .damaged(_, .version, _):
            status = ExitStatus.noInput
        case .output: status = ExitStatus.cannotCreate
        case .reading, .writing, .damaged: status = ExitStatus.inputOutput
        case .usage: status = ExitStatus.usage
        case .inUse: status = ExitStatus.tryAgain
        case .alreadyRun: status = ExitStatus.internalError
        case .interrupted(let signal), .stopped(let signal, _): status = ExitStatus.signalBase + signal
        }
    }

    init(_ error: ConfigurationError) {
        message = "\(error)"
        status = ExitStatus.configuration
    }

    /// Writes the message to standard error and returns the code to exit with.
    func reported() -> ExitCode {
        Message.write(message)
        return ExitCode(status)
    }
}
