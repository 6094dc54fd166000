import SheafBytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Localizable.xcstrings`: a string catalog, JSON with all languages of all keys.
struct StringCatalog: Decodable {
    private let sourceLanguage: String
    private let strings: KeyOrdered<CatalogString>

    /// Reads a catalog's tables, a table for each language.
    static func tables(in contents: [UInt8]) throws(ContentError) -> [StringTable] {
        let json = try StringTableFile.utf8(contents)
        try ContentError.validate(json: json)
        do {
            return try JSONDecoder().decode(StringCatalog.self, from: Data(json)).tables
        } catch let error as DecodingError {
            throw ContentError(error, in: json, name: name)
        } catch {
            throw ContentError(message: "\(error)")
        }
    }

    private var tables: [StringTable] {
        var entries: [String: [String: StringEntry]] = [:]
        let source = LanguageName.canonical(sourceLanguage)
        // If a language is spelled in two ways, the first in byte order takes precedence.
        for (key, string) in strings.values {
            let localizations = string.localizations?.values ?? [:]
            for (name, localization) in localizations.orderedByKey() {
                let language = LanguageName.canonical(name)
                // Strings that should not be translated are the same in all languages.
                if string.shouldTranslate == false, language != source { continue }
                guard entries[language]?[key] == nil, let entry = localization.entry else { continue }
                entries[language, default: [:]][key] = entry
            }
            // If the source language has no text, the key is the text.
            if entries[source]?[key] == nil, !key.isEmpty {
                entries[source, default: [:]][key] = StringEntry(.text(key))
            }
        }
        return entries.orderedByKey().map { StringTable(language: $0.key, entries: $0.value) }
    }

    private static func name(of type: Any.Type) -> String {
        if type == String.self { return "a string" }
        if type == Int.self { return "a number" }
        if type == Bool.self { return "true or false" }
        return "an object"
    }
}

private struct CatalogString: Decodable {
    let localizations: KeyOrdered<CatalogText>?
    let shouldTranslate: Bool?
}

/// A text, or a text for each device, width or plural category, which may vary again.
private struct CatalogText: Decodable {
    struct Unit: Decodable {
        let state: String?
        let value: String?
    }

    struct Variations: Decodable {
        let device: KeyOrdered<CatalogText>?
        let width: KeyOrdered<CatalogText>?
        let plural: KeyOrdered<CatalogText>?
    }

    struct Substitution: Decodable {
        let argNum: Int?
        let formatSpecifier: String?
        let stringUnit: Unit?
        let variations: Variations?

        var text: CatalogText {
            CatalogText(stringUnit: stringUnit, variations: variations, substitutions: nil)
        }
    }

    let stringUnit: Unit?
    let variations: Variations?
    let substitutions: KeyOrdered<Substitution>?

    /// The table entry; nil if it has not been translated yet.
    var entry: StringEntry? {
        guard let body else { return nil }
        var variables: [String: StringVariable] = [:]
        for (name, substitution) in substitutions?.values ?? [:] {
            guard let body = substitution.text.body else { continue }
            variables[name] = StringVariable(
                argument: substitution.argNum, valueType: substitution.formatSpecifier, forms: body.forms)
        }
        return StringEntry(body, variables: variables)
    }

    private var body: StringEntry.Body? {
        if let device = variations?.device?.values {
            for name in StringEntry.preferredDevices(device.keys) {
                if let body = device[name]?.body { return body }
            }
        }
        if let width = variations?.width?.values, let widest = StringEntry.widest(width.keys),
            let body = width[widest]?.body
        {
            return body
        }
        if let plural = variations?.plural?.values {
            var forms: [PluralCategory: String] = [:]
            for category in PluralCategory.allCases {
                guard let body = plural[category.rawValue]?.body else { continue }
                // Plural forms within a plural form make no sense, but forms for several devices may.
                forms[category] = body.forms[.other] ?? body.forms[category]
            }
            if !forms.isEmpty { return .plural(forms) }
        }
        // Xcode adds an empty text in the state `new` if a translation is needed. Any other text is used, whatever
        // its state: `needs_review` is used unchanged, and an empty text that is `translated` is meant to be empty.
        guard let unit = stringUnit, let value = unit.value, !(value.isEmpty && unit.state == "new") else {
            return nil
        }
        return .text(value)
    }
}

extension StringEntry.Body {
    fileprivate var forms: [PluralCategory: String] {
        switch self {
        case .text(let text): [.other: text]
        case .plural(let forms): forms
        }
    }
}

/// An object's values by key, decoded in byte order of the keys, so that of several errors the same error is reported
/// each time.
private struct KeyOrdered<Value: Decodable>: Decodable {
    let values: [String: Value]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        var values: [String: Value] = [:]
        let keys = container.allKeys.ordered {
            $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8)
        }
        for key in keys { values[key.stringValue] = try container.decode(Value.self, forKey: key) }
        self.values = values
    }
}
