import SheafBytes
import SheafText

/// Stores the states of many groups, with the operations on them: start, add, merge, read.
///
/// Adding and merging are associative, commutative and exact (specification §9), because every part of a state is one
/// of
/// - a maximum by order key (the leading notification, a tally's newest one),
/// - a sum (counts, weights) or a minimum (first),
/// - the `maximumArguments` largest elements of a set by order key: an element that is among the largest of a union
///   is also among the largest of its part,
/// - the tallies with the `maximumCategories` smallest names, and the sum of all others: a name that is not among the
///   smallest of a part is not among those of the union either, so its notifications are never split between the two.
/// The notification that is not the maximum is added to the sums.
///
/// A store has value semantics. It takes the memory of the groups' texts, 48 bytes per category, and 32 bytes per
/// argument (with room for up to twice as many of either), and 64 bytes per group if `DeliverySums` are tracked. A
/// group has fewer than `2 * maximumCategories` tallies at any time.
@usableFromInline package struct GroupStore: Sendable {
    @usableFromInline var arena = ByteArena()
    var tallies = ListPool<CategoryTally>()
    var arguments = ListPool<ArgumentUse>()
    /// The indices of tallies of groups with many categories, by the group's list and the category, so that a list of
    /// thousands is not searched for each notification.
    var tallyIndex: [UInt64: UInt32] = [:]
    @usableFromInline package internal(set) var apps = SymbolTable()
    @usableFromInline package internal(set) var categories = SymbolTable()
    /// The maximum number of distinct arguments that a group keeps.
    package let maximumArguments: Int

    /// The maximum number of a group's categories that have tallies of their own (specification §9).
    package static let maximumCategories = 1024
    /// The memory per entry of `tallyIndex`: a key, an index and a bit, in a table that may be growing.
    private static let indexedTallyBytes = 40

    package init(maximumArguments: Int) {
        precondition(
            (1...Int(UInt16.max)).contains(maximumArguments), "the number of arguments must be 1 to 65535")
        precondition(
            maximumArguments <= ListPool<ArgumentUse>.maximumCount, "the arguments must fit in one list")
        self.maximumArguments = maximumArguments
    }

    /// Bytes of memory in use.
    package var heldBytes: Int {
        arena.heldBytes + tallies.heldBytes + arguments.heldBytes + apps.heldBytes + categories.heldBytes
            + tallyIndex.capacity * Self.indexedTallyBytes
    }

    /// Returns the state of a group with only this notification.
    package mutating func start(_ record: NotificationRecord, in bytes: Span<UInt8>) -> GroupState {
        var texts = ByteArena.Block.none
        PackedTexts.group.pack(record, in: bytes, to: &texts, of: &arena)
        var state = GroupState(
            app: apps.symbol(for: bytes[record.app]),
            leading: GroupState.Leading(
                order: record.order, weight: record.weight,
                category: categories.symbol(for: bytes[record.category]), texts: texts),
            first: record.order.timestamp)
        state.isAlone = record.grouping == .off
        if record.effect.isTracked { add(record.effect, at: record.order, to: &state) }
        return state
    }

    /// Adds a notification with the group's key. O(categories of the rest + kept arguments).
    package mutating func add(
        _ record: NotificationRecord, in bytes: Span<UInt8>, to state: inout GroupState
    ) {
        state.first = min(state.first, record.order.timestamp)
        if record.effect.isTracked { add(record.effect, at: record.order, to: &state) }
        // Most notifications of a group have the same category as the leading one.
        let category = bytes[record.category]
        let isSame = categories.text(of: state.leading.category).isEqual(to: category)
        insert(
            record, in: bytes,
            category: isSame ? state.leading.category : categories.symbol(for: category), &state)
    }

    /// Adds notifications that are equal to the record that was added last, except for their order keys, which are less
    /// than its own.
    package mutating func add(
        _ others: EqualNotifications, to record: NotificationRecord, in bytes: Span<UInt8>,
        to state: inout GroupState
    ) {
        precondition(
            others.newest < record.order, "the notifications that are added may not lead their group")
        state.first = min(state.first, others.oldest)
        if record.effect.isTracked { add(DeliverySums(record.effect, count: others.count), to: &state) }
        let argument = bytes[record.argument]
        add(
            CategoryTally(
                newest: others.newest, category: categories.symbol(for: bytes[record.category]),
                count: others.count, weight: min(UInt64(record.weight) * others.count, WeightSum.maximum),
                withoutArgument: argument.isEmpty ? others.count : 0),
            to: &state)
        if !argument.isEmpty { use(argument, at: others.newest, in: &state) }
    }

    /// Merges a state of another store into one of this store. Both must have the same key, and no notification may
    /// be in both.
    package mutating func merge(_ other: GroupState, of store: GroupStore, into state: inout GroupState) {
        let leads = state.leading.order < other.leading.order
        if leads { state.showPreviews = other.showPreviews }
        insert(
            store.leadingRecord(of: other), in: store.leadingBytes(of: other), isUnpacked: true,
            category: symbol(forCategory: other.leading.category, of: store), &state)
        mergeRest(other, of: store, locale: leads ? store.locale(of: other) : nil, into: &state)
    }

    /// Copies a state of another store into this store.
    package mutating func copy(_ other: GroupState, of store: GroupStore) -> GroupState {
        var texts = ByteArena.Block.none
        let textBytes = store.arena.bytes(of: other.leading.texts)
        PackedTexts.group.pack(
            PackedTexts.group.unpack(textBytes), in: textBytes, isUnpacked: true, to: &texts, of: &arena)
        var state = GroupState(
            app: apps.symbol(for: store.apps.text(of: other.app)),
            leading: GroupState.Leading(
                order: other.leading.order, weight: other.leading.weight,
                category: symbol(forCategory: other.leading.category, of: store), texts: texts),
            first: other.first)
        (state.isAlone, state.showPreviews) = (other.isAlone, other.showPreviews)
        mergeRest(other, of: store, locale: store.locale(of: other), into: &state)
        return state
    }
}

