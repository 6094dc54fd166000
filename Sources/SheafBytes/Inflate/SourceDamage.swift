/// Damage in a source, or an unsupported format, and where it was found: nothing can be read from there on.
///
/// Everything decoded before it is valid and is used (specification §1).
public struct SourceDamage: Error, Equatable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
        /// The source ends inside a gzip member.
        case truncated = "gzip.truncated"
        /// A member's header is not a valid gzip header.
        case badHeader = "gzip.header"
        /// A compressed block violates the rules of DEFLATE.
        case corrupt = "gzip.corrupt"
        /// A member's bytes do not match the checksum in its trailer.
        case badChecksum = "gzip.crc"
        /// The number of a member's bytes does not match the length in its trailer.
        case badLength = "gzip.length"
        /// Bytes after the last member are neither a member nor zero padding.
        case trailingGarbage = "gzip.garbage"

        /// The source ends inside a zstd frame.
        case zstdTruncated = "zstd.truncated"
        /// A frame's header or one of its blocks is invalid, or the frame does not have the length in its header.
        case zstdCorrupt = "zstd.corrupt"
        /// A frame's bytes do not match the checksum after it.
        case zstdChecksum = "zstd.checksum"
        /// A frame's window is larger than 128 MiB.
        case zstdWindow = "zstd.window"
        /// A frame was compressed with a dictionary.
        case zstdDictionary = "zstd.dictionary"
        /// Bytes after the last frame are neither a frame nor zero padding.
        case zstdGarbage = "zstd.garbage"

        // Unsupported formats: no part of the source was used. At offset 0 the source itself has the format; at a
        // larger offset, it is inside a gzip member or a zstd frame.
        case bzip2 = "format.bzip2"
        case xz = "format.xz"
        case zip = "format.zip"
        /// Only inside gzip or zstd: zstd data itself is supported.
        case zstd = "format.zstd"
        case lz4 = "format.lz4"
        case snappy = "format.snappy"
        case zlib = "format.zlib"
        /// Only inside gzip or zstd: gzip data itself is supported.
        case gzip = "format.gzip"
        case utf16 = "format.utf-16"
        case utf16LittleEndian = "format.utf-16le"
        case utf16BigEndian = "format.utf-16be"
        case utf32 = "format.utf-32"
        case parquet = "format.parquet"
        case avro = "format.avro"
        /// A partial result, which can be merged but not replayed.
        case partialResult = "format.partial"
        /// A file in which a run keeps spilled state or a checkpoint.
        case runState = "format.state"
        /// The output of a replay.
        case snapshot = "format.snapshot"
    }

    public let reason: Reason
    /// The offset in the compressed source at which the damage was found. For a truncation, this is the length of the
    /// source; for a checksum or a length, the offset of that field; for a window or a dictionary, the offset of the
    /// frame; for a corrupt zstd frame, the offset of its header or of the block.
    public let offset: UInt64

    package init(reason: Reason, offset: UInt64) {
        self.reason = reason
        self.offset = offset
    }

    /// Whether the damage cut off the data of a member or a frame, so that the line before it may be incomplete.
    package var truncatesData: Bool {
        switch reason {
        case .truncated, .corrupt, .zstdTruncated, .zstdCorrupt, .zstdWindow, .zstdDictionary: true
        default: false
        }
    }

    /// Whether the source has an unsupported format, so that no part of it was used.
    public var isForeign: Bool { reason.rawValue.hasPrefix("format.") }

    /// Whether the unsupported format is inside a gzip source.
    public var isInsideGzip: Bool { isForeign && offset > 0 && !isInsideZstd }

    /// Whether the unsupported format is inside a zstd source.
    package var isInsideZstd: Bool { isForeign && offset == Self.zstdContentOffset }

    /// The offset that is reported for a format inside gzip: a member's data follows a header of at least ten bytes.
    package static let gzipContentOffset: UInt64 = 10
    /// The offset that is reported for a format inside zstd: a frame's data follows a header of at least six bytes and
    /// the header of a block.
    package static let zstdContentOffset: UInt64 = 9
}

extension SourceDamage.Reason {
    /// The name of an unsupported format in messages; nil for damaged data.
    package var format: String? {
        switch self {
        case .truncated, .badHeader, .corrupt, .badChecksum, .badLength, .trailingGarbage: nil
        case .zstdTruncated, .zstdCorrupt, .zstdChecksum, .zstdWindow, .zstdDictionary, .zstdGarbage: nil
        case .bzip2: "bzip2 data"
        case .xz: "xz data"
        case .zip: "zip data"
        case .zstd: "zstd data"
        case .lz4: "lz4 data"
        case .snappy: "snappy data"
        case .zlib: "zlib data"
        case .gzip: "gzip data"
        case .utf16, .utf16LittleEndian, .utf16BigEndian: "UTF-16 text"
        case .utf32: "UTF-32 text"
        case .parquet: "Parquet data"
        case .avro: "Avro data"
        case .partialResult: "a partial result"
        case .runState: "the state of an unfinished run"
        case .snapshot: "a snapshot"
        }
    }
}

extension SourceDamage: CustomStringConvertible {
    private var container: String { isInsideZstd ? "inside zstd " : isInsideGzip ? "inside gzip " : "" }

