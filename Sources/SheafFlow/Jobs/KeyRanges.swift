import SheafBytes
import SheafGroups

/// Ranges of keys that a job's state is cut into.
///
///     keys     k₁      k₂      k₃            the first keys of ranges 1, 2 and 3
///     ranges   0   │   1   │   2   │   3
///
/// There may be fewer keys than ranges: the last ranges are empty then. Unless groups are the unit, both sections are cut
/// at the same keys, so that a range has the notifications of its groups.
struct KeyRanges: Equatable, Sendable {
    let unit: RangeKey.Unit
    let count: Int
    /// In ascending order, without equal ones.
    let groups: [StoredKey]
    let identities: [StoredKey]
    /// The scopes of all removals of the job; nil if they are not known.
    let removals: RemovedScopes?
    /// Identifies the ranges: slices by different ranges don't fit together.
    let digest: UInt64

    init(
        of unit: RangeKey.Unit, count: Int, removals: RemovedScopes?, groups: [StoredKey],
        identities: [StoredKey]
    ) {
        (self.unit, self.count, self.removals) = (unit, count, removals)
        (self.groups, self.identities) = (groups, identities)
        var output = OutputBuffer()
        output.appendNumber(unit.rawValue)
        output.appendNumber(UInt64(count))
        for keys in [identities, groups] {
            output.appendNumber(UInt64(keys.count))
            for key in keys { output.appendText(key.bytes.span) }
        }
        if let removals { output.appendNumber(removals.digest) }
        digest = output.bytes.stableHash(seed: 0)
    }

    /// Returns the key at which the range after a range begins; nil if all further records are in the range.
    func end(of range: Int, of kind: Slice.Kind) -> StoredKey? {
        let keys = kind == .identities ? identities : groups
        return range < keys.count ? keys[range] : nil
    }
}

/// A file of keys: those of ranges, or a sample from which ranges are made.
///
/// It has frames (`FrameReader`) with the magic `SHKEY`, version 2. Its header is
///
///     flags: 1 by device, 2 a sample, 4 by person, 8 removals | the number of ranges, 0 for a sample
///
/// Each record of the notifications' and the groups' section is a key in ascending order, in a sample after the size of
/// the records that it stands for:
///
///     [bytes |] device | app | thread or identifier | 0, or 1 | order
///
/// With flag 8, each record of section 4 is the hash of a removal's scope, in ascending order, minus the previous one.
enum KeyFile {
    case ranges(KeyRanges)
    case sample(RangeKeySample)

    private static let sampleFlag: UInt64 = 2
    private static let removalsFlag: UInt64 = 8

    /// Reads a file.
    ///
    /// - Parameter limit: the number of keys that are kept of each section of a sample.
    /// - Throws: `ReplayError` if the file can't be opened or is damaged.
    static func read(
        _ path: String, limit: Int = .max / 4, storage: any Storage
    ) throws(ReplayError) -> KeyFile {
        let file = StateFile(path: path, magic: .keys)
        let (header, _, _) = try StateReader.onlyRecord(
            of: .header, file, storage, checksRemainder: false, Self.header)
        let scopes = try RemovedScopes(sorted: removedScopes(in: file, storage))
        // Version 1 has no removals.
        if !scopes.hashes.isEmpty, !header.knowsRemovals {
            throw .damaged(path: path, .content, offset: 0)
        }
        let removals = header.knowsRemovals ? scopes : nil
        guard header.count > 0 else {
            var sample = RangeKeySample(of: header.unit, limit: limit, removals: removals)
            try forEachKey(.notifications, of: file, isSample: true, storage) {
                sample.identities.add($1, byteCount: $0)
            }
            try forEachKey(.groups, of: file, isSample: true, storage) {
                sample.groups.add($1, byteCount: $0)
            }
            return .sample(sample)
        }
        var (identities, groups): ([StoredKey], [StoredKey]) = ([], [])
        try forEachKey(.notifications, of: file, isSample: false, storage) { identities.append($1) }
        try forEachKey(.groups, of: file, isSample: false, storage) { groups.append($1) }
        guard max(identities.count, groups.count) < header.count,
            header.unit == .group || identities == groups
        else { throw .damaged(path: path, .content, offset: 0) }
        return .ranges(
            KeyRanges(
                of: header.unit, count: header.count, removals: removals, groups: groups,
                identities: identities))
    }

    /// Reads ranges.
    static func readRanges(_ path: String, storage: any Storage) throws(ReplayError) -> KeyRanges {
        guard case .ranges(let ranges) = try read(path, storage: storage) else {
            throw .usage("'\(path)' is a sample of keys: make ranges of it first")
        }
        return ranges
    }