// MARK: - Reading

extension GroupStore {
    /// Returns whether the record belongs to the state's group.
    package func matches(
        _ state: GroupState, _ record: NotificationRecord, in bytes: Span<UInt8>
    ) -> Bool {
        let keyBytes = arena.bytes(of: state.leading.texts)
        let key = PackedTexts.group.unpack(keyBytes)
        return keyBytes[key.thread].isEqual(to: bytes[record.thread])
            && apps.text(of: state.app).isEqual(to: bytes[record.app])
            && keyBytes[key.device].isEqual(to: bytes[record.device])
    }

    /// Prefetches the memory that adding to the state, or reading it, will access.
    package func prefetch(_ state: GroupState) {
        arena.prefetch(state.leading.texts, lines: 4)
        tallies.prefetch(state.tallies, lines: 2)
        arguments.prefetch(state.arguments, lines: 2)
    }

    @inlinable @_lifetime(borrow self)
    package func app(of state: GroupState) -> Span<UInt8> { apps.text(of: state.app) }

    /// Returns the app's symbol in `apps`.
    @inlinable package func appSymbol(of state: GroupState) -> UInt32 { state.app }

    /// Returns the name of the category with this symbol.
    @inlinable @_lifetime(borrow self)
    package func category(_ symbol: UInt32) -> Span<UInt8> { categories.text(of: symbol) }

    @_lifetime(borrow self)
    package func thread(of state: GroupState) -> Span<UInt8> {
        let bytes = arena.bytes(of: state.leading.texts)
        return bytes[PackedTexts.group.unpack(bytes).thread]
    }

    @_lifetime(borrow self)
    package func device(of state: GroupState) -> Span<UInt8> {
        let bytes = arena.bytes(of: state.leading.texts)
        return bytes[PackedTexts.group.unpack(bytes).device]
    }

