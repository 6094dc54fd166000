import SheafBytes
import SheafGroups
import SheafText

/// The IANA time zone database of the system: a file for each zone in the folder of the environment's `TZDIR`, or else
/// in `/usr/share/zoneinfo`.
private enum TimeZoneDatabase {
    static var folder: String { CurrentProcess.environment("TZDIR") ?? "/usr/share/zoneinfo" }

    /// The files with all names: the database as a text, and the list of its zones.
    private static let lists = ["tzdata.zi", "zone.tab"]
    /// The maximum size of a file, in bytes.
    static let fileBytes = 1 << 20

    /// Whether a name can be one of the database, and no other path.
    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: #/[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*/#) != nil
    }

    /// Returns the names of zones; empty if there is no database.
    static func names(_ storage: any Storage) -> [String] {
        for list in lists {
            guard let bytes = try? storage.contents(of: "\(folder)/\(list)", upTo: fileBytes) else {
                continue
            }
            let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
                let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                switch fields.first {
                case "Z" where fields.count > 1: return String(fields[1])
                case let first? where first == "L" || first.count == 2:
                    return fields.count > 2 ? String(fields[2]) : nil
                default: return nil
                }
            }
            if !names.isEmpty { return names }
        }
        return []
    }
}

extension LocalClock {
    /// Creates the clock of a time zone, with its changes up to the year 2200.
    ///
    /// ```swift
    /// var options = ReplayOptions(sources: ["log.ndjson"])
    /// // Each midnight in Berlin.
    /// options.every = Timeline(step: 86_400_000, clock: try LocalClock(zone: "Europe/Berlin"))
    /// ```
    ///
    /// - Parameter name: the name in the IANA time zone database of the system.
    /// - Throws: `ReplayError.usage` for an unknown name, with the nearest one, or without a database.
    public init(zone name: String) throws(ReplayError) { try self.init(zone: name, storage: SystemStorage()) }

    package init(zone name: String, storage: any Storage) throws(ReplayError) {
        if TimeZoneDatabase.isName(name),
            let bytes = try? storage.contents(
                of: "\(TimeZoneDatabase.folder)/\(name)", upTo: TimeZoneDatabase.fileBytes),
            let clock = LocalClock(name: name, contentsOfFile: bytes.span)
        {
            self = clock
            return
        }
        let names = TimeZoneDatabase.names(storage)
        if names.isEmpty {
            throw .usage(
                "there is no time zone database in \(TimeZoneDatabase.folder): install the package tzdata, or set TZDIR"
            )
        }
        let nearest = Suggestion.nearest(String(name.prefix(64)), known: names)
        throw .usage(
            "no time zone has the name '\(name.prefix(64))'"
                + (nearest.map { "; did you mean '\($0)'?" } ?? ": one is Europe/Berlin"))
    }
}
