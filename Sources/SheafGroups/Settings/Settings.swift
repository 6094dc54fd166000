import SheafText

/// The contents of a configuration (specification §11): how each app's notifications are grouped and shown.
public struct Settings: Sendable, Equatable {
    public var showPreviews = PreviewVisibility.always
    public var developmentLanguage = "en"
    /// Settings by app identifier.
    public var apps: [String: AppSettings] = [:]

    public init() {}
}

public struct AppSettings: Sendable, Equatable {
    public var name: String?
    public var grouping = Grouping.automatic
    /// nil if the setting for all apps applies.
    public var showPreviews: PreviewVisibility?
    /// The folder of the app's string tables as written, relative to the configuration's folder.
    public var strings: String?
    public var categories: [String: CategorySettings] = [:]

    public init() {}
}

public struct CategorySettings: Sendable, Equatable {
    public var summaryFormat: MessageFormat?
    /// The format's key in the app's string tables, if the format is not in the configuration itself.
    public var summaryFormatKey: String?
    public var placeholder: MessageFormat?
    public var placeholderKey: String?
    public var options: Set<CategoryOption> = []

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
