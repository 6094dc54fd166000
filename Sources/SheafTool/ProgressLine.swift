import Dispatch
import SheafBytes
import SheafFlow
import Synchronization

/// A line on the terminal that is rewritten during a run to show its progress, or lines of JSON for programs.
///
/// It is erased before anything else is written there: by `writeError` for the command's own messages, by `end` for
/// results. If results go to another process, which may write to the same terminal, it must end before they do.
final class ProgressLine: @unchecked Sendable {
    // Unchecked because dispatch sources may be used from any thread. `hasEnded` belongs to the queue, which every
    // method that uses it checks.
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "sheaf.progress")
    private var hasEnded = false
    /// nil for lines of JSON, which stay.
    private let erasure: String?
    private let text: @Sendable () -> String

    /// The line that is on the terminal now.
    private static let current = Mutex<ProgressLine?>(nil)
    private static let interval = DispatchTimeInterval.milliseconds(200)
    private static let intervalOfJSON = DispatchTimeInterval.seconds(1)
    /// Moves the cursor to the start of the line, and erases the line.
    private static let clear = "\r\u{1b}[K"

    /// Whether standard error is a terminal on which a line can be erased.
    static var isPossible: Bool { StandardStream.error.isTerminal && Terminal.supportsControlSequences }

    /// - Parameters:
    ///   - isJSON: whether the lines are JSON; the last line is written at the end.
    ///   - text: returns the line's text; called on another thread with the seconds since this call.
    init(isJSON: Bool = false, _ text: @escaping @Sendable (Double) -> String) {
        let clock = ContinuousClock()
        let start = clock.now
        let now: @Sendable () -> String = { text((clock.now - start) / .seconds(1)) }
        self.text = now
        erasure = isJSON ? nil : Self.clear
        timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = isJSON ? Self.intervalOfJSON : Self.interval
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            if isJSON { return StandardStream.error.write(now()) }
            // One column is left free: a full line would wrap on some terminals.
            StandardStream.error.write(Self.clear + now().prefix(max(0, StandardStream.error.columns - 1)))
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
        StandardStream.error.write(erasure ?? text())
    }

    private func write(_ text: String) {
        dispatchPrecondition(condition: .onQueue(queue))
        StandardStream.error.write((hasEnded ? "" : erasure ?? "") + text)
    }

    /// Writes to standard error, erasing a progress line first.
    static func writeError(_ text: String) {
        guard let line = current.withLock({ $0 }) else { return StandardStream.error.write(text) }
        line.queue.sync { line.write(text) }
    }

    /// The count of the line next to bytes and records.
    enum Count {
        case groups, snapshots
    }

    /// The line's text. The most useful parts come first, because a narrow terminal cuts off the end.
    static func text(_ progress: RunProgress, seconds: Double, shows shown: Count?) -> String {
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
        switch shown {
        case .groups: parts.append(Numbers.count(progress.groups, "group"))
        case .snapshots: parts.append(Numbers.count(progress.liveSnapshots, "snapshot"))
        case nil: break
        }
        return parts.joined(separator: "  ")
    }

    /// The progress as a JSON object. `totalBytes` is absent if the size of a source is unknown.
    static func json(_ progress: RunProgress, seconds: Double) -> String {
        let bytes = JSONDocument.bytes { json in
            json.member("seconds", seconds, decimals: 1)
            json.member("bytesRead", progress.bytesRead)
            if progress.totalBytes > 0 { json.member("totalBytes", progress.totalBytes) }
            json.member("records", progress.records)
            json.member("groups", progress.groups)
            json.member("snapshots", progress.liveSnapshots)
            json.member("groupsWritten", progress.groupsWritten)
        }
        return String(decoding: bytes, as: UTF8.self)
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
