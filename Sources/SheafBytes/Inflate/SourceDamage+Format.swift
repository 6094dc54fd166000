extension SourceDamage.Reason {
    /// The number of bytes at the start of a source that are examined for its format.
    package static let headBytes = 4096

    /// Detects a format other than text and gzip from the first bytes of a source; nil for these two, and for unknown
    /// formats.
    ///
    /// A magic number that could be text counts only if the bytes are not text.
    package init?(head: [UInt8]) {
        for (format, magic) in Self.magics where head.starts(with: magic) {
            self = format
            return
        }
        if Self.isBzip2(head) {
            self = .bzip2
        } else if ZstdFrameHeader.isMagic(head) {
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

    /// Each contains a byte that never occurs in text.
    private static let magics: [(format: Self, magic: [UInt8])] = [
        (.xz, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
        (.zip, [0x50, 0x4b, 0x03, 0x04]),
        // An archive without files.
        (.zip, [0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0]),
        (.lz4, [0x04, 0x22, 0x4d, 0x18]),
        (.lz4, [0x02, 0x21, 0x4c, 0x18]),
        (.snappy, [0xff, 0x06, 0x00, 0x00] + Array("sNaPpY".utf8)),
        (.utf32, [0xff, 0xfe, 0x00, 0x00]),
        (.utf32, [0x00, 0x00, 0xfe, 0xff]),
        (.avro, Array("Obj".utf8) + [0x01]),
    ]

    /// Returns whether the bytes are "BZh", a digit for the block size, and the magic of the first block or, in an
    /// empty file, of the end.
    private static func isBzip2(_ head: [UInt8]) -> Bool {
        guard head.count >= 10, head.starts(with: Array("BZh".utf8)),
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(head[3])
        else { return false }
        return head[4..<10] == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
            || head[4..<10] == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
    }

    /// Detects UTF-16, with or without a byte order mark: the first two characters are ASCII, as in every JSON text,
    /// so one byte of each is zero.
    private static func wideText(_ head: [UInt8]) -> Self? {
        func isASCII(at index: Int, zeroFirst: Bool) -> Bool {
            guard index + 1 < head.count else { return false }
            let (byte, other) = zeroFirst ? (head[index + 1], head[index]) : (head[index], head[index + 1])
            return other == 0
                && (byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                    || (0x20..<0x7f).contains(byte))
        }
        if head.starts(with: [0xff, 0xfe]), isASCII(at: 2, zeroFirst: false) { return .utf16 }
        if head.starts(with: [0xfe, 0xff]), isASCII(at: 2, zeroFirst: true) { return .utf16 }
        for zeroFirst in [false, true] {
            guard isASCII(at: 0, zeroFirst: zeroFirst), isASCII(at: 2, zeroFirst: zeroFirst) else { continue }
            let pairs = stride(from: 0, to: min(head.count, 512) - 1, by: 2)
            let zeros = pairs.count { head[$0 + (zeroFirst ? 0 : 1)] == 0 }
            let hasOthers = pairs.contains { head[$0 + (zeroFirst ? 1 : 0)] == 0 }
            // At least four characters, most of them ASCII: one line of garbage does not make the whole file UTF-16.
            if pairs.underestimatedCount >= 4, zeros * 2 > pairs.underestimatedCount, !hasOthers {
                return zeroFirst ? .utf16BigEndian : .utf16LittleEndian
            }
        }
        return nil
    }

    /// Returns whether the bytes are a zlib stream. Text, too, can start with the two bytes of its header (RFC 1950),
    /// so the bytes must not be text, and must inflate.
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

    /// Returns whether the bytes are UTF-8 without control characters, except for a character that is cut off at the
    /// end.
    private static func isText(_ head: [UInt8]) -> Bool {
        let hasControls = head.contains {
            $0 < 0x20 && !(0x09...0x0d).contains($0) && $0 != 0x1b || $0 == 0x7f
        }
        guard !hasControls else { return false }
        let cuts = 0...min(3, head.count)
        return cuts.contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }
}
