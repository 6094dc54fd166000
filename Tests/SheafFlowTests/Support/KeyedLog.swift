import SheafBytes
import TestSupport

@testable import SheafFlow

/// Sources, and the keyed lines of the same records.
struct KeyedLog {
    /// The sources that have lines, with ordinals that are not positions.
    private(set) var sources: [NamedSource] = []
    /// A line of all sources with its key, without a line ending.
    private(set) var lines: [[UInt8]] = []

    /// - Parameter texts: the text of each source by path, in order.
    init(_ texts: [(path: String, text: [UInt8])], _ random: inout SeededGenerator) {
        var ordinal = random.below(3)
        for (path, text) in texts {
            let contents = Self.lines(of: text)
            guard !contents.isEmpty else { continue }
            sources.append(NamedSource(path: path, name: "s3://\(path) \"é\"", ordinal: ordinal))
            for (index, content) in contents.enumerated() {
                let zeros = String(repeating: "0", count: random.chance(10) ? random.below(8) : 0)
                lines.append(Array("\(zeros)\(ordinal)\t\(zeros)\(index + 1)\t".utf8) + content)
            }
            ordinal += 1 + random.pick([0, 0, 1, 70_000])
        }
    }

    /// The lines of a source, with a CR if they have one and with the source's byte order mark.
    private static func lines(of text: [UInt8]) -> [[UInt8]] {
        if text == UTF8.byteOrderMark { return [] }
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        if lines.last == [] { lines.removeLast() }
        return lines
    }

    /// Returns the lines in any order as several streams; some may be empty.
    func streams(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
        LogFiles.split(lines.shuffled(using: &random), count, &random).map { lines in
            var text: [UInt8] = random.chance(10) ? UTF8.byteOrderMark : []
            for line in lines {
                if random.chance(5) { text += Array(random.pick(["\n", "\r\n", " \t\n"]).utf8) }
                text += line + [0x0a]
            }
            if random.chance(30), text.last == 0x0a { text.removeLast() }
            return switch random.below(4) {
            case 0: LogFiles.members(text, &random)
            case 1: LogFiles.frames(text, &random)
            default: text
            }
        }
    }

    /// Returns the inflated bytes of a file.
    static func inflated(_ file: [UInt8]) -> [UInt8] {
        SheafFlow.SourceHead.inflated(MemoryInput(file), upTo: 1 << 24)
    }
}

extension Statistics {
    /// `comparable` without the sizes of the input, which keyed lines do not share with the sources.
    var comparableRecords: String {
        comparable.replacing(/"(bytesRead|bytesInflated)":[0-9]+,?/, with: "")
    }
}
