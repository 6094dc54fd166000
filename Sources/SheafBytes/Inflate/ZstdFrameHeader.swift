/// The header of a zstd frame (RFC 8878, section 3.1.1.1). Numbers are little-endian.
///
///     28 b5 2f fd | descriptor 1 | [window 1] | [dictionary 1, 2, 4] | [content size 1, 2, 4, 8]
package struct ZstdFrameHeader {
    /// How far back a block may refer, in bytes. For a frame without this field, the size of its content.
    let windowBytes: UInt64
    /// The number of bytes that the frame is decoded to; nil if the header does not have it.
    let contentBytes: UInt64?
    /// The dictionary that decoding requires; 0 for no dictionary.
    let dictionary: UInt32
    let hasChecksum: Bool

    static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// The last three bytes of a skippable frame's magic number; the first one is any of `skippableStarts`.
    private static let skippableEnd: [UInt8] = [0x2a, 0x4d, 0x18]
    private static let skippableStarts: ClosedRange<UInt8> = 0x50...0x5f
    static let magicBytes = 4
    /// A skippable frame's magic number and the length of its content.
    static let skippableBytes = 8

    /// The largest window that is decoded, in bytes: libzstd's own default.
    package static let maximumWindow: UInt64 = 1 << 27
    /// The maximum length of a block, stored and decoded, in bytes.
    package static let maximumBlock = 128 << 10
    static let blockHeaderBytes = 3
    static let checksumBytes = 4
    /// The smallest window that libzstd allocates, in bytes.
    private static let minimumWindow: UInt64 = 1 << 10
    /// The memory for decoding in addition to blocks and the window, in bytes: libzstd's context.
    private static let contextBytes = 192 << 10
    /// The number of bytes that libzstd allocates after a window so that it can copy in large steps.
    private static let copyBytes: UInt64 = 64

    private static let (dictionaryFlags, checksumFlag): (UInt8, UInt8) = (0x03, 0x04)
    private static let (reservedFlag, singleSegmentFlag): (UInt8, UInt8) = (0x08, 0x20)

    /// Returns whether `bytes`, at most four, are the start of a magic number: of a frame or of a skippable frame.
    static func mayStart(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        if skippableStarts.contains(first) { return skippableEnd.starts(with: bytes.dropFirst()) }
        return magic.starts(with: bytes)
    }

    /// Returns whether the bytes begin with the magic number of a frame or of a skippable frame.
    package static func isMagic(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count >= magicBytes && mayStart(bytes.prefix(magicBytes))
    }

    /// Returns the length of a header, magic number included.
    static func byteCount(descriptor: UInt8) -> Int {
        magicBytes + 1 + (descriptor & singleSegmentFlag == 0 ? 1 : 0) + dictionaryBytes(descriptor)
            + contentSizeBytes(descriptor)
    }

    private static func dictionaryBytes(_ descriptor: UInt8) -> Int {
        [0, 1, 2, 4][Int(descriptor & dictionaryFlags)]
    }

    private static func contentSizeBytes(_ descriptor: UInt8) -> Int {
        let isSingle = descriptor & singleSegmentFlag != 0
        return [isSingle ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    }

    /// Parses a complete header; nil if a bit is set that has to be clear.
    init?(_ bytes: Span<UInt8>) {
        let descriptor = bytes[Self.magicBytes]
        guard descriptor & Self.reservedFlag == 0 else { return nil }
        var offset = Self.magicBytes + 1
        func number(_ count: Int) -> UInt64 {
            defer { offset += count }
            return bytes.number(at: offset, count: count)
        }
        hasChecksum = descriptor & Self.checksumFlag != 0
        let window: UInt64? = descriptor & Self.singleSegmentFlag == 0 ? number(1) : nil
        dictionary = UInt32(number(Self.dictionaryBytes(descriptor)))
        let count = Self.contentSizeBytes(descriptor)
        // The two-byte form continues where the one-byte form ends.
        let content: UInt64? = count == 0 ? nil : number(count) + (count == 2 ? 256 : 0)
        contentBytes = content
        windowBytes =
            if let window {
                (1 << (10 + (window >> 3))) / 8 * (8 + (window & 7))
            } else {
                content ?? 0
            }
    }

    private init() {
        (windowBytes, contentBytes, dictionary, hasChecksum) = (0, nil, 0, false)
    }

    /// The header before the first frame.
    static let empty = ZstdFrameHeader()

    /// The maximum length of a block of this frame, stored and decoded, in bytes.
    var blockBytes: Int { Int(min(windowBytes, UInt64(Self.maximumBlock))) }

    /// The memory that decoding the frame takes, in bytes, if its window is not larger than `maximumWindow`: libzstd's
    /// context, its buffer for a stored block and the decoder's own, and the window with room for one more block.
    var memoryBytes: Int {
        let window = max(windowBytes, Self.minimumWindow) + UInt64(blockBytes) + Self.copyBytes
        return Self.contextBytes + 2 * (Self.maximumBlock + Self.blockHeaderBytes)
            + Int(min(window, contentBytes ?? .max))
    }
}
