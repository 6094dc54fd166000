@testable import SheafSynthesis

/// All bytes of a log.
func bytes(_ shape: LogShape) -> [UInt8] {
    var log = SyntheticLog(shape)
    var output: [UInt8] = []
    while log.appendRecord(to: &output) {}
    return output
}

/// The 64-bit FNV-1a digest, which needs no library.
func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
