import SheafBytes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property list, reduced to what string tables contain: strings in dictionaries.
enum PropertyList: Sendable, Equatable {
    case text(String)
    case dictionary([String: PropertyList])
    /// A number, date, data or list. Tables contain none of these.
    case other

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var dictionary: [String: PropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// Reads a property list that is a dictionary: binary, XML, or in the old text style, with or without braces.
    static func read(_ contents: [UInt8]) throws(ContentError) -> [String: PropertyList] {
        if contents.starts(with: Array("bplist".utf8)) { return try decode(contents, style: .binary) }
        let text = try TableText.utf8(contents)
        let start = text.firstIndex { !$0.isWhiteSpace }
        // Xcode creates new tables as empty files, which Foundation rejects.
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
    ) throws(ContentError) -> [String: PropertyList] {
        let decoder = PropertyListDecoder()
        decoder.userInfo[Allowance.key] = Allowance(contents.count)
        do {
            let value = try decoder.decode(PropertyList.self, from: Data(contents))
            if let dictionary = value.dictionary { return dictionary }
            throw ContentError(message: "expected a dictionary")
        } catch let problem as ContentError {
            throw problem
        } catch {
            // Foundation's details are in a property that is unsafe to read, and its line is always 1 for XML. Common
            // mistakes have already been reported with their line.
            throw ContentError(message: "not a valid \(style.rawValue)")
        }
    }
}

/// The number of values that a file may still have. In a binary property list, a dictionary may contain itself, or
/// refer twice to one that refers twice to another, and so on: a few bytes that a reader would never finish
/// expanding. No regular file has more values than bytes.
private final class Allowance: Sendable {
    // Safety of the force unwrap: the initializer does not fail for any name.
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
            throw ContentError(message: "nested deeper than \(StringLimits.levels) levels")
        }
        if let allowance = decoder.userInfo[Allowance.key] as? Allowance, !allowance.take() {
            throw ContentError(
                message: "more values than bytes: its dictionaries refer to themselves or each other")
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
