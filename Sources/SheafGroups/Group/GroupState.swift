import SheafBytes

/// A group's mergeable state (specification §9): its key, the leading notification, and sums over the rest.
///
///     key        app (symbol) · device, thread (packed with the leading's texts)
///     leading    order · weight · category (symbol) · texts (packed)
///     rest       a list of tallies, one per category ── a list of the newest distinct arguments
///
/// The parts of variable size are in the `GroupStore` that created the state; a state has no meaning without it. A
/// state is plain memory of 64 bytes, so that tables of states are arrays without references.
@usableFromInline package struct GroupState: Sendable {
    /// The app's symbol.
    @usableFromInline var app: UInt32
    /// The tally of the categories without one of their own; 0 if there are none. Stored next to the app, where the
    /// alignment of the leading notification leaves room.
    var others: UInt32 = 0
    @usableFromInline package internal(set) var leading: Leading
    /// The oldest notification's timestamp; the newest is that of the leading one.
    package internal(set) var first: Int64
    /// The first of the rest's tallies; 0 while the rest is empty.
    var tallies: UInt32 = 0
    var tallyCount: UInt32 = 0
    /// The rest's arguments.
    var arguments = ListPool<ArgumentUse>.List.empty
    var argumentCount: UInt16 = 0
    /// Whether the rest had more distinct arguments than are kept.
    package internal(set) var argumentsTruncated = false

    @usableFromInline package struct Leading: Sendable {
        @usableFromInline package internal(set) var order: OrderKey
        package internal(set) var weight: UInt32
        /// The category's symbol.
        @usableFromInline var category: UInt32
        /// Packed as `PackedTexts.group`: includes the key's texts, which every notification of the group has.
        @usableFromInline var texts: ByteArena.Block
    }

    @inlinable package var last: Int64 { leading.order.timestamp }

    /// Whether the leading notification is the only one.
    package var isSingle: Bool { tallies == 0 }
}

/// The tally of one category's notifications in a group's rest.
@usableFromInline package struct CategoryTally: Sendable {
    /// The category's symbol; 0 for none.
    package internal(set) var category: UInt32
    var next: UInt32
    package var count: UInt64
    /// The sum of the notifications' weights, at most `WeightSum.maximum`.
    package var weight: UInt64
    /// The number of notifications without an argument.
    package internal(set) var withoutArgument: UInt64
    package internal(set) var newest: OrderKey
}

extension CategoryTally {
    /// Creates the tally of a leading notification alone.
    package init(category: UInt32, leading: NotificationRecord) {
        self.init(
            category: category, next: 0, count: 1, weight: UInt64(leading.weight),
            withoutArgument: leading.argument.isEmpty ? 1 : 0, newest: leading.order)
    }

    /// Adds other notifications of the category.
    mutating func add(count: UInt64, weight: UInt64, withoutArgument: UInt64, newest: OrderKey) {
        self.count += count
        self.weight = WeightSum.adding(self.weight, weight)
        self.withoutArgument += withoutArgument
        self.newest = max(self.newest, newest)
    }

    /// Adds another tally's notifications.
    mutating func add(_ other: CategoryTally) {
        add(
            count: other.count, weight: other.weight, withoutArgument: other.withoutArgument,
            newest: other.newest)
    }

    /// Treats the notifications as if they had no summary arguments and no summary counts.
    package mutating func ignoreArguments() {
        weight = count
        withoutArgument = count
    }
}

/// One of the rest's distinct arguments. It takes 32 bytes, so that two of them fill a cache line.
struct ArgumentUse: Sendable, BitwiseCopyable {
    /// The order key of the newest notification with this argument. First, so that `text` is in the same word as its
    /// last part.
    var newest: OrderKey
    var text: ByteArena.Block
    var count: UInt32
    var hash: UInt32
}
