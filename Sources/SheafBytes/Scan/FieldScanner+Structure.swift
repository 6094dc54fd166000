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
        let gaps = unsafe learned.gaps
        let table = learned.table
        let openings = unsafe learned.openings
        let seconds = unsafe learned.seconds
        var notes = unsafe Notes(found, scan: scanNumber, base: base)
        var place = unsafe start
        unsafe JSONTokens.skipWhitespace(&place)
        let isObject = unsafe place.pointee == 0x7b
        learned.beginText()
        var gap = LearnedGaps.start
        while true {
            // Which gap is usual does not depend on the text: its bytes are there when those of the text are.
            var next = unsafe Int(gaps[gap].usual)
            if unsafe next == 0 || !Gap.matches(gaps + next, seconds + next, place) {
                next = unsafe table.find(
                    at: place, in: Int(gaps[gap].target), isArray: gaps[gap].isInArray, gaps, seconds)
                unsafe Gap.noteUnusual(next, behind: gaps + gap)
            }
            if next != 0 {
                for index in unsafe 0..<Int(gaps[next].openingCount) {
                    let opening = unsafe openings + Int(gaps[next].firstOpening) + index
                    unsafe notes.note(
                        opening.pointee.isObject ? .object : .array, place + opening.pointee.offset, count: 1,
                        hasEscapes: false, under: opening.pointee.key)
                }
                unsafe place += Int(gaps[next].length)
            } else {
                // By way of copies, so that the place and the notes stay in registers.
                let read = unsafe readGap(from: place, behind: gap, notes)
                unsafe notes = unsafe read.notes
                guard unsafe read.isValid else {
                    return unsafe fail(read.isTooDeep ? .tooDeep : .invalid, at: read.place, base)
                }
                next = unsafe read.gap
                unsafe place = unsafe read.place
            }
            gap = next

            let key = unsafe gaps[gap].key
            var text = unsafe place
            var hasEscapes = false
            let kind: Kind
            if unsafe gaps[gap].kind == .beforeString {
                guard unsafe JSONTokens.string(&place, escaped: &hasEscapes) else {
                    return unsafe fail(.invalid, at: place, base)
                }
                unsafe notes.note(.string, text, count: place - text, hasEscapes: hasEscapes, under: key)
                unsafe place += 1
                continue
            }
            if unsafe gaps[gap].kind == .last {
                // A zero byte may also stand in the middle of a text, which is then no JSON.
                guard unsafe place == end + 1 else { return unsafe fail(.invalid, at: place - 1, base) }
                hasMistyped = unsafe notes.hasMistyped
                return isObject ? .object : .notObject
            }
            let isValid: Bool
            switch unsafe place.pointee {
            case 0x22:
                unsafe place += 1
                unsafe text += 1
                isValid = unsafe JSONTokens.string(&place, escaped: &hasEscapes)
                kind = .string
            case 0x74, 0x66:
                isValid = unsafe JSONTokens.literal(&place)
                kind = .bool
            case 0x6e:
                isValid = unsafe JSONTokens.literal(&place)
                kind = .null
            default:
                isValid = unsafe JSONTokens.number(&place)
                kind = .number
            }
            guard isValid else { return unsafe fail(.invalid, at: place, base) }
            let count = unsafe kind == .string || kind == .number ? place - text : 1
            unsafe notes.note(kind, text, count: count, hasEscapes: hasEscapes, under: key)
            if kind == .string { unsafe place += 1 }
        }
    }

    /// The end of a scan that found nothing to use.
    private mutating func fail(_ outcome: Outcome, at place: Place, _ base: Place) -> Outcome {
        forget()
        invalidOffset = unsafe place - base
        return outcome
    }
}

/// Where a scan notes what it finds.
@unsafe struct Notes {
    private let found: UnsafeMutablePointer<FieldScanner.Found>
    private let base: FieldScanner.Place
    private let scan: UInt32
    /// Whether a value was of a kind that the plan does not expect.
    private(set) var hasMistyped = false

    init(_ found: UnsafeMutablePointer<FieldScanner.Found>, scan: UInt32, base: FieldScanner.Place) {
        unsafe self.found = unsafe found
        unsafe self.scan = scan
        unsafe self.base = unsafe base
    }

    @inline(__always)
    mutating func note(
        _ kind: FieldScanner.Kind, _ text: FieldScanner.Place, count: Int, hasEscapes: Bool,
        under key: UnsafeMutablePointer<PlanNodes.Key>
    ) {
        let slot = unsafe key.pointee.slot
        let slotEnd = unsafe key.pointee.slotEnd
        guard slot < slotEnd else { return }
        // Safety: a wanted key's slots are among those allocated.
        let place = unsafe found + slot
        // The last one of a repeated key counts: what an earlier one held inside is forgotten.
        if unsafe place.pointee.scan == scan {
            for inner in slot..<slotEnd { unsafe found[inner].scan = 0 }
        }
        let isMistyped = unsafe !key.pointee.expected.contains(FieldKinds(kind))
        if isMistyped { unsafe hasMistyped = true }
        let offset = unsafe text - base
        unsafe place.pointee = unsafe FieldScanner.Found(
            start: UInt32(truncatingIfNeeded: offset), count: UInt32(truncatingIfNeeded: count), scan: scan,
            kind: kind, hasEscapes: hasEscapes, isMistyped: isMistyped)
    }
}
