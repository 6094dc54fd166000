import SheafBytes
import SheafGroups

/// A partial comparison: a file with the state of a comparison of some sources, from which those of others can be compared
/// together.
///
///     | designs | part | part | …        a part: the bytes of a file, in frames
///
/// Its parts are partial results, and files of the notifications that each design shows. They are files of their own while
/// they are written and read, so that a comparison is kept and merged like any other result. The page on partial results
/// documents the format.
struct ComparisonFile {
    let path: String
    let designs: ComparedDesigns
    /// The paths of the parts.
    let parts: [Part: String]

    /// The parts, in their order. Those of the new design are missing if both designs share what they hold.
    enum Part: UInt8, CaseIterable {
        case groupsNow = 2
        case groupsNew = 3
        case peopleNow = 4
        case peopleNew = 5
        case shownNow = 6
        case shownNew = 7

        /// Whether a comparison of two designs has the part.
        func exists(in designs: ComparedDesigns) -> Bool {
            switch self {
            case .groupsNow: true
            case .groupsNew, .shownNow, .shownNew: !designs.sharesGroups
            case .peopleNow: designs.measuresPeople
            case .peopleNew: designs.measuresPeople && !designs.sharesPeople
            }
        }
    }

    /// The kind of the frame with the designs.
    private static let designsKind: UInt8 = 1
    /// The size of a part's frames, in bytes.
    private static let pieceBytes = 256 << 10

