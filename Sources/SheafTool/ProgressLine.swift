import Dispatch
import SheafBytes
import SheafFlow

/// One line on the terminal that is written over while a replay runs.
final class ProgressLine {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "sheaf.progress")

    private static let interval = DispatchTimeInterval.milliseconds(200)
    /// To the line's start, and everything behind it away.
    private static let clear = "\r\u{1b}[K"

    /// - Parameter showsGroups: whether groups are counted.
    init(_ progress: Progress, showsGroups: Bool = true) {
        let clock = ContinuousClock()
        let start = clock.now
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler {
            let text = Self.text(
                progress, seconds: (clock.now - start) / .seconds(1), showsGroups: showsGroups)
            // One column is left free: a full line would wrap on some terminals.
            Terminal.writeError(Self.clear + text.prefix(max(0, Terminal.errorColumns - 1)))
        }
        timer.resume()
    }

    /// Takes the line away. No more is written afterwards; further calls do nothing.
    func end() {
        guard !timer.isCancelled else { return }
        timer.cancel()
        queue.sync { Terminal.writeError(Self.clear) }
    }

    /// What is most wanted first: a narrow terminal cuts the end.
    static func text(_ progress: Progress, seconds: Double, showsGroups: Bool = true) -> String {
        if progress.groupsWritten > 0 {
            return "\(Numbers.grouped(progress.groupsWritten)) groups written"
        }
        let done = progress.bytesRead
        let total = progress.totalBytes
        let rate = UInt64(Double(progress.records) / max(seconds, 0.001))
        var parts: [String] = []
        if total > 0 {
            parts.append("\(min(100, done * 100 / total)) % of \(Numbers.bytes(total))")
            if done > 0, done < total {
                let left = seconds / Double(done) * Double(total - done)
                parts.append("\(Numbers.duration(left)) left")
            }
        } else {
            parts.append(Numbers.bytes(done))
        }
        parts.append("\(Numbers.grouped(rate)) records/s")
        if showsGroups { parts.append(Numbers.count(progress.groups, "group")) }
        return parts.joined(separator: "  ")
    }
}
