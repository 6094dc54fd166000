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
        if contents.starts(with: Array("bplist".utf8)) {
            return try decode(contents, kind: "binary property list")
        }
        let text = try StringTableFile.utf8(contents)
        let start = text.firstIndex { !$0.isWhiteSpace }
        // Xcode creates new tables as empty files, which Foundation rejects.
        guard let start else { return [:] }
        if text[start] == UInt8(ascii: "<"), start + 1 < text.count, "?!p".utf8.contains(text[start + 1]) {
            return try decode(try XMLText.prepared(text), kind: "XML property list")
        }
        return try decode(try OldStyleText.prepared(text), kind: "property list in the old text style")
    }

    private static func decode(
        _ contents: [UInt8], kind: String
    ) throws(ContentError) -> [String: PropertyList] {
        let decoder = PropertyListDecoder()
        decoder.userInfo[ValueLimit.key] = ValueLimit(contents.count)
        do {
            let value = try decoder.decode(PropertyList.self, from: Data(contents))
            if let dictionary = value.dictionary { return dictionary }
            throw ContentError(message: "expected a dictionary")
        } catch let problem as ContentError {
            throw problem
        } catch {
            // Foundation's details are in a property that is unsafe to read, and its line is always 1 for XML. Common
            // mistakes have already been reported with their line.
            throw ContentError(message: "not a valid \(kind)")
        }
    }
}

/// The number of values that a file may still have. In a binary property list, a dictionary may contain itself, or
/// refer twice to a dictionary that refers twice to another, and so on: a few bytes that a reader would never finish
/// expanding. No regular file has more values than bytes.
private final class ValueLimit: Sendable {
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
    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        guard path.count <= StringLimits.levels else {
            throw ContentError(message: "nested deeper than \(StringLimits.levels) levels")
        }
        if let limit = decoder.userInfo[ValueLimit.key] as? ValueLimit, !limit.take() {
            throw ContentError(
                message: "more values than bytes: its dictionaries refer to themselves or each other")
        }
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
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

/// Prepares an XML property list for Foundation's reader.
///
/// That reader recurses for each level without a bound. It accepts no declared encoding except UTF-8, which the text
/// has here regardless of its encoding in the file. And it reports line 1 for every error. So this type limits the
/// levels, reports mismatched tags with their line, and removes the declaration.
struct XMLText {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// The names of the open elements, each with its line.
    private var open: [(name: ArraySlice<UInt8>, line: Int)] = []

    /// - Parameter text: valid UTF-8.
    static func prepared(_ text: [UInt8]) throws(ContentError) -> [UInt8] {
        var check = XMLText(bytes: text)
        try check.run()
        return withoutDeclaration(text)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() throws(ContentError) {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                advance()
                continue
            }
            if starts(with: "<!--") {
                skip(past: "-->")
            } else if starts(with: "<![CDATA[") {
                skip(past: "]]>")
            } else if starts(with: "<?") {
                skip(past: "?>")
            } else if starts(with: "<!") {
                skip(past: ">")
            } else {
                try tag()
            }
        }
        if let last = open.last {
            throw ContentError(line: last.line, message: "<\(Self.text(last.name))> is never closed")
        }
    }

    private mutating func tag() throws(ContentError) {
        let start = index
        let startLine = line
        skip(past: ">")
        guard bytes[index - 1] == UInt8(ascii: ">") else {
            throw ContentError(line: startLine, message: "a tag without a closing '>'")
        }
        var contents = bytes[(start + 1)..<(index - 1)]
        if contents.last == UInt8(ascii: "/") { return }
        let isEnd = contents.first == UInt8(ascii: "/")
        if isEnd { contents.removeFirst() }
        let name = contents.prefix { $0 > UInt8(ascii: " ") }
        if !isEnd {
            guard open.count < StringLimits.levels else {
                throw ContentError(
                    line: startLine, message: "nested deeper than \(StringLimits.levels) levels")
            }
            open.append((name, startLine))
            return
        }
        guard let last = open.popLast() else {
            throw ContentError(line: startLine, message: "</\(Self.text(name))> closes nothing")
        }
        if last.name != name {
            throw ContentError(
                line: startLine,
                message: "</\(Self.text(name))> does not match <\(Self.text(last.name))> on line \(last.line)"
            )
        }
    }

    private static func text(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }

    private func starts(with word: String) -> Bool { bytes[index...].starts(with: word.utf8) }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    /// Skips to the end of the next `word`, or to the end of the text.
    private mutating func skip(past word: String) {
        while index < bytes.count {
            if starts(with: word) {
                index += word.utf8.count
                return
            }
            advance()
        }
    }

    private static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
        var declaration = XMLText(bytes: text)
        while declaration.index < text.count, text[declaration.index] <= UInt8(ascii: " ") {
            declaration.advance()
        }
        guard declaration.starts(with: "<?xml") else { return text }
        declaration.skip(past: "?>")
        return Array(text[declaration.index...])
    }
}
