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
    public static let automatic = LogInput(name: "auto", [.native, .shapes])

    /// The shape's name, or that of the mapping file without its folder; several are separated by commas.
    package(set) public var name: String
    /// A digest of the mapping files, and of the locale if they depend on it; empty for shapes that ship with Sheaf.
    package var digest: String
    /// What an entry may be, in the order in which it is tried.
    private let parts: [Part]
    /// Pointers to what every line wraps; the first that leads to an entry counts.
    private let unwrap: [JSONPointer]
    private let locale: LocaleIdentifier
    /// Whether native records are read with a mapping. No mapping reads those that are not pushes.
    private(set) var tracesNative = false

    private enum Part: Hashable, Sendable {
        case native
        /// All shapes that ship with Sheaf.
        case shapes
        case mapping(InputMapping)
    }

    private init(
        name: String, digest: String = "", _ parts: [Part], unwrap: [JSONPointer] = [],
        locale: LocaleIdentifier = .default
    ) {
        self.name = name
        self.digest = digest
        self.parts = parts
        self.unwrap = unwrap
        self.locale = locale
    }

    /// A shape that ships with Sheaf, or `auto`; nil for another name.
    public init?(named name: String) {
        switch name {
        case Self.automatic.name: self = .automatic
        case InputShape.native: self.init(name: name, [.native])
        default:
            guard let shape = InputShape.all.first(where: { $0.name == name }) else { return nil }
            self.init(name: name, [.mapping(shape.mapping)])
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
            name: name, digest: String(bytes.span.stableHash(seed: 0), radix: 16), [.mapping(mapping)])
    }

    /// Several inputs: each entry is read by the first that it fits, in the order given.
    ///
    /// ```swift
    /// var options = ReplayOptions(sources: ["logs"])
    /// options.input = try LogInput(firstOf: [.automatic, LogInput(contentsOf: "mapping.json")])
    /// ```
    ///
    /// An entry fits a mapping if its conditions hold, and a mapping without conditions or a native record if it has a payload
    /// and an app by it.
    ///
    /// - Parameter inputs: at least one, each without pointers to what lines wrap.
    /// - Throws: `LocatedError` for an input that is given twice or has no effect, and if the inputs have too many pointers
    ///   together.
    public init(firstOf inputs: [LogInput]) throws(LocatedError) {
        precondition(!inputs.isEmpty && inputs.allSatisfy(\.unwrap.isEmpty))
        guard inputs.count > 1 else {
            self = inputs[0]
            return
        }
        let name = inputs.map(\.name).joined(separator: ",")
        var parts: [Part] = []
        for (index, input) in inputs.enumerated() {
            let earlier = inputs[..<index]
            if earlier.contains(where: { ($0.name, $0.digest) == (input.name, input.digest) }) {
                throw LocatedError(file: name, message: "'\(input.name)' is given twice")
            }
            if input.isPartOfAll, earlier.contains(where: { $0.parts == Self.automatic.parts }) {
                throw LocatedError(
                    file: name,
                    message:
                        "'\(input.name)' has no effect after '\(Self.automatic.name)', which tries it, too")
            }
            parts += input.parts.filter { $0 != .native || !parts.contains(.native) }
        }
        let digests = inputs.map(\.digest)
        self.init(
            name: name, digest: digests.allSatisfy(\.isEmpty) ? "" : digests.joined(separator: ","), parts)
        if let message = InputPlan.excess(of: order.mappings) {
            throw LocatedError(file: name, message: message)
        }
    }

    /// Whether the input is one of the shapes that ship with Sheaf.
    private var isPartOfAll: Bool { digest.isEmpty && parts != Self.automatic.parts }

    /// The input with `{locale}` in its pointers replaced by a locale's names.
    package func localized(_ locale: LocaleIdentifier) -> LogInput {
        let isLocalized =
            parts.contains { part in
                if case .mapping(let mapping) = part { mapping.isLocalized } else { false }
            }
            || unwrap.contains { $0.expanded([]) != [$0] }
        return LogInput(
            name: name, digest: isLocalized ? "\(digest)@\(locale.identifier)" : digest, parts,
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
        if let message = InputPlan.excess(of: order.mappings, unwrap: unwrap) {
            throw PointerError(message)
        }
        return LogInput(
            name: "\(name) in \(pointers.joined(separator: ", "))", digest: digest, parts, unwrap: unwrap,
            locale: locale)
    }

    /// The input with a mapping for native records, too, so that everything about them can be traced.
    package var traced: LogInput {
        var input = self
        input.tracesNative = parts.contains(.native)
        return input
    }

    /// The mappings of entries that hold no payload. A log may be full of them by mistake.
    package static let withoutPayload = LogInput(
        name: "deliveries", InputShape.withoutPayload.map { .mapping($0.mapping) })

    /// The input with one of its mappings alone, for entries.
    func alone(_ mapping: InputMapping) -> LogInput {
        LogInput(name: mapping.name, [.mapping(mapping)], locale: locale)
    }

    private static func names(of locale: LocaleIdentifier) -> [String] {
        locale.fallbacks.flatMap { $0.tag == $0.identifier ? [$0.tag] : [$0.tag, $0.identifier] }
    }
}

