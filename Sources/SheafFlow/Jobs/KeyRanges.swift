import SheafBytes
import SheafGroups

/// Ranges of keys that a job's state is cut into, and the file that they are stored in.
///
///     keys     k₁      k₂      k₃            the first keys of ranges 1, 2 and 3
///     ranges   0   │   1   │   2   │   3
///
/// There may be fewer keys than ranges: the last ranges are empty then. If groups are separated by device, both
/// sections are cut at the same keys, so that a range has the notifications of its groups.
///
/// The file is one of frames (`FrameReader`) with the magic `SHKEY`, version 1. Its header is
///
///     flags: 1 by device, 2 a sample | the number of ranges, 0 for a sample
///
/// Each record of the notifications' and the groups' section is a key in ascending order, in a sample after the size of
/// the records that it stands for:
///
///     [bytes |] device | app | thread or identifier | 0, or 1 | order
struct KeyRanges: Equatable, Sendable {
    let byDevice: Bool
    let count: Int
    /// In ascending order, without equal ones.
    let groups: [StoredKey]
    let identities: [StoredKey]
    /// Identifies the ranges: slices by different ranges don't fit together.
    let digest: UInt64

    init(byDevice: Bool, count: Int, groups: [StoredKey], identities: [StoredKey]) {
        (self.byDevice, self.count) = (byDevice, count)
        (self.groups, self.identities) = (groups, identities)
        var output = OutputBuffer()
        output.appendNumber(byDevice ? 1 : 0)
        output.appendNumber(UInt64(count))
        for keys in [identities, groups] {
            output.appendNumber(UInt64(keys.count))
            for key in keys { output.appendText(key.bytes.span) }
        }
        digest = output.bytes.stableHash(seed: 0)
    }

    /// Returns the key at which the range after a range begins; nil if all further records are in the range.
    func end(of range: Int, of kind: Slice.Kind) -> StoredKey? {
        let keys = kind == .identities ? identities : groups
        return range < keys.count ? keys[range] : nil
    }
}

// MARK: - File

/// Reads and writes files with keys.
enum KeyFile {
    private static let byDeviceFlag: UInt64 = 1
    private static let sampleFlag: UInt64 = 2

    static func write(_ ranges: KeyRanges, to output: any ByteOutput) throws(ReplayError) {
        var writer = try begin(byDevice: ranges.byDevice, count: ranges.count, output)
        for (section, keys) in [(StateSection.notifications, ranges.identities), (.groups, ranges.groups)] {
            for key in keys { try writer.add(key.bytes.span, to: section) }
        }
        try writer.end()
    }

    static func write(_ sample: KeySample, to output: any ByteOutput) throws(ReplayError) {
        var writer = try begin(byDevice: sample.byDevice, count: 0, output)
        var record = OutputBuffer()
        for (section, keys) in [(StateSection.notifications, sample.identities), (.groups, sample.groups)] {
            // Sorted by `KeySample.sort`.
            for item in keys.items {
                record.removeAll()
                record.appendNumber(item.byteCount)
                record.append(item.key.bytes.span)
                try writer.add(record.bytes, to: section)
            }
        }
        try writer.end()
    }

    private static func begin(
        byDevice: Bool, count: Int, _ output: any ByteOutput
    ) throws(ReplayError) -> StateWriter {
        var writer = try StateWriter(output, magic: .keys)
        var header = OutputBuffer()
        header.appendNumber((byDevice ? byDeviceFlag : 0) | (count == 0 ? sampleFlag : 0))
        header.appendNumber(UInt64(count))
        try writer.add(header.bytes, to: .header)
        return writer
    }

