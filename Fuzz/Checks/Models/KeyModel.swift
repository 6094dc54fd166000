import SheafBytes
import SheafGroups

/// The key of a line by the rules alone, or the reason why it has none.
enum KeyModel: Equatable {
    case key(ordinal: Int, line: UInt64, byteCount: Int)
    case none(LineKey.Problem)

    init(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let ordinal = Self.number(parts[0]), let line = Self.number(parts[1]) else {
            self = .none(.malformed)
            return
        }
        if ordinal >= 1 << 24 {
            self = .none(.ordinalOutOfRange)
        } else if line == 0 || line >= 1 << 40 {
            self = .none(.lineOutOfRange)
        } else {
            let byteCount = parts[0].count + parts[1].count + 2
            self = .key(ordinal: Int(ordinal), line: UInt64(line), byteCount: byteCount)
        }
    }

    /// Returns the key that the module finds.
    static func found(in text: [UInt8]) -> KeyModel {
        do throws(LineKey.Problem) {
            let key = try LineKey(text.span)
            return .key(ordinal: key.ordinal, line: key.line, byteCount: key.byteCount)
        } catch {
            return .none(error)
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt128? {
        guard (1...20).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt128(String(decoding: digits, as: UTF8.self))
    }
}
