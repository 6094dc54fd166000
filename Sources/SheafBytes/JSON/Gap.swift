/// The text between two scalar values of a JSON text: closing brackets, the comma, keys, opening brackets, and the
/// opening quote of the second value if it is a string.
///
///     {"title":"Ruth"},"thread-id":"chat-5","badge":3}
///     └──gap──┘     └──────gap─────┘      └──gap──┘└ gap with the end mark
///
/// A log has few different gaps, in the same order line after line. A gap that was parsed once is recognized by its
/// bytes when it occurs again with the same objects and arrays open.
///
/// 64 bytes, so that everything that is needed for each gap is in one cache line.
///
/// Safety: `found` must outlive the gap: both belong to one scanner. Everything else is plain values, which are unsafe
/// only together: `LearnedGaps` ensures that `usual` and `second` are the numbers of its gaps, and that the openings
/// exist.
@unsafe struct Gap {
    static let maximumLength = 2 * ByteBlock.count

    /// The first bytes, and a bit for each of them that belongs to the gap.
    private let first: ByteBlock
    private var firstBits: UInt32
    /// The bits for the bytes after those, which are stored separately in `GapRest`.
    private let secondBits: UInt32
    /// Where the value after the gap is recorded.
    let found: UnsafeMutablePointer<FieldScanner.FoundValue>
    /// The states before and after the gap, which determine the objects and arrays that are open.
    let source: Int16
    let target: Int16
    /// The index of its first opening in the list of all openings.
    var firstOpening: Int16 = 0
    /// The gap that followed this one last, and another one that followed it before; 0 for no gap.
    private(set) var usual: UInt16 = 0
    private(set) var second: UInt16 = 0
    var openingCount: UInt8 = 0
    /// The length in bytes; meaningless for a gap that was parsed but not kept.
    let length: UInt8
    let kind: Kind
    /// The kinds that the value after the gap should have.
    let expected: FieldKinds
    private let flags: UInt8

    enum Kind: UInt8 {
        /// Its last byte is the quote that opens a string where a string is expected.
        case beforeString
        /// It ends before a scalar of any kind.
        case beforeScalar
        /// Its last byte is the end mark.
        case last
    }

    init(
        _ bytes: [UInt8], kind: Kind, key: UnsafeMutablePointer<PlanNodes.Key>,
        found: UnsafeMutablePointer<FieldScanner.FoundValue>, source: Int, target: Int, isInArray: Bool
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

    /// Creates a gap that matches no text: its bytes are zeros, and it is empty and ends before a scalar, which no
    /// zero begins.
    init(none key: UnsafeMutablePointer<PlanNodes.Key>, found: UnsafeMutablePointer<FieldScanner.FoundValue>)
    {
        unsafe self.init(
            [], kind: .beforeScalar, key: key, found: found, source: LearnedGaps.startState,
            target: LearnedGaps.startState, isInArray: false)
        unsafe firstBits = .max
    }

    /// A mask for the number of the scan that records the value after the gap: 0 if the value is unwanted.
    @inline(__always)
    var recordBits: UInt32 { unsafe 0 &- UInt32(flags & 1) }

    /// Whether it ends inside an array.
    @inline(__always)
    var isInArray: Bool { unsafe flags & 2 != 0 }

    static func block(_ bytes: ArraySlice<UInt8>) -> ByteBlock {
        var padded = Array(bytes) + [UInt8](repeating: 0, count: ByteBlock.count - bytes.count)
        // Safety: the copy has the 32 bytes of a block.
        return unsafe padded.withUnsafeMutableBufferPointer { unsafe ByteBlock($0.baseAddress!) }
    }

    func isSame(as other: Gap) -> Bool {
        unsafe source == other.source && first.equal(other.first) == .max && length == other.length
            && kind == other.kind
    }

    var hash: UInt64 { unsafe first.hash }

    /// Returns whether the text at `cursor` begins with the gap.
    ///
    /// If the gap ends before a scalar, the byte after it must begin the scalar: otherwise the text has a longer gap
    /// that only starts with this gap.
    ///
    /// Takes addresses, because a method would copy the whole gap as `self`.
    ///
    /// Safety: `cursor` must be as in `FieldScanner+Structure.swift`. `gap` and `rest` must be the same element of the
    /// learned gaps.
    @inline(__always)
    static func matches(
        _ gap: UnsafeMutablePointer<Gap>, _ rest: UnsafeMutablePointer<GapRest>, _ cursor: JSONTokens.Cursor
    ) -> Bool {
        // Safety: 64 bytes are readable at any position up to the end mark, in the chunk or its slack. A gap that
        // ends before a scalar contains no zero, so the byte after it is at the end mark or before.
        guard unsafe ~ByteBlock(cursor).equal(gap.pointee.first) & gap.pointee.firstBits == 0 else {
            return false
        }
        if unsafe gap.pointee.secondBits != 0 {
            let second = unsafe ByteBlock(cursor + ByteBlock.count)
            guard unsafe ~second.equal(rest.pointee.bytes) & gap.pointee.secondBits == 0 else { return false }
        }
        return unsafe gap.pointee.kind != .beforeScalar || beginsScalar(cursor[Int(gap.pointee.length)])
    }

    /// Records that a gap other than the usual one followed `gap`, and makes it the usual one.
    ///
    /// Safety: `next` must be the number of an initialized gap, or 0.
    @inline(__always)
    static func recordSuccessor(_ next: Int, after gap: UnsafeMutablePointer<Gap>) {
        unsafe gap.pointee.second = unsafe gap.pointee.usual
        unsafe gap.pointee.usual = UInt16(truncatingIfNeeded: next)
    }

    mutating func clearSuccessors() {
        unsafe usual = 0
        unsafe second = 0
    }

    @inline(__always)
    private static func beginsScalar(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "\"")
            || byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") || byte == UInt8(ascii: "n")
    }
}

/// The part of a gap that is rarely needed.
///
/// Safety: the plan's nodes must outlive it: both belong to one scanner.
@unsafe struct GapRest {
    /// The bytes of the gap after its first block.
    let bytes: ByteBlock
    /// The key of the value after the gap.
    let key: UnsafeMutablePointer<PlanNodes.Key>
}

/// An open object or array.
///
/// Safety: only the functions that use the address are unsafe: it is valid as long as the nodes.
@safe struct Container {
    /// The wanted keys of an object; an array has no keys.
    let node: UnsafeMutablePointer<PlanNodes.Node>
    let isObject: Bool

    /// The byte that closes it.
    @inline(__always)
    var closer: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
}

/// A wanted object or array that opens in a gap, even if it also closes there.
///
/// Safety: as for `Container`: the addresses are valid as long as the scanner.
@safe struct Opening {
    let key: UnsafeMutablePointer<PlanNodes.Key>
    /// Where it is recorded.
    let found: UnsafeMutablePointer<FieldScanner.FoundValue>
    /// What is recorded, with the offset at which it opens, from the start of the gap.
    let value: FieldScanner.FoundValue

    init(
        _ key: UnsafeMutablePointer<PlanNodes.Key>, found: UnsafeMutablePointer<FieldScanner.FoundValue>,
        _ kind: FieldScanner.Kind, offset: Int
    ) {
        unsafe (self.key, self.found) = unsafe (key, found)
        value = FieldScanner.FoundValue(
            start: UInt32(truncatingIfNeeded: offset), count: 1, scan: 0, kind: kind, hasEscapes: false,
            isMistyped: unsafe !key.pointee.expected.contains(kind))
    }
}
