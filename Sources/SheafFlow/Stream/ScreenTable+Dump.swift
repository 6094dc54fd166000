import SheafBytes
import SheafGroups

// A dump has the state with which a table continues as if it had not been interrupted:
//
//     notifications    0 | a removal, a change of settings or a result, as in other state files
//                      1 | presence | age | the notification as it was logged
//                      2, 3 with a banner, 4 with a sound, or 5 with both | a push that a later record may decide
//     groups           flags | if it has changed: first member + 1 | added | vanished | order shown last
//                      | the state of those that nothing can remove, or the key of an emptied group
//     flags            1: there is such a state; 2: the group has changed; 4: it has been emptied; 8: it is alone or not,
//                      unlike the others of its app
//
// The age of a notification is 0 if it was shown before the last snapshot, else 1 plus the number (from 1, 0 for none)
// of the group in which an older version was. The groups that have changed since the last snapshot come first.

extension ScreenTable {
    private enum Kind {
        static let event: UInt64 = 0
        static let entry: UInt64 = 1
        static let push: UInt64 = 2
        static let last: UInt64 = 5
    }

    private enum Flag {
        static let hasBase: UInt64 = 1
        static let hasChanged: UInt64 = 2
        static let isEmpty: UInt64 = 4
        static let isRegrouped: UInt64 = 8
        static let all: UInt64 = 15
    }

    /// Writes the table. O(n).
    func dump(to writer: inout StateWriter) throws(ReplayError) {
        var record = OutputBuffer()
        var part = OutputBuffer()
        var events = EventSequence(judge.events, isSorted: false)
        while events.encodeNext(to: &part) {
            record.removeAll()
            record.appendNumber(Kind.event)
            record.append(part.bytes)
            try writer.add(record.bytes, to: .notifications)
        }
        try dumpPushes(to: &writer, &record)
        var changes: [UInt32: UInt64] = [:]
        for (number, index) in changed.enumerated() { changes[index] = UInt64(number) }
        var members: [UInt32: UInt64] = [:]
        var buffer: [UInt8] = []
        var count: UInt64 = 0
        for index in 0..<entries.count where entries[index].isNeeded {
            let entry = entries[index]
            if entry.isShown, members[entry.group] == nil { members[entry.group] = count + 1 }
            var age: UInt64 = 0
            if entry.period == period {
                age = entry.predecessor > 0 ? (changes[entry.predecessor - 1] ?? 0) + 2 : 1
            }
            var notification = entries.record(at: index, into: &buffer)
            for order in entries.orders(of: index) {
                count += 1
                notification.order = order
                record.removeAll()
                record.appendNumber(Kind.entry)
                record.appendNumber(entry.presence.number)
                record.appendNumber(age)
                notification.encode(in: buffer.span, to: &record)
                try writer.add(record.bytes, to: .notifications)
            }
        }
        var encoder = GroupEncoder()
        for index in changed.map(Int.init) {
            try dump(index, member: members[UInt32(index)], &encoder, &record, &part, to: &writer)
        }
        for index in groups.indices where changes[UInt32(index)] == nil && base(of: index) != nil {
            try dump(index, member: nil, &encoder, &record, &part, to: &writer)
        }
    }

    private func dumpPushes(to writer: inout StateWriter, _ record: inout OutputBuffer) throws(ReplayError) {
        var outcomes: [[UInt8]] = []
        pushes.outcomes.forEach { outcome, bytes in
            record.removeAll()
            record.appendNumber(Kind.event)
            record.append(.outcome(outcome), in: bytes)
            outcomes.append(Array(copying: record.bytes))
        }
        for outcome in outcomes { try writer.add(outcome.span, to: .notifications) }
        try pushes.forEach { index, push, bytes throws(ReplayError) in
            record.removeAll()
            record.appendNumber(Kind.push + UInt64(pushes[interruptionBy: index]))
            push.encode(in: bytes, to: &record)
            try writer.add(record.bytes, to: .notifications)
        }
    }

    /// The state of a group's notifications that nothing can remove.
    private func base(of index: Int) -> GroupState? {
        let group = groups[index]
        return group.base ?? (group.memberCount == 0 && !group.isEmpty ? group.state : nil)
    }

