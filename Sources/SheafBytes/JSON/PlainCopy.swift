/// Copies text as far as it can stand in a JSON string as it is, and looks at each byte only once.
///
/// The target needs as much room as the text has bytes: blocks may be stored past the first escape, never past the
/// text's end.
///
/// - Returns: how many bytes were copied: the text's length, or the place of the first that needs an escape.
@inline(__always)
func copyPlain(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> Int {
    var index = 0
    while index + ByteBlock.count <= count {
        // Safety: a block from `index` is inside both, by the condition.
        let block = unsafe ByteBlock(UnsafeMutablePointer(mutating: source + index))
        unsafe block.store(to: target + index)
        let escapes = block.needsEscape
        if escapes != 0 { return index + escapes.trailingZeroBitCount }
        index += ByteBlock.count
    }
    let rest = count - index
    if rest == 0 { return count }
    // Safety: `rest` bytes from `index` are inside both.
    return unsafe index + copyShortPlain(source + index, count: rest, to: target + index)
}

/// The same for 1 to 31 bytes.
@inline(__always)
private func copyShortPlain(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> Int {
    // Safety: the caller's text and room.
    if unsafe copyShort(source, count: count, to: target).needsEscape == 0 { return count }
    var plain = 0
    // Safety: one of the bytes needs an escape, so that this ends before the text does.
    while unsafe source[plain] >= 0x20 && source[plain] != 0x22 && source[plain] != 0x5c { plain += 1 }
    return plain
}

/// Copies 1 to 31 bytes to a place that may overlap them: by the text's two ends, which meet or overlap.
///
/// - Returns: a block of nothing but the text's bytes, each at least once, and spaces.
@discardableResult
@inline(__always)
func copyShort(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
) -> ByteBlock {
    let bytes = unsafe UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(target)
    // Safety: every load and store is at the start of the text, or ends where the text ends, and is no longer
    // than the text; all loads come before the stores.
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
    let places = (0, count / 2, count - 1)
    let (first, middle, last) = unsafe (source[places.0], source[places.1], source[places.2])
    unsafe target[places.0] = first
    unsafe target[places.1] = middle
    unsafe target[places.2] = last
    let word = (UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16) | 0x2020_2020_2000_0000
    return ByteBlock(first: word, last: word)
}
