import SheafBytes

/// A group's mergeable state (specification §9): its key, the leading notification, and sums over the rest.
///
///     key        app (symbol) · device, thread (packed with the leading's texts)
///     leading    order · weight · category (symbol) · texts (packed)
///     rest       a list of tallies, one per category ── a list of the newest distinct arguments
///     all        sums of their delivery, if that is tracked
///
/// The parts of variable size are in the `GroupStore` that created the state; a state has no meaning without it. A
/// state is plain memory of 64 bytes, so that tables of states are arrays without references.
@usableFromInline package struct GroupState: Sendable {
    /// The app's symbol.
    @usableFromInline var app: UInt32
    /// The tally of the categories without one of their own, if there are any. Stored next to the app, where the
    /// alignment of the leading notification leaves room.
    var others = ListPool<CategoryTally>.List.empty
    @usableFromInline package internal(set) var leading: Leading
    /// The oldest notification's timestamp; the newest is that of the leading one.
    package internal(set) var first: Int64
    /// The rest's tallies.
    var tallies = ListPool<CategoryTally>.List.empty
    /// The number of tallies, at most twice the maximum number of categories, and above it `previewsShift`, `aloneBit`
    /// and `truncatedBit`.
    @usableFromInline var tallyWord: UInt16 = 0
    var argumentCount: UInt16 = 0
    /// The rest's arguments.
    var arguments = ListPool<ArgumentUse>.List.empty
    /// The `DeliverySums` of the notifications; empty if their delivery is not tracked.
    var delivery = ByteArena.Block.none

    @usableFromInline package struct Leading: Sendable {
        @usableFromInline package internal(set) var order: OrderKey
        package internal(set) var weight: UInt32
        /// The category's symbol.
        @usableFromInline var category: UInt32
        /// Packed as `PackedTexts.group`: includes the key's texts, which every notification of the group has.
        @usableFromInline var texts: ByteArena.Block
    }

    init(app: UInt32, leading: Leading, first: Int64) {
        (self.app, self.leading, self.first) = (app, leading, first)
    }

    @inlinable package var last: Int64 { leading.order.timestamp }

    private static let truncatedBit: UInt16 = 1 << 15
    @inlinable static var aloneBit: UInt16 { 1 << 14 }
    @inlinable static var previewsShift: UInt16 { 12 }
    @inlinable static var previewsBits: UInt16 { 3 << previewsShift }
    private static let countBits: UInt16 = 1 << previewsShift - 1

    var tallyCount: UInt32 {
        get { UInt32(tallyWord & Self.countBits) }
        set { tallyWord = tallyWord & ~Self.countBits | UInt16(truncatingIfNeeded: newValue) }
    }

    /// Whether the group is a single notification that no other can join.
    package internal(set) var isAlone: Bool {
        @inlinable get { tallyWord & Self.aloneBit != 0 }
        set { tallyWord = newValue ? tallyWord | Self.aloneBit : tallyWord & ~Self.aloneBit }
    }

    /// When a person chose that the leading notification's texts are shown; nil if the configuration decides.
    package internal(set) var showPreviews: PreviewVisibility? {
        @inlinable @inline(__always) get {
            let bits = tallyWord & Self.previewsBits
            return bits == 0 ? nil : PreviewVisibility(number: UInt64(bits >> Self.previewsShift))
        }
        set {
            let number = UInt16(newValue?.number ?? 0)
            tallyWord = tallyWord & ~Self.previewsBits | number << Self.previewsShift
        }
    }

    /// Whether the rest had more distinct arguments than are kept.
    package internal(set) var argumentsTruncated: Bool {
        get { tallyWord & Self.truncatedBit != 0 }
        set {
            tallyWord = newValue ? tallyWord | Self.truncatedBit : tallyWord & ~Self.truncatedBit
        }
    }

    /// Whether the leading notification is the only one.
    package var isSingle: Bool { tallyCount == 0 }
}

/// Notifications that are equal to another one except for their order keys, which are less than its own.
package struct EqualNotifications: Sendable {
    /// At least 1, and less than 2³².
    package let count: UInt64
    /// The greatest of their order keys, and the least of their timestamps.
    package let newest: OrderKey
    package let oldest: Int64

    package init(count: Int, newest: OrderKey, oldest: Int64) {
        precondition(count > 0 && count <= UInt32.max, "the number of notifications is out of range")
        (self.count, self.newest, self.oldest) = (UInt64(count), newest, oldest)
    }
}

/// The tally of one category's notifications in a group's rest: 48 bytes.
@usableFromInline package struct CategoryTally: Sendable, BitwiseCopyable {
    /// The order key of the newest notification. First, so that `category` is in the same word as its last part.
    package internal(set) var newest: OrderKey
    /// The category's symbol; 0 for none.
    package internal(set) var category: UInt32
    package var count: UInt64
    /// The sum of the notifications' weights, at most `WeightSum.maximum`.
    package var weight: UInt64
    /// The number of notifications without an argument.
    package internal(set) var withoutArgument: UInt64
}

extension CategoryTally {
    /// Creates the tally of one notification.
    init(order: OrderKey, category: UInt32, weight: UInt32, hasArgument: Bool) {
        self.init(
            newest: order, category: category, count: 1, weight: UInt64(weight),
            withoutArgument: hasArgument ? 0 : 1)
    }

    /// Creates the tally of a leading notification alone.
    package init(category: UInt32, leading: NotificationRecord) {
        self.init(
            order: leading.order, category: category, weight: leading.weight,
            hasArgument: !leading.argument.isEmpty)
    }

    /// Adds another tally's notifications.
    mutating func add(_ other: CategoryTally) {
        count += other.count
        weight = WeightSum.adding(weight, other.weight)
        withoutArgument += other.withoutArgument
        newest = max(newest, other.newest)
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

/// Sums of weights that saturate at a limit instead of overflowing.
///
/// `min(a + b, maximum)` is associative and commutative for nonnegative numbers, so a saturated sum does not depend
/// on how the state was split and merged. A group reaches the limit with 34 million notifications of the largest
/// weight, 2,147,483,647.
@usableFromInline package enum WeightSum {
    /// The largest sum: 72,057,594,037,927,936. Two of them can be added without overflow.
    @inlinable package static var maximum: UInt64 { 1 << 56 }

    /// The sum of two weights or sums, each at most `maximum`.
    @inlinable
    @inline(__always)
    package static func adding(_ a: UInt64, _ b: UInt64) -> UInt64 { min(a + b, maximum) }
}
