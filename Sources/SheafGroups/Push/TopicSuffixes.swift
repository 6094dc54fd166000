import SheafBytes

/// The suffixes of topics that are not for alerts (specification §3).
struct TopicSuffixes {
    private static let all: [StaticString] = [
        ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
        ".push-type.liveactivity",
    ]

    /// A bit for each letter that is the last, or the last but one, of a suffix, by its place in the alphabet: most
    /// names end in others.
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

    /// The length of the suffix that the topic ends in; nil when it ends in none.
    @inline(__always)
    func count(atEndOf topic: Span<UInt8>) -> Int? {
        let end = topic.count
        guard end >= 2, last >> UInt32(topic[end - 1] & 31) & 1 == 1,
            lastButOne >> UInt32(topic[end - 2] & 31) & 1 == 1
        else { return nil }
        return Self.find(topic)
    }

    @inline(never)
    private static func find(_ topic: Span<UInt8>) -> Int? {
        all.first { topic.hasSuffix($0) }?.utf8CodeUnitCount
    }
}
