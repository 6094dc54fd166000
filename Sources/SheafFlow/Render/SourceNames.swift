import SheafBytes

/// The sources' paths as they appear in outputs, by ordinal: as JSON strings or as given.
///
/// Bytes that are not valid UTF-8 are shown as `SystemPath` shows them.
struct SourceNames: Sendable {
    private var names: [[UInt8]] = []
    private var paths: [[UInt8]] = []

    init(_ paths: [String]) {
        for path in paths { add(path) }
    }

    /// Adds the source with the next ordinal.
    mutating func add(_ path: String) {
        let path = Array(SystemPath.shown(path).utf8)
        var buffer = OutputBuffer()
        buffer.appendJSONString(path.span)
        var name: [UInt8] = []
        name.append(buffer.bytes)
        paths.append(path)
        names.append(name)
    }

    /// Returns a source's path as given.
    func path(_ ordinal: Int) -> [UInt8] { paths[ordinal] }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinal]
        output.append(name.span)
    }
}
