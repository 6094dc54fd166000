import SheafBytes
import SheafText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Settings {
    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - bytes: the file's bytes.
    ///   - file: the file's name, for messages.
    /// - Throws: `ConfigurationError` with the line of the error: invalid JSON, an unknown or repeated key, an
    ///   unknown word, a value of the wrong type, or an invalid format.
    public init(json bytes: [UInt8], file: String) throws(ConfigurationError) {
        do throws(ContentError) {
            // Some editors write a byte order mark before the text; columns don't count it.
            self = try Self.read(Array(UTF8.text(of: bytes)))
        } catch {
            throw error.error(in: file)
        }
    }

    private static func read(_ json: [UInt8]) throws(ContentError) -> Settings {
        try ContentError.validate(json: json)
        // The decoder would silently use one of the two.
        try ContentError.checkKeys(of: json)
        do {
            return try JSONDecoder().decode(SettingsDocument.self, from: Data(json)).settings
        } catch let problem as ContentError {
            throw ContentError(keys: problem.keys, message: problem.message, in: json)
        } catch let error as DecodingError {
            throw ContentError(error, in: json, name: name)
        } catch {
            throw ContentError(message: "\(error)")
        }
    }

    private static func name(of type: Any.Type) -> String {
        if type == String.self { return "a string" }
        if type == Bool.self { return "true or false" }
        if type == Double.self { return "a number" }
        if type is any ExpressibleByDictionaryLiteral.Type { return "an object" }
        if type is any ExpressibleByArrayLiteral.Type { return "a list" }
        return "\(type)"
    }
}

/// An object that may only have known keys.
private struct KnownKeys {
    let container: KeyedDecodingContainer<AnyKey>
    let path: [String]

    init(_ decoder: any Decoder, _ known: [String]) throws {
        container = try decoder.container(keyedBy: AnyKey.self)
        path = decoder.codingPath.map(\.stringValue)
        for key in container.allKeys.map(\.stringValue).ordered() where !known.contains(key) {
            throw ContentError(
                keys: path + [key], message: Suggestion.message("key", key, known: known))
        }
    }

    func value<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
        try container.decodeIfPresent(type, forKey: AnyKey(stringValue: key))
    }

    func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws -> Word?
    where Word.RawValue == String {
        guard let text = try value(String.self, key) else { return nil }
        return try Self.word(text, what: "value", path: path + [key])
    }

    func words<Word: RawRepresentable & CaseIterable & Hashable>(_ key: String) throws -> Set<Word>
    where Word.RawValue == String {
        let texts = try value([String].self, key) ?? []
        return try Set(texts.map { try Self.word($0, what: "option", path: path + [key]) })
    }

    /// The keys of delivery settings.
    static let delivery = [
        "delivery", "provisional", "sounds", "critical", "alert", "badge", "sound", "foreground",
        "serviceExtension", "serviceExtensionLimit",
    ]

    func delivery() throws -> DeliverySettings {
        var settings = DeliverySettings()
        settings.delivery = try word("delivery")
        settings.provisional = try value(Bool.self, "provisional")
        settings.sounds = try value(Bool.self, "sounds")
        settings.serviceExtension = try value(Bool.self, "serviceExtension")
        settings.critical = try value(Bool.self, "critical")
        settings.alert = try value(Bool.self, "alert")
        settings.badge = try value(Bool.self, "badge")
        settings.sound = try value(Bool.self, "sound")
        settings.foreground = try value(Bool.self, "foreground")
        return settings
    }

    /// Reads how long a service extension may take, in seconds.
    func serviceExtensionLimit() throws -> Double? {
        let key = "serviceExtensionLimit"
        guard let limit = try value(Double.self, key) else { return nil }
        guard limit >= 0 else {
            throw ContentError(keys: path + [key], message: "expected a number of seconds, at least 0")
        }
        return limit
    }

    /// Reads a language, named like a folder of string tables.
    func language(_ key: String) throws -> String? {
        guard let name = try value(String.self, key) else { return nil }
        do {
            if LanguageName.language(named: name) == nil { _ = try LocaleIdentifier(known: name) }
        } catch {
            throw ContentError(keys: path + [key], message: "\(error)")
        }
        return name
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ text: String, what: String, path: [String]
    ) throws -> Word where Word.RawValue == String {
        if let word = Word(rawValue: text) { return word }
        let known = Word.allCases.map(\.rawValue)
        throw ContentError(keys: path, message: Suggestion.message(what, text, known: known))
    }

    /// Reads a format in the configuration itself, or the key of one in a string table.
    func format(
        _ key: String, role: MessageFormat.Role
    ) throws -> (format: MessageFormat?, key: String?) {
        guard let value = try value(TextOrKey.self, key) else { return (nil, nil) }
        switch value {
        case .text(let text):
            // As everywhere, an empty string counts as absent.
            if text.isEmpty, role == .placeholder { return (nil, nil) }
            do {
                return (try MessageFormat(text, role: role), nil)
            } catch {
                throw ContentError(keys: path + [key], message: "\(error), in \"\(text)\"")
            }
        case .key(let name): return (nil, name)
        }
    }
}

