/// The rest of a decoder's input and output during a call, and the bits that were read but not used.
///
///     input    … consumed │ bits │ next … inputEnd
///     output   floor … history and output │ output … outputEnd
///
/// Invariants: `next` is at most `inputEnd` and `output` at most `outputEnd`. All bytes from `floor` to `output` have
/// been inflated. `bits` is 0 above its lowest `bitCount` bits.
///
/// Safety: valid only during the call whose buffers it was created for; `DeflateDecoder.inflate` does not let it escape.
@safe struct DeflateCursor {
    var next: UnsafePointer<UInt8>
    let inputEnd: UnsafePointer<UInt8>
    var output: UnsafeMutablePointer<UInt8>
    let outputEnd: UnsafeMutablePointer<UInt8>
    /// The oldest byte that a match may refer to.
    let floor: UnsafeMutablePointer<UInt8>
    var bits: UInt64
    /// At most 63.
    var bitCount: Int

    var room: Int { unsafe outputEnd - output }
    /// How far back a match may refer.
    var history: Int { unsafe output - floor }
    /// Whether the bits are all that is left of the input.
    var isAtInputEnd: Bool { unsafe next == inputEnd }

    /// Reads input until there are `count` bits, at most 48, or more.
    ///
    /// - Returns: false if the input ends before that.
    mutating func hasBits(_ count: Int) -> Bool {
        if bitCount >= count { return true }
        while bitCount <= 55, unsafe next < inputEnd {
            // Safety: `next` is less than `inputEnd`.
            bits |= UInt64(unsafe next.pointee) << UInt64(bitCount)
            unsafe next += 1
            bitCount += 8
        }
        return bitCount >= count
    }

    /// Returns the lowest `count` bits, which the cursor must have, without consuming them.
    func peek(_ count: Int) -> Int { Int(truncatingIfNeeded: bits & (1 << UInt64(count) - 1)) }

    mutating func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    mutating func take(_ count: Int) -> Int {
        let value = peek(count)
        drop(count)
        return value
    }

    /// Returns the bytes that were read ahead to the input.
    ///
    /// At the end of an element, these bytes were read in this call: a call that ends inside an element has not enough
    /// bits for it, and a call that ends between elements has returned its bytes.
    mutating func returnBytes() {
        let count = bitCount >> 3
        // Safety: by the above, the last `count` bytes before `next` belong to the input of this call.
        unsafe next -= count
        bitCount &= 7
        bits &= 1 << UInt64(bitCount) - 1
    }

    /// Writes a byte. There must be room.
    mutating func write(_ byte: UInt8) {
        precondition(room > 0, "no room for a literal")
        unsafe output.pointee = byte
        unsafe output += 1
    }

    /// Repeats as many as fit of the `length` bytes at `distance`, which is at most `history` and not 0.
    ///
    /// - Returns: the number of bytes that did not fit.
    mutating func copy(_ length: Int, distance: Int) -> Int {
        precondition(distance > 0 && distance <= history, "a match before the history")
        let count = min(length, room)
        for _ in 0..<count {
            // Safety: the distance is in the history, and there is room for `count` bytes.
            unsafe output.pointee = unsafe (output - distance).pointee
            unsafe output += 1
        }
        return length - count
    }

    /// Copies as many of the next `count` bytes of the input as there are and fit. There must be no bits left.
    ///
    /// - Returns: the number of bytes that were not copied.
    mutating func copyInput(_ count: Int) -> Int {
        precondition(bitCount == 0, "bits before a stored byte")
        let copied = unsafe min(count, room, inputEnd - next)
        // Safety: the input has as many bytes, and the output has room for them; they are different memory.
        unsafe output.update(from: next, count: copied)
        unsafe next += copied
        unsafe output += copied
        return count - copied
    }
}

/// The fast loop: decodes symbols while input and room are far from their ends.
///
///     refill to 56 bits ─▶ entry ─▶ up to three entries of literals ─▶ refill
///                            └────▶ match: length ─▶ distance ─▶ next entry ─▶ refill ─▶ copy
///
/// The next entry is looked up before a match is copied, so that both take place at once. Between two refills, at most
/// 53 bits are used or looked at: two entries of literals, a length, and the index of its distance. A refill reads
/// eight bytes and adds those that fit, without a branch: 56 to 63 bits. The bits above `count` in the register `bits`
/// are those that the next refill adds again.
extension DeflateCursor {
    /// The number of input bytes that a round may read: three refills read eight bytes each and consume at most seven.
    private static let inputMargin = 32
    /// The number of bytes that a round may write: three entries of two literals or one before a match, the longest
    /// match, and the bytes that are copied beyond its end.
    private static let outputMargin = 8 + DeflateSymbols.longestMatch + wideCopyBytes
    /// The number of bytes of a match that are copied at once, without regard to its length: most are shorter.
    private static let wideCopyBytes = 48

