import SheafBytes
import SheafGroups

/// A file of state that is merged with others.
struct StateFile: Sendable {
    let path: String
    let magic: FrameMagic
    /// The longest of its frames' payloads, in bytes: how much of it is in memory while it is merged.
    var largestFrame = Limits.frameBytes
    /// The longest payload that is read, in bytes: of files that this run did not write.
    var maximumFrame = FrameHeader.maximumLength
    /// What is added to the sources' ordinals in it: how many sources the files before it have.
    var sourceOffset = 0
    /// How many sources its records can be of.
    var sourceCount = OrderKey.maximumSources
    /// How many notifications its records can be made of.
    var notificationCount = UInt64.max
    /// How its records are grouped; nil where only this run can have written it.
    var rules: GroupingRules?

    /// Notes that so many notifications are in a section that was read: the others' records are made of the rest.
    ///
    /// - Parameter count: as many as the file may hold, or fewer.
    mutating func take(_ count: UInt64) { notificationCount -= count }

    /// Whether it was written by this run, for itself.
    var isOwn: Bool { magic != .partial }

    /// What it means that the file can't be read on.
    func failure(_ error: FrameError) -> ReplayError {
        switch error {
        case .damaged(let damage, let offset): .damaged(path: path, damage, offset: offset)
        case .unreadable(let error, let offset):
            isOwn ? .writing(error) : .reading(path: path, offset: offset, error)
        }
    }
}

/// Reads one section of a file of state, record by record.
///
/// Holds an open file and one frame. Frames of other sections are passed over, but checked all the same.
struct StateReader: ~Copyable {
    let file: StateFile
    private let section: StateSection
    /// Whether the file is read to its end, and so checked as a whole.
    private let readsOn: Bool
    /// That of the frame that was read last: they come in their order.
    private var reached = StateSection.header
    private var frames: FrameReader
    private var payload: [UInt8] = []
    /// The record that was read last, and the one before it, in the payload.
    private var record = 0..<0
    private var previous = 0..<0
    /// The start of the last record of the frame before, where the one that was read last is the first of its frame.
    private var carried: [UInt8] = []

    /// - Parameter readsOn: whether what is behind the section is read and checked too; not, where others do that.
    /// - Throws: `ReplayError` when the file can't be opened, or is none of its kind.
    init(
        _ file: StateFile, section: StateSection, storage: any Storage, readsOn: Bool = true
    ) throws(ReplayError) {
        frames = try Self.open(file, storage)
        self.file = file
        self.section = section
        self.readsOn = readsOn
    }

    private static func open(_ file: StateFile, _ storage: any Storage) throws(ReplayError) -> FrameReader {
        let input: any ByteInput
        do throws(StorageError) {
            input =
                file.isOwn
                ? try storage.openOwn(file.path) : InflatedFile(try storage.openForReading(file.path))
        } catch {
            if file.isOwn { throw .writing(error) }
            throw .source(path: file.path, reason: "cannot be opened: \(error.reason)")
        }
        do {
            return try FrameReader(input, magic: file.magic, maximumLength: file.maximumFrame)
        } catch {
            throw file.failure(error)
        }
    }

    /// The longest payload read so far, in bytes.
    var largestFrame: Int { frames.largestPayload }

    /// The record that was read last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { payload.span.extracting(record) }
    }

    /// The record that was read before it, or the start of it that `advance` was asked to keep; no bytes where there is
    /// none.
    var previousBytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { previous.isEmpty ? carried.span : payload.span.extracting(previous) }
    }

    /// Reads the section's next record; false after the last one.
    ///
    /// - Parameter keptBytes: how many first bytes of the current record are needed after that.
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

    /// What `value` makes of the section's one record, and the longest payload that was read, in bytes.
    ///
    /// - Throws: `ReplayError.damaged` when it makes nothing of it, or the section has not one record.
    static func only<Value>(
        of section: StateSection, _ file: StateFile, _ storage: any Storage, readsOn: Bool = true,
        _ value: (Span<UInt8>) -> Value?
    ) throws(ReplayError) -> (value: Value, largestFrame: Int) {
        var reader = try StateReader(file, section: section, storage: storage, readsOn: readsOn)
        guard try reader.advance(), let value = value(reader.bytes), try !reader.advance() else {
            throw reader.damage()
        }
        return (value, reader.largestFrame)
    }

    /// What it is called that a record makes no sense.
    func damage() -> ReplayError { .damaged(path: file.path, .content, offset: frames.offset) }

    private mutating func carry(_ keptBytes: Int) {
        // A copy of the reference, which goes before the payload is changed.
        let last = payload
        carried.removeAll(keepingCapacity: true)
        carried.append(last.span.extracting(record).extracting(first: min(keptBytes, record.count)))
    }

    /// Reads on to the section's next frame; false when there is none.
    private mutating func nextFrame(keeping keptBytes: Int) throws(ReplayError) -> Bool {
        carry(keptBytes)
        record = 0..<0
        do throws(FrameError) {
            while let kind = try frames.next(into: &payload) {
                // An empty frame would come between a record and the one before it.
                guard let found = StateSection(rawValue: kind), found.rawValue >= reached.rawValue,
                    !payload.isEmpty
                else { throw .damaged(.content, offset: frames.offset) }
                reached = found
                if found == section { return true }
                if !readsOn, found.rawValue > section.rawValue { break }
            }
            payload.removeAll()
            return false
        } catch {
            throw file.failure(error)
        }
    }
}

extension StateFile {
    /// The longest of a file's frames, in bytes, found by their headers alone.
    ///
    /// - Throws: `ReplayError` when the file can't be opened; what is damaged in it is left to those who read it.
    static func largestFrame(of path: String, storage: any Storage) throws(ReplayError) -> Int {
        do throws(StorageError) {
            let file = try storage.openForReading(path)
            defer { file.close() }
            return max(Limits.frameBytes, try FrameReader.largestPayload(of: file))
        } catch {
            throw .writing(error)
        }
    }
}
