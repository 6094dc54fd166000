import Foundation
import Synchronization
import Testing

@testable import SheafBytes

@Suite struct SystemTests {
    @Test func processorCount() {
        #expect(ProcessMemory.processorCount >= 1)
        #expect(ProcessMemory.processorCount <= 1 << 16)
    }

    /// In bytes, not in kilobytes or pages, and this process's own: the one that tests is large.
    @Test func peakMemory() async {
        // More than the process that is started will have, so that it would show there.
        let ballast = [UInt8](repeating: 1, count: 256 << 20)
        await #expect(processExitsWith: .success) {
            let before = ProcessMemory.peakResidentBytes
            #expect((1 << 20...250 << 20).contains(before), "\(before) bytes at first")
            let touched = [UInt8](repeating: 1, count: 64 << 20)
            let grown = ProcessMemory.peakResidentBytes - before
            #expect((60 << 20...80 << 20).contains(grown), "\(grown) bytes more")
            withExtendedLifetime(touched) {}
        }
        withExtendedLifetime(ballast) {}
    }

    @Test func terminal() {
        #expect(Terminal.errorColumns > 0)
    }

    @Test func writingErrors() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(3), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            Terminal.writeError("text for é person\n")
            exit(3)
        }
        #expect(result.standardErrorContent == Array("text for é person\n".utf8))
    }

    /// Each signal that ends a run is handed to the handler, and ends nothing by itself.
    @Test func interrupted() async {
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGINT))) { Self.raise(SIGINT) }
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGTERM))) { Self.raise(SIGTERM) }
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGHUP))) { Self.raise(SIGHUP) }
    }

    /// `nohup` has a command ignore the end of its terminal: that is not for the command to change.
    @Test func anIgnoredHangupStaysIgnored() async {
        await #expect(processExitsWith: .exitCode(Int32(100 + SIGTERM))) {
            _ = signal(SIGHUP, SIG_IGN)
            let signals = Signals { exit(100 + $0) }
            kill(getpid(), SIGHUP)
            kill(getpid(), SIGTERM)
            while true { pause() }
            withExtendedLifetime(signals) {}
        }
    }

    /// The reader of a pipe that went away is an error of the write, not the end of the process.
    @Test func closedPipe() async {
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
        // Until the handler ends the process.
        while true { pause() }
        withExtendedLifetime(signals) {}
    }
}
