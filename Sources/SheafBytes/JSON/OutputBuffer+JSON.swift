/// Appends JSON values: strings escaped as the specification requires (§10), numbers in decimal.
extension OutputBuffer {
    /// Appends `text` as a JSON string with its quotes. `/` and everything above U+007F are not escaped.
    package mutating func appendJSONString(_ text: Span<UInt8>) {
        guard text.count <= Self.pieceBytes else {
            append("\"")
            appendPieces(of: text) { $0.appendJSONContent($1) }
            append("\"")
            return
        }
        // Makes room for the text and both quotes at once.
        let target = unsafe tail(text.count + 2)
        // Safety: `tail` made room for the text between the quotes, and `copyPlain` copies at most all of it.
        unsafe target.pointee = UInt8(ascii: "\"")
        let plain = unsafe Self.copyPlain(text, to: target + 1)
        if plain == text.count {
            unsafe target[plain + 1] = UInt8(ascii: "\"")
            unsafe advance(plain + 2)
        } else {
            unsafe advance(plain + 1)
            appendEscaped(text, from: plain)
            append("\"")
        }
    }

    @inline(__always)
    private mutating func appendJSONContent(_ text: Span<UInt8>) {
        let plain = appendPlain(text)
        if plain < text.count { appendEscaped(text, from: plain) }
    }

    /// Appends `text` as a JSON string, or `null` if it is empty.
    package mutating func appendJSONStringOrNull(_ text: Span<UInt8>) {
        if text.isEmpty {
            append("null")
        } else {
            appendJSONString(text)
        }
    }

    /// Appends the remainder of a string, from the first byte that needs an escape.
    @inline(never)
    private mutating func appendEscaped(_ text: Span<UInt8>, from start: Int) {
        var start = start
        while start < text.count {
            let escape = jsonEscape(of: text[start])
            // Safety: eight bytes are stored where `tail` made room for six, with the slack after them.
            let target = UnsafeMutableRawPointer(unsafe tail(longestJSONEscape))
            unsafe target.storeBytes(of: escape.bytes.littleEndian, as: UInt64.self)
            unsafe advance(escape.count)
            start += 1
            start += appendPlain(text.extracting(droppingFirst: start))
        }
    }

    /// Appends the bytes up to the first that needs an escape, and returns their number.
    @inline(__always)
    private mutating func appendPlain(_ text: Span<UInt8>) -> Int {
        let target = unsafe tail(text.count)
        // Safety: `tail` made room for all of the text, and `copyPlain` copies at most that.
        let plain = unsafe Self.copyPlain(text, to: target)
        unsafe advance(plain)
        return plain
    }

    /// Copies text up to the first byte that needs an escape, and returns the number of copied bytes.
    ///
    /// Safety: the target must have room for the whole text.
    @inline(__always)
    private static func copyPlain(_ text: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return 0 }
            // Safety: the source has `count` bytes, and the target has room for all of them.
            return unsafe SheafBytes.copyPlain(source, count: bytes.count, to: target)
        }
    }

    /// Appends the digits of `number`, with a sign if it is negative.
    package mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append("-") }
        appendDecimal(number.magnitude)
    }

    /// Appends the digits of `number`.
    package mutating func appendDecimal(_ number: UInt64) {
        let target = unsafe tail(UInt64.maximumDigitCount)
        // Safety: `tail` made room for the longest number.
        if number < 10 {
            unsafe target.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            unsafe advance(1)
            return
        }
        unsafe advance(number.writeDigits(to: target))
    }
}

/// Copies text up to the first byte that must be escaped in a JSON string, in a single pass.
///
/// Safety: the source must have `count` bytes, and the target must have room for all of them: blocks may be stored
/// past the first escape, but never past the end of the text.
///
/// - Returns: the number of copied bytes: the length of the text, or the offset of the first byte that needs an
///   escape.
@inline(__always)
func copyPlain(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> Int {
    var index = 0
    while index + ByteBlock.count <= count {
        // Safety: the 32 bytes at `index` are inside the text and the target's room, by the condition.
        let block = unsafe ByteBlock(UnsafeMutablePointer(mutating: source + index))
        unsafe block.store(to: target + index)
        let escapes = block.needsEscape
        if escapes != 0 { return index + escapes.trailingZeroBitCount }
        index += ByteBlock.count
    }
    let rest = count - index
    if rest == 0 { return count }
    // Safety: the `rest` bytes at `index` are inside the text and the target's room.
    return unsafe index + copyShortPlain(source + index, count: rest, to: target + index)
}

/// Does the same for 1 to 31 bytes.
///
/// Safety: as for `copyPlain`.
@inline(__always)
private func copyShortPlain(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> Int {
    if unsafe copyShort(source, count: count, to: target).needsEscape == 0 { return count }
    var plain = 0
    // Safety: one of the bytes needs an escape, so the loop ends before the text does.
    while unsafe source[plain] >= 0x20 && source[plain] != UInt8(ascii: "\"")
        && source[plain] != UInt8(ascii: "\\")
    { plain += 1 }
    return plain
}

/// Copies 1 to 31 bytes to a target that may overlap them. Copies the two ends of the text, which meet or overlap.
///
/// Safety: the source must have `count` bytes, and the target must have room for them.
///
/// - Returns: a block that consists of the bytes of the text, each at least once, and spaces.
@discardableResult
@inline(__always)
func copyShort(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> ByteBlock {
    let bytes = unsafe UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(target)
    // Safety: every load and store starts at the start of the text or ends at its end, and is no longer than the
    // text. All loads precede the stores.
    if count >= 16 {
        let block = unsafe ByteBlock(ends: source, count: count)
        unsafe block.storeEnds(to: target, count: count)
        return block
    }
    if count >= 8 {
        let first = unsafe bytes.loadUnaligned(as: UInt64.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        unsafe output.storeBytes(of: first, as: UInt64.self)
        unsafe output.storeBytes(of: last, toByteOffset: count - 8, as: UInt64.self)
        return ByteBlock(first: first, last: last)
    }
    if count >= 4 {
        let first = unsafe bytes.loadUnaligned(as: UInt32.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        unsafe output.storeBytes(of: first, as: UInt32.self)
        unsafe output.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
        let word = UInt64(first) | UInt64(last) << 32
        return ByteBlock(first: word, last: word)
    }
    let offsets = (0, count / 2, count - 1)
    let (first, middle, last) = unsafe (source[offsets.0], source[offsets.1], source[offsets.2])
    unsafe target[offsets.0] = first
    unsafe target[offsets.1] = middle
    unsafe target[offsets.2] = last
    let word = (UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16) | 0x2020_2020_2000_0000
    return ByteBlock(first: word, last: word)
}
