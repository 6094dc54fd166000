// The grammar above the tokens: scalar values, and the gaps between them.
//
// Safety, for all functions that take addresses:
//
// - `cursor`, `start` and `text` are in the scanned text or at the end mark, a zero, from which on `Chunk.slack` bytes
//   are readable: as `JSONTokens` requires, and as `scan(_:of:)` ensures. Every token and every gap ends there at the
//   latest: tokens contain no zero, and of the gaps only a last one does, as its last byte, after which the scan ends.
// - `base` is the start of the chunk's buffer, and is only subtracted from the others.
// - `gap` is one of the gaps of `learned` that are initialized. They do not move, and no number of a gap becomes invalid
//   during a scan.
// - The results and keys to which gaps, openings and keys refer are those of `found` and `nodes`, which live as long
//   as the scanner and do not move.
extension FieldScanner {
    typealias Cursor = JSONTokens.Cursor

    /// Scans one value with white space around it, which must be the whole text.
    ///
    ///     gap │ scalar │ gap │ scalar │ … │ gap with the end
    ///
    /// Each gap is compared with those that followed the previous gap in earlier texts. Only a gap that matches none
    /// of them is parsed byte by byte.
    mutating func scan(from start: Cursor, to end: Cursor, base: Cursor) -> Outcome {
        unsafe scan(from: start, to: end, base: base, listsValues: false)
    }

    /// Scans like `scan`, and lists the slots of all values.
    @inline(never)
    mutating func scanListing(from start: Cursor, to end: Cursor, base: Cursor) -> Outcome {
        unsafe scan(from: start, to: end, base: base, listsValues: true)
    }

    /// - Parameter listsValues: a constant, so that scans that list nothing have no instructions for it.
    @inline(__always)
    private mutating func scan(
        from start: Cursor, to end: Cursor, base: Cursor, listsValues: Bool
    ) -> Outcome {
        let scan = scanNumber
        // Local copies, as in `parseGap`.
        let learned = unsafe learned
        let gaps = unsafe learned.pointee.gaps
        let rests = unsafe learned.pointee.rests
        let table = unsafe learned.pointee.table
        var cursor = unsafe start
        unsafe JSONTokens.skipWhitespace(&cursor)
        let isObject = unsafe cursor.pointee == UInt8(ascii: "{")
        unsafe learned.pointee.beginText()
        clearMistyped()
        var gap = unsafe gaps + LearnedGaps.start
        while true {
            // Which gap is usual does not depend on the text, so its bytes are loaded at the same time as the text's.
            //
            // Safety: `usual`, `second` and the table have the numbers of initialized gaps.
            var next = unsafe Int(gap.pointee.usual)
            if unsafe !Gap.matches(gaps + next, rests + next, cursor) {
                next = unsafe Int(gap.pointee.second)
                if unsafe !Gap.matches(gaps + next, rests + next, cursor) {
                    next = unsafe table.find(at: cursor, after: gap, gaps, rests)
                }
                unsafe Gap.recordSuccessor(next, after: gap)
            }
            if next != 0 {
                unsafe gap = unsafe gaps + next
                if unsafe gap.pointee.openingCount != 0 { unsafe recordOpenings(of: gap, at: cursor, base) }
                unsafe cursor += Int(gap.pointee.length)
            } else {
                let parsed = unsafe parseGap(from: cursor, after: gap, base)
                unsafe cursor = unsafe parsed.cursor
                guard unsafe parsed.isValid else {
                    return unsafe fail(parsed.isTooDeep ? .tooDeep : .invalid, at: cursor, base)
                }
                unsafe gap = unsafe gaps + parsed.gap
            }

            let text = unsafe cursor
            if unsafe gap.pointee.kind == .beforeString {
                var hasEscapes = false
                guard unsafe JSONTokens.string(&cursor, escaped: &hasEscapes) else {
                    return unsafe fail(.invalid, at: cursor, base)
                }
                unsafe record(
                    .string, text, count: cursor - text, hasEscapes: hasEscapes, isMistyped: false,
                    after: gap, scan, base, isListed: listsValues)
                unsafe cursor += 1
                continue
            }
            if unsafe gap.pointee.kind == .last {
                // A zero byte can also be inside a text, which is then not JSON.
                guard unsafe cursor == end + 1 else { return unsafe fail(.invalid, at: cursor - 1, base) }
                return isObject ? .object : .notObject
            }
            let digits = unsafe JSONTokens.shortNumber(cursor)
            if digits > 0 {
                unsafe record(
                    .number, text, count: digits, hasEscapes: false,
                    isMistyped: !gap.pointee.expected.contains(.number), after: gap, scan, base,
                    isListed: listsValues)
                unsafe cursor += digits
                continue
            }
            let scalar = unsafe scanScalar(at: cursor, after: gap, base)
            unsafe cursor = unsafe scalar.end
            guard unsafe scalar.isValid else { return unsafe fail(.invalid, at: cursor, base) }
        }
    }