    /// Reads a sample.
    static func readSample(
        _ path: String, limit: Int, storage: any Storage
    ) throws(ReplayError) -> RangeKeySample {
        guard case .sample(let sample) = try read(path, limit: limit, storage: storage) else {
            throw .usage("'\(path)' has ranges already: they are made of partial results and samples of keys")
        }
        return sample
    }

    /// Writes a file. A sample must be sorted.
    func write(to output: any ByteOutput) throws(ReplayError) {
        let (unit, count, removals) =
            switch self {
            case .ranges(let ranges): (ranges.unit, ranges.count, ranges.removals)
            case .sample(let sample): (sample.unit, 0, sample.removals)
            }
        var writer = try StateWriter(output, magic: .keys)
        var record = OutputBuffer()
        record.appendNumber(
            unit.rawValue | (count == 0 ? Self.sampleFlag : 0) | (removals == nil ? 0 : Self.removalsFlag))
        record.appendNumber(UInt64(count))
        try writer.add(record.bytes, to: .header)
        for section in [StateSection.notifications, .groups] {
            switch self {
            case .ranges(let ranges):
                for key in section == .groups ? ranges.groups : ranges.identities {
                    try writer.add(key.bytes.span, to: section)
                }
            case .sample(let sample):
                for item in (section == .groups ? sample.groups : sample.identities).items {
                    record.removeAll()
                    record.appendNumber(item.byteCount)
                    record.append(item.key.bytes.span)
                    try writer.add(record.bytes, to: section)
                }
            }
        }
        var last: UInt32 = 0
        for hash in removals?.hashes ?? [] {
            record.removeAll()
            record.appendNumber(UInt64(hash - last))
            try writer.add(record.bytes, to: .counts)
            last = hash
        }
        try writer.end()
    }

    /// Decodes a header; nil if it is invalid.
    private static func header(
        _ bytes: Span<UInt8>
    ) -> (unit: RangeKey.Unit, count: Int, knowsRemovals: Bool)? {
        var reader = ByteReader(bytes)
        let flags = reader.number()
        let count = Int(reader.number(upTo: UInt64(Limits.partitionsRange.upperBound)))
        guard reader.isValid, reader.isAtEnd, (count == 0) == (flags & sampleFlag != 0),
            let unit = RangeKey.Unit(rawValue: flags & ~(sampleFlag | removalsFlag))
        else { return nil }
        return (unit, count, flags & removalsFlag != 0)
    }

    /// Returns the hashes of the scopes of removals.
    private static func removedScopes(
        in file: StateFile, _ storage: any Storage
    ) throws(ReplayError) -> [UInt32] {
        var hashes: [UInt32] = []
        var reader = try StateReader(file, section: .counts, storage: storage)
        while try reader.advance() {
            var record = ByteReader(reader.bytes)
            let difference = record.number(upTo: UInt64(UInt32.max - (hashes.last ?? 0)))
            guard record.isValid, record.isAtEnd, difference > 0 || hashes.isEmpty,
                hashes.count < Limits.removedScopes
            else { throw reader.damage() }
            hashes.append((hashes.last ?? 0) + UInt32(difference))
        }
        return hashes
    }

    /// Calls `body` with each key of a section, and with the size of the records that it stands for in a sample.
    private static func forEachKey(
        _ section: StateSection, of file: StateFile, isSample: Bool, _ storage: any Storage,
        _ body: (UInt64, StoredKey) -> Void
    ) throws(ReplayError) {
        var reader = try StateReader(file, section: section, storage: storage)
        var last: StoredKey?
        while try reader.advance() {
            let bytes = reader.bytes
            var record = ByteReader(bytes)
            let byteCount = isSample ? record.number() : 0
            let key = RangeKey(&record)
            guard record.isValid, record.isAtEnd else { throw reader.damage() }
            let stored = StoredKey(key, in: bytes)
            let order = last?.compare(to: stored, newestFirst: section == .groups) ?? -1
            guard order < 0 || isSample && order == 0 else { throw reader.damage() }
            last = stored
            body(byteCount, stored)
        }
    }
}

extension PartialHeader {
    /// What ranges of the state keep together.
    var unit: RangeKey.Unit { input.division != nil ? .person : byDevice ? .app : .group }

    /// Whether the removals of a job decide which of its notifications are shown, besides newer versions: nothing else does
    /// unless delivery is tracked.
    var isDecidedByRemovals: Bool { input.appliesRemovals && !input.hasTraits }
}
