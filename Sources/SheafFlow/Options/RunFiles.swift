/// The files that a run writes, and those that it must not replace.
struct RunFiles: Sendable {
    /// The name of the result in messages.
    var resultName: OptionMessage
    /// The path of the result; `-` is standard output.
    var result: String
    var rejects: String?
    /// The name of that file in messages: a check writes its findings there.
    var rejectsName: OptionMessage = "\(.rejects)"
    var statistics: String?
    /// The name of that file in messages: a check writes its baseline there.
    var statisticsName: OptionMessage = "\(.statistics)"
    /// The folder for checkpoints.
    var checkpoint: String?
    /// The files that the settings were read from.
    var configuration: [String] = []
}