    /// Parses and records a value that is neither a short number nor an expected string. Returns its end, or the
    /// position at which it is invalid.
    @inline(never)
    private mutating func scanScalar(
        at start: Cursor, after gap: UnsafeMutablePointer<Gap>, _ base: Cursor
    ) -> (end: Cursor, isValid: Bool) {
        var end = unsafe start
        var text = unsafe start
        var count: Int
        var hasEscapes = false
        let kind: Kind
        let isValid: Bool
        switch unsafe start.pointee {
        case UInt8(ascii: "\""):
            unsafe text += 1
            unsafe end += 1
            isValid = unsafe JSONTokens.string(&end, escaped: &hasEscapes)
            count = unsafe end - text
            if isValid { unsafe end += 1 }
            kind = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            isValid = unsafe JSONTokens.literal(&end)
            count = 1
            kind = .bool
        case UInt8(ascii: "n"):
            isValid = unsafe JSONTokens.literal(&end)
            count = 1
            kind = .null
        default:
            isValid = unsafe JSONTokens.number(&end)
            count = unsafe end - text
            kind = .number
        }
        guard isValid else { return unsafe (end, false) }
        unsafe record(
            kind, text, count: count, hasEscapes: hasEscapes,
            isMistyped: !gap.pointee.expected.contains(kind), after: gap, scanNumber, base, isListed: true)
        return unsafe (end, true)
    }

    /// Records the scalar after a gap. `scan` is the number of the scan, which the caller has already loaded.
    @inline(__always)
    private mutating func record(
        _ kind: Kind, _ text: Cursor, count: Int, hasEscapes: Bool, isMistyped: Bool,
        after gap: UnsafeMutablePointer<Gap>, _ scan: UInt32, _ base: Cursor, isListed: Bool
    ) {
        let found = unsafe gap.pointee.found
        if unsafe found.pointee.scan == scan { unsafe clearRepeated(gap) }
        if isListed { unsafe list(found, if: gap.pointee.recordBits & 1) }
        if isMistyped { recordMistyped(unsafe gap.pointee.expected) }
        unsafe found.pointee = unsafe FoundValue(
            start: UInt32(truncatingIfNeeded: text - base), count: UInt32(truncatingIfNeeded: count),
            scan: scan & gap.pointee.recordBits, kind: kind, hasEscapes: hasEscapes, isMistyped: isMistyped)
    }

    /// Records that a value is of a kind that is not among the expected ones.
    @inline(__always)
    private mutating func recordMistyped(_ expected: FieldKinds) {
        hasMistypedValue = true
        // `null` never counts as mistyped.
        if expected != FieldKinds(.null) { hasWrongKind = true }
    }

    /// Adds the slot of a value to those that are listed, unless `isWanted` is 0.
    ///
    /// Between two values of one key, each slot is added once at most, so that `listed` has room for all of them.
    @inline(__always)
    private mutating func list(_ value: UnsafeMutablePointer<FoundValue>, if isWanted: UInt32) {
        // Safety: the value is one of `found`, and there are fewer listed slots than elements of `listed`, as above.
        unsafe listed[listedCount] = UInt32(truncatingIfNeeded: value - found)
        listedCount &+= Int(isWanted)
    }

