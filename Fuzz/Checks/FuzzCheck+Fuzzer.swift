import Foundation

// What libFuzzer calls; each target's file hands it on to its check.
extension FuzzCheck {
    /// Begins a run. Where `SHEAF_FUZZ_SEEDS` names a folder, the check's seeds are written there and the run ends:
    /// libFuzzer starts from files.
    ///
    /// - Returns: what libFuzzer wants, 0.
    public static func begin() -> CInt {
        guard let folder = ProcessInfo.processInfo.environment["SHEAF_FUZZ_SEEDS"] else { return 0 }
        do {
            try writeSeeds(to: folder)
        } catch {
            fatalError("the seeds of \(name) can't be written to '\(folder)': \(error)")
        }
        exit(0)
    }

    /// Checks one input, and ends the process where the promise is broken: that is how libFuzzer learns of it.
    ///
    /// - Returns: what libFuzzer wants, 0.
    public static func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        // Safety: libFuzzer's bytes, as many as it says, which stand still until this returns.
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        let mistakes = mistakes(about: bytes)
        if !mistakes.isEmpty { fatalError("\(name): \(mistakes.joined(separator: "; "))") }
        return 0
    }

    /// Each seed in a file of its own, and the words in a dictionary beside the folder.
    private static func writeSeeds(to folder: String) throws {
        let folder = URL(filePath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, seed) in seeds.enumerated() {
            try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
        }
        // libFuzzer takes no longer ones.
        let lines = words.filter { $0.count <= 64 }.map { word in
            "\"" + word.map { "\\x" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined() + "\"\n"
        }
        try Data(lines.joined().utf8).write(to: folder.appendingPathExtension("words"))
    }
}
