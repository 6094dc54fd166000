/// A table of what differs between locales, as text: `value | locales`, a row a line.
struct LocaleTable: Sendable {
    let rows: [(value: Substring, locales: [Substring])]

    /// By bytes: taking characters apart would cost each start of the program more than all else here.
    init(_ text: String) {
        rows = text.utf8.split(separator: UInt8(ascii: "\n")).map { row in
            guard let bar = row.lastIndex(of: UInt8(ascii: "|")) else {
                preconditionFailure("a row without locales: '\(Substring(row))'")
            }
            let locales = row[row.index(after: bar)...].split(separator: UInt8(ascii: " "))
            // A space stands before the bar.
            return (Substring(row[..<bar].dropLast()), locales.map { Substring($0) })
        }
    }

    /// nil of a locale that has no row.
    subscript(locale: LocaleIdentifier) -> Substring? {
        let name = Substring(locale.identifier)
        return rows.first { $0.locales.contains(name) }?.value
    }

    /// The value of the locale or of what is left without its last parts: of `de_AT` that of `de`.
    func value(inheritedBy locale: LocaleIdentifier) -> Substring? {
        var ancestor: LocaleIdentifier? = locale
        while let named = ancestor {
            if let value = self[named] { return value }
            ancestor = named.withoutLastPart
        }
        return nil
    }

    /// Each locale's value.
    var byLocale: [String: String] {
        var values: [String: String] = [:]
        for row in rows { for locale in row.locales { values[String(locale)] = String(row.value) } }
        return values
    }
}
