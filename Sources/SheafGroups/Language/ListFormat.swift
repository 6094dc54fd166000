import SheafBytes

/// How a locale joins a list of items: "A, B, and C".
///
/// What stands between the items is taken out of Foundation once, by joining placeholders:
///
///     ①, ②, ③, ④, and ⑤          ① and ②          ①, ②, and ③
///       first middle  last           pair             first last
///         second
///
/// Then a list is bytes and allocates nothing. Two things depend on the items, and are Foundation's own rules as its ICU
/// has them: before which items the last joint is another one (`ListContext`), and which items are isolated because they
/// run against the locale's direction (`ItemIsolation`). Whatever else a locale might do is noticed by joining a number
/// of other lists both ways; where they differ, Foundation is asked for every list.
struct ListFormat: Sendable {
    /// What stands between the items of lists of one length: where it is in `bytes`.
    private struct Joints {
        var first = 0..<0
        var second = 0..<0
        var middle = 0..<0
        var suffix = 0..<0
        /// By what the items around it are like, the first if they are like nothing: see `ListContext.variant`.
        var last = (0..<0, 0..<0, 0..<0, 0..<0)
    }

    /// One behind the other, so that a joint is copied without counting references.
    private var bytes: [UInt8] = []
    private let locale: SystemLocale
    private var context = ListContext.none
    private let isolation: ItemIsolation
    private var pair = Joints()
    private var three = Joints()
    private var more = Joints()
    /// Whether lists are made by the joints.
    private(set) var isTabulated: Bool

    /// - Parameter isolatesItems: whether items against the locale's direction are isolated, as Foundation does.
    init(_ locale: SystemLocale, isolatesItems: Bool) {
        self.locale = locale
        isolation = isolatesItems ? ItemIsolation(locale) : .none
        isTabulated = true
        for context in ListContext.allCases where take(context) {
            if Self.probes.allSatisfy({ joined($0) == asked($0) }) { return }
        }
        isTabulated = false
    }

    /// "A, B, and C", nothing isolated: as for American English, without asking Foundation, whose data takes longer to
    /// load than many a log to replay.
    static let american = ListFormat(pair: " and ", comma: ", ", last: ", and ")

    private init(pair: String, comma: String, last: String) {
        locale = SystemLocale(.default)
        isolation = .none
        isTabulated = true
        self.pair.last.0 = keep(Array(pair.utf8))
        more.first = keep(Array(comma.utf8))
        (more.second, more.middle, more.last.0) = (more.first, more.first, keep(Array(last.utf8)))
        three = more
    }

    /// Appends the items as a list. Nothing for none.
    ///
    /// - Parameter item: appends the item of that index, its bytes only.
    func append(count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        if count == 0 { return }
        guard isTabulated else {
            appendAsked(count: count, item: item, to: &output)
            return
        }
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
            isolation.isolate(from: start, in: &output, asking: locale)
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

    private func appendAsked(count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        let items = (0..<count).map { index in
            var bytes: [UInt8] = []
            item(index, &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        output.append(contentsOf: asked(items).utf8)
    }

    private func asked(_ items: [String]) -> String {
        let list = locale.list(of: items)
        return isolation == .none ? list.withoutIsolates : list
    }

    private func joined(_ items: [String]) -> String {
        var output: [UInt8] = []
        append(count: items.count, item: { $1.append(contentsOf: items[$0].utf8) }, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

// Joints out of joined placeholders.
extension ListFormat {
    /// Lists that show rules of a language that are not known here.
    private static let probes: [[String]] = {
        let words = ["①", "a", "e", "i", "hie", "8", "א", "و", "ก", "あ"]
        let pairs = words.flatMap { [[$0, "e"], ["o", $0]] }
        return pairs + words.map { ["①", "o", $0] } + [["a"], ["①", "②", "③", "④"]]
            + [["①", "②", "③", "④", "⑤", "⑥", "a"]]
    }()

    /// Whether the joints could be read for lists with such items.
    private mutating func take(_ context: ListContext) -> Bool {
        guard let pair = joints(2, context), let three = joints(3, context), let more = joints(5, context)
        else { return false }
        self.context = context
        self.pair = pair
        self.three = three
        self.more = more
        return true
    }

    private mutating func joints(_ count: Int, _ context: ListContext) -> Joints? {
        var joints = Joints()
        var last: [Range<Int>] = []
        for (after, before) in ListContext.sides {
            var items = Array(["①", "②", "③", "④", "⑤"].prefix(count))
            if after { items[count - 2] += context.endSample }
            if before { items[count - 1] = context.startSample + items[count - 1] }
            guard let parts = Self.split(locale.list(of: items).withoutIsolates, at: items) else {
                return nil
            }
            last.append(keep(parts[count - 2]))
            guard last.count == 1 else { continue }
            joints.suffix = keep(parts[count - 1])
            if count > 2 { joints.first = keep(parts[0]) }
            if count > 4 { (joints.second, joints.middle) = (keep(parts[1]), keep(parts[2])) }
        }
        joints.last = (last[0], last[1], last[2], last[3])
        return joints
    }

    private mutating func keep(_ joint: [UInt8]) -> Range<Int> {
        bytes.append(contentsOf: joint)
        return bytes.count - joint.count..<bytes.count
    }

    /// What stands behind each item, the text beginning with the first; nil where they are in another order.
    private static func split(_ text: String, at items: [String]) -> [[UInt8]]? {
        var rest = Array(text.utf8)[...]
        var parts: [[UInt8]] = []
        for (index, item) in items.enumerated() {
            guard rest.starts(with: item.utf8) else { return nil }
            rest = rest.dropFirst(item.utf8.count)
            guard index + 1 < items.count else { break }
            let next = Array(items[index + 1].utf8)
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: next) }) else {
                return nil
            }
            parts.append(Array(rest[..<start]))
            rest = rest[start...]
        }
        return parts + [Array(rest)]
    }
}

extension String {
    /// Without the characters that Foundation puts around an item.
    fileprivate var withoutIsolates: String {
        String(UnicodeScalarView(unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }))
    }
}
