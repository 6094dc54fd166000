import SheafBytes
import SheafText

/// The encoding of a group's state, as it is spilled, written to partial results, and merged from both.
///
///     flags 1 | device | app | thread | leading | span | tallies | others | arguments | delivery | locale
///
///     leading      order | weight | category | identifier | title | subtitle | body | argument
///     span         the time from the oldest notification to the leading one, in milliseconds
///     tallies      their number, then each: category | count | weight | without argument | newest order
///                  in byte order of category, the tally without a category first
///     others       with flag 4, after 1,024 tallies: count | weight | without argument | newest order
///     arguments    their number, then each: newest order | text                 the newest first
///     delivery     with flag 8: critical | time-sensitive | active | passive | banners | sounds | mutable
///     locale       with flag 64: the tag of the locale of the leading notification's texts
///     order        timestamp, signed | source | index in the line << 40 | line
///     flags        1: alone, by its grouping; 2: arguments were truncated; 4: there are other categories;
///                  8: the delivery of the notifications is tracked; only then 16 always, 32 when authenticated or 48
///                  never, if a person chose when the leading notification's texts are shown, and 64
///
/// Numbers and texts are encoded as `ByteReader` reads them. A state has exactly one encoding: states are equal
/// exactly when their bytes are.
///
/// A value of this type is an encoding that was validated as a whole; its texts remain in the bytes. An encoding that
/// no store would write is invalid: elements out of order, a rest that is newer than the leading notification, counts
/// too large to be added. Files of older versions may have more than 1,024 tallies: such an encoding is read, but
/// `isCanonical` is false.
package struct EncodedGroup: Sendable {
    /// The leading notification, with the group's key.
    package let leading: NotificationRecord
    /// The oldest notification's timestamp.
    package let first: Int64
    let argumentsTruncated: Bool
    /// The number of notifications in the group, at most `maximumCount + 1`.
    package let notificationCount: UInt64
    /// The offset of the tallies in the bytes.
    let tallies: Int
    /// Whether a sum of other categories follows the tallies.
    let hasOthers: Bool
    /// Whether the encoding ends with the delivery of the notifications.
    package let hasDelivery: Bool
    /// The offset of the delivery.
    private let delivery: Int
    /// When a person chose that the leading notification's texts are shown; nil if the configuration decides.
    let showPreviews: PreviewVisibility?
    /// The locale of the leading notification's texts; `none` if that of the run applies.
    let locale: LocaleCode
    /// Whether a store would encode the state as these bytes.
    package let isCanonical: Bool

    /// The maximum number of notifications in a rest. No log comes near it, and hundreds of counts can be added
    /// without overflow.
    package static let maximumCount: UInt64 = 1 << 56

    static let aloneFlag: UInt64 = 1
    static let truncatedFlag: UInt64 = 2
    static let othersFlag: UInt64 = 4
    static let deliveryFlag: UInt64 = 8
    static let previewsUnit: UInt64 = 16
    static let localeFlag: UInt64 = 64
    private static let flags =
        aloneFlag | truncatedFlag | othersFlag | deliveryFlag | 3 * previewsUnit | localeFlag

    /// Whether the group is a single notification that no other can join.
    package var isAlone: Bool { leading.grouping == .off }

    /// Validates and decodes an encoding; nil if it is invalid.
    ///
    /// - Parameters:
    ///   - bytes: exactly one encoding.
    ///   - sourceOffset: the number added to source ordinals.
    package init?(_ bytes: Span<UInt8>, sourceOffset: Int = 0) {
        var reader = ByteReader(bytes)
        let flags = reader.number(upTo: Self.flags)
        var leading = NotificationRecord()
        leading.grouping = flags & Self.aloneFlag != 0 ? .off : .automatic
        argumentsTruncated = flags & Self.truncatedFlag != 0
        hasOthers = flags & Self.othersFlag != 0
        hasDelivery = flags & Self.deliveryFlag != 0
        showPreviews = PreviewVisibility(number: flags / Self.previewsUnit & 3)
        let hasLocale = flags & Self.localeFlag != 0
        if showPreviews != nil || hasLocale, !hasDelivery { reader.reject() }
        leading.device = reader.text()
        leading.app = reader.text()
        leading.thread = reader.text()
        leading.order = reader.orderKey(sourceOffset: sourceOffset)
        leading.weight = UInt32(reader.number(upTo: UInt64(UInt32.max)))
        leading.category = reader.text()
        leading.identifier = reader.text()
        leading.title = reader.text()
        leading.subtitle = reader.text()
        leading.body = reader.text()
        leading.argument = reader.text()
        // The difference of two timestamps may exceed a signed number.
        let age = reader.number(upTo: UInt64(bitPattern: leading.order.timestamp &- .min))
        let first = leading.order.timestamp &- Int64(bitPattern: age)
        self.leading = leading
        self.first = first
        tallies = reader.offset
        let rest = reader.skipTallies(
            in: bytes, hasOthers: hasOthers, before: leading.order, sourceOffset: sourceOffset)
        let hasRest = rest.notifications > 0
        notificationCount = rest.notifications + 1
        isCanonical = rest.tallies <= GroupStore.maximumCategories
        let hasArguments = reader.skipArguments(before: leading.order, sourceOffset: sourceOffset)
        if hasRest
            ? leading.grouping == .off : hasArguments || argumentsTruncated || first < leading.order.timestamp
        {
            reader.reject()
        }
        delivery = reader.offset
        if hasDelivery, !reader.deliverySums().canBe(ofGroupWith: notificationCount) { reader.reject() }
        locale = hasLocale ? reader.locale(in: bytes) : .none
        guard reader.isValid, reader.isAtEnd, !leading.app.isEmpty else { return nil }
    }
}

