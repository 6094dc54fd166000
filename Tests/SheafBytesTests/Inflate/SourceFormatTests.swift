import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// Format detection from a source's first bytes, and log lines that only resemble another format.
@Suite struct SourceFormatTests {
    struct Head: NamedCase {
        let name: String
        let bytes: [UInt8]
        var format: SourceDamage.Reason?
    }

    /// One-line files written by the compression programs themselves.
    static let written: [Head] =
        ([
            (
                "bzip2", .bzip2,
                """
                QlpoOTFBWSZTWWNdHP4AACddgAQQEAV4kABALibcaiAASIIjCaZPQ0j0IRT1NkJgEGmZOdzX0FsexLsFrTC0FDjdCgApJldMCxXz\
                8XkYPcblihgQI6EhMOiFdNYfaioHsXckU4UJBjXRz+A=
                """
            ),
            ("empty bzip2", .bzip2, "QlpoORdyRThQkAAAAAA="),
            (
                "xz", .xz,
                """
                /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABVAE1dAD2IiCdMbRhv5RHS7QHtamKEjZu+eYkCvqSoCnxDP5gqzpPkV+a2xQMWnrvL\
                t0WngCOb34oZQUF6fob/T6h8UOfFzy9v6E0Fyu0dHwAAAAAAAGvSbfUTd0XbAAFpVgSRsRYftvN9AQAAAAAEWVo=
                """
            ),
            (
                "zip", .zip,
                """
                UEsDBBQAAAAIADgfdl1H4XElTAAAAFYAAAAIAAAAYS5uZGpzb26rVkosKFCyUkrOz9VLrUjMLchJ1UtU0lEqycxNLS4B8pWsDM0N\
                oMDQyFhHqSCxMic/MUXJqhqotRhM5aQWlQDN8EjNyclXqq2t5QIA
                """
            ),
            (
                "zstd", .zstd,
                """
                KLUv/SRWVQIAogQQFqA5B4S3tI4AQIy0VDxWaKx/0/jHfQVAa80pEwufV4Kp9mbn4ymXr80goIBA59UvhYosG/9grl7Bo8nwefdm\
                AQIAVURwBshnzlSq
                """
            ),
            (
                "lz4", .lz4,
                """
                BCJNGGRAp1IAAADzF3siYXBwIjoiY29tLmV4YW1wbGUuYSIsInRpbWVzdGFtcCI6MTcwAQDgMTIzLCJwYXlsb2FkIjo7ABFzBwDw\
                AmxlcnQiOiJIZWxsbyJ9fX0KAAAAAIG/fKM=
                """
            ),
            (
                "zlib", .zlib,
                """
                eJyrVkosKFCyUkrOz9VLrUjMLchJ1UtU0lEqycxNLS4B8pWsDM0NoMDQyFhHqSCxMic/MUXJqhqotRhM5aQWlQDN8EjNyclXqq2t\
                5QIAl7sa/g==
                """
            ),
        ] as [(String, SourceDamage.Reason, String)]).map {
            Head(name: $0.0, bytes: [UInt8](Data(base64Encoded: $0.2) ?? Data()), format: $0.1)
        }

