import CZlib
import SheafBytes

/// A source as zlib's own gzip reader sees it, with everything in memory and each member inflated at once.
///
/// zlib reads headers, data and trailers, and its error messages tell which of them is invalid. The model itself only
/// finds the ends of members and checks the bytes after the last one.
struct InflateModel {
    private(set) var bytes: [UInt8] = []
    private(set) var damage: SourceDamage?

    private let source: [UInt8]
    /// The offset of the next member.
    private var offset = 0

    init(_ source: [UInt8]) {
        self.source = source
        guard source.starts(with: [0x1f, 0x8b]) else {
            bytes = source
            return
        }
        repeat { takeMember() } while damage == nil && source[offset...].starts(with: [0x1f, 0x8b])
        if damage == nil { checkPadding() }
    }

    private mutating func checkPadding() {
        let rest = source[offset...]
        if rest == [0x1f] {
            damage = SourceDamage(reason: .truncated, offset: UInt64(source.count))
        } else if let garbage = rest.firstIndex(where: { $0 != 0 }) {
            damage = SourceDamage(reason: .trailingGarbage, offset: UInt64(garbage))
        }
    }

    private mutating func takeMember() {
        var stream = unsafe z_stream()
        let gzipOnly: Int32 = 16
        let started = unsafe inflateInit2_(
            &stream, MAX_WBITS + gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(started == Z_OK, "zlib could not be started: status \(started); out of memory?")
        defer { unsafe inflateEnd(&stream) }
        let (status, consumed) = unsafe inflate(&stream)
        switch status {
        case Z_STREAM_END: offset += consumed
        case Z_DATA_ERROR:
            let complaint = unsafe stream.msg.map { unsafe String(cString: $0) } ?? ""
            damage = damage(complaint, endOffset: offset + consumed)
        default: damage = truncation
        }
    }

    /// Inflates from `offset` until the member ends or zlib cannot continue.
    private mutating func inflate(_ stream: inout z_stream) -> (status: Int32, consumed: Int) {
        var member = Array(source[offset...])
        let available = member.count
        var output = [UInt8](repeating: 0, count: 1 << 16)
        return unsafe member.withUnsafeMutableBufferPointer { input in
            // Safety: zlib reads at most the member's bytes and writes at most the output's; both outlive its calls.
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(available)
            while true {
                let status = unsafe output.withUnsafeMutableBufferPointer { target in
                    unsafe stream.next_out = target.baseAddress
                    unsafe stream.avail_out = UInt32(target.count)
                    return unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
                }
                let produced = output.count - Int(unsafe stream.avail_out)
                bytes += output[..<produced]
                if status != Z_OK { return (status, available - Int(unsafe stream.avail_in)) }
            }
        }
    }

    /// The damage that zlib's error message describes, with its offset as `SourceDamage` defines it.
    private func damage(_ complaint: String, endOffset: Int) -> SourceDamage {
        func damage(_ reason: SourceDamage.Reason, _ offset: Int) -> SourceDamage {
            SourceDamage(reason: reason, offset: UInt64(offset))
        }
        switch complaint {
        case "unknown compression method": return damage(.badHeader, offset + 2)
        case "unknown header flags set": return damage(.badHeader, offset + 3)
        case "header crc mismatch": return damage(.badHeader, endOffset - 1)
        // zlib checks the checksum before it has the length; Sheaf checks a trailer only once it is complete.
        case "incorrect data check" where source.count - endOffset < 4: return truncation
        case "incorrect data check": return damage(.badChecksum, endOffset - 4)
        case "incorrect length check": return damage(.badLength, endOffset - 4)
        default: return damage(.corrupt, endOffset)
        }
    }

    private var truncation: SourceDamage {
        // zlib checks the method together with the flags after it.
        if source.count == offset + 3, source[offset + 2] != 8 {
            return SourceDamage(reason: .badHeader, offset: UInt64(offset + 2))
        }
        return SourceDamage(reason: .truncated, offset: UInt64(source.count))
    }
}
