import Foundation
import SheafBytes
import SheafText
import TestSupport

@testable import SheafText

/// The encodings of string table files.
enum TextEncoding: String, CaseIterable, Sendable {
    case utf8, utf8WithMark, utf16LittleWithMark, utf16BigWithMark, utf16Little, utf16Big

    func bytes(of text: String) -> [UInt8] {
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return switch self {
        case .utf8: Array(text.utf8)
        case .utf8WithMark: [0xef, 0xbb, 0xbf] + Array(text.utf8)
        case .utf16LittleWithMark: [0xff, 0xfe] + little
        case .utf16BigWithMark: [0xfe, 0xff] + big
        case .utf16Little: little
        case .utf16Big: big
        }
    }
}

/// Returns an XML property list with `contents` from line 4 on.
func xmlPropertyList(_ contents: String, encoding: String = "UTF-8") -> String {
    """
    <?xml version="1.0" encoding="\(encoding)"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(contents)
    </plist>

    """
}

func binaryPropertyList(_ value: Any) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
}

/// Returns the plain texts of entries by key, and a description of any other entry.
func texts(_ entries: [String: StringEntry]) -> [String: String] {
    entries.mapValues { entry in
        guard case .text(let text) = entry.body, entry.variables.isEmpty else { return "\(entry)" }
        return text
    }
}

/// CLDR's plural rules of some languages for small numbers, with ASCII digits.
struct TestRules: NumberRules {
    let language: String

    init(_ language: String) { self.language = language }

    func category(of number: UInt64) -> PluralCategory {
        let units = number % 10
        let hundreds = number % 100
        switch language {
        case "ja": return .other
        case "he": return number == 1 ? .one : number == 2 ? .two : .other
        case "ru":
            if units == 1, hundreds != 11 { return .one }
            return 2...4 ~= units && !(12...14 ~= hundreds) ? .few : .many
        case "ar":
            if number < 3 { return [.zero, .one, .two][Int(number)] }
            return 3...10 ~= hundreds ? .few : hundreds >= 11 ? .many : .other
        default: return number == 1 ? .one : .other
        }
    }

    func appendNumber(_ number: UInt64, to output: inout [UInt8]) { output.appendDecimal(number) }
}

extension CompiledString {
    func text(_ count: UInt64, _ list: String = "Ana and Bob", language: String = "en") -> String {
        TestSupport.text {
            append(count: count, arguments: { $0 += Array(list.utf8) }, rules: TestRules(language), to: &$0)
        }
    }

    func text(_ arguments: [String], language: String = "en") -> String {
        TestSupport.text {
            append(
                argumentCount: arguments.count, argument: { $1 += Array(arguments[$0].utf8) },
                rules: TestRules(language), to: &$0)
        }
    }
}
