import SheafBytes
import SheafGroups
import SheafText

/// How notifications are grouped and shown: the contents of a configuration file and of the string tables that it names
/// (specification §11).
///
/// ```swift
/// let locale = LocaleIdentifier("de") ?? .default
/// var options = ReplayOptions(sources: ["log.ndjson.gz"])
/// options.apply(try Configuration(contentsOf: "config.json", locale: locale))
/// ```
public struct Configuration: Sendable {
    /// How each app's notifications are grouped and shown.
    public let settings: Settings
    /// The locale of the texts that groups are shown with.
    public let locale: LocaleIdentifier
    /// The paths of all files that were read.
    public let files: [String]
    /// The keys that no string table for the locale has, one line for each.
    public let warnings: [String]
    package let strings: ResolvedStrings

    /// Creates a configuration without string tables.
    public init(_ settings: Settings = Settings(), locale: LocaleIdentifier = .default) {
        self.settings = settings
        self.locale = locale
        files = []
        warnings = []
        strings = ResolvedStrings()
    }

    /// Reads a configuration and its string tables.
    ///
    /// - Parameters:
    ///   - path: the path of a JSON file.
    ///   - locale: the locale to look up in the string tables.
    /// - Throws: `ConfigurationError` if a file can't be read or is invalid.
    public init(
        contentsOf path: String, locale: LocaleIdentifier = .default
    ) throws(ConfigurationError) {
        try self.init(contentsOf: path, locale: locale, storage: SystemStorage())
    }

    package init(
        contentsOf path: String, locale: LocaleIdentifier, storage: any Storage
    ) throws(ConfigurationError) {
        self.locale = locale
        do {
            let contents = try storage.contents(of: path, upTo: Limits.configurationBytes)
            if Self.isEmpty(contents) {
                throw ConfigurationError(
                    file: path, message: "the configuration is empty: write {} for one without settings")
            }
            settings = try Settings(json: contents, file: path)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as StorageError {
            throw ConfigurationError(
                file: path, message: "the configuration cannot be read: \(error.reason)")
        } catch {
            throw ConfigurationError(file: path, message: "\(error)")
        }
        var files = [path]
        var tables: [String: StringTables] = [:]
        // Apps of the same project share a folder of string tables.
        var known: [String: StringTables] = [:]
        for (name, app) in settings.apps.orderedByKey() {
            // A path in a configuration is plain text: none of its characters is one of `SystemPath`'s escapes.
            guard let folder = app.strings.map({ SystemPath.text(Array($0.utf8)) }) else { continue }
            let isAbsolute = folder.hasPrefix("/")
            if known[folder] == nil {
                known[folder] = try StringFolder.read(
                    isAbsolute ? folder : "\(storage.folder(of: path))/\(folder)", storage: storage
                ) { files.append($0) }
            }
            tables[name] = known[folder]
        }
        self.files = files
        do {
            strings = try ResolvedStrings(settings, tables: tables, locale: locale)
        } catch {
            throw ConfigurationError(file: path, message: "\(error)")
        }
        var seen: Set<[String]> = []
        warnings = strings.missing.filter { seen.insert([$0.app, $0.key]).inserted }.map { missing in
            "\(path): the key '\(missing.key)' of \(missing.app) is not in any of its string tables; "
                + "the default text is shown"
        }
    }

    /// Whether the file holds only white space, after an optional byte order mark.
    private static func isEmpty(_ contents: [UInt8]) -> Bool {
        UTF8.text(of: contents).allSatisfy(\.isJSONWhiteSpace)
    }
}

extension ReplayOptions {
    /// Uses a configuration and its locale.
    public mutating func apply(_ configuration: Configuration) {
        settings = configuration.settings
        strings = configuration.strings
        configurationFiles = configuration.files
        locale = configuration.locale
    }
}
