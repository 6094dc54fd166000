import SheafBytes
import SheafText

/// How the entries of a log are read (specification §12).
///
/// ```swift
/// var options = ReplayOptions(sources: ["fcm.ndjson"])
/// options.input = LogInput(named: "fcm") ?? .automatic
/// ```
///
/// Each reader compiles the mappings for itself when it reads the first entry that is not a native record: threads that
/// share a plan would wait for each other to count references to it.
public struct LogInput: Sendable {
    /// Each entry in the first shape that it fits: `apns` first.
    public static let automatic = LogInput(name: "auto", mappings: nil)

    /// The shape's name, or that of the mapping file without its folder.
    package(set) public var name: String
    /// A digest of the mapping file, and of the locale if the mapping depends on it; empty for a shape that ships with
    /// Sheaf.
    package var digest: String
    /// The mapping; nil for all shapes that ship with Sheaf; an empty list for native records alone.
    private let mappings: [InputMapping]?
    /// Pointers to what every line wraps; the first that leads to an entry counts.
    private let unwrap: [JSONPointer]
    private let locale: LocaleIdentifier
    /// Whether native records are read with a mapping. No mapping reads those that are not pushes.
    private(set) var tracesNative = false

    private init(
        name: String, digest: String = "", mappings: [InputMapping]?, unwrap: [JSONPointer] = [],
        locale: LocaleIdentifier = .default
    ) {
        self.name = name
        self.digest = digest
        self.mappings = mappings
        self.unwrap = unwrap
        self.locale = locale
    }

    /// A shape that ships with Sheaf, or `auto`; nil for another name.
    public init?(named name: String) {
        switch name {
        case Self.automatic.name: self = .automatic
        case InputShape.native: self.init(name: name, mappings: [])
        default:
            guard let shape = InputShape.all.first(where: { $0.name == name }) else { return nil }
            self.init(name: name, mappings: [shape.mapping])
        }
    }

    /// A mapping file's contents.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the file.
    ///   - file: the file's path, for messages; its last part is the input's name.
    /// - Throws: `LocatedError` if the mapping is invalid.
    public init(json bytes: [UInt8], file: String) throws(LocatedError) {
        let mapping = try InputMapping(json: bytes, file: file)
        if let message = InputPlan.excess(of: [mapping]) { throw LocatedError(file: file, message: message) }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        self.init(
            name: name, digest: String(bytes.span.stableHash(seed: 0), radix: 16), mappings: [mapping])
    }

    /// The input with `{locale}` in its pointers replaced by a locale's names.
    package func localized(_ locale: LocaleIdentifier) -> LogInput {
        let isLocalized =
            mappings?.contains { $0.isLocalized } ?? false || unwrap.contains { $0.expanded([]) != [$0] }
        return LogInput(
            name: name, digest: isLocalized ? "\(digest)@\(locale.identifier)" : digest, mappings: mappings,
            unwrap: unwrap, locale: locale)
    }

    /// The input for entries that lines wrap.
    ///
    /// - Parameter pointers: where the entry may be in a line; the first pointer that leads to an object, an array or a
    ///   text that holds one counts. A line in which none does is read as it is. The name, which identifies the input,
    ///   has them.
    /// - Throws: `PointerError` for a pointer that is invalid, leads to the line itself or to several values, or is
    ///   repeated, and for too many pointers.
    package func unwrapping(_ pointers: [String]) throws(PointerError) -> LogInput {
        guard !pointers.isEmpty else { return self }
        var unwrap: [JSONPointer] = []
        for text in pointers {
            let pointer = try JSONPointer(parsing: text)
            if pointer == .entry { throw PointerError("'' is the entry itself, which wraps nothing") }
            if pointer.tokens.contains(.each) {
                throw PointerError(
                    "'\(text)' has '*': arrays of entries are read with 'each' in a mapping file")
            }
            if unwrap.contains(pointer) { throw PointerError("'\(text)' is given twice") }
            unwrap.append(pointer)
        }
        if let message = InputPlan.excess(of: mappings ?? InputShape.all.map(\.mapping), unwrap: unwrap) {
            throw PointerError(message)
        }
        return LogInput(
            name: "\(name) in \(pointers.joined(separator: ", "))", digest: digest, mappings: mappings,
            unwrap: unwrap, locale: locale)
    }

