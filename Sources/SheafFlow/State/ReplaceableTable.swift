import SheafBytes
import SheafGroups

/// The notifications that are kept one by one: the newest version (in each interval of a timeline) of each that a newer
/// version may replace (specification §5), and all others that removals (§15) or settings (§16) may concern.
///
/// Replaceable notifications are keyed by device, app and collapse identifier. None is in a group until all input is
/// read: only then is it known whether it is on screen, and in which group. They are kept individually, so their size
/// matters: an entry is 32 bytes, and its texts are one compacted block, which is rewritten when a newer version
/// arrives.
///
/// Notifications that no newer version may replace are in pieces, so that the memory of each is free once its notifications
/// are in groups. An index below `replaceableCount` is that of a replaceable one; the others follow.
struct ReplaceableTable: Sendable {
    private struct Entry: Sendable {
        var order: OrderKey
        var weight: UInt32
        var texts: PackedNotification
        var traits: NotificationTraits

        /// - Parameter record: the notification, compacted.
        init(_ record: NotificationRecord, _ texts: PackedNotification) {
            (order, weight, traits) = (record.order, record.weight, record.traits)
            self.texts = texts
        }
    }

    /// The intervals that versions are kept for; nil if only the newest is kept.
    private let timeline: Timeline?
    private let byDevice: Bool
    /// Whether of other versions the arrival is kept, and with it the category.
    private let keepsReplaced: Bool
    private let keepsCategories: Bool
    private var compactor = NotificationCompactor()
    /// The buffer for the compacted texts of the record that is being added. `add` takes it out while it runs.
    private var buffer: [UInt8] = []
    private var texts = NotificationStore()
    private var entries = SegmentedArray<Entry>()
    /// By the index of a replaceable notification: the hash of its group's key.
    private var groupHashes = SegmentedArray<UInt64>()
    private var index = HashIndex()
    /// All but the last one have `pieceCount` notifications.
    private var pieces: [Piece] = []
    private static let pieceCount = 1 << 13

    /// Notifications that no newer version may replace.
    private struct Piece: Sendable {
        var entries = SegmentedArray<Entry>()
        var texts = NotificationStore()

        var heldBytes: Int { texts.heldBytes + entries.heldBytes }
    }
    /// The number of versions that were not the newest.
    private(set) var updated: UInt64 = 0

    init(_ options: StateOptions) {
        timeline = options.versions
        byDevice = options.byDevice
        keepsReplaced = options.delivery != nil
        keepsCategories = options.division == .category
    }

    /// Creates a table of a piece that another table had.
    private init(_ piece: Piece, of other: ReplaceableTable) {
        (timeline, byDevice) = (other.timeline, other.byDevice)
        (keepsReplaced, keepsCategories) = (other.keepsReplaced, other.keepsCategories)
        compactor = other.compactor
        pieces = [piece]
    }

    var count: Int { entries.count + singleCount }

    private var replaceableCount: Int { entries.count }

    private var singleCount: Int {
        pieces.last.map { (pieces.count - 1) * Self.pieceCount + $0.entries.count } ?? 0
    }

    /// The memory in use, in bytes, and the memory for sorting the notifications: their entries, half of them twice.
    var heldBytes: Int {
        compactor.heldBytes + texts.heldBytes + entries.heldBytes + groupHashes.heldBytes + index.heldBytes
            + singleBytes
            + count * (MemoryLayout<SortKey>.stride * 3 / 2)
    }

    /// The memory of the pieces, in bytes.
    private var singleBytes: Int { fullPieceBytes + (pieces.last?.heldBytes ?? 0) }
    /// That of all pieces but the last one.
    private var fullPieceBytes = 0

    /// Prefetches the memory that `add` will access.
    ///
    /// - Parameter timestamp: that of the notification that will be added.
    func prefetch(_ step: PrefetchStep, hash: UInt64, at timestamp: Int64) {
        let hash = timeline?.hash(hash, at: timestamp) ?? hash
        switch step {
        case .bucket: index.prefetch(hash)
        case .entry: if let found = index.candidate(hash) { entries.prefetch(found) }
        case .texts: if let found = index.candidate(hash) { texts.prefetch(entries[found].texts) }
        }
    }

