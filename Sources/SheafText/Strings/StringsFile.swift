import SheafBytes

/// `Localizable.strings` and `Localizable.stringsdict`, which are property lists.
enum StringsFile {
    private static let formatKey = "NSStringLocalizedFormatKey"
    private static let typeKey = "NSStringFormatSpecTypeKey"
    private static let valueTypeKey = "NSStringFormatValueTypeKey"
    private static let widthRule = "NSStringVariableWidthRuleType"
    private static let deviceRule = "NSStringDeviceSpecificRuleType"

    /// Reads a `strings` file: keys and texts, usually in the old text style.
    static func texts(in contents: [UInt8]) throws(ContentError) -> [String: StringEntry] {
        try entries(of: contents) { key, value throws(ContentError) in
            guard let text = value.text else { throw ContentError(keys: [key], message: "expected a string") }
            return StringEntry(.text(text))
        }
    }

    /// Reads a `stringsdict` file: plural rules (Apple's archive, "Stringsdict File Format").
    static func pluralRules(in contents: [UInt8]) throws(ContentError) -> [String: StringEntry] {
        try entries(of: contents) { key, value throws(ContentError) in try entry(value, at: [key]) }
    }

    private static func entries(
        of contents: [UInt8], _ entry: (String, PropertyList) throws(ContentError) -> StringEntry
    ) throws(ContentError) -> [String: StringEntry] {
        var entries: [String: StringEntry] = [:]
        // In byte order, so that of several errors the same error is reported each time.
        for (key, value) in try PropertyList.read(contents).orderedByKey() {
            entries[key] = try entry(key, value)
        }
        return entries
    }

    private static func entry(_ value: PropertyList, at keys: [String]) throws(ContentError) -> StringEntry {
        switch value {
        case .text(let text): return StringEntry(.text(text))
        case .other: throw ContentError(keys: keys, message: "expected a string or a dictionary")
        case .dictionary(let dictionary):
            if let format = dictionary[formatKey] {
                guard let text = format.text else {
                    throw ContentError(keys: keys + [formatKey], message: "expected a string")
                }
                return StringEntry(.text(text), variables: try variables(dictionary, at: keys))
            }
            for rule in [deviceRule, widthRule] {
                if let choices = dictionary[rule]?.dictionary, let choice = choice(among: choices, of: rule) {
                    return try entry(choice.value, at: keys + [rule, choice.key])
                }
            }
            throw ContentError(keys: keys, message: "the key '\(formatKey)' is missing")
        }
    }

    private static func variables(
        _ dictionary: [String: PropertyList], at keys: [String]
    ) throws(ContentError) -> [String: StringVariable] {
        var variables: [String: StringVariable] = [:]
        for (name, value) in dictionary.orderedByKey() {
            // All other keys are Apple's, including future ones.
            guard let description = value.dictionary, !name.hasPrefix("NSString") else { continue }
            variables[name] = try variable(description, at: keys + [name])
        }
        return variables
    }

    private static func variable(
        _ dictionary: [String: PropertyList], at keys: [String]
    ) throws(ContentError) -> StringVariable {
        let rule = dictionary[typeKey]?.text
        if let rule, rule == widthRule || rule == deviceRule {
            let text = choice(among: dictionary.filter { $0.key != typeKey }, of: rule)?.value.text
            return StringVariable(forms: [.other: text ?? ""])
        }
        var forms: [PluralCategory: String] = [:]
        for category in PluralCategory.allCases {
            guard let value = dictionary[category.rawValue] else { continue }
            guard let text = value.text else {
                throw ContentError(keys: keys + [category.rawValue], message: "expected a string")
            }
            forms[category] = text
        }
        if forms.isEmpty {
            throw ContentError(keys: keys, message: "a variable without a form for any plural category")
        }
        return StringVariable(valueType: dictionary[valueTypeKey]?.text, forms: forms)
    }

    /// Returns the form that a notification shows: its width is unlimited, and its device is a phone.
    private static func choice(
        among choices: [String: PropertyList], of rule: String
    ) -> (key: String, value: PropertyList)? {
        let names = choices.keys
        guard
            let key =
                rule == widthRule
                ? StringEntry.widest(names) : StringEntry.preferredDevices(names).first,
            let value = choices[key]
        else { return nil }
        return (key, value)
    }
}
