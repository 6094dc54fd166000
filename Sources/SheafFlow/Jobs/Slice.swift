import SheafBytes

/// The part of a job's state that a partial result has, once it has been cut by key.
///
///     kind | digest of the ranges | ranges | range
///     newest versions and measures: | covered ranges: count, then for each: number, minus the previous one and 1
///                      | digest of the sources | digest of the rules of delivery, 0 if that is not tracked
///     measures:        | the groups at the top of the screen whose notifications are not buried
struct Slice: Equatable, Sendable {
    enum Kind: UInt64, Sendable {
        /// The groups of a range, without notifications that are identities.
        case groups = 1
        /// The notifications of a range that a newer version may replace or a removal may apply to, and the records that
        /// apply to them.
        case identities = 2
        /// The groups of a range that the newest versions of those notifications make up.
        case newest = 3
        /// The measures of the people of a range, or of several.
        case measures = 4

        var name: String {
            switch self {
            case .groups: "groups"
            case .identities: "identities"
            case .newest: "newest"
            case .measures: "measures"
            }
        }

        /// Whether a slice is made of all slices of some ranges, and names these.
        var isMade: Bool { self == .newest || self == .measures }
    }

    let kind: Kind
    /// The digest of the ranges' keys: slices by other ranges don't fit together.
    let digest: UInt64
    /// The number of ranges, for groups and for identities.
    let count: Int
    /// The range: of identities for that kind, else of groups. Of measures, the first one.
    var range: Int
    /// The ranges that newest versions or measures come from, in ascending order.
    var covered: [Int] = []
    /// The digest of the sources that newest versions or measures come from (`SourceTable.digest`).
    var sources: UInt64 = 0
    /// The digest of the rules by which newest versions or what is measured were delivered; 0 if that is not tracked.
    var delivery: UInt64 = 0
    /// Of measures, the number of groups at the top of the screen whose notifications are not buried.
    var fold = 0

    static func append(_ slice: Slice?, to output: inout OutputBuffer) {
        output.appendNumber(slice?.kind.rawValue ?? 0)
        guard let slice else { return }
        output.appendNumber(slice.digest)
        output.appendNumber(UInt64(slice.count))
        output.appendNumber(UInt64(slice.range))
        guard slice.kind.isMade else { return }
        output.appendNumber(UInt64(slice.covered.count))
        var next = 0
        for range in slice.covered {
            output.appendNumber(UInt64(range - next))
            next = range + 1
        }
        output.appendNumber(slice.sources)
        output.appendNumber(slice.delivery)
        if slice.kind == .measures { output.appendNumber(UInt64(slice.fold)) }
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
        guard kind.isMade else { return }
        var next = 0
        let ranges = reader.number(upTo: UInt64(count))
        if ranges == 0 { reader.reject() }
        for _ in 0..<ranges {
            let range = next + Int(reader.number(upTo: limit))
            if range >= count { reader.reject() }
            covered.append(range)
            next = range + 1
        }
        sources = reader.number()
        delivery = reader.number()
        guard kind == .measures else { return }
        fold = Int(reader.number(upTo: UInt64(Limits.foldRange.upperBound)))
        if fold == 0 || range != covered.first { reader.reject() }
    }

    init(
        _ kind: Kind, digest: UInt64, count: Int, range: Int, covered: [Int] = [], sources: UInt64 = 0,
        delivery: UInt64 = 0, fold: Int = 0
    ) {
        (self.kind, self.digest, self.count, self.range) = (kind, digest, count, range)
        (self.covered, self.sources, self.delivery, self.fold) = (covered, sources, delivery, fold)
    }
}

extension Slice {
    /// Creates the description of the first range.
    init(_ kind: Kind, of ranges: KeyRanges) {
        self.init(kind, digest: ranges.digest, count: ranges.count, range: 0)
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

// MARK: - Files

/// Writes the slices of a folder one after the other; one is open at a time.
///
/// A slice is in place once it is complete. If a later one fails, `discard` removes those that are.
struct SliceFiles {
    /// Ends with a slash.
    private let folder: String
    private let storage: any Storage
    /// Those that did not exist before.
    private var written: [String] = []
    /// The names of temporary files in the folder: the folder is listed once, not for each slice.
    private let leftovers: [String]
    /// What the names of compressed slices end in; empty if they are not compressed.
    private let suffix: String

    /// - Parameter compression: that of the slices, whose names have its suffix; nil for none.
    /// - Throws: `ReplayError` if the folder can't be created, or a slice would replace one of the files.
    init(
        in folder: String, names: [String], _ compression: OutputCompression?, replacing sources: [Source],
        storage: any Storage
    ) throws(ReplayError) {
        let path = folder.hasSuffix("/") ? folder : folder + "/"
        (self.folder, self.storage) = (path, storage)
        suffix = compression?.suffix ?? ""
        var identities: [FileIdentity: String] = [:]
        for source in sources { if let identity = source.identity { identities[identity] = source.path } }
        var replaced: (name: String, source: String)?
        do throws(StorageError) {
            try storage.makeFolders(folder)
            leftovers = try storage.names(in: path).filter(TemporaryNames.isReserved)
            for name in names.map({ $0 + suffix }) where replaced == nil {
                guard let identity = try storage.status(of: path + name)?.identity else { continue }
                replaced = identities[identity].map { (name, $0) }
            }
        } catch {
            throw .output(error)
        }
        guard let (name, source) = replaced else { return }
        throw .usage("'\(source)' is a source: the slice '\(path + name)' would replace it")
    }

    /// The name of a slice's file, unless it is compressed.
    static func name(_ kind: Slice.Kind, _ range: Int, of first: Int? = nil) -> String {
        let numbers = [range, first].compactMap(\.self).map(digits)
        return ([kind.name] + numbers).joined(separator: "-") + ".partial"
    }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }

    /// Writes a slice.
    ///
    /// - Parameter body: writes the state and returns its counts.
    mutating func write(
        _ header: PartialHeader, _ slice: Slice,
        _ body: (inout StateWriter) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        let name = Self.name(slice.kind, slice.range, of: slice.covered.first) + suffix
        let output: OutputFile
        let isNew: Bool
        do {
            isNew = try storage.status(of: folder + name) == nil
            output = try OutputFile(
                folder + name, storage: storage,
                removesAbandoned: leftovers.contains { $0.hasPrefix(".\(name).") })
        } catch {
            throw .output(error)
        }
        // Without this, an error would leave the file until its last reference is gone.
        defer { output.discard() }
        try PartialFile.write(header, slice, to: output, body)
        do {
            try output.commit()
        } catch {
            throw ResultFiles.failure(of: error)
        }
        if isNew { written.append(folder + name) }
    }

    /// Removes the slices that were written, except for those that replaced others: another attempt may have written them,
    /// with the same contents.
    func discard() {
        for path in written { try? storage.remove(path) }
    }
}
