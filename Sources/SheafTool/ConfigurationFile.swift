import SheafBytes
import SheafGroups

/// Reads the file behind `--config`.
enum ConfigurationFile {
    static func read(_ path: String) throws(ConfigurationError) -> Settings {
        try Settings(json: bytes(of: path), file: path)
    }

    private static func bytes(of path: String) throws(ConfigurationError) -> [UInt8] {
        var content: [UInt8] = []
        do throws(StorageError) {
            var file = try SystemStorage().openForReading(path)
            defer { file.close() }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                var target = buffer.mutableSpan
                let count = try file.read(into: &target)
                if count == 0 { return content }
                content.append(buffer.span.extracting(first: count))
            }
        } catch {
            throw ConfigurationError(
                file: path, line: nil, keys: [], message: "the configuration cannot be read: \(error.reason)")
        }
    }
}
