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
