import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The file behind `--config`, with the string tables that it names.
struct ConfigurationFile {
    let settings: Settings
    let strings: ResolvedStrings
    /// The paths of all that was read.
    let files: [String]
    private let path: String

    /// A configuration is written by people: no larger one is one.
    private static let maximumBytes = 64 << 20

    /// - Parameter locale: what string tables are looked up in.
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
        // Apps of one project have one folder.
        var known: [String: StringTables] = [:]
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) {
            // What a configuration names is text: a character of it is not one of `SystemPath`'s.
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

    /// Whether there is nothing but white space, or a byte order mark.
    private static func isEmpty(_ contents: [UInt8]) -> Bool {
        let text = contents.starts(with: [0xef, 0xbb, 0xbf]) ? contents.dropFirst(3) : contents[...]
        return text.allSatisfy { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    }

    /// What is no error, a line each.
    var warnings: [String] {
        var seen: Set<[String]> = []
        return strings.missing.filter { seen.insert([$0.app, $0.key]).inserted }.map { missing in
            "\(path): the key '\(missing.key)' of \(missing.app) is in none of its string tables; "
                + "the default text is shown"
        }
    }
}
