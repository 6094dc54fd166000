import SheafBytes
import TestSupport

/// A source yields the same bytes and the same damage at the same offset however it is read: those that zlib finds when
/// it inflates everything at once. For zstd data, libzstd decides which frames are valid.
package enum SourceInflating: FuzzCheck {
    package static func violations(in source: [UInt8]) -> [String] {
        ZstdModel.isFrame(source) ? violations(inFrames: source) : violations(inMembers: source)
    }

    private static func violations(inFrames source: [UInt8]) -> [String] {
        let whole = Drained(source)
        var choices = InputChoices(source)
        let bufferBytes = choices.pick([2, 3, 64, 1 << 12])
        let outputBytes = choices.pick(whole.bytes.count > 1 << 16 ? [1 << 12, 1 << 16] : [1, 7, 1 << 12])
        let uneven = Drained(
            UnevenInput(source, &choices), bufferBytes: bufferBytes, outputBytes: outputBytes)
        return ZstdModel(source).violations(of: whole)
            + (uneven == whole
                ? [] : ["other bytes or damage through \(bufferBytes) bytes into \(outputBytes)"])
    }

    private static func violations(inMembers source: [UInt8]) -> [String] {
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
            + logs + frames
    }

    /// Frames with each kind of block, alone and together, with each ending.
    private static var frames: [[UInt8]] {
        var sized = ZstdFrame([.raw([UInt8]("a\n")), .repeated(0x0a, count: 3)])
        sized.contentSize = (5, 1)
        sized.window = nil
        let text = (0..<40).map { "line \($0), \($0 * $0 % 97)\n" }.joined()
        let whole = zstd([UInt8](text)), blocks = zstd([UInt8](text), hasChecksum: false, pieceBytes: 60)
        let skippable = ZstdFrame.skippable([1, 2, 3])
        return [sized.bytes, whole, blocks, skippable]
            + [[0, 0], [0x28], skippable, [0x61]].map { sized.bytes + skippable + whole + blocks + $0 }
    }

    /// Parts of gzip and zstd, and those of DEFLATE that consist of whole bytes.
    package static let words: [[UInt8]] = [
        [0x1f, 0x8b, 0x08], [0x1f, 0x8b, 0x08, 0x1f, 0, 0, 0, 0, 0, 3], [0x01, 0x00, 0x00, 0xff, 0xff],
        [0x00, 0x00, 0x00, 0xff, 0xff], [0x03, 0x00], [0x07], emptyMember,
        [0x28, 0xb5, 0x2f, 0xfd], [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0],
        [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0],
        [0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0], [0x13, 0, 0, 0x0a],
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