    /// Reads ranges.
    ///
    /// - Throws: `ReplayError` if the file can't be opened, is damaged, or has no ranges.
    static func ranges(_ path: String, storage: any Storage) throws(ReplayError) -> KeyRanges {
        let file = StateFile(path: path, magic: .keys)
        let header = try header(of: file, storage)
        guard header.count > 0 else {
            throw .usage("'\(path)' is a sample of keys: make ranges of it first")
        }
        var keys: [[StoredKey]] = []
        for (section, newestFirst) in [(StateSection.notifications, false), (.groups, true)] {
            var found: [StoredKey] = []
            try forEach(section, newestFirst: newestFirst, of: file, isSample: false, storage) {
                found.append($1)
            }
            keys.append(found)
        }
        guard keys.allSatisfy({ $0.count < header.count }), !header.byDevice || keys[0] == keys[1] else {
            throw .damaged(path: path, .content, offset: 0)
        }
        return KeyRanges(
            byDevice: header.byDevice, count: header.count, groups: keys[1], identities: keys[0])
    }

    /// Adds a file's keys to a sample.
    ///
    /// - Throws: `ReplayError` if the file can't be opened, is damaged, is not a sample, or has keys of another kind.
    static func read(
        _ path: String, into sample: inout KeySample?, limit: Int, storage: any Storage
    ) throws(ReplayError) {
        let file = StateFile(path: path, magic: .keys)
        let header = try header(of: file, storage)
        guard header.count == 0 else {
            throw .usage("'\(path)' has ranges already: they are made of partial results and samples of keys")
        }
        var found = KeySample(byDevice: header.byDevice, limit: limit)
        try forEach(.notifications, newestFirst: false, of: file, isSample: true, storage) {
            found.identities.add($1, byteCount: $0)
        }
        try forEach(.groups, newestFirst: true, of: file, isSample: true, storage) {
            found.groups.add($1, byteCount: $0)
        }
        try KeySample.add(found, of: path, to: &sample)
    }

    /// Returns what a file has: the ranges, or the numbers of keys in a sample.
    static func summary(
        _ path: String, storage: any Storage
    ) throws(ReplayError) -> (byDevice: Bool, count: (identities: Int, groups: Int), ranges: KeyRanges?) {
        let header = try header(of: StateFile(path: path, magic: .keys), storage)
        guard header.count == 0 else {
            return (header.byDevice, (0, 0), try ranges(path, storage: storage))
        }
        var sample: KeySample?
        try read(path, into: &sample, limit: .max / 4, storage: storage)
        return (header.byDevice, (sample?.identities.items.count ?? 0, sample?.groups.items.count ?? 0), nil)
    }

    /// Whether a file has keys.
    static func isKeyFile(_ path: String, storage: any Storage) -> Bool {
        guard let file = try? storage.openForReading(path) else { return false }
        defer { file.close() }
        return FrameMagic.keys.matches(SourceHead.inflated(file, upTo: FrameMagic.byteCount))
    }

    private static func header(
        of file: StateFile, _ storage: any Storage
    ) throws(ReplayError) -> (byDevice: Bool, count: Int) {
        try StateReader.onlyRecord(of: .header, file, storage, checksRemainder: false) {
            bytes -> (Bool, Int)? in
            var reader = ByteReader(bytes)
            let flags = reader.number(upTo: byDeviceFlag | sampleFlag)
            let count = Int(reader.number(upTo: UInt64(Limits.partitionsRange.upperBound)))
            guard reader.isValid, reader.isAtEnd, (count == 0) == (flags & sampleFlag != 0) else {
                return nil
            }
            return (flags & byDeviceFlag != 0, count)
        }
        .value
    }

    /// Calls `body` with each key of a section.
    private static func forEach(
        _ section: StateSection, newestFirst: Bool, of file: StateFile, isSample: Bool,
        _ storage: any Storage, _ body: (UInt64, StoredKey) -> Void
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
            let order = last?.compare(to: stored, newestFirst: newestFirst) ?? -1
            guard order < 0 || isSample && order == 0 else { throw reader.damage() }
            last = stored
            body(byteCount, stored)
        }
    }
}