    /// Records the objects and arrays that open in a gap.
    @inline(never)
    private mutating func recordOpenings(of gap: UnsafeMutablePointer<Gap>, at cursor: Cursor, _ base: Cursor)
    {
        // Safety: `openingCount` openings were initialized from `firstOpening` on when the gap was learned.
        let openings = unsafe learned.pointee.openings + Int(gap.pointee.firstOpening)
        for index in unsafe 0..<Int(gap.pointee.openingCount) {
            unsafe record(openings[index], after: cursor, base)
        }
    }

    /// Records an object or array.
    ///
    /// - Parameter start: where its gap starts.
    @inline(__always)
    mutating func record(_ opening: Opening, after start: Cursor, _ base: Cursor) {
        if unsafe opening.found.pointee.scan == scanNumber { unsafe clearRepeated(opening.key) }
        unsafe list(opening.found, if: 1)
        var value = opening.value
        if value.isMistyped {
            hasMistypedContainer = true
            recordMistyped(unsafe opening.key.pointee.expected)
        }
        value.start &+= UInt32(truncatingIfNeeded: unsafe start - base)
        value.scan = scanNumber
        unsafe opening.found.pointee = value
    }

    /// Clears what an earlier value of a repeated key contained, because the last value counts.
    @inline(never)
    private mutating func clearRepeated(_ gap: UnsafeMutablePointer<Gap>) {
        // Safety: the gap is one of `gaps`, and `rests` has an element for each of those.
        unsafe clearRepeated(learned.pointee.rests[gap - learned.pointee.gaps].key)
    }

    private mutating func clearRepeated(_ key: UnsafeMutablePointer<PlanNodes.Key>) {
        (listedCount, hasRepeatedKey) = (0, true)
        // Safety: the slots of a wanted key are less than `slotCount`, so they are inside `found`; an unwanted key
        // has no slots.
        for inner in unsafe key.pointee.slot..<key.pointee.slotEnd { unsafe found[inner].scan = 0 }
    }

    /// Ends a scan that found nothing usable.
    private mutating func fail(_ outcome: Outcome, at cursor: Cursor, _ base: Cursor) -> Outcome {
        clearResults()
        listedCount = 0
        invalidOffset = unsafe cursor - base
        return outcome
    }
}

// MARK: - Gaps that could not be predicted

// Safety: all addresses are as above. `key` is one of the keys of `nodes`.
extension FieldScanner {
    /// The result of parsing a gap. Unsafe because of the address.
    @unsafe struct ParsedGap {
        var gap = LearnedGaps.unlearned
        /// After the gap, or at the first invalid byte if the gap is not valid.
        var cursor: Cursor
        var isValid = false
        var isTooDeep = false
    }

