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
        case .badHeader, .badChecksum, .badLength, .trailingGarbage: false
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
        }
    }
}
