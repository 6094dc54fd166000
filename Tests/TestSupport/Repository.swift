import Foundation

/// The files of this repository, by paths relative to its root.
package enum Repository {
    /// The root's path, without a trailing slash.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Returns the bytes of a file.
    package static func contents(of path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
    }

    /// Returns the names in a folder except those with a leading dot, in no particular order.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).filter { !$0.hasPrefix(".") }
    }
}
