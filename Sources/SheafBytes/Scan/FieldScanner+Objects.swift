// The grammar above the tokens: documents, wanted objects, and everything that is only validated.
extension FieldScanner {
    /// One value with white space around it, which is all there may be.
    mutating func scanDocument(_ cursor: inout ScanCursor) -> Outcome {
        unsafe cursor.skipWhitespace()
        let isObject = unsafe cursor.byte == 0x7b
        let isValid = unsafe isObject ? scanObject(&cursor, node: 0) : skipValue(&cursor)
        guard isValid else { return unsafe cursor.isTooDeep ? .tooDeep : .invalid }
        unsafe cursor.skipWhitespace()
        guard unsafe cursor.place == cursor.end else { return .invalid }
        return isObject ? .object : .notObject
    }

    /// An object in which fields are wanted, from its brace. Recursion is as deep as the plan, not as the text.
    private mutating func scanObject(_ cursor: inout ScanCursor, node: Int) -> Bool {
        guard unsafe cursor.open() else { return false }
        unsafe cursor.place += 1
        unsafe cursor.skipWhitespace()
        if unsafe cursor.byte == 0x7d {
            unsafe cursor.place += 1
            unsafe cursor.depth -= 1
            return true
        }
        while true {
            guard unsafe cursor.byte == 0x22 else { return false }
            unsafe cursor.place += 1
            let keyStart = unsafe cursor.place
            var keyHasEscapes = false
            guard unsafe cursor.string(escaped: &keyHasEscapes) else { return false }
            let keyCount = unsafe cursor.place - keyStart - 1
            let key =
                keyHasEscapes
                ? unsafe findEscapedKey(keyStart, count: keyCount, node: node)
                : unsafe findKey(keyStart, count: keyCount, node: node)
            unsafe cursor.skipWhitespace()
            guard unsafe cursor.byte == 0x3a else { return false }
            unsafe cursor.place += 1
            unsafe cursor.skipWhitespace()
            if let key = unsafe key {
                guard unsafe scanWanted(&cursor, key) else { return false }
            } else {
                guard unsafe skipValue(&cursor) else { return false }
            }
            unsafe cursor.skipWhitespace()
            let separator = unsafe cursor.byte
            guard separator == 0x2c || separator == 0x7d else { return false }
            unsafe cursor.place += 1
            if separator == 0x7d {
                unsafe cursor.depth -= 1
                return true
            }
            unsafe cursor.skipWhitespace()
        }
    }

    /// The value of a wanted field: validated, and noted in its slot.
    private mutating func scanWanted(
        _ cursor: inout ScanCursor, _ key: UnsafeMutablePointer<PlanNode.Key>
    ) -> Bool {
        let slot = unsafe key.pointee.slot
        // The last one of a repeated key counts: what the earlier one held is forgotten, inside it too.
        for inner in unsafe slot..<key.pointee.slotEnd { unsafe kinds[inner] = .absent }
        var start = unsafe cursor.place
        switch unsafe cursor.byte {
        case 0x22:
            unsafe cursor.place += 1
            unsafe start += 1
            var hasEscapes = false
            guard unsafe cursor.string(escaped: &hasEscapes) else { return false }
            unsafe note(.string, at: start, count: cursor.place - start - 1, of: cursor, in: slot)
            unsafe escapes[slot] = hasEscapes
            return true
        case 0x7b:
            unsafe note(.object, at: start, count: 1, of: cursor, in: slot)
            let node = unsafe key.pointee.node
            return unsafe node >= 0 ? scanObject(&cursor, node: node) : skipValue(&cursor)
        case 0x5b:
            unsafe note(.array, at: start, count: 1, of: cursor, in: slot)
            return unsafe skipValue(&cursor)
        case 0x74, 0x66:
            unsafe note(.bool, at: start, count: 1, of: cursor, in: slot)
            return unsafe cursor.literal()
        case 0x6e:
            unsafe note(.null, at: start, count: 1, of: cursor, in: slot)
            return unsafe cursor.literal()
        default:
            guard unsafe cursor.number() else { return false }
            unsafe note(.number, at: start, count: cursor.place - start, of: cursor, in: slot)
            return true
        }
    }

    @inline(__always)
    private func note(
        _ kind: Kind, at start: UnsafeMutablePointer<UInt8>, count: Int, of cursor: ScanCursor, in slot: Int
    ) {
        unsafe kinds[slot] = kind
        let offset = unsafe start - cursor.base
        unsafe texts[slot] = TextRange(
            start: UInt32(truncatingIfNeeded: offset), count: UInt32(truncatingIfNeeded: count))
    }