    /// Parses the gap at `start`, which follows the gap `previous` and its scalar.
    @inline(never)
    mutating func parseGap(
        from start: Cursor, after previous: UnsafeMutablePointer<Gap>, _ base: Cursor
    ) -> ParsedGap {
        // A local copy: the scanner is not copyable, and the compiler can't instrument an access through it for the
        // thread sanitizer.
        let learned = unsafe learned
        let source = unsafe Int(previous.pointee.target)
        // For an unknown state, `open` is still as the previous gap left it.
        if source != LearnedGaps.unknownState { open = unsafe learned.pointee.containers(of: source) }
        var openings: [Opening] = []
        var result = unsafe ParsedGap(cursor: start)
        var key = unsafe nodes.root
        guard
            let kind = unsafe parseStructure(
                &result, start, atValue: previous == learned.pointee.gaps + LearnedGaps.start, base, &key,
                &openings)
        else { return unsafe result }
        unsafe result.isValid = true

        // Safety: the bytes from `start` to `result.cursor` were parsed, so they are inside the text or the end mark.
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: result.cursor - start))
        let target = unsafe learned.pointee.state(of: open)
        // Safety: a key's slot is at most `slotCount`, the index of the last result.
        let gap = unsafe Gap(
            bytes, kind: kind, key: key, found: found + key.pointee.slot, source: source, target: target,
            isInArray: open.last.map { !$0.isObject } ?? false)
        unsafe result.gap = unsafe learned.pointee.learn(bytes, gap, key: key, openings: openings)
        return unsafe result
    }

    /// Parses from the end of a value, or from before the first one, up to the first byte of a scalar, past the
    /// opening quote of an expected string, or past the end mark. Returns nil if the text is invalid.
    private mutating func parseStructure(
        _ result: inout ParsedGap, _ start: Cursor, atValue: Bool, _ base: Cursor,
        _ key: inout UnsafeMutablePointer<PlanNodes.Key>,
        _ openings: inout [Opening]
    ) -> Gap.Kind? {
        var atValue = atValue
        while true {
            if atValue {
                let first = unsafe result.cursor.pointee
                guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                    // Strings that are not expected are rare and are recorded like other scalars.
                    guard first == UInt8(ascii: "\""), unsafe key.pointee.expected.contains(.string) else {
                        return .beforeScalar
                    }
                    unsafe result.cursor += 1
                    return .beforeString
                }
                guard open.count < Self.maximumDepth else {
                    unsafe result.isTooDeep = true
                    return nil
                }
                let isObject = first == UInt8(ascii: "{")
                if unsafe key.pointee.isWanted {
                    let opening = unsafe Opening(
                        key, found: found + key.pointee.slot, isObject ? .object : .array,
                        offset: result.cursor - start)
                    unsafe record(opening, after: start, base)
                    openings.append(opening)
                }
                let node = unsafe isObject ? key.pointee.node : nodes.unwanted.pointee.node
                unsafe open.append(Container(node: node, isObject: isObject))
                unsafe result.cursor += 1
                unsafe JSONTokens.skipWhitespace(&result.cursor)
                if unsafe result.cursor.pointee != open[open.count - 1].closer {
                    guard unsafe parseKey(&result.cursor, &key) else { return nil }
                    continue
                }
                atValue = false
            }
            unsafe JSONTokens.skipWhitespace(&result.cursor)
            let separator = unsafe result.cursor.pointee
            guard let container = open.last else {
                guard separator == 0 else { return nil }
                unsafe result.cursor += 1
                return .last
            }
            if separator == UInt8(ascii: ",") {
                unsafe result.cursor += 1
                unsafe JSONTokens.skipWhitespace(&result.cursor)
                guard unsafe parseKey(&result.cursor, &key) else { return nil }
                atValue = true
            } else {
                guard separator == container.closer else { return nil }
                unsafe result.cursor += 1
                open.removeLast()
            }
        }
    }

    /// Parses a key and its colon, up to the value, in an object; does nothing in an array.
    private func parseKey(
        _ cursor: inout Cursor, _ key: inout UnsafeMutablePointer<PlanNodes.Key>
    ) -> Bool {
        guard let container = open.last, container.isObject else {
            unsafe key = unsafe nodes.unwanted
            return true
        }
        guard unsafe cursor.pointee == UInt8(ascii: "\"") else { return false }
        unsafe cursor += 1
        let start = unsafe cursor
        var hasEscapes = false
        guard unsafe JSONTokens.string(&cursor, escaped: &hasEscapes) else { return false }
        let count = unsafe cursor - start
        // Safety: the key's bytes are before its closing quote, in the text. The node belongs to `nodes`, as every open
        // container's does.
        unsafe key =
            hasEscapes
            ? unsafe nodes.findEscaped(start, count: count, in: container.node)
            : unsafe nodes.find(start, count: count, in: container.node)
        unsafe cursor += 1
        unsafe JSONTokens.skipWhitespace(&cursor)
        guard unsafe cursor.pointee == UInt8(ascii: ":") else { return false }
        unsafe cursor += 1
        unsafe JSONTokens.skipWhitespace(&cursor)
        return true
    }
}
