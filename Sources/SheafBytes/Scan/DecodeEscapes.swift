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
                    unsafe moveShort(start + source, count: plain, to: start + target)
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

/// Copies 1 to 31 bytes to a place that may overlap them: by their two ends, which meet or overlap.
@inline(__always)
private func moveShort(
    _ source: UnsafeMutablePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) {
    let bytes = UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(target)
    // Safety: every load and store is at the start of the text, or ends where the text ends, and is no longer
    // than the text; both loads come before the stores.
    if count >= 16 {
        unsafe ByteBlock(ends: source, count: count).storeEnds(to: target, count: count)
    } else if count >= 8 {
        let ends = unsafe (
            bytes.loadUnaligned(as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        )
        unsafe output.storeBytes(of: ends.0, as: UInt64.self)
        unsafe output.storeBytes(of: ends.1, toByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
        let ends = unsafe (
            bytes.loadUnaligned(as: UInt32.self),
            bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        )
        unsafe output.storeBytes(of: ends.0, as: UInt32.self)
        unsafe output.storeBytes(of: ends.1, toByteOffset: count - 4, as: UInt32.self)
    } else {
        let all = unsafe (source[0], source[count / 2], source[count - 1])
        unsafe target[0] = all.0
        unsafe target[count / 2] = all.1
        unsafe target[count - 1] = all.2
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
