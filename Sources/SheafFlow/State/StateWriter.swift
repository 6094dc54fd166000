import SheafBytes
import SheafGroups

/// Writes sorted state as framed records, section by section.
///
/// Holds one frame. A frame ends with the record that reaches `Limits.frameBytes`, so equal records give equal files.
struct StateWriter: ~Copyable {
    private var frames: FrameWriter
    private var payload = OutputBuffer()
    private var section = StateSection.header

    init(_ output: any ByteOutput, magic: FrameMagic) throws(ReplayError) {
        do {
            frames = try FrameWriter(output, magic: magic)
        } catch {
            throw .writing(error)
        }
    }

    /// The length of the longest frame payload so far, in bytes.
    private(set) var largestFrame = 0

    /// The number of bytes written so far, without the frame that is being filled.
    var byteCount: UInt64 { frames.byteCount }

    /// Adds a record. Sections must be in ascending order.
    mutating func add(_ record: Span<UInt8>, to section: StateSection) throws(ReplayError) {
        if section != self.section {
            precondition(section.rawValue > self.section.rawValue, "sections out of order")
            try flush()
            self.section = section
        }
        payload.appendText(record)
        if payload.count >= Limits.frameBytes { try flush() }
    }

    /// Writes the last frame and the end marker.
    mutating func end() throws(ReplayError) {
        try flush()
        do {
            try frames.end()
        } catch {
            throw .writing(error)
        }
    }

    private mutating func flush() throws(ReplayError) {
        guard payload.count > 0 else { return }
        largestFrame = max(largestFrame, payload.count)
        try Self.write(payload, kind: section, to: &frames)
        payload.removeAll()
    }

    private static func write(
        _ payload: borrowing OutputBuffer, kind: StateSection, to frames: inout FrameWriter
    ) throws(ReplayError) {
        do {
            try frames.write(payload.bytes, kind: kind.rawValue)
        } catch {
            throw .writing(error)
        }
    }
}

// MARK: - Tables

extension StateWriter {
    /// Writes notifications and other records in the section's order.
    mutating func add(
        _ table: ReplaceableTable, _ events: ScreenEvents, _ options: StateOptions
    ) throws(ReplayError) {
        try add(
            table, order: table.sortedIndices(), EventSequence(events, isSorted: true), options)
    }

    /// Writes pushes that wait, and outcomes, in the section's order. An outcome that names a push twice is written once.
    mutating func add(_ waiting: borrowing WaitingPushes, _ options: StateOptions) throws(ReplayError) {
        guard !waiting.isEmpty else { return }
        var file = StateFile(path: "", magic: .run)
        file.holdsState(of: options)
        var last: Int?
        for index in waiting.sortedIndices(as: file) {
            let record = waiting.record(at: index)
            if let last, record.isEqual(to: waiting.record(at: last)) { continue }
            try add(record, to: .notifications)
            last = index
        }
    }

    /// Writes the contents of tables in their current order.
    mutating func addUnsorted(
        _ notifications: ReplaceableTable, _ events: ScreenEvents, _ groups: GroupTable,
        _ options: StateOptions
    ) throws(ReplayError) {
        try add(
            notifications, order: Array(0..<UInt32(notifications.count)),
            EventSequence(events, isSorted: false), options)
        try addUnsorted(groups)
    }

    /// Writes the groups of a table in their current order.
    mutating func addUnsorted(_ groups: GroupTable) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        let store = groups.store
        let states = groups.states
        for index in 0..<states.count {
            if index + Self.lookahead < states.count { store.prefetch(states[index + Self.lookahead]) }
            record.removeAll()
            encoder.append(states[index], of: store, to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    /// Writes notifications and events, each in the given order, as one sequence.
    private mutating func add(
        _ table: ReplaceableTable, order: [UInt32], _ events: EventSequence, _ options: StateOptions
    ) throws(ReplayError) {
        var events = events
        var expanded: [UInt8] = []
        var record = OutputBuffer()
        for index in order {
            let notification = table.record(at: Int(index), into: &expanded)
            let bytes = expanded.span
            while events.precedes(notification, in: bytes), events.encodeNext(to: &record) {
                try add(record.bytes, to: .notifications)
            }
            record.removeAll()
            record.append(notification, in: bytes, isTagged: options.isTagged)
            try add(record.bytes, to: .notifications)
        }
        while events.encodeNext(to: &record) { try add(record.bytes, to: .notifications) }
    }

    /// Writes sorted groups, which are in the section's order.
    mutating func add(_ groups: borrowing SortedGroups) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        for index in 0..<groups.count {
            if index + Self.lookahead < groups.count { groups.prefetchState(at: index + Self.lookahead) }
            if index + Self.lookahead / 2 < groups.count {
                groups.prefetchContents(at: index + Self.lookahead / 2)
            }
            record.removeAll()
            encoder.append(groups.state(at: index), of: groups.store, to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    /// The distance of prefetching, in groups.
    private static var lookahead: Int { 16 }
}

// MARK: - Sections

/// The sections of a state file, in order. A section is a sequence of frames of one kind, whose payloads are sequences
/// of length-prefixed records.
enum StateSection: UInt8 {
    /// The header of a partial result. Spilled runs have none.
    case header = 1
    /// Notifications that a newer version may replace, in byte order of device, app and collapse identifier. Keys are
    /// unique.
    case notifications = 2
    /// Groups' states, in byte order of device, app and thread. Keys are unique, except with grouping `off`: groups
    /// with equal keys are then ordered from newest to oldest.
    case groups = 3
    /// The counts of a partial result; of a file of keys the scopes of removals.
    case counts = 4
    /// Measures of this run, in an order of their own.
    case measures = 5
}

extension FrameMagic {
    /// State that a replay spilled to disk. Only that replay reads it.
    static let run = FrameMagic("SHRUN", version: 2, oldest: 1)
    /// The state in memory at a checkpoint, in any order.
    static let dump = FrameMagic("SHDMP", version: 2, oldest: 1)
    /// The progress of a run. Version 1 had only the keys of localized alerts, so a run resumed from it would have a
    /// different result. Version 2 did not have the profile, and refers to runs and dumps whose groups may have any
    /// number of categories. Version 3 did not have the checksums of rejected lines.
    static let checkpoint = FrameMagic("SHCKP", version: 4, oldest: 2)
    /// A partial result with named sources, or, to read it, any partial result. Localized alerts in files of version 1
    /// show their keys; groups in files of versions 1 and 2 may have any number of categories; in files before version
    /// 4, ordinals are positions.
    static let partial = FrameMagic("SHEAF", version: namedVersion, oldest: 1)
    /// The first version with named sources.
    static let namedVersion: UInt8 = 4
    /// Ranges of keys by which partial results are cut, or a sample of keys. Version 1 had no removals.
    static let keys = FrameMagic("SHKEY", version: 2, oldest: 1)
    /// A partial result whose ordinals are positions.
    static let positional = FrameMagic("SHEAF", version: 3)
}
