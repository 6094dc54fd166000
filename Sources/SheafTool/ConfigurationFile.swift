import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The configuration that `--config` names, with its string tables.
struct ConfigurationFile {
    let settings: Settings
    let strings: ResolvedStrings
    /// The paths of all files that were read.
    let files: [String]
    private let path: String

    /// The largest configuration that is read. People write them by hand: a larger file is not one.
    private static let maximumBytes = 64 << 20

    /// - Parameter locale: the locale to look up in the string tables.
    init(_ path: String, locale: LocaleIdentifier) throws(ConfigurationError) {
        self.path = path
        let storage = SystemStorage()
        do {
            let contents = try storage.contents(of: path, upTo: Self.maximumBytes)
            if Self.isEmpty(contents) {
                throw ConfigurationError(
                    file: path, line: nil, keys: [],
                    message:
                        "the configuration is empty: leave --config out, or write {} for one without settings"
                )
            }
            settings = try Settings(json: contents, file: path)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as StorageError {
            throw ConfigurationError(
                file: path, line: nil, keys: [], message: "the configuration cannot be read: \(error.reason)")
        } catch {
            throw ConfigurationError(file: path, line: nil, keys: [], message: "\(error)")
        }
        var files = [path]
        var tables: [String: StringTables] = [:]
        // Apps of the same project share a folder of string tables.
        var known: [String: StringTables] = [:]
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) {
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
            throw ConfigurationError(file: path, line: nil, keys: [], message: "\(error)")
        }
    }

    /// Whether the file holds only white space, after an optional byte order mark.
    private static func isEmpty(_ contents: [UInt8]) -> Bool {
        let text = contents.starts(with: [0xef, 0xbb, 0xbf]) ? contents.dropFirst(3) : contents[...]
        let whiteSpace = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        return text.allSatisfy { whiteSpace.contains($0) }
    }

    /// Problems that are not errors, one line each.
    var warnings: [String] {
        var seen: Set<[String]> = []
        return strings.missing.filter { seen.insert([$0.app, $0.key]).inserted }.map { missing in
            "\(path): the key '\(missing.key)' of \(missing.app) is not in any of its string tables; "
                + "the default text is shown"
        }
    }
}
