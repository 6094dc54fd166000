import SheafBytes
import SheafGroups

/// A notification that may be replaced or removed, in its newest version.
struct ScreenEntry {
    var order: OrderKey
    var weight: UInt32
    var group: UInt32 = 0
    /// The neighbors in the group's block of members, plus one. The first member of a block has the block's number
    /// instead of a neighbor, see `MemberBlock`.
    var previous: UInt32 = 0
    var next: UInt32 = 0
    /// The next entry with the same identifier, and the next one of the same device and app, plus one.
    fileprivate var nextOfIdentifier: UInt32 = 0
    fileprivate var nextOfDevice: UInt32 = 0
    var period: UInt32 = 0
    /// The group, plus one, of the version that was shown last, if the notification is alone and was updated in
    /// `period`.
    var predecessor: UInt32 = 0
    fileprivate var texts: PackedNotification
    fileprivate var traits: NotificationTraits
    /// What keeps it from the screen; it is not a member of a group then.
    var presence = Presence.removed
    let isReplaceable: Bool

    /// Whether it is on screen.
    var isShown: Bool { presence.isShown }

    /// Whether a record that comes later may need it: one that is suppressed appears if older settings come, one that
    /// was removed with its thread if a service extension's result has another thread.
    var isNeeded: Bool { presence != .refused && (isReplaceable || presence != .removed) }

    /// The next entry of a chain, plus one; 0 after the last one.
    fileprivate subscript(next chain: ScreenEntries.Chain) -> UInt32 {
        get {
            switch chain {
            case .identifier: nextOfIdentifier
            case .device: nextOfDevice
            }
        }
        set {
            switch chain {
            case .identifier: nextOfIdentifier = newValue
            case .device: nextOfDevice = newValue
            }
        }
    }
}

/// The notifications of a `ScreenTable` that may be replaced or removed, each in its newest version.
///
/// Entries are found by their identity, and those that a removal may concern by chains: the first entry of a chain is
/// in an index, and leads to the others.
///
/// Memory: an entry takes 64 bytes and its texts.
struct ScreenEntries {
    private var entries = SegmentedArray<ScreenEntry>()
    private var identities = HashIndex()
    /// The first entry of each chain.
    private var identifiers = HashIndex()
    /// The entries that have both a collapse identifier and an id, by the hash of the app and the id.
    private var pushes: [UInt64: [UInt32]] = [:]
    private var devices = HashIndex()
    /// The oldest and the newest notification that each block of `blockCount` entries has had.
    private var times: [(oldest: OrderKey, newest: OrderKey)] = []
    private static var blockCount: Int { 1_024 }
    /// By entry: the order keys of the siblings of those that have some, ascending, all less than the entry's own.
    var siblings: [Int: [OrderKey]] = [:]
    var siblingCount = 0
    private var compactor = NotificationCompactor()
    private var texts = NotificationStore()
    /// The buffer for compacted texts. `add` takes it out while it runs.
    private var compacted: [UInt8] = []

    /// What the entries of a chain share, besides the app.
    enum Chain {
        case identifier, device

        fileprivate func text(of record: NotificationRecord) -> TextRange {
            switch self {
            case .identifier: record.removalIdentifier
            case .device: record.device
            }
        }
    }

