/// How often a record is what; all in 1,000 unless they say otherwise.
///
/// What depends on the app stands in `AppProfile` and `AppKind.Traits`.
enum Rates {
    // Of all records.
    /// Background pushes and calls: nobody sees them.
    static let silent = 70
    /// Of the silent records of an app that takes calls.
    static let call = 130
    /// The payload as a JSON string.
    static let payloadAsText = 20
    /// The payload without an envelope, as on a simulator.
    static let bare = 12
    /// A timestamp earlier than records before it: servers write their logs a little late.
    static let late = 120

    // Of all notifications.
    static let withoutThread = 80
    /// The alert is a string.
    static let plainAlert = 40
    /// Texts by localization key.
    static let localized = 60
    static let homeLanguage = 930
    /// How many names, of people and of works, an app knows in each other language.
    static let foreignNames = 12
    /// Of the records of an app that sends data, silent ones too.
    static let data = 850

    // Of the notifications with and without a summary argument.
    static let countBesideArgument = 850
    static let countAlone = 40

    /// The mean time between two records, in milliseconds: a log of 2,000,000 is a day.
    static let meanInterval = 43
    /// The longest lateness, in milliseconds.
    static let lateness = 2_500

    /// An app's events that collapse identifiers name: so many at a time, new ones every so many records of
    /// the log.
    static let liveEvents = 24
    static let eventLifetime = 16_384
    /// How often a notification goes to one of the devices that had the last ones, and how many those are: a
    /// device that comes back online gets what waited for it.
    static let sameDevice = 840
    static let connectedDevices = 5

    /// How many devices get an event's updates. Few, so that one device sees many versions of one
    /// notification.
    static let subscribers = 4
}
