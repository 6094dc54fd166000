import SheafBytes
import SheafGroups

/// The records of a line, as values that do not depend on the line's offset in its chunk.
struct ReadEntries {
    struct Item: Equatable {
        let index: UInt32?
        let record: DecodedBytes
    }

    private(set) var items: [Item] = []
    /// Broken invariants.
    private(set) var violations: [String] = []

    /// - Parameters:
    ///   - before: complete lines that precede the line in the chunk.
    ///   - after: the bytes after the line's LF.
    init(
        _ line: [UInt8], _ input: LogInput, before: [UInt8] = [], after: [UInt8] = [], by reader: EntryReader,
        _ decoder: inout RecordDecoder
    ) {
        let content = before + line + [UInt8(ascii: "\n")] + after
        let chunk = Chunk(content, annex: content.count + 1 + input.constantBytes)
        let text = TextRange(before.count..<(before.count + line.count))
        reader.begin(text, of: chunk, reason: nil, &decoder)
        while let item = reader.next(in: chunk, &decoder, at: RecordPosition(source: 0, line: 1)) {
            let record = DecodedBytes(item.outcome, text, of: chunk, annex: chunk.capacity, by: decoder)
            violations += record.violations
            items.append(Item(index: item.index, record: record))
            guard items.count <= line.count + 1 else {
                violations.append("more than \(items.count) records")
                break
            }
        }
        let expected = items.count == 1 && items[0].index == nil ? [nil] : items.indices.map { UInt32($0) }
        if items.map(\.index) != expected {
            violations.append("the indices \(items.map(\.index)) of \(items.count) records")
        }

        var now = [UInt8](copying: chunk.bytes)
        now.replaceSubrange(text.range, with: line)
        if now.prefix(content.count) != content[...] { violations.append("bytes around the line changed") }
    }

    /// The single record of a line that was decoded without a mapping.
    init(_ record: DecodedBytes) { items = [Item(index: nil, record: record)] }
}

extension ReadEntries: Equatable {
    static func == (first: ReadEntries, second: ReadEntries) -> Bool { first.items == second.items }
}

extension ReadEntries: CustomStringConvertible {
    var description: String {
        items.map { "\($0.index.map(String.init) ?? "-"): \($0.record)" }.description
    }
}
