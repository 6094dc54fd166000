import SheafBytes

/// The suffixes of topics that are not for alerts (specification §2, Topics).
///
/// `.push-type.NAME` is a suffix for any name, so that a push type that Apple adds does not show up as another app. A
/// name does not contain a dot: `com.push-type.example.app` is an app's own identifier.
struct TopicSuffixes {
    private static let all: [StaticString] = [
        ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
    ]
    private static let pushType: StaticString = ".push-type."

    /// A bit for each letter that is the last, or the last but one, of a suffix, by its index in the alphabet: most
    /// names end in other letters.
    private let last: UInt32
    private let lastButOne: UInt32

    init() {
        var (last, lastButOne): (UInt32, UInt32) = (0, 0)
        for suffix in Self.all {
            let end = suffix.description.utf8.suffix(2)
            lastButOne |= 1 << UInt32(end.first! & 31)
            last |= 1 << UInt32(end.last! & 31)
        }
        self.last = last
        self.lastButOne = lastButOne
    }

    /// Returns the length of the topic's suffix; nil if it has none.
    @inline(__always)
    func count(atEndOf topic: Span<UInt8>) -> Int? {
        let end = topic.count
        guard end >= 2 else { return nil }
        if last >> UInt32(topic[end - 1] & 31) & 1 == 1,
            lastButOne >> UInt32(topic[end - 2] & 31) & 1 == 1, let count = Self.find(topic)
        {
            return count
        }
        // "-type." precedes a push type's name: most apps have another letter before their last dot.
        guard let dot = topic.lastIndex(of: UInt8(ascii: ".")), dot >= 2,
            topic[dot - 1] == UInt8(ascii: "e"), topic[dot - 2] == UInt8(ascii: "p")
        else { return nil }
        return Self.pushTypeCount(topic, lastDot: dot)
    }

    @inline(never)
    private static func find(_ topic: Span<UInt8>) -> Int? {
        for suffix in all {
            let start = topic.count - suffix.utf8CodeUnitCount
            // Most names have another character there.
            if start >= 0, topic[start] == UInt8(ascii: "."), topic.hasSuffix(suffix) {
                return suffix.utf8CodeUnitCount
            }
        }
        return nil
    }

    @inline(never)
    private static func pushTypeCount(_ topic: Span<UInt8>, lastDot: Int) -> Int? {
        let nameCount = topic.count - lastDot - 1
        guard nameCount > 0, topic.extracting(first: lastDot + 1).hasSuffix(pushType) else { return nil }
        return pushType.utf8CodeUnitCount + nameCount
    }
}
