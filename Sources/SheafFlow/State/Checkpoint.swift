import SheafBytes
import SheafGroups

/// The progress of a replay as stored on disk: the data that a run of the same command needs to resume.
///
/// The state itself, groups and notifications, is in the files that the checkpoint names.
struct Checkpoint: Equatable, Sendable {
    /// The options and sources that the state depends on. A checkpoint of a run with other ones is refused.
    var header: PartialHeader
    var maximumLine: Int
    var keepsRejects: Bool
    /// The profile whose rules the records were read by; nil in a checkpoint of version 2.
    var profile: Profile?
    /// The identities of the sources' bytes, by ordinal.
    var identities: [SourceIdentity]
    /// The progress of each source, by ordinal.
    var progress: [SourceProgress]
    /// The rejected lines that are kept, by source. Sources without any are absent.
    var rejects: [Int: SpoolContents]
    /// The counts up to this checkpoint.
    var counts: RunCounts
    /// The names of the spilled runs, sorted state in the checkpoint's folder.
    var runs: [String]
    /// The names of the files with the state that was in memory, whose records are in any order.
    var dumps: [String]
    /// The progress of live snapshots; nil if they are written at the end.
    var stream: StreamProgress?
    /// The number of the next state file.
    var nextNumber: Int
}

/// The progress of reading a source.
enum SourceProgress: Equatable, Sendable {
    /// Read up to this position, which is the start if the source has not been opened yet.
    case position(SourcePosition)
    /// Read completely, or up to where the source is damaged.
    case ended
}

/// Properties of a source that reveal whether it has changed.
struct SourceIdentity: Equatable, Sendable {
    var size: UInt64
    /// The modification time, in nanoseconds since 1970.
    var modified: Int64
    /// The CRC-32 of the first `headBytes` bytes.
    var head: UInt32

    /// The number of bytes that `head` covers; fewer for a shorter source.
    static let headBytes = 4096

    /// Determines the current identity of a source.
    init(_ source: Source, storage: any Storage) throws(ReplayError) {
        do throws(StorageError) {
            let status = try storage.status(of: source.path)
            size = status?.size ?? 0
            modified = status?.modified ?? 0
            let file = try storage.openForReading(source.path)
            defer { file.close() }
            head = try Self.checksum(of: file)
        } catch {
            throw .source(path: source.path, reason: "cannot be opened: \(error.reason)")
        }
    }

    init(size: UInt64, modified: Int64, head: UInt32) {
        self.size = size
        self.modified = modified
        self.head = head
    }

    private static func checksum(of file: any ReadableFile) throws(StorageError) -> UInt32 {
        var file: any ByteInput = file
        var bytes = [UInt8](repeating: 0, count: headBytes)
        var count = 0
        try file.fill(&bytes, count: &count)
        var checksum = Checksum()
        checksum.update(bytes.span.extracting(first: count))
        return checksum.value
    }

    /// Describes what has changed; nil if nothing has.
    func difference(to now: SourceIdentity) -> String? {
        if size != now.size { return "it had \(size) bytes and now has \(now.size)" }
        if modified != now.modified { return "its modification time differs" }
        return head == now.head ? nil : "its first bytes differ"
    }
}

// MARK: - Encoding

// The single record of a checkpoint. Numbers and texts are encoded as for `ByteReader`:
//
//     header, as a text | longest line | reading | next file | counts, as a text
//     | for each source: size | modified, signed | head | progress
//     | rejects: number of sources, then for each: source | bytes | checksum plus one, or 0 if it is not known
//     | runs: count, then for each: name | dumps: count, then for each: name
//     | with live snapshots: their progress, see `StreamProgress`
//
//     reading      1 if rejects are kept, plus 2 for the rules of iOS 12 or 4 for those of iOS 15; neither in version 2;
//                  plus 8 with live snapshots, plus 16 if rejects may have checksums: always since version 4
//     progress     0 ended
//                  1 position: inflated bytes | next line | restart point: offset | inflated bytes | kind
//     kind         0 start · 1 plain · 2 between members · 4 between zstd frames
//                  3 block: unused bits | bits | window, as a text | checksum | length

