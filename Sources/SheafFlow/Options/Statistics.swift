import SheafBytes
import SheafGroups

/// The statistics of a replay or a merge (specification §10).
///
/// ```swift
/// let statistics = try Replay(ReplayOptions(sources: ["log.ndjson"])).run()
/// print("\(statistics.groups) groups of \(statistics.grouped) notifications")
/// for (reason, count) in statistics.rejected { print("\(count) lines: \(reason.name)") }
/// ```
///
/// A merge adds the counts of the replays that it merges.
public struct Statistics: Sendable {
    /// The number of sources, after folders are expanded.
    public internal(set) var sources = 0
    /// The number of bytes read, as stored, compressed or not.
    public internal(set) var bytesRead: UInt64 = 0
    /// The number of bytes of text: the inflated size of compressed sources, and the stored size of plain ones.
    public internal(set) var bytesInflated: UInt64 = 0
    /// The number of lines, blank ones included.
    public internal(set) var lines: UInt64 = 0
    /// The number of lines without a record.
    public internal(set) var blank: UInt64 = 0
    /// The number of notifications in groups.
    public internal(set) var grouped: UInt64 = 0
    /// The number of notifications that newer versions replaced.
    public internal(set) var updated: UInt64 = 0
    /// The number of records that are not shown to the user.
    public internal(set) var silent: UInt64 = 0
    /// The number of records without a timestamp.
    public internal(set) var untimed: UInt64 = 0
    /// The number of rejected lines by reason; reasons that did not occur are omitted.
    public internal(set) var rejected: [(reason: RejectReason, count: UInt64)] = []
    /// The number of records by finding; findings that did not occur are omitted.
    public internal(set) var findings: [(finding: Finding, count: UInt64)] = []
    /// The sources that could not be read completely, in source order.
    public internal(set) var sourceErrors: [DamagedSource] = []
    /// The number of groups, whether or not all of them were written.
    public internal(set) var groups: UInt64 = 0
    /// The number of bytes spilled to disk. A byte counts each time it is written.
    public internal(set) var spilledBytes: UInt64 = 0
    /// The most memory that the process has used so far, in bytes.
    public internal(set) var peakResidentBytes: UInt64 = 0
    /// The duration of the run.
    public internal(set) var seconds: Double = 0
    /// Whether the reader of the snapshot closed the pipe early.
    public internal(set) var outputWasClosed = false
    /// The first rejected line, in the order of sources and lines.
    public internal(set) var firstReject: RejectedLine?

    /// Probable mistakes in the input or the options; not part of `json()`.
    public internal(set) var warnings: [ReplayWarning] = []

    /// The number of lines that are not blank: `grouped + updated + silent + rejectedTotal`.
    public var records: UInt64 { lines - blank }
    /// The number of rejected lines.
    public var rejectedTotal: UInt64 { rejected.reduce(0) { $0 + $1.count } }

    /// A source that could not be read completely.
    public struct DamagedSource: Sendable, Equatable {
        /// The source's path as given, or inside a given folder.
        public let source: String
        public let damage: SourceDamage
    }

    /// A rejected line.
    public struct RejectedLine: Sendable, Equatable {
        /// The source's path as given, or inside a given folder.
        public let source: String
        /// The line number, starting at 1.
        public let line: UInt64
        public let reason: RejectReason
    }

    /// Returns the statistics as one JSON object and an LF.
    public func json() -> [UInt8] {
        var output: [UInt8] = []
        func field(_ name: StaticString, _ value: UInt64) {
            output.append(output.isEmpty ? "{\"" : ",\"")
            output.append(name)
            output.append("\":")
            output.appendDecimal(value)
        }
        func counts(_ name: StaticString, _ items: [(name: StaticString, count: UInt64)]) {
            output.append(",\"")
            output.append(name)
            output.append("\":{")
            for (index, item) in items.enumerated() {
                output.append(index > 0 ? ",\"" : "\"")
                output.append(item.name)
                output.append("\":")
                output.appendDecimal(item.count)
            }
            output.append("}")
        }
        field("sources", UInt64(sources))
        field("bytesRead", bytesRead)
        field("bytesInflated", bytesInflated)
        field("lines", lines)
        field("blank", blank)
        field("records", records)
        field("grouped", grouped)
        field("updated", updated)
        field("silent", silent)
        field("untimed", untimed)
        counts("rejected", [("total", rejectedTotal)] + rejected.map { ($0.reason.name, $0.count) })
        counts("findings", findings.map { ($0.finding.name, $0.count) })
        output.append(",\"sourceErrors\":[")
        for (index, error) in sourceErrors.enumerated() {
            output.append(index > 0 ? ",{\"source\":" : "{\"source\":")
            output.appendJSONString(Array(error.source.utf8).span)
            output.append(",\"reason\":")
            output.appendJSONString(Array(error.damage.reason.rawValue.utf8).span)
            output.append(",\"offset\":")
            output.appendDecimal(error.damage.offset)
            output.append("}")
        }
        output.append("]")
        field("groups", groups)
        field("spilledBytes", spilledBytes)
        field("peakResidentBytes", peakResidentBytes)
        output.append(",\"seconds\":")
        let milliseconds = UInt64((seconds * 1000).rounded())
        output.appendDecimal(milliseconds / 1000)
        output.append(".")
        let fraction = String(milliseconds % 1000)
        output.append(contentsOf: (String(repeating: "0", count: 3 - fraction.count) + fraction).utf8)
        output.append("}\n")
        return output
    }
}
