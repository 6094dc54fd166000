import SheafBytes
import SheafGroups
import SheafText

/// A push notification that a program sends, or one that it has read in its own way.
///
/// ```swift
/// let source = try LiveGroups().addSource(named: "campaigns")
/// var push = Push(app: "com.example.podcasts")
/// push.timestamp = 1_772_686_803_465
/// push.thread = "song-exploder"
/// push.title = "Song Exploder"
/// push.summaryArgument = "Song Exploder"
/// try source.add(push)
/// ```
///
/// It has the meaning of a record with the same members (specification §2): the texts are cut and compared by the same
/// rules.
public struct Push: Sendable, Hashable {
    public var app: String
    public var device: String?
    /// In milliseconds since 1970; negative times are rejected. nil if it is not known: the push is then older than all
    /// that have a time, and any removal removes it.
    public var timestamp: Int64?
    /// `apns-id`.
    public var id: String?
    /// `apns-collapse-id`: a newer push with the same one replaces this one.
    public var collapseID: String?
    public var title: String?
    public var subtitle: String?
    public var body: String?
    public var thread: String?
    public var category: String?
    public var summaryArgument: String?
    /// The number of items that the push stands for; nil for 1.
    public var summaryArgumentCount: Int?
    /// `passive`, `active`, `time-sensitive` or `critical`; nil for `active`.
    public var interruptionLevel: String?
    /// The name of the sound; nil for none.
    public var sound: String?
    /// Whether a service extension may change the push.
    public var isMutable = false

    public init(app: String) { self.app = app }
}

/// Notifications that are no longer on screen, of those that are older (specification §15).
public struct Removal: Sendable, Hashable {
    /// Which of the app's notifications are removed.
    public enum Scope: Sendable, Hashable {
        /// Those with one of these collapse identifiers, or with one of these ids if they have no collapse identifier:
        /// at most 4,096.
        case ids([String])
        /// Those of a thread; nil for those without one.
        case thread(String?)
        case app
    }

    public var app: String
    /// nil for all devices.
    public var device: String?
    /// In milliseconds since 1970: only older notifications are removed. 0 removes only those without a time.
    public var timestamp: Int64
    public var scope: Scope

    /// - Parameters:
    ///   - app: the app's identifier.
    ///   - scope: which of its notifications are removed.
    ///   - timestamp: in milliseconds since 1970.
    public init(app: String, _ scope: Scope, at timestamp: Int64) {
        self.app = app
        self.scope = scope
        self.timestamp = timestamp
    }
}

/// A change of how notifications are delivered, grouped and shown, for those that are newer (specification §16).
public struct SettingsChange: Sendable, Hashable {
    /// nil for all apps.
    public var app: String?
    /// nil for all devices.
    public var device: String?
    /// In milliseconds since 1970; nil if it is not known: it is then older than all notifications with a time.
    public var timestamp: Int64?
    /// The settings that change; the rest stay as they are. `foreground` does not change, since only a configuration has
    /// it.
    public var settings: DeliverySettings
    /// nil if the grouping stays as it is.
    public var grouping: Grouping?
    /// nil if it stays as it is.
    public var showPreviews: PreviewVisibility?
    /// The locale of texts; nil if it stays as it is. A change with an unknown locale is rejected.
    public var locale: LocaleIdentifier?

    public init(app: String?, _ settings: DeliverySettings = DeliverySettings()) {
        self.app = app
        self.settings = settings
    }
}

extension Push {
    /// Appends the push as a record on a line.
    func append(to output: inout OutputBuffer) {
        output.append("{\"app\":")
        output.appendQuoted(app)
        output.appendMember(",\"device\":", device)
        output.appendTime(timestamp)
        output.appendMember(",\"apns-id\":", id)
        output.appendMember(",\"apns-collapse-id\":", collapseID)
        // An empty text is the same as none.
        output.append(",\"payload\":{\"aps\":{\"alert\":{\"body\":")
        output.appendQuoted(body ?? "")
        output.appendMember(",\"title\":", title)
        output.appendMember(",\"subtitle\":", subtitle)
        output.appendMember(",\"summary-arg\":", summaryArgument)
        if let summaryArgumentCount {
            output.append(",\"summary-arg-count\":")
            output.appendDecimal(Int64(summaryArgumentCount))
        }
        output.append("}")
        output.appendMember(",\"thread-id\":", thread)
        output.appendMember(",\"category\":", category)
        output.appendMember(",\"interruption-level\":", interruptionLevel)
        output.appendMember(",\"sound\":", sound)
        if isMutable { output.append(",\"mutable-content\":1") }
        output.append("}}}\n")
    }
}

extension Removal {
    /// Appends the removal as a record on a line.
    func append(to output: inout OutputBuffer) {
        output.append("{\"event\":\"cleared\",\"app\":")
        output.appendQuoted(app)
        output.appendMember(",\"device\":", device)
        output.appendTime(timestamp)
        switch scope {
        case .ids(let ids):
            output.append(",\"ids\":[")
            for (index, id) in ids.enumerated() {
                if index > 0 { output.append(",") }
                output.appendQuoted(id)
            }
            output.append("]")
        case .thread(let thread):
            output.append(",\"thread\":")
            if let thread { output.appendQuoted(thread) } else { output.append("null") }
        case .app: break
        }
        output.append("}\n")
    }
}

extension SettingsChange {
    /// Appends the change as a record on a line.
    func append(to output: inout OutputBuffer) {
        output.append("{\"event\":\"settings\"")
        output.appendMember(",\"app\":", app)
        output.appendMember(",\"device\":", device)
        output.appendTime(timestamp)
        output.appendMember(",\"delivery\":", settings.delivery?.rawValue)
        output.appendMember(",\"provisional\":", settings.provisional)
        output.appendMember(",\"sounds\":", settings.sounds)
        output.appendMember(",\"serviceExtension\":", settings.serviceExtension)
        output.appendMember(",\"critical\":", settings.critical)
        output.appendMember(",\"alert\":", settings.alert)
        output.appendMember(",\"badge\":", settings.badge)
        output.appendMember(",\"sound\":", settings.sound)
        output.appendMember(",\"grouping\":", grouping?.rawValue)
        output.appendMember(",\"showPreviews\":", showPreviews?.rawValue)
        output.appendMember(",\"locale\":", locale?.tag)
        output.append("}\n")
    }
}

extension OutputBuffer {
    fileprivate mutating func appendQuoted(_ text: String) { appendJSONString(Array(text.utf8).span) }

    fileprivate mutating func appendMember(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        append(name)
        appendQuoted(text)
    }

    fileprivate mutating func appendMember(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        append(name)
        append(value ? "true" : "false")
    }

    /// Appends a time in milliseconds, in the unit that a record's number of that size has (specification §2).
    fileprivate mutating func appendTime(_ milliseconds: Int64?) {
        guard let milliseconds else { return }
        append(",\"timestamp\":")
        switch milliseconds {
        case 0..<100_000_000_000:
            appendDecimal(milliseconds / 1000)
            append(".")
            let fraction = milliseconds % 1000
            if fraction < 100 { append("0") }
            if fraction < 10 { append("0") }
            appendDecimal(fraction)
        case 100_000_000_000_000...:
            appendDecimal(milliseconds)
            append("000000")
        default: appendDecimal(milliseconds)
        }
    }
}
