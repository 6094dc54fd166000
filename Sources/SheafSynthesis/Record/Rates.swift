/// The frequencies of a record's properties, in 1,000 unless stated otherwise.
///
/// Frequencies that depend on the app are in `AppProfile` and `AppKind.Traits`.
enum Rates {
    // In all records.
    /// Silent records: background pushes and calls.
    static let silent = 70
    /// Calls among the silent records of an app that takes calls.
    static let call = 130
    /// Records whose payload is a JSON string.
    static let payloadAsText = 20
    /// Records that are a payload without an envelope, as on a simulator.
    static let bare = 12
    /// Records that may be older than earlier lines, because servers write their logs with a delay.
    static let late = 120

    // In all notifications.
    static let withoutThread = 80
    /// Alerts that are a string.
    static let plainAlert = 40
    /// Alerts with localization keys instead of texts.
    static let localized = 60
    /// Notifications in the app's own language.
    static let homeLanguage = 930
    /// The number of names, of people and of works, that an app uses in each other language.
    static let foreignNames = 12
    /// Records with data of an app that sends data, including silent ones.
    static let data = 850

    // Summary counts in notifications with and without a summary argument.
    static let countWithArgument = 850
    static let countAlone = 40

    /// The mean time between two records, in milliseconds: 2,000,000 records are a day.
    static let meanInterval = 43
    static let millisecondsPerDay = 86_400_000
    /// The bound of a record's delay, in milliseconds.
    static let lateness = 2_500

    /// The number of events that an app's collapse identifiers name at a time, and the number of the log's records
    /// after which new events replace them.
    static let liveEvents = 24
    static let eventLifetime = 16_384
    /// How often a notification goes to a device of the latest ones, and the number of those devices: a device that
    /// comes back online receives everything that was waiting for it.
    static let sameDevice = 840
    static let connectedDevices = 5

    // Removals.
    /// Those of one notification that was opened, or dismissed by a person. All others are of an app that was opened.
    static let opened = 350
    static let dismissed = 400
    /// The number of latest notifications among which a removed one is chosen.
    static let removable = 4_096

    /// The number of devices that receive an event's updates: few, so that a device receives many versions of the same
    /// notification.
    static let subscribers = 4
}