    /// Checks that another file compares the same designs.
    ///
    /// - Throws: `ReplayError.usage` if it does not.
    func check(isLike other: ComparisonFile) throws(ReplayError) {
        guard designs != other.designs else { return }
        let (with, without) = designs.measuresPeople ? (path, other.path) : (other.path, path)
        throw .usage(
            designs.measuresPeople == other.designs.measuresPeople
                ? "'\(path)' and '\(other.path)' can't be merged: they compare other designs"
                : "'\(with)' has measures, but '\(without)' has none: write both with the same options")
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - parts: the paths of all parts that a comparison of the designs has.
    ///   - check: called periodically; throws to stop.
    static func write(
        _ designs: ComparedDesigns, _ parts: [Part: String], to output: any ByteOutput, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var record = OutputBuffer()
        designs.append(to: &record)
        func writing<Result>(_ body: () throws(StorageError) -> Result) throws(ReplayError) -> Result {
            do {
                return try body()
            } catch {
                throw .writing(error)
            }
        }
        var frames = try writing { () throws(StorageError) in try FrameWriter(output, magic: .comparison) }
        try writing { () throws(StorageError) in try frames.write(record.bytes, kind: designsKind) }
        var buffer = [UInt8](repeating: 0, count: pieceBytes)
        for part in Part.allCases where part.exists(in: designs) {
            guard let path = parts[part] else { preconditionFailure("a part is missing") }
            let file = try writing { () throws(StorageError) in try storage.openOwn(path) }
            defer { file.close() }
            var input: any ByteInput = file
            while true {
                try check()
                let count = try writing { () throws(StorageError) in
                    var count = 0
                    try input.fill(&buffer, count: &count)
                    if count > 0 {
                        try frames.write(buffer.span.extracting(first: count), kind: part.rawValue)
                    }
                    return count
                }
                if count == 0 { break }
            }
        }
        try writing { () throws(StorageError) in try frames.end() }
    }

    /// Reads a file completely, and writes its parts to files of their own.
    ///
    /// - Parameters:
    ///   - folder: the folder of these files.
    ///   - maximumFrame: the maximum length of a frame, in bytes.
    ///   - check: called periodically; throws to stop.
    /// - Throws: `ReplayError` if the file can't be opened, is damaged, or is not a partial comparison.
    init(
        _ path: String, to folder: SpillFolder, maximumFrame: Int, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let file = StateFile(path: path, magic: .comparison, maximumFrame: maximumFrame)
        var frames: FrameReader
        do {
            frames = try StateReader.frames(of: file, StateReader.open(file, storage))
        } catch .damaged(_, .foreign, _) {
            throw .usage("'\(path)' is not a partial comparison")
        }
        var payload: [UInt8] = []
        func next() throws(ReplayError) -> UInt8? {
            try check()
            do {
                return try frames.next(into: &payload)
            } catch {
                throw file.failure(error)
            }
        }
        guard try next() == Self.designsKind, let designs = ComparedDesigns(payload.span) else {
            throw .damaged(path: path, .content, offset: 0)
        }
        var kind = try next()
        var parts: [Part: String] = [:]
        for part in Part.allCases where part.exists(in: designs) {
            guard kind == part.rawValue else { throw .damaged(path: path, .content, offset: frames.offset) }
            parts[part] = try folder.writeFile { output throws(ReplayError) in
                while kind == part.rawValue {
                    try output.write(result: payload.span)
                    kind = try next()
                }
            }
        }
        guard kind == nil else { throw .damaged(path: path, .content, offset: frames.offset) }
        (self.path, self.designs, self.parts) = (path, designs, parts)
    }
}

extension FrameMagic {
    /// A partial comparison.
    static let comparison = FrameMagic("SHCMP", version: 1)
    /// The notifications that a design of a partial comparison shows.
    static let shown = FrameMagic("SHSHN", version: 1)
}

// MARK: - The notifications that are shown

/// The files of the notifications that a design shows, with their groups:
///
///     header     the names of the apps: count, then each name
///     rows       as `ShownNotifications` has them, of three words
extension ComparisonFile {
    /// Writes sorted rows.
    ///
    /// - Parameter apps: the names of the apps by their numbers.
    static func writeShown(
        _ rows: consuming RowMerge, apps: [[UInt8]], to folder: SpillFolder,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> String {
        var record = OutputBuffer()
        record.appendNumber(UInt64(apps.count))
        for app in apps { record.appendText(app.span) }
        return try folder.writeFile { output throws(ReplayError) in
            var writer = try StateWriter(output, magic: .shown)
            try writer.add(record.bytes, to: .header)
            var count = 0
            while let row = try rows.next() {
                count += 1
                if count % Limits.groupsPerPiece == 0 { try check() }
                row.encode(to: &record)
                try writer.add(record.bytes, to: .measures)
            }
            try writer.end()
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - state: the file with the groups, which specifies how its sources are numbered now.
    ///   - apps: numbers the apps of all files.
    ///   - receive: receives the rows, with the numbers that sources and apps have now.
    static func readShown(
        _ path: String, of state: StateFile, _ apps: AppNumbers, storage: any Storage,
        check: () throws(ReplayError) -> Void, receive: (ContiguousArray<Row>) -> Void
    ) throws(ReplayError) {
        let file = StateFile(path: path, magic: .shown)
        let (names, _, _) = try StateReader.onlyRecord(
            of: .header, file, storage, checksRemainder: false, Self.names)
        let numbers = names.map { apps.number(of: $0.span) }
        var reader = try StateReader(file, section: .measures, storage: storage)
        var rows = ContiguousArray<Row>()
        var isMore = true
        while isMore {
            isMore = try reader.advance()
            if isMore {
                guard let row = Row(reader.bytes)?.read(from: state, numbers) else { throw reader.damage() }
                rows.append(row)
            }
            guard !isMore || rows.count == 4096 else { continue }
            try check()
            receive(rows)
            rows.removeAll(keepingCapacity: true)
        }
    }

    /// Decodes the names of apps; nil if the bytes are invalid.
    private static func names(_ bytes: Span<UInt8>) -> [[UInt8]]? {
        var reader = ByteReader(bytes)
        var names: [[UInt8]] = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            names.append(Array(copying: bytes[reader.text()]))
        }
        return reader.isValid && reader.isAtEnd ? names : nil
    }
}

extension Row {
    /// Returns the row of a file with the numbers that its source and its app have now; nil if they are invalid.
    fileprivate func read(from state: StateFile, _ apps: [UInt32]) -> Row? {
        let (source, line) = ShownNotifications.position(of: self)
        let app = ShownNotifications.app(of: self)
        guard state.sources.contains(source), app < apps.count else { return nil }
        return ShownNotifications.row(
            source: source + state.sourceOffset, line: line, index: UInt32(low >> 32), app: apps[app],
            isAlone: ShownNotifications.isAlone(self), hash: value)
    }
}