    /// The input with a mapping for native records, too, so that everything about them can be traced.
    package var traced: LogInput {
        guard hasNativeEntries else { return self }
        // Results for devices come before the payload next to them, as when native records are decoded.
        let shapes = mappings == nil ? InputShape.all.map(\.mapping) : []
        let first = shapes.filter { $0.name == InputShape.results }
        var input = LogInput(
            name: name, digest: digest,
            mappings: first + [InputShape.nativeMapping] + shapes.filter { $0.name != InputShape.results },
            unwrap: unwrap, locale: locale)
        input.tracesNative = true
        return input
    }

    /// The mappings of entries that hold no payload. A log may be full of them by mistake.
    package static let withoutPayload = LogInput(
        name: "deliveries", mappings: InputShape.withoutPayload.map(\.mapping))

    private static func names(of locale: LocaleIdentifier) -> [String] {
        locale.fallbacks.flatMap { $0.tag == $0.identifier ? [$0.tag] : [$0.tag, $0.identifier] }
    }
}

extension LogInput {
    /// The mapping that entries must have, as an index; nil if they may have any.
    var onlyMapping: Int? { mappings?.count == 1 ? 0 : nil }

    /// Whether entries may be native records of something else than a push: with a mapping file that has no conditions, as
    /// for native logs with other thread identifiers.
    var readsNativeEvents: Bool {
        guard let mappings, mappings.count == 1 else { return false }
        return mappings[0].alternatives.isEmpty
    }

    /// Whether records that this and another input read differ only in their threads. One of them may read entries that
    /// the other one rejects.
    package func differsOnlyInThreads(from other: LogInput) -> Bool {
        unwrap == other.unwrap && withoutThreads != nil && withoutThreads == other.withoutThreads
    }

    /// Returns how the records of this input follow from those of another one, which reads native records among others;
    /// nil if they differ in more than their threads, or if those need more than a decoded record has.
    package func threadRule(from other: LogInput) -> ThreadRule? {
        guard other.readsNative, differsOnlyInThreads(from: other), locale == other.locale,
            let candidates = mappings?.first?.fields[.inPayload(.thread)], candidates.count == 1
        else { return nil }
        return ThreadRule(candidates[0])
    }

    /// The mapping without the thread's; an empty one for native records, and for all shapes; nil for a single shape.
    private var withoutThreads: InputMapping? {
        guard let mappings, !mappings.isEmpty else { return InputMapping(name: "") }
        guard mappings.count == 1, var mapping = mappings.first, mapping.alternatives.isEmpty else {
            return nil
        }
        (mapping.name, mapping.description) = ("", nil)
        mapping.fields[.inPayload(.thread)] = nil
        return mapping
    }

    /// Whether entries may be native records only.
    package var readsNativeOnly: Bool { mappings?.isEmpty ?? false }

    /// Whether lines may be native records.
    package var readsNative: Bool { hasNativeEntries && unwrap.isEmpty }

    /// Whether entries, which lines may wrap, may be native records.
    var hasNativeEntries: Bool { mappings?.isEmpty ?? true }

    /// The number of bytes of a chunk's annex that constants take.
    package var constantBytes: Int {
        InputShape.constantBytes + (mappings ?? []).flatMap(\.constants).reduce(0) { $0 + $1.utf8.count }
    }

    /// Returns the compiled mappings. O(pointers).
    func compiled() -> InputPlan {
        InputPlan(
            mappings ?? InputShape.all.map(\.mapping), wrappers: InputShape.wrappers, unwrap: unwrap,
            locales: Self.names(of: locale))
    }
}

// MARK: - Shapes

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

    /// The name of the shape of payloads next to a result for each device.
    static let results = "node-apn"

    /// The name of the shape of local notifications.
    static let local = "local"

    /// All shapes but the native one, in the order in which they are tried. Read on first use, which takes longer than the
    /// start of the command.
    public static let all = files.map { InputShape($0.name, $0.json()) }

    /// The names of all shapes but the native one.
    package static var names: [String] { files.map(\.name) }

    private static let files: [(name: String, json: @Sendable () -> [UInt8])] = [
        (results, { PackageResources.node_apn_json }), ("fcm", { PackageResources.fcm_json }),
        ("sns", { PackageResources.sns_json }),
        ("gorush", { PackageResources.gorush_json }), ("expo", { PackageResources.expo_json }),
        ("onesignal", { PackageResources.onesignal_json }), ("parse", { PackageResources.parse_json }),
        ("pushy", { PackageResources.pushy_json }),
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
    static let constantBytes = 512
}
