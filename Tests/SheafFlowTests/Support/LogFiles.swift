import SheafBytes
import TestSupport

/// Builds log files.
enum LogFiles {
    /// Returns the lines as a file's text, with or without an LF after the last one.
    static func text(_ lines: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = random.chance(20) ? [0xef, 0xbb, 0xbf] : []
        for line in lines { text += line + (random.chance(10) ? [0x0d, 0x0a] : [0x0a]) }
        if let last = lines.last, !last.isEmpty, random.chance(40) {
            while text.last == UInt8(ascii: "\n") || text.last == UInt8(ascii: "\r") { text.removeLast() }
        }
        return text
    }

    /// Returns `bytes` as gzip members of random lengths, with or without zeros after the last one.
    static func members(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var members: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let part = Array(rest.prefix(random.below(bytes.count + 1)))
            rest = rest.dropFirst(part.count)
            members += gzip(part)
        } while !rest.isEmpty
        return members + [UInt8](repeating: 0, count: random.chance(30) ? 100 : 0)
    }

    /// Returns `bytes` as zstd frames of random lengths, with skippable frames among them, and with or without zeros
    /// after the last one.
    static func frames(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var frames: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let part = Array(rest.prefix(random.below(bytes.count + 1)))
            rest = rest.dropFirst(part.count)
            if random.chance(20) { frames += [0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2] }
            frames += zstd(
                part, level: random.pick([1, 3, 19]), hasChecksum: random.chance(60),
                windowLog: random.pick([10, 17, 21]), pieceBytes: random.pick([nil, 200, 1_000]))
        } while !rest.isEmpty
        return frames + [UInt8](repeating: 0, count: random.chance(30) ? 100 : 0)
    }

    /// Splits lines into `count` files, some of which may be empty.
    static func split(_ lines: [[UInt8]], _ count: Int, _ random: inout SeededGenerator) -> [[[UInt8]]] {
        let boundaries = ((1..<count).map { _ in random.below(lines.count + 1) } + [0, lines.count]).sorted()
        return zip(boundaries, boundaries.dropFirst()).map { Array(lines[$0..<$1]) }
    }
}
