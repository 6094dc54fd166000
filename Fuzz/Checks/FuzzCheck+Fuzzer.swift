import Foundation

// The entry points of libFuzzer, which each target's file forwards to its check.
extension FuzzCheck {
    /// Begins a run. If `SHEAF_FUZZ_SEEDS` names a folder, writes the check's seeds there and exits, because libFuzzer
    /// starts from files.
    ///
    /// - Returns: 0, as libFuzzer requires.
    package static func begin() -> CInt {
        guard let folder = ProcessInfo.processInfo.environment["SHEAF_FUZZ_SEEDS"] else { return 0 }
        do {
            try writeSeeds(to: folder)
        } catch {
            fatalError("the seeds of \(name) can't be written to '\(folder)': \(error)")
        }
        exit(0)
    }

    /// Checks an input, and crashes if the promise is broken, which is how libFuzzer detects a failure.
    ///
    /// - Returns: 0, as libFuzzer requires.
    package static func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        // Safety: libFuzzer passes `count` bytes, which stay valid and unchanged until this function returns.
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        let violations = violations(in: bytes)
        if !violations.isEmpty { fatalError("\(name): \(violations.joined(separator: "; "))") }
        return 0
    }

    /// Writes each seed to a file of its own, and the words to a dictionary next to the folder.
    private static func writeSeeds(to folder: String) throws {
        let folder = URL(filePath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, seed) in seeds.enumerated() {
            try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
        }
        // libFuzzer does not accept longer words.
        let lines = words.filter { $0.count <= 64 }.map { word in
            "\"" + word.map { "\\x" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined() + "\"\n"
        }
        try Data(lines.joined().utf8).write(to: folder.appendingPathExtension("words"))
    }
}
