import Foundation
import Synchronization
import Testing

@testable import SheafBytes

@Suite struct SystemTests {
    @Test func processorCountIsPlausible() {
        #expect(CurrentProcess.processorCount >= 1)
        #expect(CurrentProcess.processorCount <= 1 << 16)
    }

    /// The peak is in bytes, not in kilobytes or pages, and excludes the large parent process.
    @Test func peakMemoryExcludesTheParentProcess() async {
        // More memory than the child process uses, so that it would show up in the child's peak.
        let ballast = [UInt8](repeating: 1, count: 256 << 20)
        await #expect(processExitsWith: .success) {
            let before = CurrentProcess.peakResidentBytes
            #expect((1 << 20...250 << 20).contains(before), "\(before) bytes initially")
            let touched = [UInt8](repeating: 1, count: 64 << 20)
            let grown = CurrentProcess.peakResidentBytes - before
            #expect((60 << 20...80 << 20).contains(grown), "\(grown) additional bytes")
            withExtendedLifetime(touched) {}
        }
        withExtendedLifetime(ballast) {}
    }

    @Test func terminalHasColumns() {
        #expect(StandardStream.error.columns > 0)
    }

    @Test func errorsAreWrittenToStandardError() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(3), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            StandardStream.error.write("text for é person\n")
            exit(3)
        }
        #expect(result.standardErrorContent == Array("text for é person\n".utf8))
    }

    /// Every terminating signal is passed to the handler and does not end the process by itself.
    @Test func terminatingSignalsCallTheHandler() async {
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGINT))) { Self.raise(SIGINT) }
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGTERM))) { Self.raise(SIGTERM) }
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGHUP))) { Self.raise(SIGHUP) }
    }

    /// `nohup` makes a command ignore SIGHUP, and the command must not change that.
    @Test func ignoredHangupStaysIgnored() async {
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGTERM))) {
            _ = signal(SIGHUP, SIG_IGN)
            let signals = Signals { exit(100 + $0) }
            kill(getpid(), SIGHUP)
            kill(getpid(), SIGTERM)
            while true { pause() }
            withExtendedLifetime(signals) {}
        }
    }

    /// A closed pipe is a write error and does not end the process.
    @Test func closedPipeIsAnError() async {
        await #expect(processExitsWith: .exitCode(4)) {
            let signals = Signals { _ in }
            var ends: [Int32] = [0, 0]
            guard unsafe pipe(&ends) == 0 else { exit(5) }
            let file = SystemFile(descriptor: ends[1], path: "pipe", owned: true)
            _ = close(ends[0])
            let bytes: [UInt8] = [1]
            do throws(StorageError) {
                try file.write(bytes.span)
            } catch {
                exit(error.isClosedPipe && error.path == "pipe" ? 4 : 6)
            }
            withExtendedLifetime(signals) {}
        }
    }

    private static func raise(_ number: Int32) {
        let signals = Signals { exit(100 + $0) }
        kill(getpid(), number)
        // Wait for the handler to end the process.
        while true { pause() }
        withExtendedLifetime(signals) {}
    }
}
