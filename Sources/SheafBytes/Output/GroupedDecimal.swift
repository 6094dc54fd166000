/// Numbers for people.
extension Array where Element == UInt8 {
    /// Appends the digits of `number`, with a comma after each thousand.
    public mutating func appendGroupedDecimal(_ number: UInt64) {
        let start = count
        appendDecimal(number)
        var place = count - 3
        while place > start {
            insert(0x2c, at: place)
            place -= 3
        }
    }
}