    private func dump(
        _ index: Int, member: UInt64?, _ encoder: inout GroupEncoder, _ record: inout OutputBuffer,
        _ part: inout OutputBuffer, to writer: inout StateWriter
    ) throws(ReplayError) {
        let group = groups[index]
        let base = base(of: index)
        record.removeAll()
        let isRegrouped =
            base == nil && group.isEmpty
            && group.isAlone != (options.rules.grouping(of: store.app(of: group.state)) == .off)
        record.appendNumber(
            (base == nil ? 0 : Flag.hasBase) | (group.isListed ? Flag.hasChanged : 0)
                | (group.isEmpty ? Flag.isEmpty : 0) | (isRegrouped ? Flag.isRegrouped : 0))
        if group.isListed {
            record.appendNumber(member ?? 0)
            record.appendNumber(UInt64(group.added))
            record.appendNumber(UInt64(group.vanished))
            record.append(group.shown)
        }
        if let base {
            part.removeAll()
            encoder.append(base, of: store, to: &part)
            record.append(part.bytes)
        } else if group.isEmpty {
            record.appendText(store.device(of: group.state))
            record.appendText(store.app(of: group.state))
            record.appendText(store.thread(of: group.state))
        }
        try writer.add(record.bytes, to: .groups)
    }
}

// MARK: - Restoring

extension ScreenTable {
    /// Adds the records of a dump to an empty table.
    mutating func restore(_ file: StateFile, storage: any Storage) throws(ReplayError) {
        let ages = try restoreNotifications(file, storage: storage)
        let changes = try restoreGroups(file, storage: storage)
        period += 1
        for (index, age) in ages.enumerated() where age > 0 {
            entries[index].period = period
            guard age > 1 else { continue }
            guard age - 2 < UInt64(changes.count) else {
                throw .damaged(path: file.path, .content, offset: 0)
            }
            entries[index].predecessor = UInt32(changes[Int(age - 2)] + 1)
        }
        updated = 0
    }

    /// - Returns: the ages of the entries.
    private mutating func restoreNotifications(
        _ file: StateFile, storage: any Storage
    ) throws(ReplayError) -> [UInt64] {
        var ages: [UInt64] = []
        var reader = try StateReader(file, section: .notifications, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            var prefix = ByteReader(bytes)
            let kind = prefix.number(upTo: options.hasWaiting ? Kind.last : Kind.entry)
            guard kind == Kind.entry else {
                let rest = bytes.extracting(droppingFirst: prefix.offset)
                guard prefix.isValid,
                    kind == Kind.event
                        ? restoreEvent(rest, of: file)
                        : restorePush(rest, interruption: UInt8(kind - Kind.push), of: file)
                else { throw reader.damage() }
                continue
            }
            let presence = Presence(number: prefix.number())
            let age = prefix.number()
            guard prefix.isValid, let presence,
                let record = NotificationRecord(
                    encoded: bytes, from: prefix.offset, allowsAny: options.isTagged,
                    hasTraits: options.delivery != nil), file.sources.contains(record.order.source),
                isGrouped(record, record.grouping, in: bytes), UInt64(ages.count) < file.notificationCount
            else { throw reader.damage() }
            let item = RoutedRecord(record, byDevice: options.byDevice, in: bytes)
            let count = entries.count
            addEntry(item, in: bytes, presence)
            // Each is a notification of its own.
            guard entries.count == count + 1 else { throw reader.damage() }
            ages.append(age)
        }
        return ages
    }

    private mutating func restoreEvent(_ bytes: Span<UInt8>, of file: StateFile) -> Bool {
        guard let entry = NotificationEntry(bytes, of: file), file.sources.contains(entry.newest.source),
            let event = entry.event
        else { return false }
        if case .outcome(let outcome) = event {
            pushes.outcomes.add(outcome, in: bytes)
        } else {
            judge.add(event, in: bytes)
        }
        return true
    }

    private mutating func restorePush(
        _ bytes: Span<UInt8>, interruption: UInt8, of file: StateFile
    ) -> Bool {
        guard
            let record = NotificationRecord(
                encoded: bytes, allowsAny: true, hasTraits: options.delivery != nil),
            file.sources.contains(record.order.source), isGrouped(record, record.grouping, in: bytes)
        else { return false }
        let index = pushes.add(record, in: bytes)
        pushes[interruptionBy: index] = interruption
        _ = pushes.decide(index)
        return true
    }

