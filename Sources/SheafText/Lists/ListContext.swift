/// Languages in which the last joint of a list depends on the items around it.
///
/// The rules are those of ICU's list formatter in Foundation.
enum ListContext {
    case none
    /// "y" becomes "e" before an i: "Ana e Inés", but "agua y hielo".
    case spanish
    /// A hyphen follows the ו, unless the item begins with a letter of the Hebrew script.
    case hebrew
    /// A space separates the joint from text that is not in the Thai script, on either side.
    case thai

    init(_ locale: LocaleIdentifier) {
        switch locale.language {
        case "es": self = .spanish
        case "he": self = .hebrew
        case "th": self = .thai
        default: self = .none
        }
    }

    /// Returns the index of a joint by whether the end of the previous item and the start of the next item match the
    /// language's rule.
    static func variant(after endMatches: Bool, before startMatches: Bool) -> Int {
        (endMatches ? 2 : 0) + (startMatches ? 1 : 0)
    }

    /// The arguments of `variant(after:before:)`, in the order of its results.
    static let sides = [(false, false), (false, true), (true, false), (true, true)]

    /// Returns the form of the last joint between such items.
    func joint(_ joint: [UInt8], after endMatches: Bool, before startMatches: Bool) -> [UInt8] {
        var joint = joint
        switch self {
        case .none: break
        case .spanish:
            if startMatches { joint = joint.map { $0 == UInt8(ascii: "y") ? UInt8(ascii: "e") : $0 } }
        case .hebrew: if startMatches { joint.removeAll { $0 == UInt8(ascii: "-") } }
        case .thai:
            if startMatches, joint.last == UInt8(ascii: " ") { joint.removeLast() }
            if endMatches, joint.first == UInt8(ascii: " ") { joint.removeFirst() }
        }
        return joint
    }

    /// Returns whether the start of an item matches the language's rule.
    ///
    /// - Parameter start: the offset at which the item begins; it extends to the end of the bytes.
    func hasStart(of bytes: [UInt8], from start: Int) -> Bool {
        switch self {
        case .none: false
        case .spanish: Self.startsWithI(bytes, start)
        // Nothing is added next to an empty item.
        case .hebrew: bytes.count == start || Self.startsInHebrew(bytes, start)
        case .thai: bytes.count == start || Self.isThai(bytes, start)
        }
    }

    func hasEnd(of bytes: [UInt8], from start: Int) -> Bool {
        guard self == .thai else { return false }
        return bytes.count == start || (bytes.count - start >= 3 && Self.isThai(bytes, bytes.count - 3))
    }

    /// Returns whether an item starts with i, or with hi that is not followed by a or e.
    private static func startsWithI(_ bytes: [UInt8], _ start: Int) -> Bool {
        /// The byte, in lower case if it is a letter; 0 past the end.
        func letter(_ index: Int) -> UInt8 { start + index < bytes.count ? bytes[start + index] | 0x20 : 0 }
        if letter(0) == UInt8(ascii: "i") { return true }
        return letter(0) == UInt8(ascii: "h") && letter(1) == UInt8(ascii: "i")
            && letter(2) != UInt8(ascii: "a") && letter(2) != UInt8(ascii: "e")
    }

    private static func startsInHebrew(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard let scalar = UTF8.scalar(bytes, at: start)?.value else { return false }
        switch scalar {
        case 0x0591...0x05c7, 0x05d0...0x05ea, 0x05ef...0x05f4, 0xfb1d...0xfb36, 0xfb38...0xfb3c, 0xfb3e,
            0xfb40...0xfb41, 0xfb43...0xfb44, 0xfb46...0xfb4f:
            return true
        default: return false
        }
    }

    private static func isThai(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard let scalar = UTF8.scalar(bytes, at: start)?.value else { return false }
        return (0x0e01...0x0e3a).contains(scalar) || (0x0e40...0x0e5b).contains(scalar)
    }
}

extension UTF8 {
    /// Returns the scalar at an index; nil if the bytes there are not a scalar.
    static func scalar(_ bytes: [UInt8], at index: Int) -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        let first = bytes[index]
        if isASCII(first) { return Unicode.Scalar(first) }
        var parser = ForwardParser()
        var rest = bytes[index...].prefix(4).makeIterator()
        guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return nil }
        return decode(scalar)
    }
}