    /// Frees the index. No notification can be added afterwards.
    mutating func releaseIndex() { index = HashIndex() }

    /// Keeps the notification, unless the table has a newer version of it. Of two versions, the older one's arrival may be
    /// kept.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        var compacted: [UInt8] = []
        swap(&compacted, &buffer)
        defer { swap(&compacted, &buffer) }
        let record = compactor.compact(item.record, in: bytes, into: &compacted)
        guard record.isReplaceable else { return appendSingle(record, compacted.span) }
        guard !record.traits.isReplaced else { return append(record, item, compacted.span) }
        let timestamp = record.order.timestamp
        let hash = timeline?.hash(item.identityHash, at: timestamp) ?? item.identityHash
        let found = index.find(hash) {
            texts.isSameNotification(entries[$0].texts, record, in: compacted.span)
                && timeline?.areTogether(entries[$0].order.timestamp, timestamp) ?? true
        }
        guard let found else {
            index.insert(entries.count, hash: hash)
            return append(record, item, compacted.span)
        }
        updated += 1
        guard keepsReplaced else {
            if entries[found].order < record.order { replace(found, by: record, item, in: compacted.span) }
            return
        }
        let (order, traits) = (entries[found].order, entries[found].traits)
        let isNewer = order < record.order
        // The texts of the older version are replaced.
        var expanded: [UInt8] = []
        var older = isNewer && keepsCategories ? self.record(at: found, into: &expanded) : item.record
        if isNewer {
            (older.order, older.traits) = (order, traits)
            replace(found, by: record, item, in: compacted.span)
        }
        older = older.replaced(keepsCategory: keepsCategories)
        older =
            isNewer && keepsCategories
            ? compactor.compact(older, in: expanded.span, into: &compacted)
            : compactor.compact(older, in: bytes, into: &compacted)
        append(older, item, compacted.span)
    }

    /// Replaces a version by a newer one.
    ///
    /// - Parameter record: the newer one, compacted.
    private mutating func replace(
        _ index: Int, by record: NotificationRecord, _ item: RoutedRecord, in bytes: Span<UInt8>
    ) {
        entries[index].order = record.order
        groupHashes[index] = item.groupHash
        entries[index].weight = record.weight
        entries[index].traits = record.traits
        texts.replace(&entries[index].texts, by: record, in: bytes)
    }

    private mutating func append(
        _ record: NotificationRecord, _ item: RoutedRecord, _ bytes: Span<UInt8>
    ) {
        entries.append(Entry(record, texts.insert(record, in: bytes)))
        groupHashes.append(item.groupHash)
    }

    private mutating func appendSingle(_ record: NotificationRecord, _ bytes: Span<UInt8>) {
        if pieces.last?.entries.count ?? Self.pieceCount == Self.pieceCount {
            fullPieceBytes += pieces.last?.heldBytes ?? 0
            pieces.append(Piece())
        }
        let last = pieces.count - 1
        let texts = pieces[last].texts.insert(record, in: bytes)
        pieces[last].entries.append(Entry(record, texts))
    }

    private func entry(at index: Int) -> Entry {
        if index < replaceableCount { return entries[index] }
        let single = index - replaceableCount
        return pieces[single / Self.pieceCount].entries[single % Self.pieceCount]
    }

    /// Calls `body` with a notification's compacted record, and the buffer of its texts.
    private func withPacked<Result>(
        at index: Int, _ body: (NotificationRecord, Span<UInt8>) -> Result
    ) -> Result {
        let packed = entry(at: index).texts
        let texts =
            index < replaceableCount ? texts : pieces[(index - replaceableCount) / Self.pieceCount].texts
        return body(texts.record(of: packed), texts.bytes(of: packed))
    }

    /// Replaces contents by the results of service extensions, and groupings by those that persons chose. O(n) if there
    /// are any.
    ///
    /// - Parameter byDevice: whether groups are separated by device.
    mutating func replaceContents(by judge: Judge, byDevice: Bool) {
        guard judge.replacesContents else { return }
        var (expanded, replaced, key): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        for index in 0..<count where !entry(at: index).traits.isReplaced {
            var record = record(at: index, into: &expanded)
            let logged = record.grouping
            if judge.changesGroupings,
                let grouping = judge.settings(for: record, in: expanded.span, key: &key).grouping
            {
                record.grouping = grouping
            }
            if let result = judge.newestResult(for: record, in: expanded.span, key: &key) {
                judge.replaceContent(of: &record, in: expanded.span, by: result, into: &replaced)
                replace(
                    index, by: RoutedRecord(record, byDevice: byDevice, in: replaced.span), in: replaced.span)
            } else if record.grouping != logged {
                replace(
                    index, by: RoutedRecord(record, byDevice: byDevice, in: expanded.span), in: expanded.span)
            }
        }
    }

    /// Replaces the content of a notification.
    private mutating func replace(_ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>) {
        var compacted: [UInt8] = []
        swap(&compacted, &buffer)
        defer { swap(&compacted, &buffer) }
        let compact = compactor.compact(item.record, in: bytes, into: &compacted)
        var entry = entry(at: index)
        (entry.weight, entry.traits) = (compact.weight, compact.traits)
        guard index >= replaceableCount else {
            groupHashes[index] = item.groupHash
            texts.replace(&entry.texts, by: compact, in: compacted.span)
            entries[index] = entry
            return
        }
        let (piece, place) = (index - replaceableCount).quotientAndRemainder(dividingBy: Self.pieceCount)
        pieces[piece].texts.replace(&entry.texts, by: compact, in: compacted.span)
        pieces[piece].entries[place] = entry
    }

    /// Returns the notification at an index, and writes its texts to the start of `expanded`, which may be longer.
    func record(at index: Int, into expanded: inout [UInt8]) -> NotificationRecord {
        if index < replaceableCount { return record(of: entries[index], in: texts, into: &expanded) }
        let (piece, place) = (index - replaceableCount).quotientAndRemainder(dividingBy: Self.pieceCount)
        return record(of: pieces[piece].entries[place], in: pieces[piece].texts, into: &expanded)
    }

    private func record(
        of entry: Entry, in texts: NotificationStore, into expanded: inout [UInt8]
    ) -> NotificationRecord {
        var record = compactor.expand(
            texts.record(of: entry.texts), in: texts.bytes(of: entry.texts), into: &expanded)
        record.order = entry.order
        record.weight = entry.weight
        record.traits = entry.traits
        return record
    }

    /// Some notifications of a table, with the hashes of their groups.
    typealias Window = NotificationWindow<(record: NotificationRecord, groupHash: UInt64)>

    /// Calls `body` with a few notifications at a time.
    ///
    /// - Parameters:
    ///   - isWanted: whether to include a group, by its hash. Skipping a notification is cheap if a newer version may
    ///     replace it.
    ///   - isShown: whether to pass a notification on, which it may change, except for its texts.
    func forEach(
        where isWanted: (UInt64) -> Bool = { _ in true },
        keeping isShown: (inout NotificationRecord, Span<UInt8>) -> Bool = { _, _ in true },
        _ body: (inout Window) -> Void
    ) {
        var window = Window()
        for index in 0..<count {
            let isReplaceable = index < replaceableCount
            var hash = isReplaceable ? groupHashes[index] : 0
            guard !isReplaceable || isWanted(hash) else { continue }
            var isIncluded = true
            window.append {
                var record = record(at: index, into: &$0)
                if !isReplaceable {
                    hash = Routing.groupHash(of: record, byDevice: byDevice, in: $0.span)
                    isIncluded = isWanted(hash)
                }
                isIncluded = isIncluded && isShown(&record, $0.span)
                return (record, hash)
            }
            if !isIncluded { window.removeLast() }
            guard window.isFull else { continue }
            body(&window)
            window.removeAll()
        }
        body(&window)
    }

    /// Removes a piece of the notifications that no newer version may replace, and returns a table of them; nil if none
    /// are left.
    mutating func removePiece() -> ReplaceableTable? {
        takePiece().map { ReplaceableTable($0, of: self) }
    }

    private mutating func takePiece() -> Piece? {
        let piece = pieces.popLast()
        fullPieceBytes -= pieces.last?.heldBytes ?? 0
        return piece
    }

    /// Removes the notifications that no newer version may replace, and calls `body` with a few of them at a time.
    ///
    /// Begins with the last one, which is probably the newest: a group keeps the texts of its newest notification, so that
    /// few are replaced.
    ///
    /// - Parameter isShown: whether to pass a notification on, which it may change, except for its texts.
    mutating func removeSingle<Failure>(
        keeping isShown: (inout NotificationRecord, Span<UInt8>) -> Bool = { _, _ in true },
        _ body: (inout Window) throws(Failure) -> Void
    ) throws(Failure) {
        var window = Window()
        while let piece = takePiece() {
            for place in (0..<piece.entries.count).reversed() {
                var isWanted = true
                window.append {
                    var record = record(of: piece.entries[place], in: piece.texts, into: &$0)
                    let hash = Routing.groupHash(of: record, byDevice: byDevice, in: $0.span)
                    isWanted = isShown(&record, $0.span)
                    return (record, hash)
                }
                if !isWanted { window.removeLast() }
                guard window.isFull || place == 0 else { continue }
                try body(&window)
                window.removeAll()
            }
        }
    }

    /// Prefetches a replaceable notification's entry, which locates its texts.
    mutating func prefetchEntry(at index: Int) { entries.prefetch(index) }

    /// Prefetches a replaceable notification's texts. Accesses its entry.
    mutating func prefetchTexts(at index: Int) {
        if index < replaceableCount { texts.prefetch(entries[index].texts) }
    }
}

