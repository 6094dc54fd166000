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

extension PluralRules {
    static func of(_ language: String) -> PluralRules { PluralRules(LocaleIdentifier(language: language)) }
}

extension CompiledString {
    func text(_ count: UInt64, _ list: String = "Ana and Bob", language: String = "en") -> String {
        TestSupport.text {
            append(
                count: count, arguments: { $0 += Array(list.utf8) }, rules: .of(language),
                texts: LocalizedTexts(), to: &$0)
        }
    }

    func text(_ arguments: [String], language: String = "en") -> String {
        TestSupport.text {
            append(
                argumentCount: arguments.count, argument: { $1 += Array(arguments[$0].utf8) },
                rules: .of(language), texts: LocalizedTexts(), to: &$0)
        }
    }
}
