import CSheaf

extension Chunk {
    /// Decodes the escapes of a scanned string in place. The decoded text is never longer than its escaped form.
    ///
    /// A lone surrogate becomes U+FFFD (specification §2). An escape that is cut off, which no scanned string has,
    /// ends the text. O(length). Only the worker that owns the chunk may call this.
    ///
    /// - Returns: the range of the decoded text.
    package func decodeEscapes(_ text: TextRange) -> TextRange {
        precondition(text.range.upperBound <= textCapacity, "text outside its chunk")
        // Safety: the range is inside the buffer, by the precondition, and the chunk's slack allows the loads past its
        // end.
        let count = unsafe SheafBytes.decodeEscapes(at: base + Int(text.start), count: Int(text.count))
        return TextRange(start: text.start, count: UInt32(count))
    }

    /// Replaces the contents of this chunk with a scanned string of another chunk and decodes its escapes.
    ///
    /// For callers that must not change the other chunk. Afterwards this chunk holds a text and no lines. O(length).
    /// Traps if the text and an LF do not fit.
    ///
    /// - Returns: the range of the text.
    package func copyDecoded(_ text: TextRange, of other: Chunk) -> TextRange {
        precondition(text.range.upperBound <= other.textCapacity, "text outside its chunk")
        precondition(Int(text.count) < capacity && other !== self, "no room for the text")
        clear()
        // Safety: by the preconditions, the text is inside the other chunk, this one has room for it and an LF, and
        // the two are different chunks. Decoding never makes the text longer.
        unsafe base.update(from: other.base + Int(text.start), count: Int(text.count))
        let count = unsafe SheafBytes.decodeEscapes(at: base, count: Int(text.count))
        unsafe base[count] = UInt8(ascii: "\n")
        end = count + 1
        return TextRange(0..<count)
    }
}

/// Decodes `count` bytes of string content at `start` in place and returns the number of decoded bytes. Ends at an
/// escape that is cut off; any other content that is not valid becomes other bytes, at most as many.
///
/// Safety: the bytes must be writable, and the 31 bytes after them must be readable.
@unsafe func decodeEscapes(at start: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    var source = 0
    var target = 0
    // 1 if the byte at `source` is escaped by the backslash before it, which is decoded already.
    var isEscaped: UInt32 = 0
    // Safety: `target` never passes `source`, and `source` never passes `count`: an escape is decoded only if all of
    // its bytes are before `count`. Blocks are loaded from before `count`. Bytes are loaded before they are stored,
    // and nothing is stored past the content: a block of 32 bytes only if the text has as many, and what an escape
    // becomes over the escape or before it.
    while source < count {
        let block = unsafe ByteBlock(start + source)
        let backslashes = block.equal(UInt8(ascii: "\\"))
        let end = min(ByteBlock.count, count - source)
        if backslashes | isEscaped == 0 {
            if target < source {
                if end == ByteBlock.count {
                    unsafe block.store(to: start + target)
                } else {
                    unsafe copyShort(start + source, count: end, to: start + target)
                }
            }
            source += end
            target += end
            continue
        }
        let escapes = escaping(backslashes & ~isEscaped)
        // Quotes, backslashes and slashes stand for themselves.
        var others = (escapes << 1 | isEscaped) & ~(backslashes | block.equal(UInt8(ascii: "\"")))
        if others != 0 { others &= ~block.equal(UInt8(ascii: "/")) }
        let first = others.trailingZeroBitCount
        // What another escape stands for is not in the text: that escape is left, from its backslash.
        let whole = first < end ? max(0, first - 1) : end
        // Safety: the first `whole` bytes are content, at least seven bytes follow them, and `target` is at most
        // `source`.
        target += unsafe Int(
            sheaf_select(
                start + source, UInt32(whole), ~escapes & ~(UInt32.max << UInt32(whole)), start + target))
        guard first < end else {
            source += end
            isEscaped = escapes >> 31
            continue
        }
        source += first - 1
        isEscaped = 0
        guard unsafe decodeEscape(at: start, from: &source, to: &target, end: count) else { return target }
    }
    return target
}

/// Decodes an escape that stands for another character than its letter, and the `\u` escapes that follow such an escape.
/// Returns false if one is cut off.
///
/// Safety: as for `decodeEscapes`; the escape begins at `source`, whose backslash may have been overwritten, and a byte of
/// the content follows it.
@inline(__always)
private func decodeEscape(
    at start: UnsafeMutablePointer<UInt8>, from source: inout Int, to target: inout Int, end count: Int
) -> Bool {
    let letter = unsafe start[source + 1]
    guard letter == UInt8(ascii: "u") else {
        unsafe start[target] = plainEscape(letter)
        source += 2
        target += 1
        return true
    }
    repeat {
        guard source + HexDigits.escapeLength <= count else { return false }
        var scalar = unsafe HexDigits(start + source + 2).number
        source += HexDigits.escapeLength
        if scalar & 0xfc00 == 0xd800 {
            let low: UInt32 =
                unsafe source + HexDigits.escapeLength <= count && HexDigits.follow(start + source)
                ? HexDigits(start + source + 2).number : 0
            if low & 0xfc00 == 0xdc00 {
                scalar = 0x10000 + (scalar & 0x3ff) << 10 + low & 0x3ff
                source += HexDigits.escapeLength
            } else {
                scalar = 0xfffd
            }
        } else if scalar & 0xfc00 == 0xdc00 {
            scalar = 0xfffd
        }
        target += unsafe encode(scalar, at: start + target)
    } while unsafe source < count && HexDigits.follow(start + source)
    return true
}