// MARK: - Versions

extension ReplaceableTable {
    /// Returns the notifications' indices so that versions of a notification, and those of one device, app and id, follow
    /// each other from the oldest to the newest. O(n log n), and texts are compared only if their hashes are equal.
    func versionIndices() -> [UInt32] {
        // Compacted texts are equal if the texts are.
        var keys: [(hash: UInt64, order: OrderKey, index: UInt32)] = []
        keys.reserveCapacity(count)
        for index in 0..<count {
            let hash = withPacked(at: index) { record, bytes in
                bytes[record.device].hash(
                    seed: bytes[record.app].hash(
                        seed: bytes[record.removalIdentifier].hash(seed: record.isReplaceable ? 1 : 0)))
            }
            keys.append((hash, entry(at: index).order, UInt32(index)))
        }
        keys.sort { a, b in
            if a.hash != b.hash { return a.hash < b.hash }
            let identities = compareIdentities(a.index, b.index)
            return identities == 0 ? a.order < b.order : identities < 0
        }
        return keys.map(\.index)
    }

    private func compareIdentities(_ a: UInt32, _ b: UInt32) -> Int {
        withPacked(at: Int(a)) { mine, bytes in
            withPacked(at: Int(b)) { theirs, others in
                if mine.isReplaceable != theirs.isReplaceable { return mine.isReplaceable ? 1 : -1 }
                let devices = bytes[mine.device].compare(to: others[theirs.device])
                if devices != 0 { return devices }
                let apps = bytes[mine.app].compare(to: others[theirs.app])
                if apps != 0 { return apps }
                return bytes[mine.removalIdentifier].compare(to: others[theirs.removalIdentifier])
            }
        }
    }
}

