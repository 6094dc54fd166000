import Foundation

/// An empty folder for one test, removed when the object is destroyed.
package final class TemporaryFolder {
    /// The folder's path, without a trailing slash.
    package let path: String

    /// Creates the folder.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sheaf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a name in the folder.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files in the folder, sorted.
    package var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// Returns a file's content, or nil when the file does not exist.
    package func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a file's bytes; none if it does not exist.
    package func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? []
    }

    /// Writes a file.
    package func write(_ content: String, to name: String) throws {
        try Data(content.utf8).write(to: URL(filePath: path(name)))
    }

    /// Creates a folder in this one.
    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    }

    /// Creates a symbolic link.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// Returns the target of a symbolic link; nil if the name is not a link.
    package func linkTarget(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path(name))
    }
}
