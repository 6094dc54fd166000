import SheafBytes

/// The purpose of a push, from its push type. Names are case-insensitive.
enum PushType {
    case alert
    case background
    case voice
    /// Any other push type that Apple's service accepts.
    case other
    /// Not a push type: Apple's service refuses it.
    case unknown

    /// From Apple's "Sending notification requests to APNs", header `apns-push-type`.
    private static let others: [StaticString] = [
        "complication", "fileprovider", "mdm", "location", "liveactivity", "pushtotalk", "widgets",
        "controls",
    ]

    /// - Parameter text: the push type's name, not empty.
    init(_ text: Span<UInt8>) {
        // Nearly all pushes that are not alerts have this type, nearly always in lower case.
        if text.isEqual(to: "background") || text.isEqualIgnoringCase(to: "background") {
            self = .background
        } else if text.isEqualIgnoringCase(to: "alert") {
            self = .alert
        } else if text.isEqualIgnoringCase(to: "voip") {
            self = .voice
        } else {
            self = Self.others.contains { text.isEqualIgnoringCase(to: $0) } ? .other : .unknown
        }
    }
}
