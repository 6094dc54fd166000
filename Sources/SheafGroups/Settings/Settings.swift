import SheafBytes
import SheafText

/// The contents of a configuration (specification §11): how each app's notifications are grouped and shown.
///
/// ```swift
/// var settings = Settings()
/// settings.apps["com.example.podcasts", default: AppSettings()].grouping = .byApp
/// ```
public struct Settings: Sendable, Equatable {
    /// The setting for apps without one of their own.
    public var showPreviews = PreviewVisibility.always
    /// The language of texts that are not in the string tables of the locale.
    public var developmentLanguage = "en"
    /// How the notifications of apps are delivered that have no settings of their own.
    public var delivery = DeliverySettings()
    /// How long a service extension may take, in seconds; nil for 30.
    public var serviceExtensionLimit: Double?
    /// Settings by app identifier.
    public var apps: [String: AppSettings] = [:]

    public init() {}

    /// Whether there is any setting for how notifications are delivered. O(apps).
    package var hasDelivery: Bool {
        !delivery.isEmpty || serviceExtensionLimit != nil
            || apps.values.contains { !$0.delivery.isEmpty || $0.serviceExtensionLimit != nil }
    }
}

/// The settings of an app.
public struct AppSettings: Sendable, Equatable {
    /// The app's name in text; nil for its identifier.
    public var name: String?
    public var grouping = Grouping.automatic
    /// nil if the setting for all apps applies.
    public var showPreviews: PreviewVisibility?
    /// How the app's notifications are delivered, where that is not as for all apps.
    public var delivery = DeliverySettings()
    /// How long the app's service extension may take, in seconds; nil for the limit of all apps.
    public var serviceExtensionLimit: Double?
    /// The folder of the app's string tables as written, relative to the configuration's folder.
    public var strings: String?
    /// Settings by category identifier.
    public var categories: [String: CategorySettings] = [:]

    public init() {}
}

/// The settings of a notification category.
public struct CategorySettings: Sendable, Equatable {
    /// The format of a summary: its count, and its arguments if it has any.
    public var summaryFormat: MessageFormat?
    /// The format's key in the app's string tables, if the format is not in the configuration itself.
    public var summaryFormatKey: String?
    /// The text that is shown instead of hidden notifications.
    public var placeholder: MessageFormat?
    /// The placeholder's key in the app's string tables, if it is not in the configuration itself.
    public var placeholderKey: String?
    public var options: Set<CategoryOption> = []
    /// The identifiers of the category's own actions; nil if they are not known, so that
    /// responses are not checked.
    public var actions: Set<String>?
    /// Whether a content extension of the app changes the actions, so that responses with others
    /// are not checked.
    public var dynamicActions = false

    public init() {}
}

/// A category's options, named as in iOS; those for hidden previews change what Sheaf shows.
public enum CategoryOption: String, Sendable, CaseIterable {
    case hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
    case customDismissAction, allowInCarPlay, allowAnnouncement
}

// MARK: - Lookup

/// The apps that are not grouped automatically, looked up by their bytes for every record.
@usableFromInline package struct GroupingRules: Sendable {
    private var names = SymbolTable()
    /// Groupings by the names' symbols, which start at 1.
    private var groupings: [Grouping] = []

    package init(_ settings: Settings) {
        for (name, app) in settings.apps.orderedByKey()
        where app.grouping != .automatic && !name.isEmpty {
            _ = names.symbol(for: Array(name.utf8).span)
            groupings.append(app.grouping)
        }
    }

    package func grouping(of app: Span<UInt8>) -> Grouping {
        guard !groupings.isEmpty, let symbol = names.find(app), symbol != 0 else { return .automatic }
        return groupings[Int(symbol) - 1]
    }
}

/// The categories of all apps in a configuration, each with a number of its own.
///
/// All apps share one table, because a table for each of many thousands of apps would take memory pages of its own.
/// Lookup is O(1) and allocates nothing.
package struct CategoryNames: Sendable {
    private var names = SymbolTable()
    /// Numbers by the symbols of the app and the name.
    private var numbers: [UInt64: Int] = [:]

    /// Assigns the next number, starting at 0, to a category that has none yet.
    ///
    /// - Parameters:
    ///   - name: the category's name, not empty.
    ///   - app: the app's symbol in a table of the caller.
    package mutating func add(_ name: Span<UInt8>, of app: UInt32) {
        let key = Self.key(app, names.symbol(for: name))
        if numbers[key] == nil { numbers[key] = numbers.count }
    }

    /// Returns the number of an app's category; nil if the app does not have it.
    package func find(_ name: Span<UInt8>, of app: UInt32) -> Int? {
        guard let symbol = names.find(name), symbol != 0 else { return nil }
        return numbers[Self.key(app, symbol)]
    }

    private static func key(_ app: UInt32, _ name: UInt32) -> UInt64 { UInt64(app) << 32 | UInt64(name) }

    package init() {}
}

/// An error in a configuration or one of its string tables.
public typealias ConfigurationError = LocatedError