    /// Decodes symbols up to the end of the block, or until input or room are near their ends.
    ///
    /// - Returns: `.advanced` unless the block ended or a symbol is invalid.
    mutating func decodeSymbols(_ tables: borrowing DeflateTables) -> DeflateDecoder.Step {
        guard unsafe inputEnd - next >= Self.inputMargin, room >= Self.outputMargin else { return .advanced }
        typealias Entry = DeflateTables.Entry
        // Safety: the loop runs only while the input has `inputMargin` bytes and the output `outputMargin`, which is what
        // a round reads and writes at most. The indices of entries have as many bits as the tables have, or are those
        // of a subtable. A match is copied only if its distance is at most the number of bytes from `floor` to `out`.
        let lastInput = unsafe inputEnd - Self.inputMargin
        let lastOutput = unsafe outputEnd - Self.outputMargin
        let floor = unsafe self.floor
        let literals = unsafe tables.literals.entries
        let distances = unsafe tables.distances.entries
        var input = unsafe next
        var out = unsafe output
        var bits = self.bits
        // Only the lowest six bits count: entries are subtracted with their other fields.
        var count = UInt64(truncatingIfNeeded: bitCount)
        var step = DeflateDecoder.Step.advanced

        unsafe Self.refill(&bits, &count, &input)
        var entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
        decoding: repeat {
            if entry & Entry.literal != 0 {
                unsafe Self.take(entry, &bits, &count, &out)
                entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
                if entry & Entry.literal != 0 {
                    unsafe Self.take(entry, &bits, &count, &out)
                    entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
                    if entry & Entry.literal != 0 {
                        unsafe Self.take(entry, &bits, &count, &out)
                        entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
                        unsafe Self.refill(&bits, &count, &input)
                        continue
                    }
                }
            }
            var before = bits
            Self.drop(entry, &bits, &count)
            if entry & Entry.exceptional != 0 {
                if entry & Entry.subtable != 0 {
                    entry = unsafe literals[Self.subtableIndex(entry, bits)]
                    before = bits
                    Self.drop(entry, &bits, &count)
                    if entry & Entry.literal != 0 {
                        unsafe out.pointee = UInt8(truncatingIfNeeded: entry >> 8)
                        unsafe out += 1
                        unsafe Self.refill(&bits, &count, &input)
                        entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
                        continue
                    }
                }
                if entry & Entry.exceptional != 0 {
                    step = entry & Entry.endOfBlock != 0 ? .blockEnd : .corrupt
                    break decoding
                }
            }
            // The literal before the match, or a byte that the match overwrites.
            unsafe out.pointee = UInt8(truncatingIfNeeded: entry >> 24)
            unsafe out += Int(truncatingIfNeeded: (entry & Entry.afterLiteral) / Entry.afterLiteral)
            let length = Int(truncatingIfNeeded: entry >> 16 & 0xff) &+ 3 &+ Self.number(entry, before)

            // At least 12 bits are left, which is enough for the index.
            entry = unsafe distances[Self.index(bits, DeflateTables.distanceBits)]
            unsafe Self.refill(&bits, &count, &input)
            before = bits
            Self.drop(entry, &bits, &count)
            if entry & Entry.exceptional != 0 {
                if entry & Entry.subtable != 0 {
                    entry = unsafe distances[Self.subtableIndex(entry, bits)]
                    before = bits
                    Self.drop(entry, &bits, &count)
                }
                if entry & Entry.exceptional != 0 {
                    step = .corrupt
                    break decoding
                }
            }
            let distance = Int(truncatingIfNeeded: entry >> 16) &+ Self.number(entry, before)
            guard unsafe distance <= out - floor else {
                step = .corrupt
                break decoding
            }

            entry = unsafe literals[Self.index(bits, DeflateTables.literalBits)]
            unsafe Self.refill(&bits, &count, &input)
            unsafe Self.copy(length, distance: distance, to: &out)
        } while unsafe input <= lastInput && out <= lastOutput

        unsafe next = input
        unsafe output = out
        bitCount = Int(truncatingIfNeeded: count & 63)
        self.bits = bits
        returnBytes()
        return step
    }