    @inline(__always)
    private func findKey(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, node: Int
    ) -> UnsafeMutablePointer<PlanNode.Key>? {
        // Safety: eight bytes from a key's start are inside the chunk or its slack.
        var word = unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        if count < 8 { word &= (1 << UInt64(count &* 8)) &- 1 }
        let table = unsafe nodes + node
        var bucket = unsafe Int(truncatingIfNeeded: FieldPlan.mix(word, count) >> table.pointee.shift)
        while true {
            // Safety: buckets hold 0 or the place of a key plus one, and their number is the mask plus one.
            let entry = unsafe table.pointee.buckets[bucket & table.pointee.mask]
            if entry == 0 { return nil }
            let key = unsafe table.pointee.keys + (Int(entry) - 1)
            if unsafe key.pointee.word == word, unsafe key.pointee.count == count,
                unsafe isRestEqual(key, start, count)
            {
                return unsafe key
            }
            bucket += 1
        }
    }

    @inline(__always)
    private func isRestEqual(
        _ key: UnsafeMutablePointer<PlanNode.Key>, _ start: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Bool {
        var index = 8
        while index < count {
            guard unsafe key.pointee.bytes[index] == start[index] else { return false }
            index += 1
        }
        return true
    }

    /// Keys may be written with escapes; that is rare, and a small copy is decoded.
    private func findEscapedKey(
        _ start: UnsafeMutablePointer<UInt8>, count: Int, node: Int
    ) -> UnsafeMutablePointer<PlanNode.Key>? {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count + Chunk.slack)
        // Safety: the copy has room for the key and for the loads behind it, and is given back here.
        defer { unsafe copy.deallocate() }
        unsafe copy.initialize(repeating: 0, count: count + Chunk.slack)
        unsafe copy.update(from: start, count: count)
        let decoded = unsafe decodeEscapes(at: copy, count: count)
        return unsafe findKey(copy, count: decoded, node: node)
    }

    /// Any value, validated and forgotten. Iterative: a bit for each open container says which kind it is.
    private mutating func skipValue(_ cursor: inout ScanCursor) -> Bool {
        let outerDepth = unsafe cursor.depth
        // Bit d - 1 is set when the container that opened depth d is an object.
        var kinds: (UInt64, UInt64) = (0, 0)
        while true {
            // A value starts here.
            switch unsafe cursor.byte {
            case 0x22:
                unsafe cursor.place += 1
                var ignored = false
                guard unsafe cursor.string(escaped: &ignored) else { return false }
            case 0x7b:
                guard unsafe cursor.open() else { return false }
                setBit(&kinds, unsafe cursor.depth - 1, true)
                unsafe cursor.place += 1
                unsafe cursor.skipWhitespace()
                if unsafe cursor.byte != 0x7d {
                    guard unsafe skipKey(&cursor) else { return false }
                    continue
                }
                unsafe cursor.place += 1
                unsafe cursor.depth -= 1
            case 0x5b:
                guard unsafe cursor.open() else { return false }
                setBit(&kinds, unsafe cursor.depth - 1, false)
                unsafe cursor.place += 1
                unsafe cursor.skipWhitespace()
                if unsafe cursor.byte != 0x5d { continue }
                unsafe cursor.place += 1
                unsafe cursor.depth -= 1
            case 0x74, 0x66, 0x6e:
                guard unsafe cursor.literal() else { return false }
            default:
                guard unsafe cursor.number() else { return false }
            }
            // A value ended here: close what ends with it, or go to the next one.
            while true {
                if unsafe cursor.depth == outerDepth { return true }
                unsafe cursor.skipWhitespace()
                let isObject = bit(kinds, unsafe cursor.depth - 1)
                let separator = unsafe cursor.byte
                if separator == 0x2c {
                    unsafe cursor.place += 1
                    unsafe cursor.skipWhitespace()
                    if isObject {
                        guard unsafe skipKey(&cursor) else { return false }
                    }
                    break
                }
                guard separator == (isObject ? 0x7d : 0x5d) else { return false }
                unsafe cursor.place += 1
                unsafe cursor.depth -= 1
            }
        }
    }

    /// A key and its colon, up to the value.
    @inline(__always)
    private func skipKey(_ cursor: inout ScanCursor) -> Bool {
        guard unsafe cursor.byte == 0x22 else { return false }
        unsafe cursor.place += 1
        var ignored = false
        guard unsafe cursor.string(escaped: &ignored) else { return false }
        unsafe cursor.skipWhitespace()
        guard unsafe cursor.byte == 0x3a else { return false }
        unsafe cursor.place += 1
        unsafe cursor.skipWhitespace()
        return true
    }
}

@inline(__always)
private func setBit(_ bits: inout (UInt64, UInt64), _ index: Int, _ value: Bool) {
    let mask: UInt64 = 1 << UInt64(index & 63)
    if index < 64 {
        bits.0 = value ? bits.0 | mask : bits.0 & ~mask
    } else {
        bits.1 = value ? bits.1 | mask : bits.1 & ~mask
    }
}

@inline(__always)
private func bit(_ bits: (UInt64, UInt64), _ index: Int) -> Bool {
    (index < 64 ? bits.0 : bits.1) >> UInt64(index & 63) & 1 == 1
}
