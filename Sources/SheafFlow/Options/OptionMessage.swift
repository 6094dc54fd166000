/// An option of a run, as a message refers to it: the name of a property of `ReplayOptions` or `CheckOptions`.
public enum RunOption: String, Sendable, CaseIterable {
    // What is read.
    case namedSources, isKeyed, expectedSources, defaultApp, onlyApps, onlyDevices, since, until, maximumLine
    // What is written, and where.
    case output, format, top, partial, rejects, statistics, baselineOutput, findingsOutput
    // How groups are made and shown.
    case byDevice, maximumArguments, profile, appliesRemovals, delivery, unique, appliesOutcomes
    case order, locale, locked, now
    // Several snapshots.
    case every, timeZoneOffset, timeZone, emit, lateness, maximumAhead, idle, speed
    // What is measured.
    case quantiles, fold, cells
    // Whose screens are shown.
    case people
    // What is compared.
    case nowSnapshot, newSnapshot
    // What is checked.
    case limits
    // How the run works.
    case partitions, threads, memory, spillFolder, chunkBytes, checkpoint, checkpointInterval

    /// The name in messages that no program has adapted.
    var quotedName: String { "`\(rawValue)`" }
}

/// A message about options, in which a program may use its own names for them.
///
/// ```swift
/// let message: OptionMessage = "'log' is a source: \(.rejects) would replace it"
/// print(message.text { option in "--\(option.rawValue)" })
/// ```
public struct OptionMessage: Sendable, Equatable {
    private var parts: [Part]

    fileprivate enum Part: Sendable, Equatable {
        case text(String)
        case option(RunOption)
    }

    static func + (a: OptionMessage, b: OptionMessage) -> OptionMessage { "\(a)\(b)" }

    /// Returns the message with the option names that `name` returns.
    public func text(naming name: (RunOption) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .option(let option): name(option)
            }
        }.joined()
    }
}

extension OptionMessage: CustomStringConvertible {
    /// The message with the names of the properties of `ReplayOptions`.
    public var description: String { text(naming: \.quotedName) }
}

extension OptionMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { parts = value.isEmpty ? [] : [.text(value)] }

    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { add(literal) }

        public mutating func appendInterpolation(_ option: RunOption) { parts.append(.option(option)) }

        public mutating func appendInterpolation(_ message: OptionMessage) {
            for part in message.parts {
                if case .text(let text) = part { add(text) } else { parts.append(part) }
            }
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            add(String(describing: value))
        }

        /// Equal messages have equal parts: adjacent texts are one part.
        private mutating func add(_ text: String) {
            if case .text(let last)? = parts.last {
                parts[parts.count - 1] = .text(last + text)
            } else if !text.isEmpty {
                parts.append(.text(text))
            }
        }
    }
}
