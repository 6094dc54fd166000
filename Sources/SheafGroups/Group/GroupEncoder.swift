import SheafBytes
import SheafText

/// Encodes groups' states in the format of `EncodedGroup`. Scratch arrays are reused from group to group.
package struct GroupEncoder {
    private var tallies: [CategoryTally] = []
    private var arguments: [GroupStore.Argument] = []

    package init() {}

    /// Appends a state of `store`. O(n) in its size, plus sorting its categories and arguments.
    package mutating func append(_ state: GroupState, of store: GroupStore, to output: inout OutputBuffer) {
        let leading = store.leadingRecord(of: state)
        let bytes = store.leadingBytes(of: state)
        let others = store.collectTallies(of: state, into: &tallies)
        let (delivery, locale) = (store.delivery(of: state), store.locale(of: state).locale)
        output.appendNumber(
            (state.isAlone ? EncodedGroup.aloneFlag : 0)
                | (state.argumentsTruncated ? EncodedGroup.truncatedFlag : 0)
                | (others == nil ? 0 : EncodedGroup.othersFlag)
                | (delivery == nil ? 0 : EncodedGroup.deliveryFlag)
                | (state.showPreviews?.number ?? 0) * EncodedGroup.previewsUnit
                | (locale == nil ? 0 : EncodedGroup.localeFlag))
        output.appendText(bytes[leading.device])
        output.appendText(store.app(of: state))
        output.appendText(bytes[leading.thread])
        output.append(leading.order)
        output.appendNumber(UInt64(leading.weight))
        output.appendText(store.category(state.leading.category))
        output.appendNumber(UInt64(CompactText.unpackedCount(bytes[leading.identifier])))
        output.append(unpacked: bytes[leading.identifier])
        output.appendText(bytes[leading.title])
        output.appendText(bytes[leading.subtitle])
        output.appendText(bytes[leading.body])
        output.appendText(bytes[leading.argument])
        output.appendNumber(UInt64(bitPattern: leading.order.timestamp &- state.first))
        appendTallies(of: store, to: &output)
        if let others { output.append(others) }
        appendArguments(of: state, store, to: &output)
        if let delivery { output.append(delivery) }
        if let locale { output.appendText(Array(locale.tag.utf8).span) }
    }

    private mutating func appendTallies(of store: GroupStore, to output: inout OutputBuffer) {
        store.sortByName(&tallies)
        output.appendNumber(UInt64(tallies.count))
        for tally in tallies {
            output.appendText(store.category(tally.category))
            output.append(tally)
        }
    }

    private mutating func appendArguments(
        of state: GroupState, _ store: GroupStore, to output: inout OutputBuffer
    ) {
        store.collectArguments(of: state, into: &arguments)
        output.appendNumber(UInt64(arguments.count))
        for argument in arguments {
            output.append(argument.newest)
            output.appendText(store.text(of: argument))
        }
    }
}

extension OutputBuffer {
    /// Appends a tally without its category.
    fileprivate mutating func append(_ tally: CategoryTally) {
        appendNumber(tally.count)
        appendNumber(tally.weight)
        appendNumber(tally.withoutArgument)
        append(tally.newest)
    }

    fileprivate mutating func append(_ delivery: DeliverySums) {
        for number in delivery.numbers { appendNumber(number) }
    }

    package mutating func append(_ order: OrderKey) {
        appendSignedNumber(order.timestamp)
        appendNumber(UInt64(order.source))
        appendNumber(order.lineAndIndex)
    }
}

extension GroupStore {
    /// Decodes the state of a new group.
    ///
    /// - Parameters:
    ///   - bytes: the encoding.
    ///   - sourceOffset: the number added to source ordinals, as in `group`.
    package mutating func start(
        _ group: EncodedGroup, in bytes: Span<UInt8>, sourceOffset: Int = 0
    ) -> GroupState {
        var state = start(group.leading, in: bytes)
        state.showPreviews = group.showPreviews
        addRest(of: group, in: bytes, sourceOffset: sourceOffset, locale: group.locale, to: &state)
        return state
    }

    /// Merges an encoded state into a state with the same key. No notification may be in both.
    package mutating func merge(
        _ group: EncodedGroup, in bytes: Span<UInt8>, sourceOffset: Int = 0, into state: inout GroupState
    ) {
        let leads = state.leading.order < group.leading.order
        if leads { state.showPreviews = group.showPreviews }
        add(group.leading, in: bytes, to: &state)
        addRest(
            of: group, in: bytes, sourceOffset: sourceOffset, locale: leads ? group.locale : nil, to: &state)
    }

    /// - Parameter locale: that of the leading notification's texts; nil if it stays what it was.
    private mutating func addRest(
        of group: EncodedGroup, in bytes: Span<UInt8>, sourceOffset: Int, locale: LocaleCode?,
        to state: inout GroupState
    ) {
        state.first = min(state.first, group.first)
        var reader = ByteReader(bytes, from: group.tallies)
        for _ in 0..<reader.pieceCount() {
            let category = categories.symbol(for: bytes[reader.text()])
            var tally = reader.tally(sourceOffset: sourceOffset)
            tally.category = category
            add(tally, to: &state)
        }
        if group.hasOthers {
            addOthers(reader.tally(sourceOffset: sourceOffset), to: &state)
        }
        for _ in 0..<reader.pieceCount() {
            let argument = reader.argument(sourceOffset: sourceOffset)
            if !argument.text.isEmpty { use(bytes[argument.text], at: argument.newest, in: &state) }
        }
        if group.argumentsTruncated { state.argumentsTruncated = true }
        if group.hasDelivery { add(reader.deliverySums(), locale: locale, to: &state) }
    }
}
