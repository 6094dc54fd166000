import SheafBytes
import SheafGroups
import TestSupport

@testable import SheafFlow

/// State in a form that is easy to test: the replaceable notifications, and each group as its list of notifications.
struct StateText {
    /// The newest version of each replaceable notification.
    var notifications: [NotificationText] = []
    var groups: [[NotificationText]] = []
    /// The number of versions that are not the newest.
    var replaced = 0

    /// Builds the state with dictionaries that hold all notifications.
    init(_ all: [NotificationText]) {
        var newest: [[String]: NotificationText] = [:]
        var byKey: [[String]: [NotificationText]] = [:]
        for notification in all {
            if notification.collapseIdentifier.isEmpty {
                var key = [notification.device, notification.app, notification.thread]
                if notification.grouping == .off { key += ["\(notification.order)"] }
                byKey[key, default: []].append(notification)
                continue
            }
            let identity = [notification.device, notification.app, notification.collapseIdentifier]
            if let other = newest[identity] {
                replaced += 1
                if notification.order < other.order { continue }
            }
            newest[identity] = notification
        }
        notifications = newest.values.sorted { first, second in
            for text in [\NotificationText.device, \.app, \.collapseIdentifier]
            where first[keyPath: text] != second[keyPath: text] {
                return precedes(first[keyPath: text], second[keyPath: text])
            }
            return false
        }
        groups = byKey.values.map { $0.sorted { $0.order > $1.order } }.sorted { first, second in
            for text in [\NotificationText.device, \.app, \.thread]
            where first[0][keyPath: text] != second[0][keyPath: text] {
                return precedes(first[0][keyPath: text], second[0][keyPath: text])
            }
            return first[0].order > second[0].order
        }
    }

    /// Returns the encoded records of a section.
    func records(_ section: StateSection, maximumArguments: Int = 2) -> [[UInt8]] {
        section == .notifications
            ? notifications.map { $0.asBytes() } : groups.map { Self.encoded($0, maximumArguments) }
    }

    static func encoded(_ group: [NotificationText], _ maximumArguments: Int = 2) -> [UInt8] {
        var store = GroupStore(maximumArguments: maximumArguments)
        let (record, bytes) = group[0].encoded()
        var state = store.start(record, in: bytes.span)
        for notification in group.dropFirst() {
            let (record, bytes) = notification.encoded()
            store.add(record, in: bytes.span, to: &state)
        }
        var encoder = GroupEncoder()
        var output = OutputBuffer()
        encoder.append(state, of: store, to: &output)
        return copy(output)
    }

    static func copy(_ output: borrowing OutputBuffer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        return bytes
    }

    /// Returns the state as a file.
    func file() throws(ReplayError) -> [UInt8] {
        try Self.file(
            records(.notifications).map { (.notifications, $0) } + records(.groups).map { (.groups, $0) })
    }

    /// Returns a file with these records.
    static func file(
        _ records: [(section: StateSection, bytes: [UInt8])], magic: FrameMagic = .run
    ) throws(ReplayError) -> [UInt8] {
        let output = CollectingFile()
        var writer = try StateWriter(output, magic: magic)
        for record in records { try writer.add(record.bytes.span, to: record.section) }
        try writer.end()
        return output.bytes
    }

    /// The result of merging files.
    struct Merged {
        let file: [UInt8]
        let replaced: UInt64
        let groups: UInt64
    }

    static func merged<Entry: StateRecord>(
        _ entry: Entry.Type, _ files: [StateFile], _ storage: any Storage
    ) throws(ReplayError) -> Merged {
        let output = CollectingFile()
        var writer = try StateWriter(output, magic: .run)
        let options = StateOptions(
            byDevice: false, maximumArguments: 2, rules: GroupingRules(Settings()))
        var files = files
        var found = RunCounts()
        try writer.mergeNotifications(&files, options, found: &found, storage: storage, check: {})
        let groups = try writer.mergeGroups(entry, files, options, storage: storage, check: {})
        try writer.end()
        return Merged(file: output.bytes, replaced: found.updated, groups: groups)
    }

