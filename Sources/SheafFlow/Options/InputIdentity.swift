/// How log entries are read: by which description, in which version, and with which app for records without one.
///
/// Two runs that read the same entries with the same identity get the same records.
package struct InputIdentity: Equatable, Sendable {
    /// The name of the description, or the path of its file as given.
    package var name = "auto"
    /// A digest of the description's contents; empty if the name alone determines them.
    package var digest = ""
    /// The app of records that name none; nil if such records are rejected.
    package var app: String?

    package init(name: String = "auto", digest: String = "", app: String? = nil) {
        self.name = name
        self.digest = digest
        self.app = app
    }

    /// Whether this is the identity of a run without options for its input.
    var isDefault: Bool { self == InputIdentity() }

    /// The first difference between two identities, in the order in which users should read them.
    enum Difference: Equatable {
        case name
        case digest
        case app
    }

    /// Returns the first difference from another identity; nil if they are equal.
    func difference(from other: InputIdentity) -> Difference? {
        if name != other.name { return .name }
        if digest != other.digest { return .digest }
        return app == other.app ? nil : .app
    }
}

extension InputIdentity {
    /// The app of records that name none, as part of a message.
    var shownApp: String { app.map { "'\($0)'" } ?? "none" }
}