    /// Prefetches the texts of the state's key, which come first in their block.
    @inlinable package func prefetchKey(of state: GroupState) {
        arena.prefetch(state.leading.texts, lines: 1)
    }

    /// Returns the leading notification: its numbers, and the ranges of its texts in `leadingBytes`, except for app
    /// and category. The identifier is a `CompactText`.
    package func leadingRecord(of state: GroupState) -> NotificationRecord {
        var record = PackedTexts.group.unpack(arena.bytes(of: state.leading.texts))
        record.order = state.leading.order
        record.weight = state.leading.weight
        return record
    }

    /// Returns the buffer of the leading notification's texts.
    @inlinable @_lifetime(borrow self)
    package func leadingBytes(of state: GroupState) -> Span<UInt8> { arena.bytes(of: state.leading.texts) }

    /// Returns the symbol of the leading notification's category.
    @inlinable package func leadingCategory(of state: GroupState) -> UInt32 { state.leading.category }

    /// Returns the number of notifications in the group. O(categories).
    package func notificationCount(of state: GroupState) -> UInt64 {
        let tallies = tallies(of: state)
        var count: UInt64 = 1 + (others(of: state)?.count ?? 0)
        for index in tallies.indices { count += tallies[index].count }
        return count
    }

    /// Returns whether the group has unusually large or unusually many texts.
    package func isLarge(_ state: GroupState) -> Bool {
        state.tallyCount >= Self.largeTextCount || state.argumentCount >= Self.largeTextCount
            || leadingBytes(of: state).count >= Self.largeByteCount
    }

    private static let largeTextCount = 64
    private static let largeByteCount = 64 << 10
}

// MARK: - The rest

extension GroupStore {
    private mutating func symbol(forCategory category: UInt32, of store: GroupStore) -> UInt32 {
        categories.symbol(for: store.categories.text(of: category))
    }

    /// Compares a notification with the leading one: the newer becomes the leading one, the other is added to the
    /// rest.
    ///
    /// - Parameter isUnpacked: whether the record is the leading one of another store.
    @inline(__always)
    private mutating func insert(
        _ record: NotificationRecord, in bytes: Span<UInt8>, isUnpacked: Bool = false, category: UInt32,
        _ state: inout GroupState
    ) {
        if record.order < state.leading.order {
            pushToRest(
                &state, category: category, weight: record.weight, argument: bytes[record.argument],
                order: record.order)
            return
        }
        push(state.leading, toRestOf: &state)
        PackedTexts.group.pack(
            record, in: bytes, isUnpacked: isUnpacked, to: &state.leading.texts, of: &arena)
        state.leading.order = record.order
        state.leading.weight = record.weight
        state.leading.category = category
    }

    /// Adds a notification whose texts are in the store to the rest.
    private mutating func push(_ leading: GroupState.Leading, toRestOf state: inout GroupState) {
        let argument = PackedTexts.group.unpack(arena.bytes(of: leading.texts)).argument
        add(
            CategoryTally(
                order: leading.order, category: leading.category, weight: leading.weight,
                hasArgument: !argument.isEmpty),
            to: &state)
        guard !argument.isEmpty else { return }
        let (hash, found) = findArgument(at: argument, of: leading.texts, in: state)
        if let index = found {
            recordUse(of: index, in: state, at: leading.order)
        } else if let room = makeRoom(in: &state, for: leading.order) {
            let block = arena.allocate(copyOf: argument.range, of: leading.texts)
            keepArgument(
                block, count: argument.count, hash: hash, order: leading.order, at: room, in: &state)
        }
    }

    /// Adds one notification to the rest.
    private mutating func pushToRest(
        _ state: inout GroupState, category: UInt32, weight: UInt32, argument: Span<UInt8>, order: OrderKey
    ) {
        add(
            CategoryTally(
                order: order, category: category, weight: weight, hasArgument: !argument.isEmpty),
            to: &state)
        if !argument.isEmpty { use(argument, at: order, in: &state) }
    }

