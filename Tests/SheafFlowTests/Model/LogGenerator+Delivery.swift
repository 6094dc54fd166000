import SheafFlow
import SheafGroups
import TestSupport

extension LogGenerator {
    /// Returns a change of settings, of which a few are invalid.
    mutating func settings() -> String {
        swap(&random, &deliveryRandom)
        defer { swap(&random, &deliveryRandom) }
        var members = ["\"event\":\"\(random.chance(90) ? "settings" : "s\\u0065ttings")\""]
        if random.chance(70) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(50) {
            members.append("\"device\":\"\(random.pick(["d1", "d2", "\\u0064\\u0033"]))\"")
        }
        if random.chance(90) { members.append("\"ts\":\(time())") }
        if random.chance(60) {
            let words = [
                "\"prominent\"", "\"quiet\"", "\"off\"", "\"criticalOnly\"", "\"qu\\u0069et\"", "null",
            ]
            members.append("\"delivery\":\(random.pick(words))")
        }
        for key in ["provisional", "so\\u0075nds", "serviceExtension"] where random.chance(30) {
            members.append("\"\(key)\":\(random.pick(["true", "false", "null"]))")
        }
        if random.chance(5) { members.append(random.pick(["\"sounds\":1", "\"delivery\":\"Off\""])) }
        members.shuffle(using: &random)
        let separator = random.pick([",", " , "])
        // Not shuffled with the others, so that existing seeds keep those.
        if hasChoices {
            for choice in choices() { members.insert(choice, at: choiceRandom.below(members.count + 1)) }
        }
        if let locale = locale() { members.insert(locale, at: 1) }
        if hasOpenings {
            for key in ["alert", "ba\\u0064ge", "sound"] where openRandom.chance(25) {
                members.append("\"\(key)\":\(openRandom.pick(["true", "false", "false", "null"]))")
            }
            if openRandom.chance(3) { members.append("\"badge\":1") }
        }
        return "{\(members.joined(separator: separator))}"
    }

    /// Returns a record of an app that is opened or closed.
    mutating func opening() -> String {
        swap(&random, &openRandom)
        defer { swap(&random, &openRandom) }
        let events = ["app-opened", "appOpened", "app-closed", "app-clos\\u0065d", "app_closed", "appClosed"]
        var members = ["\"event\":\"\(random.pick(events))\""]
        if random.chance(97) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(95) { members.append("\"ts\":\(time())") }
        if random.chance(70) {
            members.append("\"device\":\(random.pick(["\"d1\"", "\"d2\"", "\"\\u0064\\u0033\"", "null"]))")
        }
        if random.chance(3) { members.append("\"device-token\":7") }
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }

    /// Returns members by which a person chooses how notifications are grouped and shown.
    private mutating func choices() -> [String] {
        var members: [String] = []
        if choiceRandom.chance(50) {
            let words = ["\"automatic\"", "\"byApp\"", "\"off\"", "\"\\u006fff\"", "null"]
            members.append("\"grouping\":\(choiceRandom.pick(words))")
        }
        if choiceRandom.chance(50) {
            let words = ["\"always\"", "\"whenAuthenticated\"", "\"never\"", "null"]
            members.append("\"show\\u0050reviews\":\(choiceRandom.pick(words))")
        }
        if choiceRandom.chance(30) {
            members.append("\"critical\":\(choiceRandom.pick(["true", "false", "false", "null"]))")
        }
        if choiceRandom.chance(4) {
            members.append(choiceRandom.pick(["\"grouping\":\"Off\"", "\"showPreviews\":true"]))
        }
        return members
    }

    /// Returns members of `aps` by which a notification asks for attention.
    mutating func deliveryMembers() -> [String] {
        guard hasDelivery else { return [] }
        swap(&random, &deliveryRandom)
        defer { swap(&random, &deliveryRandom) }
        var members: [String] = []
        if random.chance(50) {
            let levels = ["critical", "time-sensitive", "active", "passive", "p\\u0061ssive", "Passive", ""]
            members.append("\"interruption-level\":\"\(random.pick(levels))\"")
        }
        if random.chance(60) {
            let sounds = [
                "\"default\"", "\"\"", #"{"critical":1,"name":"a"}"#, #"{"name":"a" , "critical":0}"#,
                #"{"volume":1}"#, #"{"cr\u0069tical":1.0}"#, #"{"name":""}"#, #"{"critical":true}"#, "null",
            ]
            members.append("\"sound\":\(random.pick(sounds))")
        }
        if random.chance(40) {
            members.append("\"mutable-content\":\(random.pick(["1", "1", "0", "1.0", "2"]))")
        }
        return members
    }

    /// Returns options with which delivery is tracked, or not, chosen by `seed`.
    static func addDelivery(to options: inout ReplayOptions, seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 41 &+ 6)
        options.delivery = random.chance(40)
        // Apart from the others, so that existing seeds keep those.
        var authorizations = SeededGenerator(seed: seed &* 71 &+ 43)
        func settings() -> DeliverySettings {
            var settings = DeliverySettings()
            if random.chance(50) { settings.delivery = random.pick(DeliverySettings.Delivery.allCases) }
            if random.chance(30) { settings.provisional = random.chance(50) }
            if random.chance(40) { settings.sounds = random.chance(50) }
            if random.chance(50) { settings.serviceExtension = random.chance(70) }
            if random.chance(30) { settings.critical = random.chance(50) }
            if authorizations.chance(25) { settings.alert = authorizations.chance(50) }
            if authorizations.chance(25) { settings.badge = authorizations.chance(50) }
            if authorizations.chance(25) { settings.sound = authorizations.chance(50) }
            if authorizations.chance(40) { settings.foreground = authorizations.chance(60) }
            return settings
        }
        guard random.chance(40) else { return }
        if random.chance(50) { options.settings.delivery = settings() }
        for app in apps where random.chance(40) {
            options.settings.apps[app, default: AppSettings()].delivery = settings()
        }
        if random.chance(30) { options.settings.serviceExtensionLimit = random.pick([0, 1.5, 45]) }
        if random.chance(30) {
            options.settings.apps[random.pick(apps), default: AppSettings()].serviceExtensionLimit = 29.999
        }
    }
}
