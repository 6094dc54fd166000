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

    /// Returns what the entries of a log without payloads are; nil for the name of another shape.
    package static func nameOfLog(withoutPayload name: String) -> String? {
        withoutPayload.first { $0.name == name }?.mapping.withoutPayload
    }

    private init(_ name: String, _ json: [UInt8]) {
        self.name = name
        self.json = json
        do {
            var mapping = try InputMapping(json: json, file: "\(name).json")
            mapping.name = name
            self.mapping = mapping
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The name of the shape that needs no mapping: native records.
    package static let native = "apns"

    /// The name of the shape of local notifications.
    static let local = "local"

    /// All shapes but the native one, in the order in which they are tried. Read on first use, which takes longer than the
    /// start of the command.
    public static let all = files.map { InputShape($0.name, $0.json()) }

    /// The names of all shapes but the native one.
    package static var names: [String] { files.map(\.name) }

    private static let files: [(name: String, json: @Sendable () -> [UInt8])] = [
        ("fcm", { PackageResources.fcm_json }), ("sns", { PackageResources.sns_json }),
        ("gorush", { PackageResources.gorush_json }), ("expo", { PackageResources.expo_json }),
        ("onesignal", { PackageResources.onesignal_json }), ("parse", { PackageResources.parse_json }),
        (local, { PackageResources.local_json }),
    ]

    /// The entries of other logs, which hold no payload.
    static let withoutPayload: [InputShape] = [
        InputShape("gorush-access", PackageResources.gorush_access_json),
        InputShape("sns-delivery", PackageResources.sns_delivery_json),
        InputShape("braze-currents", PackageResources.braze_currents_json),
        InputShape("fcm-export", PackageResources.fcm_export_json),
    ]

    /// Native records as a mapping, which reports use.
    static let nativeMapping = InputShape("apns", PackageResources.apns_json).mapping

    /// The wrappers that are removed from entries of any shape (specification §12.3).
    static let wrappers = InputShape("wrappers", PackageResources.wrappers_json).mapping

    /// The maximum number of bytes that the constants of these shapes take. A test compares it with the sum.
    static let constantBytes = 256
}