extension Checkpoint {
    func append(to output: inout OutputBuffer) {
        var part = OutputBuffer()
        header.append(to: &part)
        output.appendText(part.bytes)
        output.appendNumber(UInt64(maximumLine))
        output.appendNumber(
            (keepsRejects ? ReadingTag.keepsRejects : 0) | ReadingTag.number(of: profile)
                | (stream == nil ? 0 : ReadingTag.isStream) | ReadingTag.hasChecksums)
        output.appendNumber(UInt64(nextNumber))
        part.removeAll()
        counts.append(to: &part, input: header.input)
        output.appendText(part.bytes)
        for (identity, progress) in zip(identities, progress) {
            output.appendNumber(identity.size)
            output.appendSignedNumber(identity.modified)
            output.appendNumber(UInt64(identity.head))
            progress.append(to: &output)
        }
        output.appendNumber(UInt64(rejects.count))
        for (source, contents) in rejects.orderedByKey() {
            output.appendNumber(UInt64(source))
            output.appendNumber(contents.byteCount)
            output.appendNumber(contents.checksum.map { UInt64($0) + 1 } ?? 0)
        }
        for names in [runs, dumps] {
            output.appendNumber(UInt64(names.count))
            for name in names { output.appendText(name) }
        }
        stream?.append(to: &output)
    }

    /// Decodes a checkpoint; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        let headerText = reader.text()
        maximumLine = Int(reader.number(upTo: UInt64(Limits.lineBytesRange.upperBound)))
        let reading = reader.number(upTo: ReadingTag.maximum)
        keepsRejects = reading & ReadingTag.keepsRejects != 0
        profile = ReadingTag.profile(reading)
        nextNumber = Int(reader.number(upTo: UInt64(UInt32.max)))
        let countsText = reader.text()
        guard reader.isValid, ReadingTag.isValid(reading), let header = PartialHeader(bytes[headerText]),
            let counts = RunCounts(
                bytes[countsText], sources: header.sources.ordinals, input: header.input)
        else { return nil }
        self.header = header
        self.counts = counts
        identities = []
        progress = []
        for _ in header.sources.entries {
            identities.append(
                SourceIdentity(
                    size: reader.number(), modified: reader.signedNumber(),
                    head: UInt32(reader.number(upTo: UInt64(UInt32.max)))))
            guard let source = SourceProgress(&reader, bytes) else { return nil }
            progress.append(source)
        }
        rejects = [:]
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            let source = Int(reader.number(upTo: UInt64(OrderKey.maximumSources)))
            let byteCount = reader.number()
            let checksum =
                reading & ReadingTag.hasChecksums != 0 ? reader.number(upTo: UInt64(UInt32.max) + 1) : 0
            rejects[source] = SpoolContents(
                byteCount: byteCount, checksum: checksum > 0 ? UInt32(checksum - 1) : nil)
        }
        runs = reader.names(bytes, where: CheckpointNames.isSpill)
        dumps = reader.names(bytes, where: CheckpointNames.isDump)
        if reading & ReadingTag.isStream != 0 {
            stream = StreamProgress(&reader, in: bytes, sourceCount: header.sources.count)
        }
        guard reader.isValid, reader.isAtEnd, rejects.keys.allSatisfy({ $0 < header.sources.count }) else {
            return nil
        }
    }
}

extension Checkpoint {
    /// Encodes the options for reading sources that are not part of the header.
    private enum ReadingTag {
        static let keepsRejects: UInt64 = 1
        private static let profiles: [(number: UInt64, profile: Profile)] = [(2, .ios12), (4, .ios15)]
        static let isStream: UInt64 = 8
        static let hasChecksums: UInt64 = 16
        static let maximum: UInt64 = 29
        private static let anyProfile: UInt64 = 6

