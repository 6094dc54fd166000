import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property list as far as string tables go: texts in dictionaries.
enum PropertyList: Sendable, Equatable {
    case text(String)
    case dictionary([String: PropertyList])
    /// A number, a date, data, a list: nothing that a table has.
    case other

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var dictionary: [String: PropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// Reads a property list that is a dictionary: binary, XML, or in the old text style, with braces or without.
    static func read(_ contents: [UInt8]) throws(TableProblem) -> [String: PropertyList] {
        if contents.starts(with: Array("bplist".utf8)) { return try decode(contents, style: .binary) }
        let text = try TableText.utf8(contents)
        let start = text.firstIndex { !(0x09...0x0d ~= $0 || $0 == 0x20) }
        // Xcode makes new tables as empty files; to Foundation such a one is none.
        guard let start else { return [:] }
        if text[start] == UInt8(ascii: "<"), start + 1 < text.count, "?!p".utf8.contains(text[start + 1]) {
            return try decode(try XMLText.prepared(text), style: .xml)
        }
        return try decode(try OldStyleText.prepared(text), style: .old)
    }

    private enum Style: String {
        case binary = "binary property list"
        case xml = "XML property list"
        case old = "property list in the old text style"
    }

    private static func decode(
        _ contents: [UInt8], style: Style
    ) throws(TableProblem) -> [String: PropertyList] {
        let decoder = PropertyListDecoder()
        decoder.userInfo[Allowance.key] = Allowance(contents.count)
        do {
            let value = try decoder.decode(PropertyList.self, from: Data(contents))
            if let dictionary = value.dictionary { return dictionary }
            throw TableProblem(message: "expected a dictionary")
        } catch let problem as TableProblem {
            throw problem
        } catch {
            // Foundation says more only in a property that is unsafe to read, and its line of XML is always 1. What
            // people get wrong was found before, with its line.
            throw TableProblem(message: "not a valid \(style.rawValue)")
        }
    }
}

/// How many values a file may have. In a binary property list a dictionary may hold itself, or one twice that holds
/// one twice, and so on: a few bytes of which no reader comes to an end. No file that was written has more values
/// than bytes.
private final class Allowance: Sendable {
    // Safety of the force unwrap: the initializer fails for no name.
    static let key = CodingUserInfoKey(rawValue: "values")!
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock {
            $0 -= 1
            return $0 >= 0
        }
    }
}

extension PropertyList: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        guard path.count <= StringLimits.levels else {
            throw TableProblem(message: "nested deeper than \(StringLimits.levels) levels")
        }
        if let allowance = decoder.userInfo[Allowance.key] as? Allowance, !allowance.take() {
            throw TableProblem(message: "its dictionaries hold themselves, or each other many times")
        }
        if let container = try? decoder.container(keyedBy: Key.self) {
            var dictionary: [String: PropertyList] = [:]
            for key in container.allKeys {
                dictionary[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
            }
            self = .dictionary(dictionary)
        } else if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
