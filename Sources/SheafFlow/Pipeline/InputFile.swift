import SheafBytes
import SheafGroups

extension LogInput {
    /// Reads a mapping file (specification §12.4).
    ///
    /// ```swift
    /// var options = ReplayOptions(sources: ["log.ndjson"])
    /// options.input = try LogInput(contentsOf: "mapping.json")
    /// ```
    ///
    /// - Parameter path: the path of a JSON file, which is the input's name.
    /// - Throws: `ConfigurationError` if the file can't be read or is invalid.
    public init(contentsOf path: String) throws(ConfigurationError) {
        try self.init(contentsOf: path, storage: SystemStorage())
    }

    package init(contentsOf path: String, storage: any Storage) throws(ConfigurationError) {
        let contents: [UInt8]
        do throws(StorageError) {
            contents = try storage.contents(of: path, upTo: Limits.configurationBytes)
        } catch {
            throw ConfigurationError(file: path, message: "the mapping cannot be read: \(error.reason)")
        }
        try self.init(json: contents, file: path)
    }
}
