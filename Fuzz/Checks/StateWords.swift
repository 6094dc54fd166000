import SheafBytes
import SheafGroups

/// Parts of stored states.
enum StateWords {
    /// The largest numbers in the formats, and the next number after each.
    static let numbers: [[UInt8]] = [24, 32, 40, 56, 63].flatMap { (bits: UInt64) in
        [number(1 << bits - 1), number(1 << bits)]
    }

    /// The names of counters, each after its length.
    static let names: [[UInt8]] =
        RejectReason.allCases.map { text("\($0.name)") } + Finding.allCases.map { text("\($0.name)") }
        + SourceDamage.Reason.allCases.map { text($0.rawValue) }

    private static func number(_ number: UInt64) -> [UInt8] {
        var output = OutputBuffer()
        output.appendNumber(number)
        return [UInt8](copying: output.bytes)
    }

    private static func text(_ name: String) -> [UInt8] { [UInt8(name.utf8.count)] + [UInt8](name) }
}
