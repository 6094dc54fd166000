/// A table of values by locale, parsed from text with a row on each line: `value | locales`.
struct LocaleTable: Sendable {
    let rows: [(value: Substring, locales: [Substring])]

    /// Splits by bytes: splitting by characters would cost more at each launch than everything else here.
    init(_ text: String) {
        rows = text.utf8.split(separator: UInt8(ascii: "\n")).map { row in
            guard let bar = row.lastIndex(of: UInt8(ascii: "|")) else {
                preconditionFailure("a row without locales: '\(Substring(row))'")
            }
            let locales = row[row.index(after: bar)...].split(separator: UInt8(ascii: " "))
            // A space precedes the bar.
            return (Substring(row[..<bar].dropLast()), locales.map { Substring($0) })
        }
    }

    /// The value in the locale's own row; nil if it has none.
    subscript(locale: LocaleIdentifier) -> Substring? {
        let name = Substring(locale.identifier)
        return rows.first { $0.locales.contains(name) }?.value
    }

    /// Returns the value of the locale, or of the closest locale without its last parts: for `de_AT`, that of `de`.
    func value(inheritedBy locale: LocaleIdentifier) -> Substring? {
        var ancestor: LocaleIdentifier? = locale
        while let named = ancestor {
            if let value = self[named] { return value }
            ancestor = named.droppingLastPart
        }
        return nil
    }

    /// The value of each locale.
    var byLocale: [String: String] {
        var values: [String: String] = [:]
        for row in rows { for locale in row.locales { values[String(locale)] = String(row.value) } }
        return values
    }
}