extension LogInput {
    /// The mappings in the order in which they are tried, which of them the user named, and the number of those before native
    /// records; nil if these are not read.
    var order: (mappings: [InputMapping], isNamed: [Bool], native: Int?) {
        var (mappings, isNamed, native): ([InputMapping], [Bool], Int?) = ([], [], nil)
        for part in parts {
            switch part {
            case .native: native = mappings.count
            case .shapes:
                for shape in InputShape.all where !mappings.contains(where: { $0.name == shape.name }) {
                    mappings.append(shape.mapping)
                    isNamed.append(false)
                }
            case .mapping(let mapping):
                mappings.append(mapping)
                isNamed.append(true)
            }
        }
        if tracesNative, var position = native.take() {
            // Results for devices come before the payload next to them, as when native records are decoded.
            if position < mappings.count, mappings[position].name == InputShape.results { position += 1 }
            mappings.insert(InputShape.nativeMapping, at: position)
            isNamed.insert(!parts.contains(.shapes), at: position)
        }
        return (mappings, isNamed, native)
    }

    /// Returns the mapping with which native records are traced; nil if they are not.
    func tracedNative(in plan: InputPlan) -> Int? {
        tracesNative ? plan.mappings.firstIndex { $0.name == InputShape.native } : nil
    }

    /// Whether entries may be native records of something else than a push: with a mapping file that has no conditions, as
    /// for native logs with other thread identifiers.
    var readsNativeEvents: Bool {
        parts.contains { part in
            if case .mapping(let mapping) = part { mapping.alternatives.isEmpty } else { false }
        }
    }

    /// Whether entries that native records cannot be read from, for lack of a payload or an app, may be read by mappings that the user
    /// named, so that their text must stay as it is.
    package var keepsTextForMappings: Bool {
        hasNativeEntries && parts.contains { $0 != .native && $0 != .shapes }
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
            case .mapping(let mapping)? = parts.first, let candidates = mapping.fields[.inPayload(.thread)],
            candidates.count == 1
        else { return nil }
        return ThreadRule(candidates[0])
    }

    /// The mapping without the thread's; an empty one for native records, and for all shapes; nil for a single shape.
    private var withoutThreads: InputMapping? {
        if parts == [.native] || parts == Self.automatic.parts { return InputMapping(name: "") }
        guard parts.count == 1, case .mapping(var mapping) = parts[0], mapping.alternatives.isEmpty else {
            return nil
        }
        (mapping.name, mapping.description) = ("", nil)
        mapping.fields[.inPayload(.thread)] = nil
        return mapping
    }

    /// Whether entries may be native records only.
    package var readsNativeOnly: Bool { parts == [.native] }

    /// Whether lines may be native records, which are tried before anything else.
    package var readsNative: Bool { parts.first == .native && unwrap.isEmpty }

    /// Whether entries, which lines may wrap, may be native records.
    private var hasNativeEntries: Bool { parts.contains(.native) }

    /// The number of bytes of a chunk's annex that constants take.
    package var constantBytes: Int {
        parts.reduce(InputShape.constantBytes) { bytes, part in
            guard case .mapping(let mapping) = part else { return bytes }
            return bytes + mapping.constants.reduce(0) { $0 + $1.utf8.count }
        }
    }

    /// Returns the compiled mappings. O(pointers).
    func compiled() -> InputPlan {
        let order = order
        return InputPlan(
            order.mappings, isNamed: order.isNamed, native: order.native, wrappers: InputShape.wrappers,
            unwrap: unwrap,
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
    package let mapping: InputMapping

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
