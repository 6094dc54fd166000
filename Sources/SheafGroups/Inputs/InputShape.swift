import SheafText

/// A shape of log entries that ships with Sheaf (specification §12.2): a mapping file in the program.
public struct InputShape: Sendable {
    /// The name for `--input`.
    public let name: String
    /// The mapping file.
    public let json: [UInt8]
    let mapping: InputMapping

    /// One line on what the shape is.
    public var summary: String { mapping.description ?? "" }

    /// Whether entries of the shape hold no payload.
    package var holdsNoPayload: Bool { mapping.withoutPayload != nil }

    private init(_ name: String, _ json: [UInt8]) {
        self.name = name
        self.json = json
        do {
            mapping = try InputMapping(json: json, file: "\(name).json")
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The name of the shape that needs no mapping: native records.
    package static let native = "apns"

    /// All shapes but the native one, in the order in which they are tried.
    public static let all: [InputShape] = [
        InputShape("fcm", PackageResources.fcm_json),
        InputShape("sns", PackageResources.sns_json),
        InputShape("gorush", PackageResources.gorush_json),
        InputShape("expo", PackageResources.expo_json),
        InputShape("onesignal", PackageResources.onesignal_json),
        InputShape("parse", PackageResources.parse_json),
    ]

    /// The wrappers that are removed from entries of any shape (specification §12.3).
    static let wrappers = InputShape("wrappers", PackageResources.wrappers_json).mapping

    /// The maximum number of bytes that the constants of these shapes take. A test compares it with the sum.
    static let constantBytes = 256
}