/// The notifications of a table, whose events a judge has.
struct KeptNotifications: NotificationSequence {
    private var table: ReplaceableTable
    private let tracksDelivery: Bool
    private let indices: [UInt32]
    private var position = -1
    private var buffer: [UInt8] = []
    /// The number of bytes of the texts at the start of the buffer.
    private var byteCount = 0
    private(set) var entry: NotificationEntry?

    /// How many notifications ahead memory is prefetched: versions are scattered in the table.
    private static let entryLookahead = 16
    private static let textsLookahead = 8

    init(_ table: ReplaceableTable, _ options: StateOptions) {
        self.table = table
        tracksDelivery = options.delivery != nil
        indices = table.versionIndices()
    }

    mutating func advance() -> Bool {
        position = min(position + 1, indices.count)
        guard position < indices.count else {
            entry = nil
            return false
        }
        if position + Self.entryLookahead < indices.count {
            table.prefetchEntry(at: Int(indices[position + Self.entryLookahead]))
        }
        if position + Self.textsLookahead < indices.count {
            table.prefetchTexts(at: Int(indices[position + Self.textsLookahead]))
        }
        let record = table.record(at: Int(indices[position]), into: &buffer)
        byteCount = record.textEnd
        entry = NotificationEntry(record, tracksDelivery: tracksDelivery)
        return true
    }

    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(buffer.span.extracting(first: byteCount))
    }
}