    private static func wide(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
            return bigEndian ? [high, low] : [low, high]
        }
    }

    static let line = #"{"app":"com.example.a","payload":{"aps":{"alert":"Grüße, 世界"}}}"#

    static let constructed: [Head] = [
        Head(
            name: "a skippable zstd frame", bytes: [0x52, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9],
            format: .zstd),
        Head(
            name: "an empty zip archive",
            bytes: Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18), format: .zip),
        Head(name: "legacy lz4", bytes: [0x02, 0x21, 0x4c, 0x18, 5, 0, 0, 0], format: .lz4),
        Head(name: "snappy", bytes: [0xff, 6, 0, 0] + Array("sNaPpY".utf8), format: .snappy),
        Head(
            name: "UTF-16, little-endian", bytes: [0xff, 0xfe] + wide(line, bigEndian: false), format: .utf16),
        Head(name: "UTF-16, big-endian", bytes: [0xfe, 0xff] + wide(line, bigEndian: true), format: .utf16),
        Head(
            name: "UTF-16 without a BOM, little-endian", bytes: wide(line, bigEndian: false),
            format: .utf16LittleEndian),
        Head(
            name: "UTF-16 without a BOM, big-endian", bytes: wide("\r\n" + line, bigEndian: true),
            format: .utf16BigEndian),
        Head(
            name: "UTF-32",
            bytes: [0xff, 0xfe, 0, 0] + line.unicodeScalars.flatMap { [UInt8($0.value & 0x7f), 0, 0, 0] },
            format: .utf32),
        Head(
            name: "Parquet",
            bytes: Array("PAR1".utf8) + [0x15, 0x04, 0x15, 0x20, 0x15, 0x24, 0x4c, 0x15, 0x02],
            format: .parquet),
        Head(name: "Avro", bytes: Array("Obj\u{1}\u{4}\u{14}avro.codec".utf8), format: .avro),
    ]

    /// First lines of logs, most of which are then rejected line by line.
    static let texts: [Head] =
        [
            "", "{", line, "PK", "PKI renewed", "PK\u{3}", "BZh", "BZh9", "BZh9 rotated", "BZh91AY", "xz",
            "x", "x^",
            "x^ {\"app\":1}", "x\u{1}", "h\u{c3}", "X\u{9}", "PAR1", "PAR1 of the log, in one line of text",
            "PARE",
            "Obj", "Object", "(µ/ý", "7zXZ", "sNaPpY", "SHEAF", "\u{feff}", "\u{feff}" + line, "\u{0}",
            "\u{0}\u{0}",
            "{\u{0}", "{\u{0}\"", "{\u{0}\"\u{0}broken}\n" + line, "  \t\r\n" + line, "ÿþ{", "GZ", "\u{4}\"M",
            String(repeating: "\u{0}", count: 4096),
        ].map { Head(name: "text \($0.prefix(24).debugDescription)", bytes: Array($0.utf8)) } + [
            Head(name: "gzip", bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
            Head(name: "not a character", bytes: [0xff, 0xfe]),
            Head(name: "a UTF-16 BOM before UTF-8", bytes: [0xff, 0xfe] + Array(line.utf8)),
            Head(name: "the other UTF-16 BOM before UTF-8", bytes: [0xfe, 0xff] + Array(line.utf8)),
            Head(name: "a zlib header before text", bytes: [0x78, 0x5e] + Array(line.utf8)),
            Head(
                name: "a zlib header before a line with a control character",
                bytes: [0x78, 0x9c, 0x01] + Array(line.utf8)),
            Head(name: "half of a character", bytes: Array("x^ 世".utf8.dropLast())),
        ]

    @Test(arguments: written + constructed + texts) func formatIsDetected(_ head: Head) {
        #expect(!head.bytes.isEmpty || head.format == nil)
        #expect(SourceDamage.Reason(head: head.bytes) == head.format)
    }

    @Test(arguments: written + constructed) func prefixIsNeverAnotherFormat(_ head: Head) {
        for count in 0..<head.bytes.count {
            let found = SourceDamage.Reason(head: Array(head.bytes.prefix(count)))
            #expect(found == nil || found == head.format, "\(count) bytes")
        }
    }

    /// ASCII lines that begin with the two bytes of a zlib header are text.
    @Test(arguments: Seeds.several(4)) func asciiIsText(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let start: [UInt8] = random.pick([
                [0x78, 0x5e], [0x58, 0x09], [0x68, 0x05 + 0x20], [0x50, 0x4b], [0x42, 0x5a],
            ])
            let text = start + (0..<random.below(300)).map { _ in UInt8(0x20 + random.below(0x5f)) }
            #expect(SourceDamage.Reason(head: text) == nil)
        }
    }
}