    /// Returns the content of several files written as one.
    static func written(_ state: inout StateFiles) throws(ReplayError) -> [UInt8] {
        let output = CollectingFile()
        var writer = try StateWriter(output, magic: .run)
        try state.write(to: &writer)
        try writer.end()
        return output.bytes
    }

    /// Returns the newest versions of the notifications in several files, and the number of replaced versions.
    static func newest(
        _ files: [StateFile], _ storage: any Storage
    ) throws(ReplayError) -> (notifications: [NotificationText], replaced: UInt64) {
        var versions = try NewestVersions(files, nil, storage: storage)
        var notifications: [NotificationText] = []
        while let entry = try versions.next() {
            notifications.append(NotificationText(entry.record, in: versions.bytes))
        }
        return (notifications, versions.replaced)
    }

    /// A piece of the groups in several files.
    struct Piece {
        /// Each group, merged and encoded, and its bytes in the file if it was in only one.
        var groups: [(merged: [UInt8], finished: [UInt8]?)] = []
        /// The number of states that the groups are merged from.
        var states = 0

        init(_ piece: borrowing EncodedGroups) {
            var store = GroupStore(maximumArguments: 2)
            var encoder = GroupEncoder()
            while states < piece.end {
                let state = piece.group(at: states, in: &store)
                var output = OutputBuffer()
                encoder.append(state, of: store, to: &output)
                groups.append((StateText.copy(output), Self.finished(piece, states)))
                states = piece.end(ofGroupAt: states)
            }
            precondition(groups.count == piece.groupCount, "the piece has the wrong number of groups")
        }

        private static func finished(_ piece: borrowing EncodedGroups, _ index: Int) -> [UInt8]? {
            guard let finished = piece.finished(index) else { return nil }
            return StateText.copy(finished)
        }
    }

    /// Returns the pieces of the groups in several files, up to the first empty one.
    static func pieces(_ files: [StateFile], _ storage: any Storage) throws(ReplayError) -> [Piece] {
        var merged = try MergedGroups<GroupEntry>(files, storage: storage)
        var groups = EncodedGroups()
        var pieces: [Piece] = []
        repeat {
            try merged.take(into: &groups)
            pieces.append(Piece(groups))
        } while !pieces[pieces.count - 1].groups.isEmpty
        return pieces
    }

    /// Returns all records of a file's section, and for each one the previous record.
    static func records(
        of file: StateFile, _ section: StateSection, _ storage: any Storage
    ) throws(ReplayError) -> (records: [[UInt8]], previous: [[UInt8]]) {
        var reader = try StateReader(file, section: section, storage: storage)
        var (records, previous): ([[UInt8]], [[UInt8]]) = ([], [])
        while try reader.advance() {
            records.append(copy(reader.bytes))
            previous.append(copy(reader.previousBytes))
        }
        return (records, previous)
    }

    private static func copy(_ span: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(span)
        return bytes
    }
}

extension NotificationText {
    /// Returns random notifications with few groups and identities. Their order keys are distinct.
    static func several(
        _ count: Int, sources: Int = 1, _ random: inout SeededGenerator
    ) -> [NotificationText] {
        (0..<count).map { index in
            var notification = NotificationText()
            let app = random.below(4)
            notification.app = ["a", "a/b", "écran", "off"][app]
            notification.grouping = app == 3 ? .off : .automatic
            notification.device = random.pick(["", "d", "device of more than sixteen bytes"])
            notification.thread = random.pick(["", "t", "a thread of more than sixteen bytes", "u"])
            if random.chance(40) {
                notification.collapseIdentifier = random.pick([
                    "c", "d", "an identifier of more than sixteen bytes",
                    "an identifier of more than 16 bytes",
                ])
            }
            notification.category = random.pick(["", "k", "l", "m"])
            notification.identifier = "\(index)"
            notification.title = random.pick(["", "T"])
            notification.body = String(repeating: "b", count: random.below(40))
            notification.argument = random.pick(["", "x", "y", "z"])
            notification.weight = random.pick([1, 1, 5])
            notification.order = OrderKey(
                timestamp: Int64(random.below(8)), source: random.below(sources),
                line: UInt64(index / 4 + 1), index: UInt32(index % 4))
            return notification
        }
    }
}
