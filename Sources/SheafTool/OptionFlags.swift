import SheafFlow

extension RunOption {
    /// The option of the command line that sets this option.
    var flag: String {
        switch self {
        case .partial: "--partial"
        case .rejects: "--rejects"
        case .statistics: "--stats"
        case .byDevice: "--by-device"
        case .maximumArguments: "--max-arguments"
        case .profile: "--profile"
        case .maximumLine: "--max-line"
        case .checkpoint: "--checkpoint"
        case .since: "--since"
        case .until: "--until"
        case .onlyApps: "--only-app"
        case .onlyDevices: "--only-device"
        case .appliesRemovals: "--removals"
        case .delivery: "--delivery"
        case .every: "--every"
        case .emit: "--emit"
        case .lateness: "--lateness"
        case .speed: "--speed"
        case .memory: "--memory"
        case .namedSources: "--sources-from"
        case .expectedSources: "--expect-sources"
        case .isKeyed: "--keyed"
        }
    }
}
