/// What stands between two scalar values of a JSON text: what closes, the comma, keys, what opens, and the second
/// one's quote when it is a string.
///
///     {"title":"Ruth"},"thread-id":"chat-5","badge":3}
///     └──gap──┘     └──────gap─────┘      └──gap──┘└ gap with the end mark
///
/// A log has few different ones, in the same order line after line. A gap that was read once, by the grammar's
/// rules, is known by its bytes when it comes again where the same objects and arrays are open.
///
/// 64 bytes: what is looked at for every gap is one cache line.
@unsafe struct Gap {
    static let maximumLength = 2 * ByteBlock.count

    /// The first bytes, and a bit for each of them that belongs to the gap.
    private let first: ByteBlock
    private var firstBits: UInt32
    /// Bits for those behind them, which are kept apart.
    private let secondBits: UInt32
    /// Where the value behind it is noted.
    let found: UnsafeMutablePointer<FieldScanner.Found>
    /// What is open before it and behind it.
    let source: Int16
    let target: Int16
    /// Its openings in the list of all.
    var firstOpening: Int16 = 0
    /// The gaps that came behind it the last time, and before that another one; 0 is none.
    private(set) var usual: UInt16 = 0
    private(set) var second: UInt16 = 0
    var openingCount: UInt8 = 0
    /// How many bytes it is long; of one that is not kept, and was read, nobody asks.
    let length: UInt8
    let kind: Kind
    /// The kinds that the value behind it should be of.
    let expected: FieldKinds
    private let flags: UInt8

    enum Kind: UInt8 {
        /// Its last byte is the quote that opens a string where one is expected.
        case beforeString
        /// It ends before a scalar of any kind.
        case beforeScalar
        /// Its last byte is the end mark.
        case last
    }

    init(
        _ bytes: [UInt8], kind: Kind, key: UnsafeMutablePointer<PlanNodes.Key>,
        found: UnsafeMutablePointer<FieldScanner.Found>, source: Int, target: Int, isInArray: Bool
    ) {
        unsafe first = Self.block(bytes.prefix(ByteBlock.count))
        // A gap that is too long to be kept is never compared.
        let count = unsafe min(bytes.count, Self.maximumLength)
        let bits = count == 64 ? UInt64.max : (1 << UInt64(count)) - 1
        unsafe firstBits = UInt32(truncatingIfNeeded: bits)
        unsafe secondBits = UInt32(truncatingIfNeeded: bits >> 32)
        unsafe length = UInt8(truncatingIfNeeded: bytes.count)
        unsafe self.kind = kind
        unsafe self.found = unsafe found
        unsafe expected = unsafe key.pointee.expected
        unsafe flags = unsafe (key.pointee.isWanted ? 1 : 0) | (isInArray ? 2 : 0)
        unsafe self.source = Int16(source)
        unsafe self.target = Int16(target)
    }

    /// No gap: no text begins with it, since it ends where it begins, before a scalar, and with zero bytes.
    init(none key: UnsafeMutablePointer<PlanNodes.Key>, found: UnsafeMutablePointer<FieldScanner.Found>) {
        unsafe self.init(
            [], kind: .beforeScalar, key: key, found: found, source: LearnedGaps.startState,
            target: LearnedGaps.startState, isInArray: false)
        unsafe firstBits = .max
    }

    /// What remains of a scan's number where the value behind the gap is noted: nothing of an unwanted one.
    @inline(__always)
    var noteBits: UInt32 { unsafe 0 &- UInt32(flags & 1) }

    /// Whether it ends inside an array.
    @inline(__always)
    var isInArray: Bool { unsafe flags & 2 != 0 }

    static func block(_ bytes: ArraySlice<UInt8>) -> ByteBlock {
        var padded = Array(bytes) + [UInt8](repeating: 0, count: ByteBlock.count - bytes.count)
        // Safety: the copy is as long as a block.
        return unsafe padded.withUnsafeMutableBufferPointer { unsafe ByteBlock($0.baseAddress!) }
    }

    func isSame(as other: Gap) -> Bool {
        unsafe source == other.source && first.equal(other.first) == .max && length == other.length
            && kind == other.kind
    }

    var hash: UInt64 { unsafe first.hash }

    /// Whether the text at `place` begins with the gap.
    ///
    /// Where a gap ends before a value that is no string, what stands behind it must begin a scalar: else a longer
    /// gap stands there, of which this is only the beginning.
    ///
    /// By address, since a gap is copied whole to be `self`.
    @inline(__always)
    static func matches(
        _ gap: UnsafeMutablePointer<Gap>, _ rest: UnsafeMutablePointer<GapRest>, _ place: JSONTokens.Place
    ) -> Bool {
        // Safety: 64 bytes from every place of a text may be read, in the chunk or its slack.
        guard unsafe ~ByteBlock(place).equal(gap.pointee.first) & gap.pointee.firstBits == 0 else {
            return false
        }
        if unsafe gap.pointee.secondBits != 0 {
            let second = unsafe ByteBlock(place + ByteBlock.count)
            guard unsafe ~second.equal(rest.pointee.bytes) & gap.pointee.secondBits == 0 else { return false }
        }
        return unsafe gap.pointee.kind != .beforeScalar || beginsScalar(place[Int(gap.pointee.length)])
    }

    /// Notes that another gap than the usual one came behind a gap: now it is the usual one.
    @inline(__always)
    static func noteUnusual(_ next: Int, behind gap: UnsafeMutablePointer<Gap>) {
        unsafe gap.pointee.second = unsafe gap.pointee.usual
        unsafe gap.pointee.usual = UInt16(truncatingIfNeeded: next)
    }

    mutating func forgetUsual() {
        unsafe usual = 0
        unsafe second = 0
    }

    @inline(__always)
    private static func beginsScalar(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == 0x2d || byte == 0x22 || byte == 0x74 || byte == 0x66 || byte == 0x6e
    }
}

/// What is seldom looked at of a gap.
@unsafe struct GapRest {
    /// Its bytes behind those of the first block.
    let bytes: ByteBlock
    /// The key of the value behind it.
    let key: UnsafeMutablePointer<PlanNodes.Key>
}

/// An object or array that is open.
@safe struct Container {
    /// The keys that are wanted of it; none of an array.
    let node: UnsafeMutablePointer<PlanNodes.Node>
    let isObject: Bool

    /// The byte that closes it.
    @inline(__always)
    var closer: UInt8 { isObject ? 0x7d : 0x5d }
}

/// A wanted object or array that opens in a gap, also one that closes there again.
@safe struct Opening {
    let key: UnsafeMutablePointer<PlanNodes.Key>
    /// Where it is noted.
    let found: UnsafeMutablePointer<FieldScanner.Found>
    let isObject: Bool
    /// Where it opens, from the gap's start.
    let offset: Int
}
