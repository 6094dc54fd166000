import SheafBytes
import SheafGroups

/// A file of framed state: a run, a dump, a checkpoint, or a partial result.
struct StateFile: Sendable {
    let path: String
    let magic: FrameMagic
    /// The length of the longest frame payload, in bytes: the memory that the file needs while it is merged.
    var largestFrame = Limits.frameBytes
    /// The maximum length of a frame payload to read, in bytes. Bounds the memory for files that this run did not
    /// write.
    var maximumFrame = FrameHeader.maximumLength
    /// The number of sources in the preceding files, which is added to the ordinals of this file's sources.
    var sourceOffset = 0
    /// The ordinals that its records may have, before `sourceOffset` is added.
    var sources = OrdinalSet.all
    /// The maximum number of notifications in the remaining sections.
    var notificationCount = UInt64.max
    /// Whether its groups have notifications whose delivery is tracked: the newest versions of replaceable ones.
    var isFolded = false
    /// Whether it has the measures of people instead of their state.
    var hasMeasures = false
    /// Whether it has removals.
    var appliesRemovals = false
    /// Whether it has changes of settings, and the traits of notifications.
    var tracksDelivery = false
    /// How what people get is divided, which is measured; nil for snapshots.
    var division: MeasureOptions.Division?
    /// Whether it may have pushes that wait for their decision, because records of one push count once, or because
    /// outcomes may come later.
    var isUnique = false
    var appliesOutcomes = false
    var hasWaiting: Bool { isUnique || appliesOutcomes }
    /// Whether its pushes have been decided, so that readers skip those that wait.
    var isDecided = false
    /// Whether it has all notifications one by one, among removals and changes of settings.
    var tracksAll: Bool { appliesRemovals || tracksDelivery }
    /// The intervals that its state is kept for; nil if there are none.
    var timeline: Timeline?
    /// What follows the states of its groups.
    var suffix = StateSuffix.none
    /// The grouping of its records; nil if only this run can have written the file.
    var rules: GroupingRules?

    /// Subtracts the notifications of a section that was read, which leaves the maximum for the other sections.
    ///
    /// - Parameter count: the number of notifications, at most `notificationCount`.
    mutating func take(_ count: UInt64) { notificationCount -= count }

    /// Records the options with which the file's state was written.
    mutating func holdsState(of options: StateOptions) {
        appliesRemovals = options.appliesRemovals
        tracksDelivery = options.delivery != nil
        division = options.division
        timeline = options.timeline
        (isUnique, appliesOutcomes) = (options.isUnique, options.appliesOutcomes)
    }

    /// Whether this run wrote the file for its own use.
    var isOwn: Bool { isUnpacked || ![.partial, .keys, .comparison].contains(magic) }
    /// Whether this run took the file out of another one.
    var isUnpacked = false

    /// Returns the replay error for a failure to read the file.
    func failure(_ error: FrameError) -> ReplayError {
        switch error {
        case .damaged(let damage, let offset): .damaged(path: path, damage, offset: offset)
        case .unreadable(let error, let offset):
            isOwn ? .writing(error) : .reading(path: path, offset: offset, error)
        }
    }
}

/// Reads one section of a state file, record by record.
///
/// Holds an open file and one frame. Frames of other sections are checked and skipped.
struct StateReader: ~Copyable {
    let file: StateFile
    private let section: StateSection
    /// Whether the whole file is read and thus checked.
    private let checksRemainder: Bool
    /// The section of the last frame. Sections must be in ascending order.
    private var reached = StateSection.header
    private var frames: FrameReader
    /// The file, if it may be compressed.
    private let inflated: InflatedFile?
    private var payload: [UInt8] = []
    /// The ranges of the current and the previous record in the payload.
    private var record = 0..<0
    private var previous = 0..<0
    /// The start of the last record of the previous frame, while the current record is the first of its frame.
    private var carried: [UInt8] = []

    /// - Parameter checksRemainder: whether to read and check the rest of the file after the section. False if another
    ///   reader does that.
    /// - Throws: `ReplayError` if the file can't be opened, or has another type.
    @inline(never) init(
        _ file: StateFile, section: StateSection, storage: any Storage, checksRemainder: Bool = true
    ) throws(ReplayError) {
        let input = try Self.open(file, storage)
        frames = try Self.frames(of: file, input)
        inflated = input as? InflatedFile
        self.file = file
        self.section = section
        self.checksRemainder = checksRemainder
    }

    static func open(_ file: StateFile, _ storage: any Storage) throws(ReplayError) -> any ByteInput {
        do throws(StorageError) {
            return file.isOwn
                ? try storage.openOwn(file.path) : InflatedFile(try storage.openForReading(file.path))
        } catch {
            if file.isOwn { throw .writing(error) }
            throw .source(path: file.path, reason: "cannot be opened: \(error.reason)")
        }
    }