extension EncodedGroup {
    /// Returns the delivery of the notifications; nil if it is not tracked.
    package func delivery(in bytes: Span<UInt8>) -> DeliverySums? {
        guard hasDelivery else { return nil }
        var reader = ByteReader(bytes, from: delivery)
        return reader.deliverySums()
    }
}

extension ByteReader {
    /// Reads an order key.
    ///
    /// - Parameter sourceOffset: the number added to the source ordinal.
    package mutating func orderKey(sourceOffset: Int) -> OrderKey {
        let timestamp = signedNumber()
        let source = number(upTo: UInt64(OrderKey.maximumSources - 1))
        let (line, index) = OrderKey.unpack(number())
        guard Int(source) + sourceOffset < OrderKey.maximumSources, index < OrderKey.maximumRecords else {
            reject()
            return OrderKey(timestamp: 0, source: 0, line: 0)
        }
        return OrderKey(timestamp: timestamp, source: Int(source) + sourceOffset, line: line, index: index)
    }

    /// Reads the tag of a locale.
    mutating func locale(in bytes: Span<UInt8>) -> LocaleCode {
        let tag = bytes[text()]
        // No tag is longer; the text of a damaged file may be.
        guard tag.count <= 16, let code = LocaleCode(tag: tag.string) else {
            reject()
            return .none
        }
        return code
    }

    /// Reads the number of elements that follow, at most one per remaining byte.
    mutating func pieceCount() -> UInt64 { number(upTo: UInt64(remaining)) }

    /// Reads a tally after its category, which is left 0.
    mutating func tally(sourceOffset: Int) -> CategoryTally {
        let (count, weight) = (number(upTo: EncodedGroup.maximumCount), number(upTo: WeightSum.maximum))
        let withoutArgument = number(upTo: EncodedGroup.maximumCount)
        return CategoryTally(
            newest: orderKey(sourceOffset: sourceOffset), category: 0, count: count, weight: weight,
            withoutArgument: withoutArgument)
    }

    /// Reads sums over all notifications of a group.
    mutating func deliverySums() -> DeliverySums {
        DeliverySums { number(upTo: EncodedGroup.maximumCount + 1) }
    }

    mutating func argument(sourceOffset: Int) -> (newest: OrderKey, text: TextRange) {
        (orderKey(sourceOffset: sourceOffset), text())
    }

    /// Validates the tallies of a rest, which must be older than `leading`, and the sum of other categories.
    ///
    /// - Returns: the number of tallies, and the number of notifications in them and the other categories.
    fileprivate mutating func skipTallies(
        in bytes: Span<UInt8>, hasOthers: Bool, before leading: OrderKey, sourceOffset: Int
    ) -> (tallies: UInt64, notifications: UInt64) {
        let count = pieceCount()
        var notifications: UInt64 = 0
        var last = TextRange.none
        for index in 0..<count {
            let category = text()
            let tally = tally(sourceOffset: sourceOffset)
            guard isValid else { break }
            let isInOrder = index == 0 || bytes[last].compare(to: bytes[category]) < 0
            last = category
            if !isInOrder { reject() }
            check(tally, before: leading, adding: &notifications)
        }
        if hasOthers {
            if count != UInt64(GroupStore.maximumCategories) { reject() }
            check(tally(sourceOffset: sourceOffset), before: leading, adding: &notifications)
        }
        return (count, notifications)
    }

    private mutating func check(
        _ tally: CategoryTally, before leading: OrderKey, adding notifications: inout UInt64
    ) {
        // Neither exceeds the largest count, so they can be added before the sum is compared.
        notifications += tally.count
        if tally.count == 0 || tally.withoutArgument > tally.count || tally.newest >= leading
            || notifications > EncodedGroup.maximumCount
        {
            reject()
        }
    }

    /// Validates the arguments of a rest, which must be older than `leading`.
    ///
    /// - Returns: whether there are any.
    fileprivate mutating func skipArguments(before leading: OrderKey, sourceOffset: Int) -> Bool {
        let count = pieceCount()
        var newer = leading
        for _ in 0..<count {
            let argument = argument(sourceOffset: sourceOffset)
            guard isValid else { break }
            if argument.text.isEmpty || argument.newest >= newer { reject() }
            newer = argument.newest
        }
        return count > 0
    }
}

extension DeliverySums {
    /// Whether a group of that many notifications can have these sums.
    fileprivate func canBe(ofGroupWith notifications: UInt64) -> Bool {
        count == notifications && max(banners, sounds, mutable) <= notifications
    }
}

/// The key of an encoded group, without validating the rest of the state.
package struct GroupKey {
    package let device: TextRange
    package let app: TextRange
    package let thread: TextRange
    /// The order key of the leading notification if the group is alone: others have the same device, app and thread.
    package let order: OrderKey?

    /// - Parameter bytes: an encoding that is valid.
    package init(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        let flags = reader.number()
        device = reader.text()
        app = reader.text()
        thread = reader.text()
        order = flags & EncodedGroup.aloneFlag != 0 ? reader.orderKey(sourceOffset: 0) : nil
    }
}
