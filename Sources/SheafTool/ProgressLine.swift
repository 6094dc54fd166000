import Dispatch
import SheafBytes
import SheafFlow
import Synchronization

/// A line on the terminal that is rewritten during a run to show its progress.
///
/// It is erased before anything else is written there: by `writeError` for the command's own messages, by `end` for
/// results. If results go to another process, which may write to the same terminal, it must end before they do.
final class ProgressLine: @unchecked Sendable {
    // Unchecked because dispatch sources may be used from any thread. `hasEnded` belongs to the queue, which every
    // method that uses it checks.
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "sheaf.progress")
    private var hasEnded = false

    /// The line that is on the terminal now.
    private static let current = Mutex<ProgressLine?>(nil)
    private static let interval = DispatchTimeInterval.milliseconds(200)
    /// Moves the cursor to the start of the line, and erases the line.
    private static let clear = "\r\u{1b}[K"

    /// Whether standard error is a terminal on which a line can be erased.
    static var isPossible: Bool { Terminal.isErrorTerminal && Terminal.supportsControlSequences }

    /// - Parameter text: returns the line's text; called on another thread with the seconds since this call.
    init(_ text: @escaping @Sendable (Double) -> String) {
        let clock = ContinuousClock()
        let start = clock.now
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler {
            let text = text((clock.now - start) / .seconds(1))
            // One column is left free: a full line would wrap on some terminals.
            Terminal.writeError(Self.clear + text.prefix(max(0, Terminal.errorColumns - 1)))
        }
        Self.current.withLock { $0 = self }
        timer.resume()
    }

    /// Erases the line for the last time; further calls do nothing. May be called from any thread.
    func end() {
        queue.sync { erase() }
        Self.current.withLock { if $0 === self { $0 = nil } }
    }

    private func erase() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !hasEnded else { return }
        hasEnded = true
        timer.cancel()
        Terminal.writeError(Self.clear)
    }

    private func write(_ text: String) {
        dispatchPrecondition(condition: .onQueue(queue))
        Terminal.writeError((hasEnded ? "" : Self.clear) + text)
    }

    /// Writes to standard error, erasing a progress line first.
    static func writeError(_ text: String) {
        guard let line = current.withLock({ $0 }) else { return Terminal.writeError(text) }
        line.queue.sync { line.write(text) }
    }

    /// The line's text. The most useful parts come first, because a narrow terminal cuts off the end.
    static func text(_ progress: RunProgress, seconds: Double, showsGroups: Bool = true) -> String {
        if progress.groupsWritten > 0 {
            return "\(Numbers.grouped(progress.groupsWritten)) groups written"
        }
        let done = progress.bytesRead
        let total = progress.totalBytes
        let rate = UInt64(Double(progress.records) / max(seconds, 0.001))
        var parts: [String] = []
        if total > 0 {
            parts.append("\(min(100, done * 100 / total)) % of \(Numbers.bytes(total))")
            if done < total { parts += timeLeft(done: done, of: total, seconds: seconds) }
        } else {
            parts.append(Numbers.bytes(done))
        }
        parts.append("\(Numbers.grouped(rate)) records/s")
        if showsGroups { parts.append(Numbers.count(progress.groups, "group")) }
        return parts.joined(separator: "  ")
    }

    /// The line's text while a log is generated.
    static func text(recordsGenerated done: UInt64, of total: UInt64, seconds: Double) -> String {
        var parts = ["\(total == 0 ? 100 : done * 100 / total) % of \(Numbers.count(total, "record"))"]
        if done < total { parts += timeLeft(done: done, of: total, seconds: seconds) }
        parts.append("\(Numbers.grouped(UInt64(Double(done) / max(seconds, 0.001)))) records/s")
        return parts.joined(separator: "  ")
    }

    private static func timeLeft(done: UInt64, of total: UInt64, seconds: Double) -> [String] {
        guard done > 0 else { return [] }
        return ["\(Numbers.duration(seconds / Double(done) * Double(total - done))) left"]
    }
}