    /// - Parameter locale: that of the leading notification's texts; nil if it stays what it was.
    private mutating func mergeRest(
        _ other: GroupState, of store: GroupStore, locale: LocaleCode?, into state: inout GroupState
    ) {
        state.first = min(state.first, other.first)
        if let sums = store.delivery(of: other) { add(sums, locale: locale, to: &state) }
        let tallies = store.tallies(of: other)
        for index in tallies.indices {
            var tally = tallies[index]
            tally.category = symbol(forCategory: tally.category, of: store)
            add(tally, to: &state)
        }
        if let others = store.others(of: other) { addOthers(others, to: &state) }
        let uses = store.arguments(of: other)
        for index in uses.indices {
            let argument = uses[index]
            let text = store.arena.bytes(of: argument.text).extracting(first: Int(argument.count))
            use(text, at: argument.newest, in: &state)
        }
        if other.argumentsTruncated { state.argumentsTruncated = true }
    }
}

// MARK: - Single states

/// Copies and frees single states, for stores whose groups come and go.
extension GroupStore {
    /// Returns a copy of a state that changes independently. O(its size).
    package mutating func duplicate(_ state: GroupState) -> GroupState {
        var texts = ByteArena.Block.none
        // A copy, because the store changes while the texts are read.
        var bytes: [UInt8] = []
        bytes.append(arena.bytes(of: state.leading.texts))
        PackedTexts.group.pack(
            PackedTexts.group.unpack(bytes.span), in: bytes.span, isUnpacked: true, to: &texts, of: &arena)
        var copy = GroupState(app: state.app, leading: state.leading, first: state.first)
        copy.leading.texts = texts
        for index in 0..<Int(state.tallyCount) { add(tallies(of: state)[index], to: &copy) }
        if let others = others(of: state) { addOthers(others, to: &copy) }
        for index in 0..<Int(state.argumentCount) {
            let argument = arguments(of: state)[index]
            let text = arena.allocate(
                copyOf: TextRange(start: 0, count: argument.count).range, of: argument.text)
            keepArgument(
                text, count: argument.count, hash: argument.hash, order: argument.newest,
                at: Int(copy.argumentCount), in: &copy)
        }
        if let sums = delivery(of: state) { add(sums, locale: locale(of: state), to: &copy) }
        copy.argumentsTruncated = state.argumentsTruncated
        (copy.isAlone, copy.showPreviews) = (state.isAlone, state.showPreviews)
        return copy
    }

    /// Merges a state into another one with the same key, whose memory it becomes: it must not be used afterwards. No
    /// notification may be in both. O(its size), besides finding its categories and arguments.
    package mutating func absorb(_ other: GroupState, into state: inout GroupState) {
        state.first = min(state.first, other.first)
        let leads = state.leading.order < other.leading.order
        let older = leads ? state.leading : other.leading
        push(older, toRestOf: &state)
        arena.free(older.texts)
        if leads { (state.leading, state.showPreviews) = (other.leading, other.showPreviews) }
        if let sums = delivery(of: other) {
            add(sums, locale: leads ? locale(of: other) : nil, to: &state)
            arena.free(other.delivery)
        }
        for index in 0..<Int(other.tallyCount) { add(tallies(of: other)[index], to: &state) }
        if let others = others(of: other) { addOthers(others, to: &state) }
        removeTallies(of: other)
        for index in 0..<Int(other.argumentCount) { move(arguments(of: other)[index], to: &state) }
        arguments.remove(other.arguments, count: Int(other.argumentCount))
        if other.argumentsTruncated { state.argumentsTruncated = true }
    }

    /// Frees the memory of a state, which must not be used afterwards. O(its size).
    package mutating func remove(_ state: GroupState) {
        arena.free(state.leading.texts)
        arena.free(state.delivery)
        removeTallies(of: state)
        for index in 0..<Int(state.argumentCount) {
            let argument = arguments(of: state)[index]
            arena.free(argument.text, allocatedFor: Int(argument.count))
        }
        arguments.remove(state.arguments, count: Int(state.argumentCount))
    }
}
