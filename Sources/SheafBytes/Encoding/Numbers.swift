/// Formats numbers in messages to the user.
package enum Numbers {
    /// Returns the number in decimal, with commas between groups of three digits.
    package static func grouped(_ number: UInt64) -> String {
        var digits: [UInt8] = []
        digits.appendDecimal(number)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(UInt8(ascii: ","), at: index)
            index -= 3
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns a count with its noun, such as "1 record" or "2 records".
    package static func count(_ number: UInt64, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns a share from 0 to 1 as a percentage with one decimal: "9.1 %".
    package static func percent(_ share: Double) -> String { "\(decimal(share * 100, decimals: 1)) %" }

    /// Returns seconds with one decimal: "0.3 s".
    package static func seconds(_ seconds: Double) -> String { "\(decimal(seconds, decimals: 1)) s" }

    /// Returns a number of bytes with one decimal, in the decimal unit that leaves one to three digits before it: "1.2 GB".
    package static func bytes(_ count: UInt64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "B" ? "\(count) B" : "\(decimal(value, decimals: 1)) \(unit)" }
            value /= 1000
        }
        return "\(decimal(value, decimals: 1)) TB"
    }

    /// Returns hours, minutes and seconds: "1:02:03", or "2:03" below an hour.
    package static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let (hours, minutes) = (whole / 3600, String(whole / 60 % 60))
        let rest = padded(String(whole % 60), to: 2)
        return hours > 0 ? "\(hours):\(padded(minutes, to: 2)):\(rest)" : "\(minutes):\(rest)"
    }

    /// Returns a number ≥ 0, rounded to a number of decimals, at least one.
    package static func decimal(_ value: Double, decimals: Int) -> String {
        let unit = (0..<decimals).reduce(UInt64(1)) { unit, _ in unit * 10 }
        let (whole, rest) = UInt64((value * Double(unit)).rounded()).quotientAndRemainder(dividingBy: unit)
        return "\(whole).\(padded(String(rest), to: decimals))"
    }

    /// Returns digits with zeros before them, up to `width` characters.
    package static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
