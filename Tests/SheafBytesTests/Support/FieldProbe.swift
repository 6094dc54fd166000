@testable import SheafBytes

/// A scanner for fields named by their paths, whose findings can be compared as values.
struct FieldProbe: ~Copyable {
    /// What was noted of a field: a string's text, decoded; a number's digits; else the first byte.
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

    /// - Parameter paths: keys joined by `/`, each path behind its parent's and before the next one beside that.
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

    /// The outcome, and the fields that were there; those of a text that is no object mean nothing.
    mutating func scan(_ text: [UInt8]) -> (outcome: FieldScanner.Outcome, notes: [String: Note]) {
        let chunk = Chunk(text)
        let outcome = scanner.scan(TextRange(0..<text.count), of: chunk)
        var notes: [String: Note] = [:]
        for (path, slot) in slots where outcome == .object && scanner.kind(of: slot) != .absent {
            notes[path] = Self.note(scanner[slot], in: chunk)
        }
        return (outcome, notes)
    }

    private static func note(_ value: FieldScanner.Value, in chunk: Chunk) -> Note {
        // Decoded in a copy: a field may be read again as part of another.
        let copy = Chunk([UInt8](copying: chunk.bytes))
        let range = value.hasEscapes ? copy.decodeEscapes(value.text) : value.text
        return Note(value.kind, copy.bytes(of: range).string)
    }
}
