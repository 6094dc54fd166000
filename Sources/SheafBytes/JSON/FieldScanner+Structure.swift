// The grammar above the tokens: scalar values, and the gaps between them.
//
// Safety, for all functions that take addresses:
//
// - `cursor`, `start` and `text` are in the scanned text or at the end mark, a zero, from which on `Chunk.slack` bytes
//   are readable: as `JSONTokens` requires, and as `scan(_:of:)` ensures. Every token and every gap ends there at the
//   latest: tokens contain no zero, and of the gaps only a last one does, as its last byte, after which the scan ends.
// - `base` is the start of the chunk's buffer, and is only subtracted from the others.
// - `gap` is one of the gaps of `learned` that are initialized. They do not move, and no number of a gap is forgotten
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
        hasMistypedValue = false
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
                unsafe Gap.noteUnusual(next, after: gap)
            }
            if next != 0 {
                unsafe gap = unsafe gaps + next
                if unsafe gap.pointee.openingCount != 0 { unsafe noteOpenings(of: gap, at: cursor, base) }
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
                unsafe note(
                    .string, text, count: cursor - text, hasEscapes: hasEscapes, isMistyped: false,
                    after: gap,
                    scan, base)
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
                unsafe note(
                    .number, text, count: digits, hasEscapes: false,
                    isMistyped: !gap.pointee.expected.contains(.number), after: gap, scan, base)
                unsafe cursor += digits
                continue
            }
            let scalar = unsafe noteScalar(at: cursor, after: gap, base)
            unsafe cursor = unsafe scalar.end
            guard unsafe scalar.isValid else { return unsafe fail(.invalid, at: cursor, base) }
        }
    }

    /// The end of a scalar, or the position at which it is invalid. Unsafe because of the address.
    @unsafe private struct Scalar {
        let end: Cursor
        let isValid: Bool
    }

    /// Parses and notes a value that is neither a short number nor a string where one is expected.
    @inline(never)
    private mutating func noteScalar(
        at start: Cursor, after gap: UnsafeMutablePointer<Gap>, _ base: Cursor
    ) -> Scalar {
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
        guard isValid else { return unsafe Scalar(end: end, isValid: false) }
        unsafe note(
            kind, text, count: count, hasEscapes: hasEscapes,
            isMistyped: !gap.pointee.expected.contains(FieldKinds(kind)), after: gap, scanNumber, base)
        return unsafe Scalar(end: end, isValid: true)
    }

    /// Notes the scalar after a gap. `scan` is the number of the scan, which the caller has already loaded.
    @inline(__always)
    private mutating func note(
        _ kind: Kind, _ text: Cursor, count: Int, hasEscapes: Bool, isMistyped: Bool,
        after gap: UnsafeMutablePointer<Gap>, _ scan: UInt32, _ base: Cursor
    ) {
        let found = unsafe gap.pointee.found
        if unsafe found.pointee.scan == scan { unsafe forgetRepeated(gap) }
        if isMistyped { hasMistypedValue = true }
        unsafe found.pointee = unsafe FoundValue(
            start: UInt32(truncatingIfNeeded: text - base), count: UInt32(truncatingIfNeeded: count),
            scan: scan & gap.pointee.noteBits, kind: kind, hasEscapes: hasEscapes, isMistyped: isMistyped)
    }

    /// Notes the objects and arrays that open in a gap.
    @inline(never)
    private mutating func noteOpenings(of gap: UnsafeMutablePointer<Gap>, at cursor: Cursor, _ base: Cursor) {
        for index in unsafe 0..<Int(gap.pointee.openingCount) {
            // Safety: `openingCount` openings were initialized from `firstOpening` on when the gap was learned.
            let opening = unsafe learned.pointee.openings + Int(gap.pointee.firstOpening) + index
            unsafe note(opening.pointee, at: cursor + opening.pointee.offset, base)
        }
    }

    /// Notes an object or array.
    @inline(__always)
    mutating func note(_ opening: Opening, at cursor: Cursor, _ base: Cursor) {
        if unsafe opening.found.pointee.scan == scanNumber { unsafe forgetRepeated(opening.key) }
        let kind = opening.isObject ? Kind.object : .array
        let isMistyped = unsafe !opening.key.pointee.expected.contains(FieldKinds(kind))
        if isMistyped { hasMistypedValue = true }
        unsafe opening.found.pointee = unsafe FoundValue(
            start: UInt32(truncatingIfNeeded: cursor - base), count: 1, scan: scanNumber, kind: kind,
            hasEscapes: false, isMistyped: isMistyped)
    }

    /// Clears what an earlier value of a repeated key contained, because the last value counts.
    @inline(never)
    private func forgetRepeated(_ gap: UnsafeMutablePointer<Gap>) {
        // Safety: the gap is one of `gaps`, and `rests` has an element for each of those.
        unsafe forgetRepeated(learned.pointee.rests[gap - learned.pointee.gaps].key)
    }

    private func forgetRepeated(_ key: UnsafeMutablePointer<PlanNodes.Key>) {
        // Safety: the slots of a wanted key are less than `slotCount`, so they are inside `found`; an unwanted key
        // has none.
        for inner in unsafe key.pointee.slot..<key.pointee.slotEnd { unsafe found[inner].scan = 0 }
    }

    /// Ends a scan that found nothing usable.
    private mutating func fail(_ outcome: Outcome, at cursor: Cursor, _ base: Cursor) -> Outcome {
        forget()
        invalidOffset = unsafe cursor - base
        return outcome
    }
}