// MARK: - Order

// The order is that of `NotificationEntry`: by device, app and identifier; then those without a collapse identifier
// first, and the oldest first.
//
// Contiguous compact keys are compared: the device's first 16 bytes, the app's rank, and the identifier's first 16
// bytes. Texts are expanded and compared only if the keys are tied.

extension ReplaceableTable {
    private struct SortKey {
        let index: UInt32
        let deviceCount: UInt32
        let device: TextWords
        let identifier: TextWords
        var appRank: UInt32
    }

    /// Returns the notifications' indices in order. O(n log n).
    func sortedIndices() -> [UInt32] {
        var expanded: [UInt8] = []
        var apps = SymbolTable()
        var keys: [SortKey] = []
        keys.reserveCapacity(count)
        for index in 0..<count {
            let record = record(at: index, into: &expanded)
            let bytes = expanded.span
            keys.append(
                SortKey(
                    index: UInt32(index), deviceCount: record.device.count,
                    device: TextWords(bytes[record.device]),
                    identifier: TextWords(bytes[record.removalIdentifier]),
                    appRank: apps.symbol(for: bytes[record.app])))
        }
        let ranks = apps.ranks
        for index in keys.indices { keys[index].appRank = ranks[Int(keys[index].appRank)] }
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        keys.sort { precedes($0, $1, &first, &second) }
        return keys.map(\.index)
    }

    /// - Parameters:
    ///   - mine: a buffer for the texts of `a`.
    ///   - theirs: a buffer for the texts of `b`.
    private func precedes(
        _ a: SortKey, _ b: SortKey, _ mine: inout [UInt8], _ theirs: inout [UInt8]
    ) -> Bool {
        if a.device != b.device { return a.device < b.device }
        // Equal words mean equal devices only if they hold the whole device.
        let isShort = max(a.deviceCount, b.deviceCount) <= UInt32(TextWords.byteCount)
        if isShort {
            if a.deviceCount != b.deviceCount { return a.deviceCount < b.deviceCount }
            if a.appRank != b.appRank { return a.appRank < b.appRank }
            if a.identifier != b.identifier { return a.identifier < b.identifier }
        }
        let first = record(at: Int(a.index), into: &mine)
        let second = record(at: Int(b.index), into: &theirs)
        let (own, other) = (mine.span, theirs.span)
        let devices = own[first.device].compare(to: other[second.device])
        if devices != 0 { return devices < 0 }
        if a.appRank != b.appRank { return a.appRank < b.appRank }
        let identifiers = own[first.removalIdentifier].compare(to: other[second.removalIdentifier])
        if identifiers != 0 { return identifiers < 0 }
        if first.isReplaceable != second.isReplaceable { return second.isReplaceable }
        return first.order < second.order
    }
}