    /// Returns the next `count` bits as an index.
    @inline(__always)
    private static func index(_ bits: UInt64, _ count: Int) -> Int {
        Int(truncatingIfNeeded: bits & (1 &<< UInt64(truncatingIfNeeded: count) &- 1))
    }

    @inline(__always)
    private static func subtableIndex(_ entry: UInt32, _ bits: UInt64) -> Int {
        Int(truncatingIfNeeded: entry >> 16) &+ index(bits, Int(truncatingIfNeeded: entry >> 8 & 0xf))
    }

    /// Returns the number in the bits after an entry's code.
    ///
    /// - Parameter bits: the bits from the code on.
    @inline(__always)
    private static func number(_ entry: UInt32, _ bits: UInt64) -> Int {
        let all = bits & (1 &<< UInt64(truncatingIfNeeded: entry) &- 1)
        return Int(truncatingIfNeeded: all &>> UInt64(truncatingIfNeeded: entry >> 8 & 0xf))
    }

    @inline(__always)
    private static func drop(_ entry: UInt32, _ bits: inout UInt64, _ count: inout UInt64) {
        bits = bits &>> UInt64(truncatingIfNeeded: entry)
        count = count &- UInt64(truncatingIfNeeded: entry)
    }

    /// Writes and drops an entry's one or two literals.
    ///
    /// Safety: there must be room for two bytes.
    @inline(__always)
    private static func take(
        _ entry: UInt32, _ bits: inout UInt64, _ count: inout UInt64,
        _ out: inout UnsafeMutablePointer<UInt8>
    ) {
        let both = UInt16(truncatingIfNeeded: entry >> 8)
        unsafe UnsafeMutableRawPointer(out).storeBytes(of: both.littleEndian, as: UInt16.self)
        unsafe out += Int(
            truncatingIfNeeded: 1 &+ (entry & DeflateTables.Entry.second) / DeflateTables.Entry.second)
        drop(entry, &bits, &count)
    }

    /// Adds input to the bits, so that there are 56 to 63.
    ///
    /// Safety: the input must have eight bytes.
    @inline(__always)
    private static func refill(
        _ bits: inout UInt64, _ count: inout UInt64, _ input: inout UnsafePointer<UInt8>
    ) {
        let word = unsafe UnsafeRawPointer(input).loadUnaligned(as: UInt64.self).littleEndian
        bits |= word &<< count
        // 63 minus the count, in whole bytes.
        unsafe input += Int(truncatingIfNeeded: 7 &- (count >> 3 & 7))
        count |= 56
    }

    /// Repeats the `length` bytes at `distance`.
    ///
    /// Safety: `distance` bytes before `out` must be readable, and `longestMatch` + `wideCopyBytes` bytes after it
    /// writable.
    @inline(__always)
    private static func copy(_ length: Int, distance: Int, to out: inout UnsafeMutablePointer<UInt8>) {
        var target = UnsafeMutableRawPointer(out)
        var source = unsafe UnsafeRawPointer(target + (0 &- distance))
        unsafe out += length
        let end = UnsafeMutableRawPointer(out)
        if distance >= 16 {
            // Each step reads only bytes from before its own.
            for offset in stride(from: 0, to: wideCopyBytes, by: 16) {
                unsafe copy16(source + offset, to: target + offset)
            }
            guard length > wideCopyBytes else { return }
            unsafe target += wideCopyBytes
            unsafe source += wideCopyBytes
            repeat {
                unsafe copy16(source, to: target)
                unsafe target += 16
                unsafe source += 16
            } while unsafe target < end
        } else if distance == 1 {
            let repeated = unsafe SIMD16(repeating: source.load(as: UInt8.self))
            repeat {
                unsafe target.storeBytes(of: repeated, as: SIMD16<UInt8>.self)
                unsafe target += 16
            } while unsafe target < end
        } else {
            // The first `distance` of eight bytes are right, and the next step continues after them.
            let step = min(distance, 8)
            repeat {
                unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
                unsafe target += step
                unsafe source += step
            } while unsafe target < end
        }
    }

    @inline(__always)
    private static func copy16(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    }
}
