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

/// When a notification's texts are shown.
public enum PreviewVisibility: String, Sendable, CaseIterable {
    case always, whenAuthenticated, never
}

/// A category's options, named as in iOS; those for hidden previews change what Sheaf shows.
public enum CategoryOption: String, Sendable, CaseIterable {
    case hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
    case customDismissAction, allowInCarPlay, allowAnnouncement
}