        /// Whether it names at most one profile.
        static func isValid(_ number: UInt64) -> Bool { number & anyProfile != anyProfile }

        static func number(of profile: Profile?) -> UInt64 {
            profiles.first { $0.profile == profile }?.number ?? 0
        }

        static func profile(_ number: UInt64) -> Profile? {
            profiles.first { $0.number == number & anyProfile }?.profile
        }
    }
}

extension ByteReader {
    /// Reads the names of files that the run may read, and may remove once it no longer needs them. Each must be a name
    /// that `isOwn` accepts and must occur only once.
    fileprivate mutating func names(_ bytes: Span<UInt8>, where isOwn: (String) -> Bool) -> [String] {
        var names: [String] = []
        for _ in 0..<number(upTo: UInt64(remaining)) { names.append(bytes[text()].string) }
        if !names.allSatisfy(isOwn) || Set(names).count < names.count { reject() }
        return names
    }
}

extension SourceProgress {
    private enum Tag {
        static let ended: UInt64 = 0
        static let position: UInt64 = 1
    }

    private enum KindTag {
        static let start: UInt64 = 0
        static let plain: UInt64 = 1
        static let betweenMembers: UInt64 = 2
        static let block: UInt64 = 3
        static let betweenFrames: UInt64 = 4
    }

    fileprivate func append(to output: inout OutputBuffer) {
        guard case .position(let position) = self else { return output.appendNumber(Tag.ended) }
        output.appendNumber(Tag.position)
        output.appendNumber(position.bytesInflated)
        output.appendNumber(position.nextLine)
        output.appendNumber(position.point.offset)
        output.appendNumber(position.point.bytesInflated)
        switch position.point.kind {
        case .start: output.appendNumber(KindTag.start)
        case .plain: output.appendNumber(KindTag.plain)
        case .betweenMembers: output.appendNumber(KindTag.betweenMembers)
        case .betweenFrames: output.appendNumber(KindTag.betweenFrames)
        case .block(let block):
            output.appendNumber(KindTag.block)
            output.appendNumber(UInt64(block.unusedBits))
            output.appendNumber(UInt64(block.bits))
            output.appendText(block.window.span)
            output.appendNumber(UInt64(block.checksum))
            output.appendNumber(UInt64(block.length))
        }
    }

    fileprivate init?(_ reader: inout ByteReader, _ bytes: Span<UInt8>) {
        if reader.number(upTo: Tag.position) == Tag.ended {
            self = .ended
            return
        }
        let (bytesInflated, nextLine) = (reader.number(), reader.number(upTo: OrderKey.maximumLines - 1))
        let (offset, pointInflated) = (reader.number(), reader.number())
        let kind: RestartPoint.Kind
        switch reader.number(upTo: KindTag.betweenFrames) {
        case KindTag.plain: kind = .plain
        case KindTag.betweenMembers: kind = .betweenMembers
        case KindTag.betweenFrames: kind = .betweenFrames
        case KindTag.block:
            let unusedBits = UInt8(reader.number(upTo: 7))
            let bits = UInt8(reader.number(upTo: 127))
            var window: [UInt8] = []
            window.append(bytes[reader.text()])
            let checksum = UInt32(reader.number(upTo: UInt64(UInt32.max)))
            let length = UInt32(reader.number(upTo: UInt64(UInt32.max)))
            guard
                let block = RestartPoint.Block(
                    restoring: unusedBits, bits: bits, window: window, checksum: checksum, length: length)
            else { return nil }
            kind = .block(block)
        default: kind = .start
        }
        guard reader.isValid,
            let point = RestartPoint(restoring: kind, offset: offset, bytesInflated: pointInflated),
            let position = SourcePosition(restoring: point, bytesInflated: bytesInflated, nextLine: nextLine)
        else { return nil }
        self = .position(position)
    }
}
