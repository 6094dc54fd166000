/// Which items of a list are put between U+2068 and U+2069: those that have characters of the direction opposite to the
/// locale's, so that they do not turn the others around on the screen.
///
/// The rule is that of the ICU in Foundation. What a character's direction is, is decided here for the usual ones; for an
/// item with any other, Foundation is asked.
enum ItemIsolation: Sendable {
    /// No item is.
    case none
    /// The locale's texts run from left to right: items with characters from right to left are.
    case ofRightToLeft
    /// The other way around.
    case ofLeftToRight

    init(_ locale: SystemLocale) {
        if locale.list(of: ["א"]) != "א" {
            self = .ofRightToLeft
        } else if locale.list(of: ["a"]) != "a" {
            self = .ofLeftToRight
        } else {
            self = .none
        }
    }

    /// Isolates the item from `start` to the end, if that is to be.
    func isolate(from start: Int, in output: inout [UInt8], asking locale: SystemLocale) {
        guard self != .none, isNeeded(from: start, in: output, asking: locale) else { return }
        output.insert(contentsOf: Self.opening, at: start)
        output.append(contentsOf: Self.closing)
    }

    private static let opening = Array("\u{2068}".utf8)
    private static let closing = Array("\u{2069}".utf8)

    private func isNeeded(from start: Int, in bytes: [UInt8], asking locale: SystemLocale) -> Bool {
        var index = start
        var isCertain = true
        while index < bytes.count {
            guard let scalar = UTF8Scalar(bytes, at: index) else {
                isCertain = false
                break
            }
            switch needs(scalar.value) {
            case true?: return true
            case false?: break
            case nil: isCertain = false
            }
            index += scalar.length
        }
        if isCertain { return false }
        let item = String(decoding: bytes[start...], as: UTF8.self)
        return !locale.list(of: [item]).utf8.elementsEqual(item.utf8)
    }

    /// Whether an item with this character is isolated; nil where that is not known here.
    func needs(_ scalar: UInt32) -> Bool? {
        switch self {
        case .none: false
        case .ofRightToLeft: Self.isRightToLeft(scalar)
        case .ofLeftToRight: Self.isLeftToRight(scalar)
        }
    }

    private static func isRightToLeft(_ scalar: UInt32) -> Bool? {
        switch scalar {
        // The letters of Hebrew and Arabic.
        case 0x05d0...0x05ea, 0x0620...0x064a, 0x0671...0x06d3: true
        // The other places where such characters and marks are.
        case 0x0590...0x08ff, 0x200f, 0x202b, 0x202e, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff,
            0x1e800...0x1efff:
            nil
        default: false
        }
    }

    private static func isLeftToRight(_ scalar: UInt32) -> Bool? {
        switch scalar {
        // Letters: Latin, Cyrillic, Japanese, Chinese, Korean.
        case 0x41...0x5a, 0x61...0x7a, 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x02b8, 0x0400...0x0482,
            0x048a...0x052f, 0x3041...0x3096, 0x30a1...0x30fa, 0x4e00...0x9fff, 0xac00...0xd7a3:
            true
        // What else ASCII has; Hebrew and Arabic; punctuation; pictures and what joins them.
        case ..<0x80, 0x0590...0x08ff, 0x200c...0x200d, 0x2010...0x2029, 0x2030...0x205e, 0xfe00...0xfe0f,
            0x1f300...0x1f64f:
            false
        default: nil
        }
    }
}
