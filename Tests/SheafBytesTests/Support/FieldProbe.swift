@testable import SheafBytes

/// A scanner for fields identified by their paths, with results that can be compared as values.
struct FieldProbe: ~Copyable {
    /// A recorded field: the decoded text of a string, the digits of a number, otherwise the first byte.
    struct Note: Equatable, CustomStringConvertible {
        let kind: FieldScanner.Kind
        let text: String

        init(_ kind: FieldScanner.Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }

        var description: String { "\(kind) \(text.debugDescription)" }
    }

    private var scanner: FieldScanner
    private let slots: [(path: String, slot: FieldPlan.Slot)]

    /// - Parameter paths: keys joined by `/`; a parent comes before its children, and siblings are in order.
    init(_ paths: [String]) {
        var plan = FieldPlan()
        var slots: [(path: String, slot: FieldPlan.Slot)] = []
        for path in paths {
            let keys = path.split(separator: "/", omittingEmptySubsequences: false)
            let parent = slots.first { $0.path == keys.dropLast().joined(separator: "/") }
            slots.append((path, plan.field(String(keys.last!), in: keys.count > 1 ? parent!.slot : nil)))
        }
        self.slots = slots
        scanner = FieldScanner(plan)
    }

    /// Returns the outcome and the fields that are present; there are none unless the text is an object.
    mutating func scan(_ text: [UInt8]) -> (outcome: FieldScanner.Outcome, notes: [String: Note]) {
        let chunk = Chunk(text)
        let outcome = scanner.scan(TextRange(0..<text.count), of: chunk)
        var notes: [String: Note] = [:]
        for (path, slot) in slots where outcome == .object && scanner.kind(of: slot) != .absent {
            notes[path] = Self.note(scanner[slot], in: chunk)
        }
        return (outcome, notes)
    }

    /// Returns the fields that a scan lists, in the order in which they were added.
    mutating func listed(_ text: [UInt8]) -> [String] {
        var found: [Int] = []
        _ = scanner.scan(TextRange(0..<text.count), of: Chunk(text), listing: &found)
        return found.map { slots[$0].path }
    }

    private static func note(_ value: FieldScanner.Value, in chunk: Chunk) -> Note {
        // Decoding changes the chunk, and a field may be read again as part of another one: decode a copy.
        let copy = Chunk([UInt8](copying: chunk.bytes))
        let range = value.hasEscapes ? copy.decodeEscapes(value.text) : value.text
        return Note(value.kind, copy.bytes(of: range).string)
    }
}
