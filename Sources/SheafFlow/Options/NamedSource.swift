import SheafBytes
import SheafGroups
import SheafText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A source with the name and the number that it has in a job of many runs.
///
/// Runs on many machines each read some sources of a job, often copies in a temporary folder. With named sources their
/// results are those of one run of the whole job.
///
/// ```swift
/// var options = ReplayOptions(sources: [])
/// options.namedSources = [NamedSource(path: "/tmp/17.gz", name: "s3a://pushes/17.gz", ordinal: 17)]
/// options.partial = "17.partial"
/// _ = try Replay(options).run()
/// ```
///
/// A file of named sources is newline-delimited JSON, `{"path":…,"source":…,"ordinal":…}`; the path is the name of
/// sources without a `source`, and the name that of sources without a `path`. `"lines":…` is optional.
public struct NamedSource: Sendable, Equatable {
    /// The file to read, or `-` for standard input.
    public var path: String
    /// The name in outputs.
    public var name: String
    /// The number among all sources of the job, from 0: less than `ordinals`, and different from those of all others.
    public var ordinal: Int

    /// The exclusive upper bound of ordinals.
    public static let ordinals = OrderKey.maximumSources

    /// The number of lines that partial results of keyed lines must cover; nil for any. Not used otherwise.
    public var lines: UInt64?

    public init(path: String, name: String, ordinal: Int, lines: UInt64? = nil) {
        (self.path, self.name, self.ordinal, self.lines) = (path, name, ordinal, lines)
    }

    /// Reads a file of named sources, which may be in any order. O(bytes) in memory.
    ///
    /// - Returns: the sources in the order of their ordinals.
    /// - Throws: `ConfigurationError`, with the line, if the file can't be read, or a line is not a named source.
    public static func list(contentsOf path: String) throws(ConfigurationError) -> [NamedSource] {
        try list(contentsOf: path, storage: SystemStorage())
    }

    package static func list(
        contentsOf path: String, storage: any Storage
    ) throws(ConfigurationError) -> [NamedSource] {
        let contents: [UInt8]
        do {
            contents = try storage.contents(of: path, upTo: Limits.sourceListBytes)
        } catch {
            throw ConfigurationError(file: path, message: "the sources cannot be read: \(error.reason)")
        }
        do throws(ContentError) {
            return try list(contents)
        } catch {
            throw error.error(in: path)
        }
    }

