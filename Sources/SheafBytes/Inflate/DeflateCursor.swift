/// What is left of a decoder's input and output during a call, and the bits that were read but not used.
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
    /// bits for it, and one that ends between elements has returned its bytes.
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