    static func frames(
        of file: StateFile, _ input: any ByteInput
    ) throws(ReplayError) -> FrameReader {
        do {
            return try FrameReader(input, magic: file.magic, maximumLength: file.maximumFrame)
        } catch {
            throw file.failure(error)
        }
    }

    /// The length of the longest payload read so far, in bytes, and as much as has to be added to it so that
    /// `Limits.mergedFrameCopies` of it include the memory for decompressing the file.
    var largestFrame: Int {
        frames.largestPayload + (inflated?.windowBytes ?? 0) / Limits.mergedFrameCopies
    }

    /// The version of the file's format.
    var version: UInt8 { frames.version }

    /// The bytes of the current record.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { payload.span.extracting(record) }
    }

    /// The bytes of the previous record, or as many of its first bytes as `advance` was asked to keep. Empty at the
    /// first record.
    var previousBytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { previous.isEmpty ? carried.span : payload.span.extracting(previous) }
    }

    /// Reads the section's next record; returns false after the last one.
    ///
    /// - Parameter keptBytes: the number of first bytes of the current record that `previousBytes` must have
    ///   afterwards.
    mutating func advance(keeping keptBytes: Int = .max) throws(ReplayError) -> Bool {
        while record.upperBound == payload.count {
            guard try nextFrame(keeping: keptBytes) else { return false }
        }
        var reader = ByteReader(payload.span, from: record.upperBound)
        let text = reader.text()
        guard reader.isValid, !text.isEmpty else { throw damage() }
        previous = record
        record = text.range
        return true
    }

    /// Decodes the only record of a section.
    ///
    /// - Returns: the decoded value, `largestFrame`, and the version of the file's format.
    /// - Throws: `ReplayError.damaged` if `value` returns nil, or the section does not have exactly one record.
    static func onlyRecord<Value>(
        of section: StateSection, _ file: StateFile, _ storage: any Storage, checksRemainder: Bool = true,
        _ value: (Span<UInt8>) -> Value?
    ) throws(ReplayError) -> (value: Value, largestFrame: Int, version: UInt8) {
        var reader = try StateReader(
            file, section: section, storage: storage, checksRemainder: checksRemainder)
        guard try reader.advance(), let value = value(reader.bytes), try !reader.advance() else {
            throw reader.damage()
        }
        return (value, reader.largestFrame, reader.version)
    }

    /// Returns the error for a record with invalid contents.
    func damage() -> ReplayError { .damaged(path: file.path, .content, offset: frames.offset) }

    private mutating func carry(_ keptBytes: Int) {
        // Copies only the reference, which is released before the payload changes.
        let last = payload
        carried.removeAll(keepingCapacity: true)
        carried.append(last.span.extracting(record).extracting(first: min(keptBytes, record.count)))
    }

    /// Reads the section's next frame; returns false after the last one.
    private mutating func nextFrame(keeping keptBytes: Int) throws(ReplayError) -> Bool {
        carry(keptBytes)
        record = 0..<0
        do throws(FrameError) {
            while let kind = try frames.next(into: &payload) {
                // An empty frame would separate a record from the previous record.
                guard let found = StateSection(rawValue: kind), found.rawValue >= reached.rawValue,
                    !payload.isEmpty
                else { throw .damaged(.content, offset: frames.offset) }
                reached = found
                if found == section { return true }
                if !checksRemainder, found.rawValue > section.rawValue { break }
            }
            payload.removeAll()
            return false
        } catch {
            throw file.failure(error)
        }
    }
}

extension StateFile {
    /// Returns the length of a file's longest frame, in bytes. Reads only the frames' headers.
    ///
    /// - Throws: `ReplayError` if the file can't be opened. Corruption is left to the file's readers to report.
    static func largestFrame(of path: String, storage: any Storage) throws(ReplayError) -> Int {
        do throws(StorageError) {
            let file = try storage.openOwn(path)
            defer { file.close() }
            return max(Limits.frameBytes, try FrameReader.largestPayload(of: file))
        } catch {
            throw .writing(error)
        }
    }
}

/// Reads a file's bytes, inflated if the file is compressed.
///
/// Corrupt compressed data ends the file at that point: the reader of the frames then reports the missing data.
private final class InflatedFile: ByteInput {
    private var input: SourceInput

    /// The memory that decoding has taken for windows, in bytes.
    var windowBytes: Int { input.windowBytes }

    init(_ file: any ReadableFile) { input = SourceInput(file) }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        do {
            return try input.read(into: &buffer)
        } catch {
            switch error {
            case .unreadable(let cause, _): throw cause
            case .damaged, .tooLarge: return 0
            }
        }
    }
}
