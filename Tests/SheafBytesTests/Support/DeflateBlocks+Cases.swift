import CZlib
import FuzzChecks

extension DeflateBlocks {
    static let one = DeflateBlocks()
    static let small = DeflateBlocks(memory: 1)
    static let smallFixed = DeflateBlocks(memory: 1, strategy: Z_FIXED)

    static func stored(every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(level: 0, flush: Z_BLOCK, pieceBytes: pieceBytes)
    }

    /// Ends a block after each piece; zlib's manual defines what each `flush` value writes between the pieces.
    static func flushed(_ flush: Int32, every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(flush: flush, pieceBytes: pieceBytes)
    }
}
