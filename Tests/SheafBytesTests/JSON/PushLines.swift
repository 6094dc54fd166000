import FuzzChecks
import TestSupport

/// Lines like those of push logs, and random mutations of them.
enum PushLines {
    /// Fields that a record's values are read from.
    static let fields = [
        "payload", "payload/aps", "payload/aps/alert", "payload/aps/alert/title", "payload/aps/alert/body",
        "payload/aps/thread-id", "payload/aps/summary-arg-count", "payload/Simulator Target Bundle",
        "timestamp", "ts",
        "topic", "headers.apns-topic", "device-token", "aps", "aps/alert",
    ]

    static let lines = PushTexts.lines
    static let tokens = PushTexts.tokens

    /// Returns one of the lines with one to four random changes.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var line = random.pick(lines)
        for _ in 0..<random.number(1...4) { mutate(&line, &random) }
        return line
    }

    private static func mutate(_ line: inout [UInt8], _ random: inout SeededGenerator) {
        let start = random.number(0...line.count)
        let end = min(line.count, start + random.number(1...(random.oneIn(4) ? 40 : 4)))
        switch random.below(9) {
        case 0: if start < line.count { line[start] ^= 1 << UInt8(random.below(8)) }
        case 1: if start < line.count { line[start] = random.pick(random.pick(tokens)) }
        case 2: line.insert(UInt8(random.below(256)), at: start)
        case 3: line.removeSubrange(start..<end)
        case 4: line.insert(contentsOf: line[start..<end], at: random.number(0...line.count))
        case 5, 6: line.insert(contentsOf: random.pick(tokens), at: start)
        case 7: line.replaceSubrange(start..<end, with: random.pick(tokens))
        default: splice(&line, &random)
        }
    }

    /// Replaces a token with one from another line.
    private static func splice(_ line: inout [UInt8], _ random: inout SeededGenerator) {
        let tokens = Array(JSONTokens(line))
        guard !tokens.isEmpty else { return }
        let replaced = random.pick(tokens).bytes
        line.replaceSubrange(replaced.indices, with: random.pick(Array(JSONTokens(random.pick(lines)))).bytes)
    }
}
