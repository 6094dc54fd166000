// Parses the gaps that could not be predicted, and learns them.
//
// Safety: all addresses are as in `FieldScanner+Structure.swift`. `key` is one of the keys of `nodes`.
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
                    // Strings that are not expected are rare and are noted like other scalars.
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
                        key: key, found: found + key.pointee.slot, isObject: isObject,
                        offset: result.cursor - start)
                    unsafe note(opening, at: result.cursor, base)
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
