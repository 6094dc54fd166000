/// The last inflated bytes of a gzip member, which matches may refer to, and where they are.
///
///     caller's buffer   … history │ room …      as long as the caller reads into the memory after them
///     own buffer        … history │ room │      otherwise: 64 KiB, allocated on first use
struct MemberHistory {
    /// The number of bytes, at most a window.
    private(set) var count = 0
    /// Whether the bytes are in the buffer into which the caller last read.
    private var isInCallersBuffer = false
    private var bytes: [UInt8] = []
    /// The offset in `bytes` after the history, if it is there.
    private var end = 0

    private static let windowBytes = RestartPoint.Block.windowBytes

    /// Removes all bytes, at the start of a member.
    mutating func clear() {
        count = 0
        isInCallersBuffer = false
    }

    /// Starts with the window of a block.
    mutating func restart(_ window: [UInt8]) {
        replace(window.span)
        count = window.count
    }

    /// Copies the last bytes from a caller's buffer, if they are there: its bytes may change afterwards.
    ///
    /// - Parameter buffer: the buffer up to the byte that was inflated last.
    mutating func keep(_ buffer: Span<UInt8>) {
        if isInCallersBuffer { replace(buffer.extracting(last: count)) }
    }

    private mutating func replace(_ history: Span<UInt8>) {
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: 2 * Self.windowBytes) }
        var target = bytes.mutableSpan
        target.write(history, at: 0)
        end = history.count
        isInCallersBuffer = false
    }

    /// Copies the bytes to those before `position`, unless they are already there, and records that they are in `buffer`
    /// from now on.
    mutating func move(to buffer: inout MutableSpan<UInt8>, before position: Int) {
        if !isInCallersBuffer, count > 0 {
            precondition(position >= count, "a buffer without room for the history")
            buffer.write(bytes.span.extracting((end - count)..<end), at: position - count)
        }
        isInCallersBuffer = true
    }

    /// Inflates into the own buffer, and copies the inflated bytes to the start of `output`.
    mutating func inflate(
        into output: inout MutableSpan<UInt8>,
        _ inflate: (inout MutableSpan<UInt8>, _ position: Int) -> InflateStream.Result
    ) -> InflateStream.Result {
        precondition(count == 0 || !isInCallersBuffer, "the history was not kept")
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: 2 * Self.windowBytes) }
        if isInCallersBuffer { end = 0 }
        isInCallersBuffer = false
        if end == bytes.count {
            unsafe bytes.withUnsafeMutableBufferPointer { all in
                // Safety: the last `count` bytes and the first ones are in the buffer, which is not empty.
                let start = all.baseAddress!
                unsafe start.update(from: start + (end - count), count: count)
            }
            end = count
        }
        // Moved out of `self`, because its parts are changed while the span exists.
        var own = bytes
        bytes = []
        defer { bytes = own }
        var all = own.mutableSpan
        var room = all._mutatingExtracting(..<min(all.count, end + output.count))
        let result = inflate(&room, end)
        output.write(room.span.extracting(end..<(end + result.produced)), at: 0)
        end += result.produced
        return result
    }

    /// Returns a copy of the bytes.
    ///
    /// - Parameter buffer: the caller's buffer up to the byte that was inflated last.
    func window(in buffer: Span<UInt8>) -> [UInt8] {
        var window: [UInt8] = []
        window.append(
            isInCallersBuffer ? buffer.extracting(last: count) : bytes.span.extracting((end - count)..<end))
        return window
    }

    /// Adds `count` bytes that were inflated into the buffer.
    mutating func add(_ count: Int) { self.count = min(self.count + count, Self.windowBytes) }
}
