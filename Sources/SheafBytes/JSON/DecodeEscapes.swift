extension Chunk {
    /// Decodes the escapes of a scanned string in place: the text is never longer than what it was written as.
    ///
    /// A lone surrogate becomes U+FFFD (specification §2). O(length); the worker that owns the chunk only.
    ///
    /// - Returns: where the decoded text stands.
    public func decodeEscapes(_ text: TextRange) -> TextRange {
        precondition(text.range.upperBound <= capacity, "text outside its chunk")
        // Safety: the range is inside the buffer.
        let count = unsafe SheafBytes.decodeEscapes(at: base + Int(text.start), count: Int(text.count))
        return TextRange(start: text.start, count: UInt32(count))
    }

    /// Takes a scanned string out of another chunk, its escapes decoded, in place of all that stood in this one.
    ///
    /// For those who must leave the other chunk as it is; this one then holds a text and no lines. O(length); traps when
    /// there is no room for the text and an LF.
    ///
    /// - Returns: where the text stands.
    public func copyDecoded(_ text: TextRange, of other: Chunk) -> TextRange {
        precondition(text.range.upperBound <= other.capacity, "text outside its chunk")
        precondition(Int(text.count) < capacity && other !== self, "no room for the text")
        clear()
        // Safety: both ranges are inside their buffers, which are not one, and the text is nowhere longer than it was
        // written.
        unsafe base.update(from: other.base + Int(text.start), count: Int(text.count))
        let count = unsafe SheafBytes.decodeEscapes(at: base, count: Int(text.count))
        unsafe base[count] = 0x0a
        end = count + 1
        return TextRange(0..<count)
    }
}

/// Decodes `count` bytes of valid string content at `start` in place and returns how many bytes it became.
@unsafe func decodeEscapes(at start: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    var source = 0
    var target = 0
    while source < count {
        // Safety: `target` never passes `source`, and both stay below `count`: the content is valid, so an
        // escape is never cut off. What is copied is loaded before it is stored, and only as far as the content goes.
        while unsafe start[source] != 0x5c {
            let block = unsafe ByteBlock(start + source)
            let plain = min(block.equal(0x5c).trailingZeroBitCount, count - source)
            if target != source {
                if plain == ByteBlock.count {
                    unsafe block.store(to: start + target)
                } else {
                    unsafe copyShort(start + source, count: plain, to: start + target)
                }
            }
            source += plain
            target += plain
            if source == count { return target }
        }
        let letter = unsafe start[source + 1]
        guard letter == 0x75 else {
            unsafe start[target] = plainEscape(letter)
            source += 2
            target += 1
            continue
        }
        var scalar = unsafe HexDigits(start + source + 2).number
        source += 6
        if scalar & 0xfc00 == 0xd800 {
            let low: UInt32 =
                unsafe source + 6 <= count && start[source] == 0x5c && start[source + 1] == 0x75
                ? HexDigits(start + source + 2).number : 0
            if low & 0xfc00 == 0xdc00 {
                scalar = 0x10000 + (scalar & 0x3ff) << 10 + low & 0x3ff
                source += 6
            } else {
                scalar = 0xfffd
            }
        } else if scalar & 0xfc00 == 0xdc00 {
            scalar = 0xfffd
        }
        target += unsafe encode(scalar, at: start + target)
    }
    return target
}

private func plainEscape(_ letter: UInt8) -> UInt8 {
    switch letter {
    case 0x62: 0x08
    case 0x66: 0x0c
    case 0x6e: 0x0a
    case 0x72: 0x0d
    case 0x74: 0x09
    default: letter
    }
}

/// Writes a scalar as UTF-8 and returns its length: at most the 6 or 12 bytes that its escape took.
private func encode(_ scalar: UInt32, at target: UnsafeMutablePointer<UInt8>) -> Int {
    func put(_ index: Int, _ value: UInt32) {
        // Safety: within the escape that is being replaced.
        unsafe target[index] = UInt8(truncatingIfNeeded: value)
    }
    switch scalar {
    case ..<0x80:
        put(0, scalar)
        return 1
    case ..<0x800:
        put(0, 0xc0 | scalar >> 6)
        put(1, 0x80 | scalar & 0x3f)
        return 2
    case ..<0x10000:
        put(0, 0xe0 | scalar >> 12)
        put(1, 0x80 | scalar >> 6 & 0x3f)
        put(2, 0x80 | scalar & 0x3f)
        return 3
    default:
        put(0, 0xf0 | scalar >> 18)
        put(1, 0x80 | scalar >> 12 & 0x3f)
        put(2, 0x80 | scalar >> 6 & 0x3f)
        put(3, 0x80 | scalar & 0x3f)
        return 4
    }
}
