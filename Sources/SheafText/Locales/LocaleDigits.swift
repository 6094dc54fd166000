import SheafBytes

/// A locale's format of whole numbers: the digits of its default numbering system, without grouping.
struct LocaleDigits: Sendable {
    /// All ten digits in UTF-8, each `width` bytes long; empty if they are ASCII digits.
    private let digits: [UInt8]
    private let width: Int

    static let ascii = LocaleDigits(digits: [], width: 1)

    private init(digits: [UInt8], width: Int) {
        self.digits = digits
        self.width = width
    }

    init(_ locale: LocaleIdentifier) {
        guard let row = LocaleTable(ListTables.zeros).value(inheritedBy: locale) else {
            self = .ascii
            return
        }
        let digits = (UInt32(0)..<10).map { digit in
            guard let zero = UInt32(row, radix: 16), let scalar = Unicode.Scalar(zero + digit) else {
                preconditionFailure("invalid digit '\(row)' in the table of digits")
            }
            return Array(String(Character(scalar)).utf8)
        }
        self.init(digits: Array(digits.joined()), width: digits[0].count)
    }

    func append(_ number: UInt64, to output: inout [UInt8]) {
        let start = output.count
        output.appendDecimal(number)
        guard !digits.isEmpty else { return }
        // Replaces the ASCII digits in place, starting with the last one.
        let count = output.count - start
        output.append(contentsOf: repeatElement(0, count: count * (width - 1)))
        for index in stride(from: count - 1, through: 0, by: -1) {
            let digit = Int(output[start + index] & 0x0f)
            for byte in 0..<width { output[start + index * width + byte] = digits[digit * width + byte] }
        }
    }
}