/// A string, or the key of one in a string table.
private enum TextOrKey: Decodable {
    case text(String)
    case key(String)

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
            return
        }
        guard let keys = try? decoder.container(keyedBy: AnyKey.self) else {
            throw ContentError(
                keys: decoder.codingPath.map(\.stringValue),
                message: "expected a string, or an object with a \"key\"")
        }
        _ = keys
        let object = try KnownKeys(decoder, ["key"])
        guard let name = try object.value(String.self, "key") else {
            throw ContentError(keys: object.path, message: "the key 'key' is missing")
        }
        self = .key(name)
    }
}

private struct SettingsDocument: Decodable {
    var settings = Settings()

    init(from decoder: any Decoder) throws {
        let keys = try KnownKeys(
            decoder, ["showPreviews", "developmentLanguage", "apps"] + KnownKeys.delivery)
        settings.showPreviews = try keys.word("showPreviews") ?? settings.showPreviews
        settings.developmentLanguage =
            try keys.language("developmentLanguage") ?? settings.developmentLanguage
        settings.delivery = try keys.delivery()
        settings.serviceExtensionLimit = try keys.serviceExtensionLimit()
        settings.apps = try keys.value([String: AppDocument].self, "apps")?.mapValues(\.settings) ?? [:]
    }
}

private struct AppDocument: Decodable {
    var settings = AppSettings()

    init(from decoder: any Decoder) throws {
        let keys = try KnownKeys(
            decoder, ["name", "grouping", "showPreviews", "strings", "categories"] + KnownKeys.delivery)
        settings.name = try keys.value(String.self, "name")
        settings.grouping = try keys.word("grouping") ?? settings.grouping
        settings.showPreviews = try keys.word("showPreviews")
        settings.delivery = try keys.delivery()
        settings.serviceExtensionLimit = try keys.serviceExtensionLimit()
        settings.strings = try keys.value(String.self, "strings")
        settings.categories =
            try keys.value([String: CategoryDocument].self, "categories")?.mapValues(\.settings) ?? [:]
        if settings.strings == nil { try checkKeys(of: keys.path) }
    }
}

extension AppDocument {
    /// Rejects keys into string tables, because this app has none.
    private func checkKeys(of path: [String]) throws {
        for (name, category) in settings.categories.orderedByKey() {
            for (field, key) in [
                ("categorySummaryFormat", category.summaryFormatKey),
                ("hiddenPreviewsBodyPlaceholder", category.placeholderKey),
            ] where key != nil {
                throw ContentError(
                    keys: path + ["categories", name, field],
                    message: "a key needs the app's string tables: set 'strings' to their folder")
            }
        }
    }
}

private struct CategoryDocument: Decodable {
    var settings = CategorySettings()

    init(from decoder: any Decoder) throws {
        // Intents matter only to the app itself. They are accepted because users paste their categories.
        let keys = try KnownKeys(
            decoder,
            [
                "categorySummaryFormat", "hiddenPreviewsBodyPlaceholder", "options", "actions",
                "dynamicActions", "intentIdentifiers",
            ])
        (settings.summaryFormat, settings.summaryFormatKey) = try keys.format(
            "categorySummaryFormat", role: .summary)
        (settings.placeholder, settings.placeholderKey) = try keys.format(
            "hiddenPreviewsBodyPlaceholder", role: .placeholder)
        settings.options = try keys.words("options")
        settings.actions = try keys.value([ActionDocument].self, "actions").map { actions in
            Set(actions.map(\.identifier))
        }
        settings.dynamicActions = try keys.value(Bool.self, "dynamicActions") ?? settings.dynamicActions
        _ = try keys.value([String].self, "intentIdentifiers")
    }
}

/// An action: its identifier, or an object that contains the identifier. Its other keys matter only to the app itself.
private struct ActionDocument: Decodable {
    let identifier: String

    init(from decoder: any Decoder) throws {
        let keys = decoder.codingPath.filter { $0.intValue == nil }.map(\.stringValue)
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            identifier = text
        } else if let object = try? decoder.container(keyedBy: AnyKey.self),
            let text = try? object.decode(String.self, forKey: AnyKey(stringValue: "identifier"))
        {
            identifier = text
        } else {
            throw ContentError(
                keys: keys, message: "expected a string, or an object with an \"identifier\"")
        }
        if identifier.isEmpty { throw ContentError(keys: keys, message: "an action has an empty identifier") }
    }
}
