import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The known findings of a check: how many of each rule in each source.
///
/// Findings are identified by their rule and source, and counted, not by their lines: lines that are added before a
/// known finding don't make it a new one. If a source has more findings of a rule than the baseline, the excess is new.
///
/// ```swift
/// var options = CheckOptions(sources: ["pushes"])
/// options.baseline = try CheckBaseline(contentsOf: "known.json")
/// ```
///
/// `LogCheck` writes a baseline to `CheckOptions.baselineOutput`. An entry without a source, which only people write,
/// is for all sources together; one without a count is for any number of findings:
///
/// ```json
/// {"version":1,"findings":[
///  {"name":"untimed","source":"pushes/a.ndjson","count":12},
///  {"name":"aps.custom-key"}]}
/// ```
public struct CheckBaseline: Sendable {
    /// A number of known findings.
    public struct Entry: Sendable, Equatable {
        public var rule: CheckFinding
        /// The source, as it is named in reports; nil for all sources together.
        public var source: String?
        /// The number of findings; nil for any number.
        public var count: UInt64?

        public init(_ rule: CheckFinding, source: String? = nil, count: UInt64? = nil) {
            self.rule = rule
            self.source = source
            self.count = count
        }
    }

    public let entries: [Entry]
    /// The file that the baseline was read from; nil if it was made otherwise.
    let path: String?
    /// The version of the file format.
    private static let version = 1

    public init(_ entries: [Entry]) {
        self.entries = entries
        path = nil
    }

    /// Reads a baseline.
    ///
    /// - Parameter path: the path of a JSON file.
    /// - Throws: `ConfigurationError` if the file can't be read or is not a baseline, with the line of the mistake.
    public init(contentsOf path: String) throws(ConfigurationError) {
        try self.init(contentsOf: path, storage: SystemStorage())
    }

    package init(contentsOf path: String, storage: any Storage) throws(ConfigurationError) {
        let contents: [UInt8]
        do {
            contents = try storage.contents(of: path, upTo: Limits.configurationBytes)
        } catch {
            throw ConfigurationError(file: path, message: "the baseline cannot be read: \(error.reason)")
        }
        do throws(ContentError) {
            entries = try Self.entries(in: contents)
        } catch {
            throw error.error(in: path)
        }
        self.path = path
    }

    private static func entries(in json: [UInt8]) throws(ContentError) -> [Entry] {
        try ContentError.validate(json: json)
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch let error as DecodingError {
            throw ContentError(error, in: json, name: name)
        } catch {
            throw ContentError(message: "\(error)")
        }
        guard document.version == Double(version) else {
            throw ContentError(
                keys: ["version"],
                message: "not the version of this program's baselines, \(version): write the baseline again",
                in: json)
        }
        var entries: [Entry] = []
        for (index, finding) in document.findings.enumerated() {
            func mistake(_ message: String) -> ContentError {
                ContentError(keys: ["findings"], message: "finding \(index + 1): \(message)", in: json)
            }
            guard let rule = CheckFinding(name: finding.name) else {
                throw mistake(unknownRule(finding.name))
            }
            let count = finding.count.map { UInt64(exactly: $0) }
            if count == .some(nil) { throw mistake("the count must be a whole number, 0 or more") }
            entries.append(Entry(rule, source: finding.source, count: count ?? nil))
        }
        return entries
    }

    private static func name(of type: Any.Type) -> String {
        if type == String.self { return "a text" }
        if type == Double.self { return "a number" }
        return type is any ExpressibleByArrayLiteral.Type ? "a list" : "an object"
    }

    /// Returns a message such as "unknown rule 'untimd', did you mean 'untimed'?".
    package static func unknownRule(_ name: String) -> String {
        let nearest = Suggestion.nearest(String(name.prefix(64)), known: CheckFinding.all.map(\.name))
        return "unknown rule '\(name)'" + (nearest.map { ", did you mean '\($0)'?" } ?? "")
    }

    private struct Document: Decodable {
        // Not an integer, so that a fraction gets a message of its own.
        let version: Double
        let findings: [DocumentEntry]

        struct DocumentEntry: Decodable {
            let name: String
            let source: String?
            let count: Double?
        }
    }
}

// MARK: - Comparing and writing

extension CheckBaseline {
    /// The remaining known findings of one rule.
    struct Allowance {
        private var sources: [String: UInt64] = [:]
        private var anywhere: UInt64 = 0

        init(_ entries: some Sequence<Entry>) {
            for entry in entries {
                let count = entry.count ?? .max
                if let source = entry.source {
                    sources[source] = Self.sum(sources[source] ?? 0, count)
                } else {
                    anywhere = Self.sum(anywhere, count)
                }
            }
        }

        /// Takes a source's known findings, first those of its own entries.
        ///
        /// - Returns: the number of findings that are known.
        mutating func take(_ count: UInt64, of source: String) -> UInt64 {
            let own = min(count, sources[source] ?? 0)
            if own > 0 { sources[source]? -= own }
            let shared = min(count - own, anywhere)
            if anywhere < .max { anywhere -= shared }
            return own + shared
        }

        private static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let (sum, overflow) = a.addingReportingOverflow(b)
            return overflow ? .max : sum
        }
    }

    /// Returns the contents of a file with this baseline: one JSON object, with a line for each entry.
    public func json() -> [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "{\"version\":\(Self.version),\"findings\":[".utf8)
        for (index, entry) in entries.enumerated() {
            output.append(contentsOf: index == 0 ? "\n ".utf8 : ",\n ".utf8)
            let line = JSONDocument.bytes { json in
                json.member("name", entry.rule.name)
                if let source = entry.source { json.member("source", source) }
                if let count = entry.count { json.member("count", count) }
            }
            output.append(contentsOf: line.dropLast())
        }
        output.append(contentsOf: "]}\n".utf8)
        return output
    }
}
