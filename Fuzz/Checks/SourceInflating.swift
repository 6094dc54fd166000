import SheafBytes

/// A source yields the same bytes and the same damage at the same offset however it is read: those that zlib finds when
/// it inflates everything at once.
package enum SourceInflating: FuzzCheck {
    package static func violations(in source: [UInt8]) -> [String] {
        let expected = InflateModel(source)
        var choices = InputChoices(source)
        let bufferBytes = choices.pick([2, 3, 64, 1 << 12])
        // Reading byte by byte is slow if the source inflates to many bytes.
        let outputBytes = choices.pick(
            expected.bytes.count > 1 << 16 ? [1 << 12, 1 << 16] : [1, 7, 1 << 12])
        let uneven = Drained(
            UnevenInput(source, &choices), bufferBytes: bufferBytes, outputBytes: outputBytes)
        let violations =
            expected.violations(in: Drained(source)).map { "read at once: \($0)" }
            + expected.violations(in: uneven).map {
                "read through \(bufferBytes) bytes into \(outputBytes): \($0)"
            }
        return violations
    }

    package static var seeds: [[UInt8]] {
        // A log that inflates to many bytes slows down every mutation of it.
        let logs = Samples.logs.filter { InflateModel($0).bytes.count <= 1 << 16 }
        let endings: [[UInt8]] = [[], [0x1f], [0x1f, 0x8c], [0, 0x1f], [0x61]]
        return [[], [0x1f], [0x1f, 0x8c, 0x61], [UInt8]("a\n"), stored] + endings.map { emptyMember + $0 }
            + logs
    }

    /// Parts of gzip, and those of DEFLATE that consist of whole bytes.
    package static let words: [[UInt8]] = [
        [0x1f, 0x8b, 0x08], [0x1f, 0x8b, 0x08, 0x1f, 0, 0, 0, 0, 0, 3], [0x01, 0x00, 0x00, 0xff, 0xff],
        [0x00, 0x00, 0x00, 0xff, 0xff], [0x03, 0x00], [0x07], emptyMember,
    ]

    private static let emptyMember: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// "a\n" in a block that is not compressed (RFC 1951, section 3.2.4), between empty members.
    private static let stored: [UInt8] =
        emptyMember + [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 0, 0xfd, 0xff, 0x61, 0x0a]
        + [0x07, 0xa1, 0xea, 0xdd, 2, 0, 0, 0] + emptyMember + [0, 0]
}

extension InflateModel {
    fileprivate func violations(in drained: Drained) -> [String] {
        var violations: [String] = []
        if drained.bytes != bytes {
            let same = zip(drained.bytes, bytes).prefix { $0 == $1 }.count
            violations.append("\(drained.bytes.count) bytes, not \(bytes.count), the same up to \(same)")
        }
        if drained.damage != damage { violations.append("\(shown(drained.damage)), not \(shown(damage))") }
        if drained.bytesInflated != bytes.count {
            violations.append("\(drained.bytesInflated) bytes counted")
        }
        return violations
    }
}
