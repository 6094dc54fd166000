import Foundation

/// What a notification asks for, and what a change of settings sets (§16).
struct DeliveryModel {
    var level = "active"
    var hasSound = false
    var isMutable = false
    /// The values of a change of settings, as written in JSON.
    var settings: [String: String] = [:]
    /// What became of the notification.
    var effect: ReplayModel.Effect?
    /// How the notification is grouped, and when its texts are shown.
    var grouping = "automatic"
    var showPreviews = "always"
    /// The language of the texts that Sheaf composes.
    var language = "en"

    /// The languages of known locales by name. Sheaf has no texts in Swedish, and then writes in English.
    static let languages = [
        "de": "de", "DE-at": "de", "de_CH": "de", "ja-JP": "ja", "ja": "ja", "sv_SE": "en", "en-US": "en",
    ]

    /// The settings that are words.
    static let words = [
        "delivery": ["prominent", "quiet", "off", "criticalOnly"],
        "grouping": ["automatic", "byApp", "off"],
        "showPreviews": ["always", "whenAuthenticated", "never"],
    ]

    /// Reads what a notification asks for.
    mutating func read(_ aps: JSONModel) {
        func isOne(_ value: JSONModel?) -> Bool {
            if case .number(let text)? = value { Double(text) == 1 } else { false }
        }
        level = aps["interruption-level"]?.text ?? ""
        if !["critical", "time-sensitive", "passive"].contains(level) { level = "active" }
        switch aps["sound"] {
        case .string(let name)?: hasSound = !name.isEmpty
        case .object?:
            let isCritical = isOne(aps["sound"]?["critical"])
            if isCritical { level = "critical" }
            hasSound = isCritical || aps["sound"]?["name"]?.text?.isEmpty == false
        default: break
        }
        isMutable = isOne(aps["mutable-content"])
    }

    /// Reads a change of settings; returns false if it is not one.
    mutating func readSettings(_ record: JSONModel) -> Bool {
        let switches = ["provisional", "sounds", "serviceExtension", "critical", "alert", "badge", "sound"]
        for key in switches + Self.words.keys {
            switch record[key] {
            case nil, .null?: continue
            case .string(let word)? where Self.words[key]?.contains(word) == true: settings[key] = word
            case .bool(let value)? where Self.words[key] == nil: settings[key] = "\(value)"
            default: return false
            }
        }
        switch record["locale"] {
        case nil, .null?: break
        case .string(let name)?:
            guard let language = Self.languages[name] else { return false }
            settings["locale"] = language
        default: return false
        }
        return !settings.isEmpty
    }
}

extension ReplayModel {
    /// What became of a notification.
    struct Effect {
        let level: String
        let hasBanner: Bool
        let hasSound: Bool
        let mayChange: Bool
        let isQuiet: Bool
    }

    var tracksDelivery: Bool {
        options.delivery || options.settings.serviceExtensionLimit != nil
            || options.settings.apps.values.contains { $0.serviceExtensionLimit != nil }
            || ([options.settings.delivery] + options.settings.apps.values.map(\.delivery))
                .contains { $0 != .init() }
    }

    /// Returns what became of a notification; nil if it was suppressed.
    ///
    /// - Parameter isAuthorized: whether it may be an alert, whatever the settings are.
    func effect(on notification: RecordModel, isAuthorized: Bool = false) -> Effect? {
        var level = notification.delivery.level
        if options.profile == .ios12, level != "critical" { level = "active" }
        let app = options.settings.apps[notification.app]?.delivery
        let isEntitled = app?.critical ?? options.settings.delivery.critical ?? true
        if level == "critical", !isEntitled || setting("critical", for: notification) == "false" {
            level = "active"
        }
        let isCritical = level == "critical"
        let delivery = setting("delivery", for: notification) ?? "prominent"
        if delivery == "off" || delivery == "criticalOnly" && !isCritical { return nil }
        let isQuiet = delivery == "quiet" || setting("provisional", for: notification) == "true"
        let isPresented =
            setting("open", for: notification) != "true"
            || app?.foreground ?? options.settings.delivery.foreground ?? false
        let interrupts = isPresented && (isCritical || !isQuiet && level != "passive")
        let isSilenced = ["sounds", "sound"].contains { setting($0, for: notification) == "false" }
        let hasAlert = isAuthorized || setting("alert", for: notification) != "false"
        return Effect(
            level: level, hasBanner: interrupts && hasAlert,
            hasSound: interrupts && notification.delivery.hasSound && (isCritical || !isSilenced),
            mayChange: notification.delivery.isMutable
                && setting("serviceExtension", for: notification) == "true",
            isQuiet: isQuiet && !isCritical || !hasAlert)
    }

    /// Returns a notification that is grouped and shown as a person chose, or else by the configuration.
    func chosen(_ notification: RecordModel) -> RecordModel {
        let app = options.settings.apps[notification.app]
        var notification = notification
        notification.delivery.grouping = (app?.grouping ?? .automatic).rawValue
        notification.delivery.showPreviews = (app?.showPreviews ?? options.settings.showPreviews).rawValue
        guard tracksDelivery else { return notification }
        if let word = setting("grouping", for: notification) { notification.delivery.grouping = word }
        if let word = setting("showPreviews", for: notification) { notification.delivery.showPreviews = word }
        if let language = setting("locale", for: notification) { notification.delivery.language = language }
        return notification
    }

    /// Returns the value of one setting when a notification arrived; nil if nothing sets it.
    func setting(_ key: String, for notification: RecordModel) -> String? {
        let (device, app) = (notification.device, notification.app)
        for scope in [(device, app), ("", app), (device, ""), ("", "")] {
            let changes = (settings + openings).filter {
                ($0.device, $0.app) == scope && $0.delivery.settings[key] != nil
                    && $0.isOlder(than: notification)
            }
            if let newest = changes.max(by: { $0.isOlder(than: $1) }) {
                return newest.delivery.settings[key]
            }
        }
        for settings in [options.settings.apps[app]?.delivery, options.settings.delivery] {
            let value =
                switch key {
                case "delivery": settings?.delivery?.rawValue
                case "provisional": settings?.provisional.map { "\($0)" }
                case "sounds": settings?.sounds.map { "\($0)" }
                case "critical": settings?.critical.map { "\($0)" }
                case "alert": settings?.alert.map { "\($0)" }
                case "badge": settings?.badge.map { "\($0)" }
                case "sound": settings?.sound.map { "\($0)" }
                case "grouping", "showPreviews", "open", "locale": String?.none
                default: settings?.serviceExtension.map { "\($0)" }
                }
            if let value { return value }
        }
        return nil
    }

    /// Returns the `delivery` member of a group's line.
    func delivery(of group: [RecordModel]) -> String? {
        guard tracksDelivery else { return nil }
        let effects = group.compactMap(\.delivery.effect)
        func count(_ name: String, _ isCounted: (Effect) -> Bool) -> String {
            "\"\(name)\":\(effects.count(where: isCounted))"
        }
        let members = [
            count("critical") { $0.level == "critical" },
            count("timeSensitive") { $0.level == "time-sensitive" },
            count("active") { $0.level == "active" }, count("passive") { $0.level == "passive" },
            count("banners", \.hasBanner), count("sounds", \.hasSound), count("mutable", \.mayChange),
        ]
        return "\"delivery\":{\(members.joined(separator: ","))}"
    }
}
