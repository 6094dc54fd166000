import SheafBytes

/// The sources' paths as they appear in outputs, by ordinal: as JSON strings or as given.
///
/// Bytes that are not valid UTF-8 are shown as `SystemPath` shows them.
struct SourceNames: Sendable {
    private let names: [[UInt8]]
    private let paths: [[UInt8]]

    init(_ paths: [String]) {
        self.paths = paths.map { Array(SystemPath.shown($0).utf8) }
        names = self.paths.map { path in
            var buffer = OutputBuffer()
            buffer.appendJSONString(path.span)
            var name: [UInt8] = []
            name.append(buffer.bytes)
            return name
        }
    }

    /// Returns a source's path as given.
    func path(_ ordinal: Int) -> [UInt8] { paths[ordinal] }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinal]
        output.append(name.span)
    }
}
