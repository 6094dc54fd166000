/// Formats numbers in messages to the user.
package enum Numbers {
    /// Returns the number in decimal, with commas between groups of three digits.
    package static func grouped(_ number: UInt64) -> String {
        var digits: [UInt8] = []
        digits.appendDecimal(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(UInt8(ascii: ","), at: place)
            place -= 3
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns a count with its noun, such as "1 record" or "2 records".
    package static func count(_ number: UInt64, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
