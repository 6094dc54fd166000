import SheafBytes

/// The part of a job's state that a partial result has, once `PartialSplit` or `PartialNewest` has cut it by key.
///
///     kind | digest of the ranges | ranges | range
///     newest versions: | identity ranges: count, then for each: number, minus the previous one and 1
///                      | digest of the sources | digest of the rules of delivery, 0 if that is not tracked
struct Slice: Equatable, Sendable {
    enum Kind: UInt64, Sendable {
        /// The groups of a range, without notifications that a newer version may replace.
        case groups = 1
        /// The notifications of a range that a newer version may replace, and what concerns them.
        case identities = 2
        /// The groups of a range that the newest versions of those notifications make up.
        case newest = 3
    }

    let kind: Kind
    /// The digest of the ranges' keys: slices by other ranges don't fit together.
    let digest: UInt64
    /// The number of ranges, for groups and for identities.
    let count: Int
    /// The range: of identities for that kind, else of groups.
    let range: Int
    /// Of newest versions, the ranges of identities that they come from, in ascending order.
    var identityRanges: [Int] = []
    /// Of newest versions, the digest of the sources that they come from (`SourceTable.digest`).
    var sources: UInt64 = 0
    /// Of newest versions, the digest of the rules by which they were delivered; 0 if that is not tracked.
    var delivery: UInt64 = 0

    static func append(_ slice: Slice?, to output: inout OutputBuffer) {
        output.appendNumber(slice?.kind.rawValue ?? 0)
        guard let slice else { return }
        output.appendNumber(slice.digest)
        output.appendNumber(UInt64(slice.count))
        output.appendNumber(UInt64(slice.range))
        guard slice.kind == .newest else { return }
        output.appendNumber(UInt64(slice.identityRanges.count))
        var next = 0
        for range in slice.identityRanges {
            output.appendNumber(UInt64(range - next))
            next = range + 1
        }
        output.appendNumber(slice.sources)
        output.appendNumber(slice.delivery)
    }

    /// Decodes a slice; nil if the file is not a slice. The reader is invalid if the bytes are.
    init?(_ reader: inout ByteReader) {
        let number = reader.number()
        guard reader.isValid, number > 0 else { return nil }
        guard let kind = Kind(rawValue: number) else {
            reader.reject()
            return nil
        }
        self.kind = kind
        digest = reader.number()
        let limit = UInt64(Limits.partitionsRange.upperBound)
        count = Int(reader.number(upTo: limit))
        range = Int(reader.number(upTo: limit))
        if range >= count { reader.reject() }
        guard kind == .newest else { return }
        var next = 0
        let ranges = reader.number(upTo: UInt64(count))
        if ranges == 0 { reader.reject() }
        for _ in 0..<ranges {
            let range = next + Int(reader.number(upTo: limit))
            if range >= count { reader.reject() }
            identityRanges.append(range)
            next = range + 1
        }
        sources = reader.number()
        delivery = reader.number()
    }

    init(
        _ kind: Kind, digest: UInt64, count: Int, range: Int, identityRanges: [Int] = [], sources: UInt64 = 0,
        delivery: UInt64 = 0
    ) {
        (self.kind, self.digest, self.count, self.range) = (kind, digest, count, range)
        (self.identityRanges, self.sources, self.delivery) = (identityRanges, sources, delivery)
    }
}

extension SourceTable {
    /// A digest of all ordinals, names and lines.
    var digest: UInt64 {
        var bytes = OutputBuffer()
        for entry in entries {
            bytes.appendNumber(UInt64(entry.ordinal))
            bytes.appendText(entry.name)
            for number in [entry.lines?.count, entry.lines?.first, entry.lines?.last, entry.lines?.sum] {
                bytes.appendNumber(number ?? 0)
            }
        }
        return bytes.bytes.stableHash(seed: 0)
    }
}
