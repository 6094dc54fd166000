import SheafBytes
import SheafGroups

/// A file of state that is merged with others.
struct StateFile: Sendable {
    let path: String
    let magic: FrameMagic
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
    /// The last record of the frame before, where the one that was read last is the first of its frame.
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
            return try FrameReader(input, magic: file.magic)
        } catch {
            throw file.failure(error)
        }
    }

    /// The record that was read last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { payload.span.extracting(record) }
    }

    /// The record that was read before it; no bytes where there is none.
    var previousBytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { previous.isEmpty ? carried.span : payload.span.extracting(previous) }
    }

    /// Reads the section's next record; false behind the last one.
    mutating func advance() throws(ReplayError) -> Bool {
        while record.upperBound == payload.count {
            guard try nextFrame() else { return false }
        }
        var reader = ByteReader(payload.span, from: record.upperBound)
        let text = reader.text()
        guard reader.isValid, !text.isEmpty else { throw damage() }
        previous = record
        record = text.range
        return true
    }

    /// What `value` makes of the section's one record.
    ///
    /// - Throws: `ReplayError.damaged` when it makes nothing of it, or the section has not one record.
    static func only<Value>(
        of section: StateSection, _ file: StateFile, _ storage: any Storage, readsOn: Bool = true,
        _ value: (Span<UInt8>) -> Value?
    ) throws(ReplayError) -> Value {
        var reader = try StateReader(file, section: section, storage: storage, readsOn: readsOn)
        guard try reader.advance(), let value = value(reader.bytes), try !reader.advance() else {
            throw reader.damage()
        }
        return value
    }

    /// What it is called that a record makes no sense.
    func damage() -> ReplayError { .damaged(path: file.path, .content, offset: frames.offset) }

    private mutating func carry() {
        // A copy of the reference, which goes before the payload is changed.
        let last = payload
        carried.removeAll(keepingCapacity: true)
        carried.append(last.span.extracting(record))
    }

    /// Reads on to the section's next frame; false when there is none.
    private mutating func nextFrame() throws(ReplayError) -> Bool {
        carry()
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
