/// What is wrong with a compressed source, and where: the end of what can be read from it.
///
/// Everything that was decoded before it is good and is used (specification §1).
public struct SourceDamage: Error, Equatable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
        /// The source ends inside a gzip member.
        case truncated = "gzip.truncated"
        /// A member's header is not one that gzip has.
        case badHeader = "gzip.header"
        /// A compressed block breaks the rules of DEFLATE.
        case corrupt = "gzip.corrupt"
        /// A member's bytes do not have the checksum that its trailer says.
        case badChecksum = "gzip.crc"
        /// A member's bytes are not as many as its trailer says.
        case badLength = "gzip.length"
        /// Bytes after the last member are neither a member nor zero padding.
        case trailingGarbage = "gzip.garbage"

        // A format that is not read: nothing of the source was used. At offset 0 the source itself has it, at a larger
        // one a gzip member holds it.
        case bzip2 = "format.bzip2"
        case xz = "format.xz"
        case zip = "format.zip"
        case zstd = "format.zstd"
        case lz4 = "format.lz4"
        case snappy = "format.snappy"
        case zlib = "format.zlib"
        /// Only inside gzip: gzip data itself is read.
        case gzip = "format.gzip"
        case utf16 = "format.utf-16"
        case utf16LittleEndian = "format.utf-16le"
        case utf16BigEndian = "format.utf-16be"
        case utf32 = "format.utf-32"
        case parquet = "format.parquet"
        case avro = "format.avro"
        /// A partial result, which is merged and not replayed.
        case partialResult = "format.partial"
        /// A file that a run keeps for spilled state or for a checkpoint.
        case runState = "format.state"
        /// What a replay wrote.
        case snapshot = "format.snapshot"
    }

    public let reason: Reason
    /// Bytes from the start of the compressed source: where the damage was met. For a truncation the source's
    /// length, for a checksum or a length the place of that field.
    public let offset: UInt64

    public init(reason: Reason, offset: UInt64) {
        self.reason = reason
        self.offset = offset
    }

    /// Whether the damage cut a member's data off, so that the line before it may be a half one.
    public var cutsData: Bool {
        switch reason {
        case .truncated, .corrupt: true
        default: false
        }
    }

    /// Whether the source is of a format that is not read, so that nothing of it was used.
    public var isForeign: Bool { reason.rawValue.hasPrefix("format.") }

    /// Whether a gzip source holds the format that is not read.
    public var isInsideGzip: Bool { isForeign && offset > 0 }
}

extension SourceDamage.Reason {
    /// The name of a format that is not read, in messages; nil for gzip data that is damaged.
    public var format: String? {
        switch self {
        case .truncated, .badHeader, .corrupt, .badChecksum, .badLength, .trailingGarbage: nil
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
    public var description: String {
        switch reason {
        case .truncated: "the gzip data ends in the middle of a member, at byte \(offset)"
        case .badHeader: "not a valid gzip header at byte \(offset)"
        case .corrupt: "the compressed data is corrupt at byte \(offset)"
        case .badChecksum: "the checksum at byte \(offset) does not match the data before it"
        case .badLength: "the length at byte \(offset) does not match the data before it"
        case .trailingGarbage: "bytes after the last gzip member are not gzip data, at byte \(offset)"
        case .partialResult, .runState, .snapshot: "\(reason.format ?? ""), not a log"
        default: "\(reason.format ?? "") \(isInsideGzip ? "inside gzip " : "")is not supported"
        }
    }
}
