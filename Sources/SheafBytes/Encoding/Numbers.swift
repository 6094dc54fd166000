/// Numbers in messages to people.
public enum Numbers {
    /// With a comma after each thousand.
    public static func grouped(_ number: UInt64) -> String {
        var digits: [UInt8] = []
        digits.appendDecimal(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(0x2c, at: place)
            place -= 3
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// "1 record", "2 records".
    public static func count(_ number: UInt64, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
