import SheafBytes

/// The sources' names as they appear in outputs, by ordinal: as JSON strings or as given.
///
/// Bytes that are not valid UTF-8 are shown as `SystemPath` shows them.
struct SourceNames: Sendable {
    private var ordinals = OrdinalSet(0..<0)
    private var names: [[UInt8]] = []
    private var paths: [[UInt8]] = []

    init(_ paths: [String]) { self.init(SourceTable(paths: paths)) }

    init(_ sources: SourceTable) {
        for source in sources.entries { append(source.name) }
        ordinals = sources.ordinals
    }

    /// Adds the source with the next ordinal.
    mutating func add(_ path: String) {
        append(path)
        ordinals = OrdinalSet(0..<paths.count)
    }

    private mutating func append(_ path: String) {
        let path = Array(SystemPath.shown(path).utf8)
        var buffer = OutputBuffer()
        buffer.appendJSONString(path.span)
        var name: [UInt8] = []
        name.append(buffer.bytes)
        paths.append(path)
        names.append(name)
    }

    /// Returns a source's name as given.
    func path(_ ordinal: Int) -> [UInt8] { paths[ordinals.index(of: ordinal)] }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinals.index(of: ordinal)]
        output.append(name.span)
    }
}
