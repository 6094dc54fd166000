import SheafBytes

/// The sources' paths as they are written: JSON strings, by ordinal.
struct SourceNames: Sendable {
    private let names: [[UInt8]]

    init(_ paths: [String]) {
        names = paths.map { path in
            var name: [UInt8] = []
            name.appendJSONString(Array(path.utf8).span)
            return name
        }
    }

    func append(_ ordinal: Int, to output: inout [UInt8]) { output.append(contentsOf: names[ordinal]) }

    func append(_ ordinal: Int, to output: inout OutputBuffer) {
        let name = names[ordinal]
        output.append(name.span)
    }
}