    var count: Int { entries.count }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        entries.heldBytes + identities.heldBytes + identifiers.heldBytes + devices.heldBytes
            + pushes.capacity * Self.pushBytes + siblingBytes
            + compactor.heldBytes + texts.heldBytes
    }

    subscript(index: Int) -> ScreenEntry {
        get { entries[index] }
        _modify { yield &entries[index] }
    }

    /// What became of a notification that was added.
    enum Addition {
        case new(Int)
        /// It is newer than the entry, whose texts are now its own.
        case update(Int)
        /// It is older than its entry.
        case outdated
    }

    /// Adds a notification, unless a newer version of it is there. Of an update only the texts are stored.
    ///
    /// - Parameters:
    ///   - chains: those that a new entry is added to.
    ///   - tracksPushes: whether entries are found by the ids of their versions.
    mutating func add(
        _ item: RoutedRecord, in bytes: Span<UInt8>, chains: [Chain], tracksPushes: Bool
    ) -> Addition {
        var buffer: [UInt8] = []
        swap(&buffer, &compacted)
        defer { swap(&buffer, &compacted) }
        let record = compactor.compact(item.record, in: bytes, into: &buffer)
        let isReplaceable = item.record.isReplaceable
        if isReplaceable,
            let found = identities.find(
                item.identityHash,
                where: { texts.isSameNotification(entries[$0].texts, record, in: buffer.span) })
        {
            guard entries[found].order < item.record.order else { return .outdated }
            replace(found, by: item, in: bytes, packed: record, in: buffer.span, tracksPushes: tracksPushes)
            return .update(found)
        }
        let index = append(item.record, packed: record, in: buffer.span)
        if isReplaceable { identities.insert(index, hash: item.identityHash) }
        for chain in chains { link(index, into: chain, item.record, in: bytes) }
        if tracksPushes { addPush(index, item.record, in: bytes) }
        return .new(index)
    }

    /// Replaces the version of an entry. Of another version only the texts are stored.
    mutating func replace(_ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>, tracksPushes: Bool) {
        var buffer: [UInt8] = []
        let packed = compactor.compact(item.record, in: bytes, into: &buffer)
        replace(index, by: item, in: bytes, packed: packed, in: buffer.span, tracksPushes: tracksPushes)
    }

    /// - Parameter packed: the same notification with its compacted texts.
    private mutating func replace(
        _ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>, packed: NotificationRecord,
        in packedBytes: Span<UInt8>, tracksPushes: Bool
    ) {
        if tracksPushes {
            removePush(of: index)
            addPush(index, item.record, in: bytes)
        }
        entries[index].order = item.record.order
        extendTimes(of: index, by: item.record.order)
        entries[index].weight = item.record.weight
        entries[index].traits = item.record.traits
        texts.replace(&entries[index].texts, by: packed, in: packedBytes)
    }

    /// Returns the entry of a notification that may have versions; nil if it has no entry.
    func find(_ item: RoutedRecord, in bytes: Span<UInt8>) -> Int? {
        var buffer: [UInt8] = []
        return identities.find(item.identityHash) { index in
            record(at: index, into: &buffer)
                .hasSame(\.collapseIdentifier, in: buffer.span, as: item.record, in: bytes)
        }
    }

    /// - Parameter packed: the same notification with its compacted texts.
    private mutating func append(
        _ record: NotificationRecord, packed: NotificationRecord, in bytes: Span<UInt8>
    ) -> Int {
        entries.append(
            ScreenEntry(
                order: record.order, weight: record.weight, texts: texts.insert(packed, in: bytes),
                traits: record.traits, isReplaceable: record.isReplaceable))
        extendTimes(of: entries.count - 1, by: record.order)
        return entries.count - 1
    }

    /// Adds a copy of an entry without a collapse identifier.
    ///
    /// - Parameter orders: the order keys of the copy's notifications, ascending.
    mutating func appendCopy(of index: Int, _ orders: [OrderKey], chains: [Chain]) -> Int {
        var (buffer, packed): ([UInt8], [UInt8]) = ([], [])
        let record = record(at: index, into: &buffer)
        let compact = compactor.compact(record, in: buffer.span, into: &packed)
        let copy = append(record, packed: compact, in: packed.span)
        for chain in chains { link(copy, into: chain, record, in: buffer.span) }
        var older = orders
        entries[copy].order = older.removeLast()
        extendTimes(of: copy, by: entries[copy].order)
        setSiblings(of: copy, older)
        return copy
    }

    /// Returns the notification of an entry, and writes its texts to the start of `buffer`, which may be longer.
    func record(at index: Int, into buffer: inout [UInt8]) -> NotificationRecord {
        let entry = entries[index]
        var record = compactor.expand(
            texts.record(of: entry.texts), in: texts.bytes(of: entry.texts), into: &buffer)
        record.order = entry.order
        record.weight = entry.weight
        record.traits = entry.traits
        return record
    }
}

// MARK: - Times

extension ScreenEntries {
    /// Records the time of a notification that an entry has.
    mutating func extendTimes(of index: Int, by order: OrderKey) {
        let block = index / Self.blockCount
        if block == times.count { times.append((order, order)) }
        times[block] = (min(times[block].oldest, order), max(times[block].newest, order))
    }

