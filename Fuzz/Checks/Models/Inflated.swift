import CZlib
import SheafBytes

/// What a DEFLATE decoder made of a stream.
package struct Inflated: Equatable, Sendable {
    package enum Ending: Sendable {
        case finished, corrupt
        /// The input ended first.
        case unfinished
        /// The output has reached its limit. Neither how much input that took nor what follows is compared.
        case limited
    }

    /// Where a block ended that is not the last one.
    package struct BlockEnd: Hashable, Sendable {
        package var consumed: Int
        package var produced: Int
        package var unusedBits: UInt8
    }

    package internal(set) var bytes: [UInt8] = []
    package internal(set) var consumed = 0
    package internal(set) var ending = Ending.unfinished
    package internal(set) var ends: [BlockEnd] = []

    package init() {}

    package init(_ bytes: [UInt8], consumed: Int, ending: Ending) {
        self.bytes = bytes
        self.consumed = consumed
        self.ending = ending
    }

    /// Takes the ends of blocks from another result.
    package mutating func adopt(endsOf other: Inflated) { ends = other.ends }

    /// Forgets what is not compared if the output has reached its limit.
    mutating func limit(to count: Int) {
        guard bytes.count >= count else { return }
        ending = .limited
        consumed = 0
        ends.removeAll { $0.produced >= count }
    }

    /// Returns how this result differs from the expected one; empty if it is the same.
    ///
    /// - Parameter stopsAlways: whether this result must have all ends of blocks, rather than some of them.
    package func differences(from expected: Inflated, stopsAlways: Bool = false) -> [String] {
        var differences: [String] = []
        if bytes != expected.bytes {
            let same = zip(bytes, expected.bytes).prefix { $0 == $1 }.count
            differences.append("\(bytes.count) bytes, not \(expected.bytes.count), the same up to \(same)")
        }
        if ending != expected.ending { differences.append("\(ending), not \(expected.ending)") }
        if consumed != expected.consumed {
            differences.append("\(consumed) bytes consumed, not \(expected.consumed)")
        }
        if stopsAlways ? ends != expected.ends : !Set(ends).isSubset(of: expected.ends) {
            differences.append("blocks end at \(ends), not at \(expected.ends)")
        }
        return differences
    }
}

/// What zlib makes of a stream that it has in memory, with room for all of the output.
package struct DeflateModel {
    package private(set) var result = Inflated()
    /// zlib's message if the stream is corrupt.
    package private(set) var complaint = ""

    /// - Parameters:
    ///   - start: the end of a block, after which the input begins; nil for the start of a stream.
    ///   - limit: the number of bytes after which the output ends.
    package init(_ input: [UInt8], after start: RestartPoint.Block? = nil, limit: Int = 1 << 17) {
        var stream = unsafe z_stream()
        var status = unsafe inflateInit2_(
            &stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { unsafe inflateEnd(&stream) }
        if let start {
            if start.unusedBits > 0, status == Z_OK {
                status = unsafe inflatePrime(&stream, Int32(start.unusedBits), Int32(start.bits))
            }
            if !start.window.isEmpty, status == Z_OK {
                status = unsafe inflateSetDictionary(&stream, start.window, UInt32(start.window.count))
            }
        }
        precondition(status == Z_OK, "zlib could not be started: status \(status); out of memory?")
        unsafe inflate(input, &stream, limit)
    }

    @unsafe private mutating func inflate(_ input: [UInt8], _ stream: inout z_stream, _ limit: Int) {
        var source = input
        result.bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            count = unsafe source.withUnsafeMutableBufferPointer { source in
                // Safety: zlib reads at most the source's bytes and writes at most `limit` bytes of the target, for
                // which there is room; both outlive its calls.
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(limit)
                unsafe step(&stream, available: source.count, limit)
                return limit - Int(unsafe stream.avail_out)
            }
        }
        result.limit(to: limit)
    }

    /// Inflates block by block until the stream ends.
    @unsafe private mutating func step(_ stream: inout z_stream, available: Int, _ limit: Int) {
        while true {
            let before = unsafe (stream.avail_in, stream.avail_out)
            let status = unsafe CZlib.inflate(&stream, Z_BLOCK)
            result.consumed = available - Int(unsafe stream.avail_in)
            switch status {
            case Z_STREAM_END: result.ending = .finished
            case Z_OK, Z_BUF_ERROR:
                let state = unsafe stream.data_type
                if state & 128 != 0, state & 64 == 0 {
                    result.ends.append(
                        Inflated.BlockEnd(
                            consumed: result.consumed, produced: limit - Int(unsafe stream.avail_out),
                            unusedBits: UInt8(state & 63)))
                    continue
                }
                if unsafe state & 128 != 0 || before != (stream.avail_in, stream.avail_out) { continue }
            default:
                result.ending = .corrupt
                complaint = unsafe stream.msg.map { unsafe String(cString: $0) } ?? ""
            }
            return
        }
    }
}