    /// - Returns: the indices of the groups that had changed.
    private mutating func restoreGroups(
        _ file: StateFile, storage: any Storage
    ) throws(ReplayError) -> [Int] {
        var changes: [(index: Int, added: UInt32, vanished: UInt32, shown: OrderKey)] = []
        var reader = try StateReader(file, section: .groups, storage: storage)
        // Only the sum of all groups guarantees that they can be merged.
        var notifications: UInt64 = 0
        while try reader.advance() {
            let bytes = reader.bytes
            var prefix = ByteReader(bytes)
            let flags = prefix.number(upTo: Flag.all)
            var (member, added, vanished): (UInt64, UInt64, UInt64) = (0, 0, 0)
            var shown = OrderKey(timestamp: 0, source: 0, line: 0)
            if flags & Flag.hasChanged != 0 {
                member = prefix.number(upTo: UInt64(entries.count))
                added = prefix.number(upTo: UInt64(UInt32.max))
                vanished = prefix.number(upTo: UInt64(UInt32.max))
                shown = prefix.orderKey(sourceOffset: 0)
            }
            guard prefix.isValid else { throw reader.damage() }
            var index: Int?
            if member > 0, entries[Int(member) - 1].isShown { index = Int(entries[Int(member) - 1].group) }
            if flags & Flag.hasBase != 0 {
                guard
                    let base = restoreBase(
                        bytes.extracting(droppingFirst: prefix.offset), of: file, &notifications)
                else { throw reader.damage() }
                index = base
            } else if flags & Flag.isEmpty != 0 {
                index = restoreEmpty(&prefix, in: bytes, shown, isRegrouped: flags & Flag.isRegrouped != 0)
            }
            guard let index else { throw reader.damage() }
            if flags & Flag.hasChanged != 0 {
                changes.append((index, UInt32(added), UInt32(vanished), shown))
            }
        }
        clearChanges()
        for index in groups.indices {
            (groups[index].added, groups[index].vanished) = (0, 0)
            if !groups[index].isEmpty { recordShown(index) }
        }
        for change in changes {
            groups[change.index].added = change.added
            groups[change.index].vanished = change.vanished
            groups[change.index].shown = change.shown
            list(change.index)
        }
        return changes.map(\.index)
    }

    private mutating func restoreBase(
        _ bytes: Span<UInt8>, of file: StateFile, _ notifications: inout UInt64
    ) -> Int? {
        guard let group = EncodedGroup(bytes), file.sources.contains(group.leading.order.source) else {
            return nil
        }
        notifications += group.notificationCount
        let grouping = options.rules.grouping(of: bytes[group.leading.app])
        guard notifications <= file.notificationCount, notifications <= EncodedGroup.maximumCount,
            !group.hasDelivery, group.isAlone == (grouping == .off),
            isGrouped(group.leading, grouping, in: bytes)
        else { return nil }
        var other = GroupStore(maximumArguments: options.maximumArguments)
        let state = other.start(group, in: bytes)
        let hash = Routing.groupHash(group.leading, in: bytes)
        return merge(state, of: other, hash: hash, isAlone: group.isAlone)
    }

    /// Whether a notification is grouped like its app.
    private func isGrouped(_ record: NotificationRecord, _ grouping: Grouping, in bytes: Span<UInt8>) -> Bool
    {
        grouping == options.rules.grouping(of: bytes[record.app])
            && (grouping != .byApp || options.delivery != nil || record.thread.isEmpty)
    }

    /// Adds a group without notifications.
    ///
    /// - Parameter isRegrouped: whether it is alone or not, unlike the others of its app.
    private mutating func restoreEmpty(
        _ reader: inout ByteReader, in bytes: Span<UInt8>, _ shown: OrderKey, isRegrouped: Bool
    ) -> Int? {
        var record = NotificationRecord()
        record.device = reader.text()
        record.app = reader.text()
        record.thread = reader.text()
        record.order = shown
        guard reader.isValid, reader.isAtEnd, !record.app.isEmpty else { return nil }
        record.grouping = options.rules.grouping(of: bytes[record.app])
        if isRegrouped {
            guard options.delivery != nil else { return nil }
            record.grouping = record.grouping == .off ? .automatic : .off
        }
        return group(of: record, in: bytes, hash: Routing.groupHash(record, in: bytes))
    }
}
