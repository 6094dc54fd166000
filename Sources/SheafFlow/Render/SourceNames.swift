import SheafBytes

/// The sources' paths as they are written, by ordinal: JSON strings, or as they were given. Bytes that are not UTF-8 are
/// shown as `SystemPath` does.
struct SourceNames: Sendable {
    private let names: [[UInt8]]
    private let paths: [[UInt8]]

    init(_ paths: [String]) {
        self.paths = paths.map { Array(SystemPath.shown($0).utf8) }
        names = self.paths.map { path in
            var name: [UInt8] = []
            name.appendJSONString(path.span)
            return name
        }
    }

    /// As it was given.
    func path(_ ordinal: Int) -> [UInt8] { paths[ordinal] }

    func append(_ ordinal: Int, to output: inout [UInt8]) { output.append(contentsOf: names[ordinal]) }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinal]
        output.append(name.span)
    }
}