/// Returns those of a block's backslashes that begin an escape: every other one of a run, from its first. The block must
/// not begin inside an escape.
///
/// Adding its first bit to a run clears the run and nothing else, which separates the runs that begin at even bits from
/// the others without a loop. Langdale and Lemire, "Parsing Gigabytes of JSON per Second", find the ends of runs by such sums.
@inline(__always)
func escaping(_ backslashes: UInt32) -> UInt32 {
    let even: UInt32 = 0x5555_5555
    let first = backslashes & ~(backslashes << 1)
    let fromEven = backslashes & ~(backslashes &+ (first & even))
    return fromEven & even | (backslashes ^ fromEven) & ~even
}

private func plainEscape(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    default: letter
    }
}

/// Writes a scalar as UTF-8 and returns its length, which is at most the 6 or 12 bytes of its escape.
///
/// Safety: three bytes at `target` must be writable, and four for a scalar from U+10000 on.
private func encode(_ scalar: UInt32, at target: UnsafeMutablePointer<UInt8>) -> Int {
    func put(_ index: Int, _ value: UInt32) {
        // Safety: `index` is less than the length.
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

/// The four digits of a `\u` escape, read as one number.
struct HexDigits {
    /// The length of an escape with its backslash and letter, in bytes.
    static let escapeLength = 6

    /// Whether the bytes at `start` begin a `\u` escape.
    ///
    /// Safety: two bytes must be readable.
    @inline(__always)
    static func follow(_ start: UnsafeMutablePointer<UInt8>) -> Bool {
        // A backslash and a "u", as a little-endian number.
        unsafe UInt16(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt16.self)) == 0x755c
    }

    /// The four bytes, the first digit lowest.
    private let word: UInt32

    /// Loads the four bytes at `start`.
    ///
    /// Safety: all four bytes must be readable.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        word = unsafe UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
    }

    /// Whether all four bytes are hexadecimal digits.
    @inline(__always)
    var areValid: Bool {
        let small = word | 0x2020_2020
        // The top bit of each byte shows the result: adding 0x80 - bound to a byte below 0x80 sets it if the byte is
        // at least the bound. Bytes that became digits only by setting bit 5 are excluded by `isPrintable`.
        let isDigit = (small &+ 0x5050_5050) & ~(small &+ 0x4646_4646)
        let isLetter = (small &+ 0x1f1f_1f1f) & ~(small &+ 0x1919_1919)
        let isPrintable = (word | word << 1) & 0x4040_4040
        return word & 0x8080_8080 == 0 && isPrintable == 0x4040_4040
            && (isDigit | isLetter) & 0x8080_8080 == 0x8080_8080
    }

    /// The number that four valid digits represent.
    @inline(__always)
    var number: UInt32 {
        // Letters have bit 6 set, which digits do not, and the low bits of letters count from 1.
        let digits = ((word & 0x0f0f_0f0f) &+ (word >> 6 & 0x0101_0101) &* 9).byteSwapped
        let pairs = (digits | digits >> 4) & 0x00ff_00ff
        return (pairs | pairs >> 8) & 0xffff
    }
}

/// Returns the escape for a byte that must be escaped in a JSON string (specification §10): its bytes, the first one
/// lowest, followed by zeros, and their number, at most `longestJSONEscape`.
///
/// - Parameter byte: a control character, a quote or a backslash.
func jsonEscape(of byte: UInt8) -> (bytes: UInt64, count: Int) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case 0x08: letter = UInt8(ascii: "b")
    case 0x0c: letter = UInt8(ascii: "f")
    case UInt8(ascii: "\n"): letter = UInt8(ascii: "n")
    case UInt8(ascii: "\r"): letter = UInt8(ascii: "r")
    case UInt8(ascii: "\t"): letter = UInt8(ascii: "t")
    default:
        func digit(_ value: UInt8) -> UInt64 {
            UInt64(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value)
        }
        let unicode: UInt64 = 0x3030_755c  // \u00
        return (unicode | digit(byte >> 4) << 32 | digit(byte & 15) << 40, longestJSONEscape)
    }
    return (0x5c | UInt64(letter) << 8, 2)
}

/// The length of the longest escape, in bytes.
let longestJSONEscape = 6