    /// Returns the entries, whether or not they are needed, in blocks with notifications that are newer than `oldest`
    /// and not newer than `newest`. O(n / 1,024), and O(1) for each of them.
    ///
    /// - Parameter newest: nil for no limit.
    func candidates(newerThan oldest: OrderKey, upTo newest: OrderKey?) -> [Range<Int>] {
        times.indices.filter { block in
            oldest < times[block].newest && newest.map { !($0 < times[block].oldest) } ?? true
        }
        .map { $0 * Self.blockCount..<min(($0 + 1) * Self.blockCount, entries.count) }
    }
}

// MARK: - Ids

extension ScreenEntries {
    /// Returns entries whose collapse identifier is not the only way to find them: those with this id, and perhaps a
    /// few others.
    func entries(ofPush id: Span<UInt8>, app: Span<UInt8>) -> [Int] {
        pushes[Self.hash(app, id)]?.map(Int.init) ?? []
    }

    /// The memory of a list of entries, and what the dictionary adds.
    private static var pushBytes: Int { 80 }

    private mutating func addPush(_ index: Int, _ record: NotificationRecord, in bytes: Span<UInt8>) {
        guard record.isReplaceable, !record.identifier.isEmpty else { return }
        pushes[Self.hash(bytes[record.app], bytes[record.identifier]), default: []].append(UInt32(index))
    }

    private mutating func removePush(of index: Int) {
        var buffer: [UInt8] = []
        let record = record(at: index, into: &buffer)
        guard !record.identifier.isEmpty else { return }
        let hash = Self.hash(buffer.span[record.app], buffer.span[record.identifier])
        pushes[hash]?.removeAll { $0 == UInt32(index) }
        if pushes[hash]?.isEmpty == true { pushes[hash] = nil }
    }
}

// MARK: - Chains

extension ScreenEntries {
    /// Returns the entries of a chain that are still needed, and drops those from it that nothing needs any longer.
    ///
    /// - Parameter text: what the entries share.
    mutating func entries(of chain: Chain, app: Span<UInt8>, text: Span<UInt8>) -> [Int] {
        let hash = Self.hash(app, text)
        guard let first = first(of: chain, hash: hash, app: app, text: text) else { return [] }
        var needed: [Int] = []
        // The first entry stays, since the index finds the others by it.
        var last = first
        var following = UInt32(first + 1)
        while following > 0 {
            let index = Int(following) - 1
            following = entries[index][next: chain]
            if entries[index].isNeeded { needed.append(index) }
            if index == last { continue }
            if entries[index].isNeeded {
                last = index
            } else {
                entries[last][next: chain] = following
            }
        }
        return needed
    }

    /// Adds a new entry to the chain of its text, if it has one.
    private mutating func link(
        _ index: Int, into chain: Chain, _ record: NotificationRecord, in bytes: Span<UInt8>
    ) {
        let text = bytes[chain.text(of: record)]
        guard !text.isEmpty else { return }
        let hash = Self.hash(bytes[record.app], text)
        if let first = first(of: chain, hash: hash, app: bytes[record.app], text: text) {
            entries[index][next: chain] = entries[first][next: chain]
            entries[first][next: chain] = UInt32(index + 1)
            return
        }
        switch chain {
        case .identifier: identifiers.insert(index, hash: hash)
        case .device: devices.insert(index, hash: hash)
        }
    }

    private func first(of chain: Chain, hash: UInt64, app: Span<UInt8>, text: Span<UInt8>) -> Int? {
        func isFirst(_ index: Int) -> Bool {
            var buffer: [UInt8] = []
            let record = record(at: index, into: &buffer)
            return buffer.span[chain.text(of: record)].isEqual(to: text)
                && buffer.span[record.app].isEqual(to: app)
        }
        switch chain {
        case .identifier: return identifiers.find(hash, where: isFirst)
        case .device: return devices.find(hash, where: isFirst)
        }
    }

    private static func hash(_ app: Span<UInt8>, _ text: Span<UInt8>) -> UInt64 {
        text.hash(seed: app.hash(seed: 5))
    }
}
