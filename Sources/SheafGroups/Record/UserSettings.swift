import SheafText

/// The settings that a person chooses for an app or a device, and whether the app is open, as far as changes give them
/// (specification §16). Plain memory of 24 bytes.
package struct UserSettings: Sendable, Hashable, BitwiseCopyable {
    package var delivery = DeliverySettings()
    /// nil if the grouping of the app's configuration applies.
    package var grouping: Grouping?
    /// nil if the configuration applies.
    package var showPreviews: PreviewVisibility?
    /// The locale of texts; `none` if that of the run applies.
    package var locale = LocaleCode.none
    /// Whether the app is in the foreground; nil if it is not known, which counts as false.
    package var isOpen: Bool?

    package init() {}

    /// Whether no setting is given.
    package var isEmpty: Bool { self == UserSettings() }

    /// Returns these settings, completed by more general ones.
    package func over(_ general: UserSettings) -> UserSettings {
        var settings = self
        settings.delivery = delivery.over(general.delivery)
        settings.grouping = grouping ?? general.grouping
        settings.showPreviews = showPreviews ?? general.showPreviews
        if locale == .none { settings.locale = general.locale }
        settings.isOpen = isOpen ?? general.isOpen
        return settings
    }
}

/// When a notification's texts are shown.
public enum PreviewVisibility: String, Sendable, CaseIterable, BitwiseCopyable {
    case always, whenAuthenticated, never
}

// MARK: - Encoding

extension UserSettings {
    private static let groupingShift: UInt64 = 9
    private static let previewsShift: UInt64 = 11
    private static let openShift: UInt64 = 23

    /// Equal exactly for equal settings.
    package var words: [UInt64] { [number, locale.bits] }

    /// The number in encodings, which have the locale apart: that of `delivery`, which has room for two bits for each of
    /// the others, 0 for an absent value.
    package var number: UInt64 {
        delivery.number | (grouping.map { $0.number + 1 } ?? 0) << Self.groupingShift
            | (showPreviews?.number ?? 0) << Self.previewsShift | DeliverySettings.number(isOpen)
            << Self.openShift
    }

    /// Creates the settings with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        let own: UInt64 = 3 << Self.groupingShift | 3 << Self.previewsShift | 3 << Self.openShift
        let open = number >> Self.openShift & 3
        guard open < 3, let delivery = DeliverySettings(number: number & ~own) else { return nil }
        self.delivery = delivery
        let grouping = number >> Self.groupingShift & 3
        if grouping > 0 { self.grouping = Grouping(number: grouping - 1) }
        showPreviews = PreviewVisibility(number: number >> Self.previewsShift & 3)
        isOpen = DeliverySettings.value(open)
    }
}

extension PreviewVisibility {
    /// The number in encodings, from 1.
    package var number: UInt64 {
        switch self {
        case .always: 1
        case .whenAuthenticated: 2
        case .never: 3
        }
    }

    /// Creates the setting with this number in encodings; nil for any other number.
    @usableFromInline package init?(number: UInt64) {
        switch number {
        case 1: self = .always
        case 2: self = .whenAuthenticated
        case 3: self = .never
        default: return nil
        }
    }
}
