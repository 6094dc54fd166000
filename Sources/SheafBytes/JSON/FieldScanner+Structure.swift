// The grammar above the tokens: scalar values, and the gaps between them.
extension FieldScanner {
    typealias Place = JSONTokens.Place

    /// One value with white space around it, which is all there may be.
    ///
    ///     gap │ scalar │ gap │ scalar │ … │ gap with the end
    ///
    /// A gap is compared with those that came behind the one before it in earlier texts; only what none of them is
    /// goes through the grammar byte by byte.
    mutating func scan(from start: Place, to end: Place, base: Place) -> Outcome {
        let scan = scanNumber
        // Named apart, as in `readGap`.
        let learned = unsafe learned
        let gaps = unsafe learned.pointee.gaps
        let rests = unsafe learned.pointee.rests
        let table = unsafe learned.pointee.table
        var place = unsafe start
        unsafe JSONTokens.skipWhitespace(&place)
        let isObject = unsafe place.pointee == 0x7b
        unsafe learned.pointee.beginText()
        hasMistyped = false
        var gap = unsafe gaps + LearnedGaps.start
        while true {
            // Which gap is usual does not depend on the text: its bytes are there when those of the text are.
            var next = unsafe Int(gap.pointee.usual)
            if unsafe !Gap.matches(gaps + next, rests + next, place) {
                next = unsafe Int(gap.pointee.second)
                if unsafe !Gap.matches(gaps + next, rests + next, place) {
                    next = unsafe table.find(at: place, behind: gap, gaps, rests)
                }
                unsafe Gap.noteUnusual(next, behind: gap)
            }
            if next != 0 {
                unsafe gap = unsafe gaps + next
                if unsafe gap.pointee.openingCount != 0 { unsafe noteOpenings(of: gap, at: place, base) }
                unsafe place += Int(gap.pointee.length)
            } else {
                let read = unsafe readGap(from: place, behind: gap, base)
                unsafe place = unsafe read.place
                guard unsafe read.isValid else {
                    return unsafe fail(read.isTooDeep ? .tooDeep : .invalid, at: place, base)
                }
                unsafe gap = unsafe gaps + read.gap
            }

            let text = unsafe place
            if unsafe gap.pointee.kind == .beforeString {
                var hasEscapes = false
                guard unsafe JSONTokens.string(&place, escaped: &hasEscapes) else {
                    return unsafe fail(.invalid, at: place, base)
                }
                unsafe note(
                    .string, text, count: place - text, hasEscapes: hasEscapes, isMistyped: false,
                    behind: gap,
                    scan, base)
                unsafe place += 1
                continue
            }
            if unsafe gap.pointee.kind == .last {
                // A zero byte may also stand in the middle of a text, which is then no JSON.
                guard unsafe place == end + 1 else { return unsafe fail(.invalid, at: place - 1, base) }
                return isObject ? .object : .notObject
            }
            let digits = unsafe JSONTokens.shortNumber(place)
            if digits > 0 {
                unsafe note(
                    .number, text, count: digits, hasEscapes: false,
                    isMistyped: !gap.pointee.expected.contains(.number), behind: gap, scan, base)
                unsafe place += digits
                continue
            }
            let scalar = unsafe noteScalar(at: place, behind: gap, base)
            unsafe place = unsafe scalar.end
            guard unsafe scalar.isValid else { return unsafe fail(.invalid, at: place, base) }
        }
    }

    /// Where a scalar ends, or turned out to be none.
    @unsafe private struct Scalar {
        let end: Place
        let isValid: Bool
    }

    /// Reads and notes a value that is no short number, and no string but where something else is expected.
    @inline(never)
    private mutating func noteScalar(
        at start: Place, behind gap: UnsafeMutablePointer<Gap>, _ base: Place
    ) -> Scalar {
        var end = unsafe start
        var text = unsafe start
        var count: Int
        var hasEscapes = false
        let kind: Kind
        let isValid: Bool
        switch unsafe start.pointee {
        case 0x22:
            unsafe text += 1
            unsafe end += 1
            isValid = unsafe JSONTokens.string(&end, escaped: &hasEscapes)
            count = unsafe end - text
            if isValid { unsafe end += 1 }
            kind = .string
        case 0x74, 0x66:
            isValid = unsafe JSONTokens.literal(&end)
            count = 1
            kind = .bool
        case 0x6e:
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
            isMistyped: !gap.pointee.expected.contains(FieldKinds(kind)), behind: gap, scanNumber, base)
        return unsafe Scalar(end: end, isValid: true)
    }

    /// Notes the scalar behind a gap. `scan` is the scan's number, which the caller has at hand.
    @inline(__always)
    private mutating func note(
        _ kind: Kind, _ text: Place, count: Int, hasEscapes: Bool, isMistyped: Bool,
        behind gap: UnsafeMutablePointer<Gap>, _ scan: UInt32, _ base: Place
    ) {
        let found = unsafe gap.pointee.found
        if unsafe found.pointee.scan == scan { unsafe forgetRepeated(gap) }
        if isMistyped { hasMistyped = true }
        unsafe found.pointee = unsafe Found(
            start: UInt32(truncatingIfNeeded: text - base), count: UInt32(truncatingIfNeeded: count),
            scan: scan & gap.pointee.noteBits, kind: kind, hasEscapes: hasEscapes, isMistyped: isMistyped)
    }

    /// Notes the objects and arrays that open in a gap.
    @inline(never)
    private mutating func noteOpenings(of gap: UnsafeMutablePointer<Gap>, at place: Place, _ base: Place) {
        for index in unsafe 0..<Int(gap.pointee.openingCount) {
            let opening = unsafe learned.pointee.openings + Int(gap.pointee.firstOpening) + index
            unsafe note(opening.pointee, at: place + opening.pointee.offset, base)
        }
    }

    /// Notes an object or array.
    @inline(__always)
    mutating func note(_ opening: Opening, at place: Place, _ base: Place) {
        if unsafe opening.found.pointee.scan == scanNumber { unsafe forgetRepeated(opening.key) }
        let kind = opening.isObject ? Kind.object : .array
        let isMistyped = unsafe !opening.key.pointee.expected.contains(FieldKinds(kind))
        if isMistyped { hasMistyped = true }
        unsafe opening.found.pointee = unsafe Found(
            start: UInt32(truncatingIfNeeded: place - base), count: 1, scan: scanNumber, kind: kind,
            hasEscapes: false, isMistyped: isMistyped)
    }

    /// The last one of a repeated key counts: what an earlier one held inside is forgotten.
    @inline(never)
    private func forgetRepeated(_ gap: UnsafeMutablePointer<Gap>) {
        unsafe forgetRepeated(learned.pointee.rests[gap - learned.pointee.gaps].key)
    }

    private func forgetRepeated(_ key: UnsafeMutablePointer<PlanNodes.Key>) {
        // Safety: a wanted key's slots are among those allocated.
        for inner in unsafe key.pointee.slot..<key.pointee.slotEnd { unsafe found[inner].scan = 0 }
    }

    /// The end of a scan that found nothing to use.
    private mutating func fail(_ outcome: Outcome, at place: Place, _ base: Place) -> Outcome {
        forget()
        invalidOffset = unsafe place - base
        return outcome
    }
}
