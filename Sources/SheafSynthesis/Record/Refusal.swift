/// An answer with which Apple's service refuses a push (Apple: Handling notification responses from APNs).
struct Refusal: Sendable {
    let code: Int
    let reason: [UInt8]

    /// The answers with their frequencies, in 1,000: most refused pushes are for devices from which the app was removed.
    private static let all: [(perMille: Int, refusal: Refusal)] = [
        (640, Refusal(410, "Unregistered")), (170, Refusal(400, "BadDeviceToken")),
        (70, Refusal(400, "DeviceTokenNotForTopic")), (60, Refusal(429, "TooManyRequests")),
        (25, Refusal(403, "ExpiredProviderToken")), (15, Refusal(503, "ServiceUnavailable")),
        (12, Refusal(500, "InternalServerError")), (8, Refusal(400, "TopicDisallowed")),
    ]

    private init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = Array(reason.utf8)
    }

    static func random(using random: inout RandomStream) -> Refusal {
        var draw = random.below(1_000)
        for (perMille, refusal) in all.dropLast() {
            if draw < perMille { return refusal }
            draw -= perMille
        }
        return all[all.count - 1].refusal
    }
}
