import CZlib
import SheafBytes

/// A gzip member of several DEFLATE blocks, most of which begin inside a byte and refer to earlier content, so that
/// reading can resume from its middle.
package struct BlockedMember {
    package private(set) var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    private static let blocks = DeflateBlocks(level: Z_BEST_COMPRESSION, flush: Z_PARTIAL_FLUSH)

    /// - Parameter pieces: the contents of each block.
    package init(_ pieces: [[UInt8]]) {
        bytes += Self.blocks.body(of: pieces)
        let content = Array(pieces.joined())
        var checksum = Checksum()
        checksum.update(content.span)
        for word in [checksum.value, UInt32(content.count)] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }
}
