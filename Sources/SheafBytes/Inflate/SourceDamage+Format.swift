extension SourceDamage.Reason {
    /// How many of a source's first bytes are looked at for its format.
    public static let headBytes = 4096

    /// The format that a source's first bytes show, of those that are not read; nil for text, for gzip data, and for
    /// bytes that show nothing.
    ///
    /// A magic number that could be text counts only where the bytes are not text.
    public init?(head: [UInt8]) {
        for (format, magic) in Self.magics where head.starts(with: magic) {
            self = format
            return
        }
        if Self.isBzip2(head) {
            self = .bzip2
        } else if head.count >= 4, (0x50...0x5f).contains(head[0]), head[1...3] == [0x2a, 0x4d, 0x18] {
            // A frame to be skipped, which may come before any other one.
            self = .zstd
        } else if let format = Self.wideText(head) {
            self = format
        } else if head.starts(with: Array("PAR1".utf8)), head.count >= 12, !Self.isText(head) {
            self = .parquet
        } else if Self.isZlib(head) {
            self = .zlib
        } else {
            return nil
        }
    }

    /// Each holds a byte that no text does.
    private static let magics: [(format: Self, magic: [UInt8])] = [
        (.xz, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
        (.zip, [0x50, 0x4b, 0x03, 0x04]),
        // An archive without files.
        (.zip, [0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0]),
        (.zstd, [0x28, 0xb5, 0x2f, 0xfd]),
        (.lz4, [0x04, 0x22, 0x4d, 0x18]),
        (.lz4, [0x02, 0x21, 0x4c, 0x18]),
        (.snappy, [0xff, 0x06, 0x00, 0x00] + Array("sNaPpY".utf8)),
        (.utf32, [0xff, 0xfe, 0x00, 0x00]),
        (.utf32, [0x00, 0x00, 0xfe, 0xff]),
        (.avro, Array("Obj".utf8) + [0x01]),
    ]

    /// "BZh", a digit for the block size, and the first block's magic or, of an empty file, the end's.
    private static func isBzip2(_ head: [UInt8]) -> Bool {
        guard head.count >= 10, head.starts(with: Array("BZh".utf8)), (0x31...0x39).contains(head[3]) else {
            return false
        }
        return head[4..<10] == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
            || head[4..<10] == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
    }

    /// UTF-16, with a byte order mark or without: the first two characters are ASCII, as in every JSON text, which
    /// leaves one byte of each zero.
    private static func wideText(_ head: [UInt8]) -> Self? {
        func isASCII(at index: Int, zeroFirst: Bool) -> Bool {
            guard index + 1 < head.count else { return false }
            let (byte, other) = zeroFirst ? (head[index + 1], head[index]) : (head[index], head[index + 1])
            return other == 0
                && (byte == 0x09 || byte == 0x0a || byte == 0x0d || (0x20..<0x7f).contains(byte))
        }
        if head.starts(with: [0xff, 0xfe]), isASCII(at: 2, zeroFirst: false) { return .utf16 }
        if head.starts(with: [0xfe, 0xff]), isASCII(at: 2, zeroFirst: true) { return .utf16 }
        for zeroFirst in [false, true] {
            guard isASCII(at: 0, zeroFirst: zeroFirst), isASCII(at: 2, zeroFirst: zeroFirst) else { continue }
            let pairs = stride(from: 0, to: min(head.count, 512) - 1, by: 2)
            let zeros = pairs.count { head[$0 + (zeroFirst ? 0 : 1)] == 0 }
            let hasOthers = pairs.contains { head[$0 + (zeroFirst ? 1 : 0)] == 0 }
            // Four characters at least, most of them ASCII: a line of nonsense is not a whole file of it.
            if pairs.underestimatedCount >= 4, zeros * 2 > pairs.underestimatedCount, !hasOthers {
                return zeroFirst ? .utf16BigEndian : .utf16LittleEndian
            }
        }
        return nil
    }

    /// A header of two bytes (RFC 1950), which text can begin with too: then the bytes must not be text, and inflate.
    private static func isZlib(_ head: [UInt8]) -> Bool {
        guard head.count > 2, head[0] & 0x0f == 8, head[0] >> 4 <= 7, head[1] & 0x20 == 0,
            (Int(head[0]) << 8 | Int(head[1])) % 31 == 0, !isText(head)
        else { return false }
        let stream = InflateStream()
        defer { stream.close() }
        var output = [UInt8](repeating: 0, count: 1 << 16)
        var target = output.mutableSpan
        let (_, produced, outcome) = stream.inflate(
            head.span.extracting(droppingFirst: 2), into: &target)
        return outcome == .finished || outcome == .progress && produced > 0
    }

    /// Whether the bytes are UTF-8 without control characters, but for a character that the end cuts.
    private static func isText(_ head: [UInt8]) -> Bool {
        let hasControls = head.contains {
            $0 < 0x20 && !(0x09...0x0d).contains($0) && $0 != 0x1b || $0 == 0x7f
        }
        guard !hasControls else { return false }
        let cuts = 0...min(3, head.count)
        return cuts.contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }
}
