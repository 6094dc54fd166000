import SheafBytes

/// How a locale joins a list of items: "A, B, and C".
///
/// The joints between the items come from samples in `ListTables`, which were made with Foundation:
///
///     1, 2, 3, 4, and 5          1 and 2          1, 2, and 3
///      first middle last           pair            first last
///        second
///
/// Appending a list then only copies bytes and allocates nothing. Two things depend on the items: the form of the
/// last joint (`ListContext`), and which items are isolated because they run against the locale's direction.
struct ListFormat: Sendable {
    /// The joints of lists of one length, as ranges of `bytes`.
    private struct Joints {
        var first = 0..<0
        var second = 0..<0
        var middle = 0..<0
        var suffix = 0..<0
        /// By the items around the joint, as indexed by `ListContext.variant`; the first is the default.
        var last = (0..<0, 0..<0, 0..<0, 0..<0)
    }

    /// All joints in one array, so that copying a joint does not count references.
    private var bytes: [UInt8] = []
    private let context: ListContext
    /// The characters that cause an item to be isolated, in ascending order; empty if no item is isolated.
    private let isolated: [ClosedRange<UInt32>]
    private var pair = Joints()
    private var three = Joints()
    private var more = Joints()

    /// - Parameter isolatesItems: whether items that run against the locale's direction are isolated, as in
    ///   Foundation.
    init(_ locale: LocaleIdentifier, isolatesItems: Bool) {
        let row = LocaleTable(ListTables.lists).value(inheritedBy: locale) ?? "1, 2 | 1, 2, 3 | 1, 2, 3, 4, 5"
        self.init(
            row.utf8.split(separator: UInt8(ascii: "|")).map { Substring($0) }, ListContext(locale),
            isolatesItems ? Self.charactersToIsolate(in: locale) : [])
    }

    /// The format of American English without isolation, "A, B, and C", created without reading the table.
    static let american = ListFormat(["1 and 2 ", " 1, 2, and 3 ", " 1, 2, 3, 4, and 5"], .none, [])

    /// - Parameter samples: lists of two, three and five items, as in a row of `ListTables`.
    private init(_ samples: [Substring], _ context: ListContext, _ isolated: [ClosedRange<UInt32>]) {
        self.context = context
        self.isolated = isolated
        let samples = samples.enumerated().map { index, sample in
            // A space precedes each bar.
            Self.joints(of: index < 2 ? sample.utf8.dropLast() : sample.utf8[...])
        }
        pair = take(samples[0])
        three = take(samples[1])
        more = take(samples[2])
    }

    /// Returns the text after each item of a sample such as `1, 2, and 3`.
    private static func joints(of sample: Substring.UTF8View) -> [[UInt8]] {
        let items = UInt8(ascii: "1")...UInt8(ascii: "5")
        return sample.split(omittingEmptySubsequences: false, whereSeparator: items.contains).dropFirst()
            .map { Array($0) }
    }

    private mutating func take(_ joints: [[UInt8]]) -> Joints {
        let count = joints.count
        var taken = Joints()
        if count > 2 { taken.first = keep(joints[0]) }
        if count > 4 { (taken.second, taken.middle) = (keep(joints[1]), keep(joints[2])) }
        let last = ListContext.sides.map { keep(context.joint(joints[count - 2], after: $0.0, before: $0.1)) }
        taken.last = (last[0], last[1], last[2], last[3])
        taken.suffix = keep(joints[count - 1])
        return taken
    }

    private mutating func keep(_ joint: [UInt8]) -> Range<Int> {
        bytes.append(contentsOf: joint)
        return bytes.count - joint.count..<bytes.count
    }

    /// Appends the items as a list, or nothing if there are none.
    ///
    /// - Parameter item: appends the item at an index, and nothing else.
    func append(count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        var endsLikeContext = false
        for index in 0..<count {
            let joint = output.count
            if index > 0 { appendJoint(before: index, of: count, to: &output) }
            var start = output.count
            item(index, &output)
            if context != .none {
                if index > 0, index == count - 1 {
                    let startsLikeContext = context.hasStart(of: output, from: start)
                    let variant = ListContext.variant(after: endsLikeContext, before: startsLikeContext)
                    let last = last(of: count, variant)
                    output.replaceSubrange(joint..<start, with: bytes[last])
                    start = joint + last.count
                }
                endsLikeContext = context.hasEnd(of: output, from: start)
            }
            if !isolated.isEmpty { isolate(from: start, in: &output) }
        }
        let suffix = count == 2 ? pair.suffix : count == 3 ? three.suffix : count > 3 ? more.suffix : 0..<0
        if !suffix.isEmpty { output.append(bytes.span.extracting(suffix)) }
    }

    private func appendJoint(before index: Int, of count: Int, to output: inout [UInt8]) {
        let joint =
            if index == count - 1 {
                last(of: count, 0)
            } else if count == 3 {
                three.first
            } else if index > 2 {
                more.middle
            } else {
                index == 1 ? more.first : more.second
            }
        output.append(bytes.span.extracting(joint))
    }

    private func last(of count: Int, _ variant: Int) -> Range<Int> {
        let last = count == 2 ? pair.last : count == 3 ? three.last : more.last
        switch variant {
        case 0: return last.0
        case 1: return last.1
        case 2: return last.2
        default: return last.3
        }
    }
}

// MARK: - Isolation

/// Items with a character of the direction opposite to the locale's are put between U+2068 and U+2069, so that they
/// don't reorder the other items on the screen. The rule and the characters (`ListTables`) are those of the ICU in
/// Foundation.
extension ListFormat {
    /// Parses the table's ranges, such as `5be 5c0 5d0-5ea`.
    private static func charactersToIsolate(in locale: LocaleIdentifier) -> [ClosedRange<UInt32>] {
        let isRightToLeft = LocaleTable(ListTables.rightToLeft).value(inheritedBy: locale) == "yes"
        let ranges = isRightToLeft ? ListTables.leftToRightCharacters : ListTables.rightToLeftCharacters
        return ranges.split(separator: " ").map { range in
            let bounds = range.split(separator: "-").map { bound in
                guard let value = UInt32(bound, radix: 16) else {
                    preconditionFailure("invalid code point '\(bound)' in the table of characters")
                }
                return value
            }
            return bounds[0]...bounds[bounds.count - 1]
        }
    }

    /// Isolates the item from `start` to the end of the output, if necessary.
    private func isolate(from start: Int, in output: inout [UInt8]) {
        guard hasCharacterToIsolate(output, from: start) else { return }
        output.insert(contentsOf: Self.opening, at: start)
        output.append(contentsOf: Self.closing)
    }

    private static let opening = Array("\u{2068}".utf8)
    private static let closing = Array("\u{2069}".utf8)

    /// Invalid UTF-8 has no direction.
    private func hasCharacterToIsolate(_ bytes: [UInt8], from start: Int) -> Bool {
        var index = start
        while index < bytes.count {
            guard let scalar = UTF8.scalar(bytes, at: index) else {
                index += 1
                continue
            }
            if isIsolated(scalar.value) { return true }
            index += UTF8.width(scalar)
        }
        return false
    }

    private func isIsolated(_ scalar: UInt32) -> Bool {
        let index = isolated.partitioningIndex { scalar <= $0.upperBound }
        return index < isolated.count && isolated[index].contains(scalar)
    }
}