    public var description: String {
        switch reason {
        case .truncated: "the gzip data ends in the middle of a member, at byte \(offset)"
        case .badHeader: "not a valid gzip header at byte \(offset)"
        case .corrupt: "the compressed data is corrupt at byte \(offset)"
        case .badChecksum: "the checksum at byte \(offset) does not match the data before it"
        case .badLength: "the length at byte \(offset) does not match the data before it"
        case .trailingGarbage: "bytes after the last gzip member are not gzip data, at byte \(offset)"
        case .zstdTruncated: "the zstd data ends in the middle of a frame, at byte \(offset)"
        case .zstdCorrupt: "the zstd data is corrupt at byte \(offset)"
        case .zstdChecksum: "the checksum at byte \(offset) does not match the data before it"
        case .zstdWindow: "the zstd frame at byte \(offset) has a window of more than 128 MiB"
        case .zstdDictionary: "the zstd frame at byte \(offset) was compressed with a dictionary"
        case .zstdGarbage: "bytes after the last zstd frame are not zstd data, at byte \(offset)"
        case .partialResult, .runState, .snapshot: "\(reason.format ?? ""), not a log"
        default: "\(reason.format ?? "") \(container)is not supported"
        }
    }
}

extension SourceDamage.Reason {
    /// The number of bytes at the start of a source that are examined for its format.
    package static let headBytes = 4096

    /// Detects a format other than text and gzip from the first bytes of a source; nil for these two, and for unknown
    /// formats.
    ///
    /// A magic number that could be text counts only if the bytes are not text.
    package init?(head: [UInt8]) {
        for (format, magic) in Self.magics where head.starts(with: magic) {
            self = format
            return
        }
        if Self.isBzip2(head) {
            self = .bzip2
        } else if ZstdFrameHeader.isMagic(head) {
            self = .zstd
        } else if let format = Self.wideText(head) {
            self = format
        } else if head.starts(with: Array("PAR1".utf8)), head.count >= 12, !Self.isText(head) {
            self = .parquet
        } else if Self.isZlib(head) {
            self = .zlib
        } else {
            return nil
        }
    }

    /// Each contains a byte that never occurs in text.
    private static let magics: [(format: Self, magic: [UInt8])] = [
        (.xz, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
        (.zip, [0x50, 0x4b, 0x03, 0x04]),
        // An archive without files.
        (.zip, [0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0]),
        (.lz4, [0x04, 0x22, 0x4d, 0x18]),
        (.lz4, [0x02, 0x21, 0x4c, 0x18]),
        (.snappy, [0xff, 0x06, 0x00, 0x00] + Array("sNaPpY".utf8)),
        (.utf32, [0xff, 0xfe, 0x00, 0x00]),
        (.utf32, [0x00, 0x00, 0xfe, 0xff]),
        (.avro, Array("Obj".utf8) + [0x01]),
    ]

    /// Returns whether the bytes are "BZh", a digit for the block size, and the magic of the first block or, in an
    /// empty file, of the end.
    private static func isBzip2(_ head: [UInt8]) -> Bool {
        guard head.count >= 10, head.starts(with: Array("BZh".utf8)),
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(head[3])
        else { return false }
        return head[4..<10] == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
            || head[4..<10] == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
    }

    /// Detects UTF-16, with or without a byte order mark: the first two characters are ASCII, as in every JSON text,
    /// so one byte of each is zero.
    private static func wideText(_ head: [UInt8]) -> Self? {
        func isASCII(at index: Int, zeroFirst: Bool) -> Bool {
            guard index + 1 < head.count else { return false }
            let (byte, other) = zeroFirst ? (head[index + 1], head[index]) : (head[index], head[index + 1])
            return other == 0
                && (byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                    || (0x20..<0x7f).contains(byte))
        }
        if head.starts(with: [0xff, 0xfe]), isASCII(at: 2, zeroFirst: false) { return .utf16 }
        if head.starts(with: [0xfe, 0xff]), isASCII(at: 2, zeroFirst: true) { return .utf16 }
        for zeroFirst in [false, true] {
            guard isASCII(at: 0, zeroFirst: zeroFirst), isASCII(at: 2, zeroFirst: zeroFirst) else { continue }
            let pairs = stride(from: 0, to: min(head.count, 512) - 1, by: 2)
            let zeros = pairs.count { head[$0 + (zeroFirst ? 0 : 1)] == 0 }
            let hasOthers = pairs.contains { head[$0 + (zeroFirst ? 1 : 0)] == 0 }
            // At least four characters, most of them ASCII: one line of garbage does not make the whole file UTF-16.
            if pairs.underestimatedCount >= 4, zeros * 2 > pairs.underestimatedCount, !hasOthers {
                return zeroFirst ? .utf16BigEndian : .utf16LittleEndian
            }
        }
        return nil
    }

    /// Returns whether the bytes are a zlib stream. Text, too, can start with the two bytes of its header (RFC 1950),
    /// so the bytes must not be text, and must inflate.
    private static func isZlib(_ head: [UInt8]) -> Bool {
        guard head.count > 2, head[0] & 0x0f == 8, head[0] >> 4 <= 7, head[1] & 0x20 == 0,
            (Int(head[0]) << 8 | Int(head[1])) % 31 == 0, !isText(head)
        else { return false }
        let stream = InflateStream()
        defer { stream.close() }
        var output = [UInt8](repeating: 0, count: 1 << 16)
        var target = output.mutableSpan
        let (_, produced, outcome) = stream.inflate(
            head.span.extracting(droppingFirst: 2), into: &target)
        return outcome == .finished || outcome == .progress && produced > 0
    }

    /// Returns whether the bytes are UTF-8 without control characters, except for a character that is cut off at the
    /// end.
    private static func isText(_ head: [UInt8]) -> Bool {
        let hasControls = head.contains {
            $0 < 0x20 && !(0x09...0x0d).contains($0) && $0 != 0x1b || $0 == 0x7f
        }
        guard !hasControls else { return false }
        let cuts = 0...min(3, head.count)
        return cuts.contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }
}