    private static func list(_ contents: [UInt8]) throws(ContentError) -> [NamedSource] {
        let bytes = contents.span
        var sources: [NamedSource] = []
        var lines: [UInt32: UInt32] = [:]
        // One for all lines, since it learns their form in tables of its own.
        var scanner = FieldScanner(FieldPlan())
        var json: [UInt8] = []
        var number = 0
        var start = UTF8.text(of: contents).startIndex
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let line = bytes.extracting(start..<end)
            start = end + 1
            number += 1
            guard line.endOfJSONSpace(from: 0) < line.count else { continue }
            json.removeAll(keepingCapacity: true)
            json.append(line)
            let source: NamedSource
            if scanner.scan(TextRange(0..<json.count), of: Chunk(json)) == .object,
                let known = read(known: line)
            {
                source = known
            } else {
                do throws(ContentError) {
                    source = try read(json)
                } catch {
                    throw ContentError(line: number, keys: error.keys, message: error.message)
                }
            }
            if let other = lines.updateValue(UInt32(number), forKey: UInt32(source.ordinal)) {
                throw ContentError(
                    line: number, message: "the ordinal \(source.ordinal) is also that of line \(other)")
            }
            sources.append(source)
        }
        if sources.isEmpty { throw ContentError(message: "the list has no sources") }
        return sources.ordered { $0.ordinal < $1.ordinal }
    }

    /// Reads an object whose members are those of a named source, with texts and with short whole numbers; nil for any
    /// other one, which may still be valid. O(bytes).
    ///
    /// Lists have up to 16 million lines, and `JSONDecoder` takes several kilobytes for each.
    ///
    /// - Parameter line: a valid JSON object.
    private static func read(known line: Span<UInt8>) -> NamedSource? {
        var path: String?
        var name: String?
        var ordinal: UInt64?
        var lines: UInt64?
        var keys: [Item.CodingKeys] = []
        var members = JSONMembers(at: line.endOfJSONSpace(from: 0))
        while let member = members.next(in: line) {
            guard let key = Item.CodingKeys(rawValue: line.extracting(member.key).string),
                !keys.contains(key)
            else { return nil }
            keys.append(key)
            let value = line.extracting(member.value)
            if key != .ordinal, value.isEqual(to: Self.null.span) { continue }
            switch key {
            case .path, .source:
                guard let text = text(of: value) else { return nil }
                if key == .path { path = text } else { name = text }
            case .ordinal, .lines:
                guard let number = shortNumber(of: value) else { return nil }
                if key == .lines { lines = number } else { ordinal = number }
            }
        }
        guard let ordinal, ordinal < UInt64(ordinals), let known = path ?? name else { return nil }
        return NamedSource(path: known, name: name ?? known, ordinal: Int(ordinal), lines: lines)
    }

    private static let null = Array("null".utf8)

    /// Returns the text of a string that is not empty; nil for other values, and if an escape is not a character.
    private static func text(of value: Span<UInt8>) -> String? {
        guard value.count > 2, value[0] == UInt8(ascii: "\"") else { return nil }
        let content = value.extracting(1..<value.count - 1)
        guard content.indices.contains(where: { content[$0] == UInt8(ascii: "\\") }) else {
            return content.string
        }
        let text = String(decoding: value.jsonText, as: UTF8.self)
        return text.unicodeScalars.contains("\u{fffd}") ? nil : text
    }

    /// Returns a number that is written as at most 15 digits; nil for other values.
    private static func shortNumber(of value: Span<UInt8>) -> UInt64? {
        guard value.count <= 15 else { return nil }
        var number: UInt64 = 0
        for index in value.indices {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(value[index]) else { return nil }
            number = 10 * number + UInt64(value[index] - UInt8(ascii: "0"))
        }
        return number
    }

    private static func read(_ json: [UInt8]) throws(ContentError) -> NamedSource {
        try ContentError.validate(json: json)
        try ContentError.checkKeys(of: json)
        let item: Item
        do {
            item = try JSONDecoder().decode(Item.self, from: Data(json))
        } catch let problem as ContentError {
            throw problem
        } catch let error as DecodingError {
            throw ContentError(error, in: json) { $0 == String.self ? "a string" : "a number or an object" }
        } catch {
            throw ContentError(message: "\(error)")
        }
        guard let ordinal = Int(exactly: item.ordinal), (0..<ordinals).contains(ordinal) else {
            throw ContentError(
                keys: ["ordinal"], message: "the ordinal must be a whole number from 0 to \(ordinals - 1)")
        }
        guard let path = item.path ?? item.source, let name = item.source ?? item.path, !path.isEmpty,
            !name.isEmpty
        else { throw ContentError(message: "neither 'path' nor 'source' has a name") }
        let lines = item.lines.map { UInt64(exactly: $0) }
        if lines == .some(nil) {
            throw ContentError(
                keys: ["lines"], message: "the number of lines must be a whole number, 0 or more")
        }
        return NamedSource(path: path, name: name, ordinal: ordinal, lines: lines ?? nil)
    }

    private struct Item: Decodable {
        let path: String?
        let source: String?
        // Any number, so that a wrong one gets a message of its own.
        let ordinal: Double
        let lines: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case path, source, ordinal, lines
        }

        init(from decoder: any Decoder) throws {
            let known = CodingKeys.allCases.map(\.rawValue)
            for key in try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).ordered()
            where !known.contains(key) {
                throw ContentError(keys: [key], message: Suggestion.message("key", key, known: known))
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            path = try container.decodeIfPresent(String.self, forKey: .path)
            source = try container.decodeIfPresent(String.self, forKey: .source)
            ordinal = try container.decode(Double.self, forKey: .ordinal)
            lines = try container.decodeIfPresent(Double.self, forKey: .lines)
        }
    }
}
