import Foundation

#if canImport(FoundationXML)
import FoundationXML
import TestSupport
#endif

/// CLDR's plurals.xml and locales.xml in Data/cldr, read with a parser that Sheaf itself does not use.
final class PluralData: NSObject, XMLParserDelegate {
    struct Rule {
        let category: String
        let condition: String
        /// The samples after `@integer`, without a trailing ellipsis.
        let samples: [String]
    }

    struct Row {
        let locales: [String]
        var rules: [Rule]

        /// The row's rules, as the generated source writes them.
        var text: String {
            let conditions = rules.filter { !$0.condition.isEmpty }.map { "\($0.category): \($0.condition)" }
            return conditions.isEmpty ? "none" : conditions.joined(separator: "; ")
        }
    }

    private(set) var rows: [Row] = []
    /// The attributes of all elements, by element name.
    private(set) var elements: [String: [[String: String]]] = [:]
    private var category: String?
    private var text = ""

    init(_ name: String) throws {
        let parser = XMLParser(data: try Repository.contents(of: "Data/cldr/\(name)"))
        super.init()
        parser.delegate = self
        guard parser.parse() else { throw CocoaError(.fileReadCorruptFile) }
    }

    /// Returns the row that contains the locale.
    func row(_ locale: String) -> Row? { rows.first { $0.locales.contains(locale) } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        elements[name, default: []].append(attributes)
        text = ""
        if name == "pluralRules" {
            rows.append(
                Row(locales: (attributes["locales"] ?? "").split(separator: " ").map(String.init), rules: []))
        }
        category = name == "pluralRule" ? attributes["count"] : nil
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard name == "pluralRule", let category else { return }
        let parts = text.components(separatedBy: "@")
        let integers = parts.first { $0.hasPrefix("integer") }?.dropFirst("integer".count) ?? ""
        let samples = integers.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        rows[rows.count - 1].rules.append(
            Rule(
                category: category, condition: parts[0].trimmingCharacters(in: .whitespaces),
                samples: samples.filter { $0 != "…" }))
    }
}
