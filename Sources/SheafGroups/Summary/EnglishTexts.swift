import SheafBytes

/// The texts that come with Sheaf, in `en_US`: defaults with their plurals, and how a list is joined.
enum EnglishTexts {
    /// "1 more notification", "7 more notifications".
    static func appendMore(_ count: UInt64, to output: inout [UInt8]) {
        output.appendDecimal(count)
        output.append(count == 1 ? " more notification" : " more notifications")
    }

    /// "1 more notification from Ana", "7 more notifications from Ana and Bob".
    static func appendMore(
        _ count: UInt64, from arguments: (inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        appendMore(count, to: &output)
        output.append(" from ")
        arguments(&output)
    }

    /// "Notification", "7 Notifications".
    static func appendPlaceholder(_ count: UInt64, to output: inout [UInt8]) {
        if count == 1 {
            output.append("Notification")
        } else {
            output.appendDecimal(count)
            output.append(" Notifications")
        }
    }

    /// "A", "A and B", "A, B, and C": CLDR's standard list of the locale.
    static func appendList(
        count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        for index in 0..<count {
            if index > 0 {
                let isLast = index == count - 1
                if count > 2 { output.append(isLast ? ", and " : ", ") } else { output.append(" and ") }
            }
            item(index, &output)
        }
    }
}
