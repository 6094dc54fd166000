import SheafBytes

/// The purpose of a push, from its push type (Apple, "Sending notification requests to APNs", `apns-push-type`). Names are
/// case-insensitive.
package enum PushType {
    case alert
    case background
    case liveActivity
    /// Any other push type that Apple's service accepts.
    case other
    /// Not a push type: Apple's service refuses it.
    case unknown

    /// The push types whose topics have a suffix. Others have the app's identifier as their topic, and `mdm` one that only
    /// its certificate names.
    package static let suffixes: [(type: StaticString, suffix: StaticString)] = [
        ("voip", ".voip"), ("complication", ".complication"), ("fileprovider", ".pushkit.fileprovider"),
        ("location", ".location-query"), ("liveactivity", ".push-type.liveactivity"),
        ("pushtotalk", ".voip-ptt"), ("widgets", ".push-type.widgets"), ("controls", ".push-type.controls"),
    ]

    /// - Parameter text: the push type's name, not empty.
    package init(_ text: Span<UInt8>) {
        // Nearly all pushes that are not alerts have this type, nearly always in lower case.
        if text.isEqual(to: "background") || text.isEqualIgnoringCase(to: "background") {
            self = .background
        } else if text.isEqualIgnoringCase(to: "alert") {
            self = .alert
        } else if text.isEqualIgnoringCase(to: "liveactivity") {
            self = .liveActivity
        } else {
            let isKnown =
                text.isEqualIgnoringCase(to: "mdm")
                || Self.suffixes.contains { text.isEqualIgnoringCase(to: $0.type) }
            self = isKnown ? .other : .unknown
        }
    }

    /// Returns whether the name is `alert`, as that of nearly all pushes. Inlined, which is faster than a comparison of
    /// texts of any length.
    @inline(__always)
    static func isLowercaseAlert(_ text: Span<UInt8>) -> Bool {
        text.count == 5 && text[0] == UInt8(ascii: "a") && text[1] == UInt8(ascii: "l")
            && text[2] == UInt8(ascii: "e") && text[3] == UInt8(ascii: "r") && text[4] == UInt8(ascii: "t")
    }
}

/// The suffixes of topics that are not for alerts (specification §2, Topics).
///
/// `.push-type.NAME` is a suffix for any name, so that a push type that Apple adds does not show up as another app. A
/// name does not contain a dot: `com.push-type.example.app` is an app's own identifier.
package struct TopicSuffixes {
    private static let pushType: StaticString = ".push-type."
    private static let all = PushType.suffixes.map(\.suffix).filter {
        !$0.description.hasPrefix(pushType.description)
    }

    /// A bit for each letter that is the last, or the last but one, of a suffix, by its index in the alphabet: most
    /// names end in other letters.
    private let last: UInt32
    private let lastButOne: UInt32

    package init() {
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
    package func count(atEndOf topic: Span<UInt8>) -> Int? {
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

/// The limits of Apple's service, in bytes (Apple, "Generating a remote notification" and "Sending notification
/// requests to APNs").
package enum PushLimits {
    /// The largest payload.
    package static let payloadBytes = 4096
    /// The largest payload of a VoIP push.
    package static let voicePayloadBytes = 5120
    /// The longest collapse identifier.
    package static let collapseIdentifierBytes = 64
    /// The longest app, device, thread identifier, category, collapse identifier or summary argument of a record
    /// (specification §2): as long as the largest payload of an alert, so that no push can carry a longer one.
    package static let fieldBytes = 4096
    /// The number of hexadecimal digits of a device token, as of all of today's apps. Apple does not promise a length;
    /// tokens of Live Activities are longer.
    package static let tokenDigits = 64
    /// The number of digits of the longest expiration: all such numbers have at most 64 bits, including a sign.
    package static let expirationDigits = 18
}
