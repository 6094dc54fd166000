import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// A run never opens more files than the system allows.
@Suite struct OpenFilesTests {
    @Test(arguments: [1, 2, 3, 16, 64, 255, 256])
    func consumersNeverExceedTheAvailableFiles(_ threads: Int) throws {
        for available in OpenFiles.minimum...(OpenFiles.minimum + 2 * Limits.openFiles) {
            let files = OpenFiles(available: available, threads: threads)
            let free = available - Limits.keptFiles
            let dumps = files.keepsDumps ? threads : 0
            let reading = files.sources + files.spools + files.writers + dumps
            #expect(reading <= free, "\(available) files: \(files)")
            #expect(files.merged + 1 <= free, "\(available) files: \(files)")
            #expect(min(files.sources, files.spools, files.writers) >= 1 && files.merged >= 2)
            #expect(files.sources <= threads && files.writers <= threads)
        }
    }

    @Test(arguments: [1, 2, 64, 256])
    func theLimitOfTheCommandSufficesForAllConsumers(_ threads: Int) {
        let files = OpenFiles(available: Limits.openFiles - 256, threads: threads)
        #expect(files.sources == Limits.openSources(threads: threads))
        #expect(files.writers == threads)
        #expect(files.keepsDumps)
        #expect(files.spools == Limits.openSpools)
        #expect(files.merged == Limits.mergedFiles)
    }

    @Test(arguments: [Int.min, -1, 0, 1, OpenFiles.minimum - 1])
    func tooFewFilesAreRefused(_ available: Int) {
        #expect(
            throws: ReplayError.usage(
                "only \(max(0, available)) more files can be opened, and \(OpenFiles.minimum) are needed: raise the limit "
                    + "on open files (ulimit -n)")
        ) { try OpenFiles(limit: available, threads: 1) }
    }

    @Test func thisProcessCanOpenFiles() { #expect(CurrentProcess.availableFiles > 0) }

    /// A limit that is higher or can't be raised stays the same.
    @Test func raisingTheLimitNeverLowersIt() {
        let before = CurrentProcess.fileLimit
        CurrentProcess.raiseFileLimit(to: 1)
        #expect(CurrentProcess.fileLimit == before)
        CurrentProcess.raiseFileLimit(to: before + 1)
        #expect(CurrentProcess.fileLimit >= before)
    }
}
