import Foundation

/// An empty folder for one test, removed when the object is destroyed.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sheaf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files in the folder, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// Returns a file's content, or nil when the file does not exist.
    func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? []
    }

    func write(_ content: String, to name: String) throws {
        try Data(content.utf8).write(to: URL(filePath: path(name)))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func linkTarget(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path(name))
    }
}
