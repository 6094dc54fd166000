/// Prepares an XML property list for Foundation's reader.
///
/// That reader recurses for each level without a bound. It accepts no declared encoding except UTF-8, which the text
/// has here regardless of its encoding in the file. And it reports line 1 for every error. So this type limits the
/// levels, reports mismatched tags with their line, and removes the declaration.
struct XMLText {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// The names of the open elements, each with its line.
    private var open: [(name: ArraySlice<UInt8>, line: Int)] = []

    /// - Parameter text: valid UTF-8.
    static func prepared(_ text: [UInt8]) throws(ContentError) -> [UInt8] {
        var check = XMLText(bytes: text)
        try check.run()
        return withoutDeclaration(text)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() throws(ContentError) {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                advance()
                continue
            }
            if starts(with: "<!--") {
                skip(past: "-->")
            } else if starts(with: "<![CDATA[") {
                skip(past: "]]>")
            } else if starts(with: "<?") {
                skip(past: "?>")
            } else if starts(with: "<!") {
                skip(past: ">")
            } else {
                try tag()
            }
        }
        if let last = open.last {
            throw ContentError(line: last.line, message: "<\(Self.text(last.name))> is never closed")
        }
    }

    private mutating func tag() throws(ContentError) {
        let start = index
        let startLine = line
        skip(past: ">")
        guard bytes[index - 1] == UInt8(ascii: ">") else {
            throw ContentError(line: startLine, message: "a tag without a closing '>'")
        }
        var contents = bytes[(start + 1)..<(index - 1)]
        if contents.last == UInt8(ascii: "/") { return }
        let isEnd = contents.first == UInt8(ascii: "/")
        if isEnd { contents.removeFirst() }
        let name = contents.prefix { $0 > UInt8(ascii: " ") }
        if !isEnd {
            guard open.count < StringLimits.levels else {
                throw ContentError(
                    line: startLine, message: "nested deeper than \(StringLimits.levels) levels")
            }
            open.append((name, startLine))
            return
        }
        guard let last = open.popLast() else {
            throw ContentError(line: startLine, message: "</\(Self.text(name))> closes nothing")
        }
        if last.name != name {
            throw ContentError(
                line: startLine,
                message: "</\(Self.text(name))> does not match <\(Self.text(last.name))> on line \(last.line)"
            )
        }
    }

    private static func text(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }

    private func starts(with word: String) -> Bool { bytes[index...].starts(with: word.utf8) }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    /// Skips to the end of the next `word`, or to the end of the text.
    private mutating func skip(past word: String) {
        while index < bytes.count {
            if starts(with: word) {
                index += word.utf8.count
                return
            }
            advance()
        }
    }

    private static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
        var declaration = XMLText(bytes: text)
        while declaration.index < text.count, text[declaration.index] <= UInt8(ascii: " ") {
            declaration.advance()
        }
        guard declaration.starts(with: "<?xml") else { return text }
        declaration.skip(past: "?>")
        return Array(text[declaration.index...])
    }
}
