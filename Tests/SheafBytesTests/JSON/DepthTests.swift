import TestSupport
import Testing

@testable import SheafBytes

/// Objects and arrays may be nested up to 128 levels (specification §2), wherever they are.
@Suite struct DepthTests {
    enum Shape: String, CaseIterable, CustomTestStringConvertible {
        case objects, arrays, objectsThenArrays, alternating, wideAlternating

        var testDescription: String { rawValue }

        /// Returns `depth` nested levels, the innermost of which is empty.
        func text(_ depth: Int) -> String {
            var opened: [String] = []
            var closed: [String] = []
            for level in 1...depth {
                let isLast = level == depth
                let isWide = self == .wideAlternating && !isLast
                if isObject(level, of: depth) {
                    opened.append(isLast ? "{" : isWide ? #"{"x":[],"k":"# : #"{"k":"#)
                    closed.append(isWide ? #","y":{}}"# : "}")
                } else {
                    opened.append(isWide ? "[[],{}," : "[")
                    closed.append(isWide ? ",[],{}]" : "]")
                }
            }
            return opened.joined() + closed.reversed().joined()
        }

        private func isObject(_ level: Int, of depth: Int) -> Bool {
            switch self {
            case .objects: true
            case .arrays: false
            case .objectsThenArrays: level <= depth / 2
            case .alternating, .wideAlternating: level % 2 == 1
            }
        }
    }

    struct Position: NamedCase {
        let name: String
        let before: String
        let after: String
        /// The number of levels in `before`.
        let depth: Int
    }

    static let positions = [
        Position(name: "wanted", before: #"{"wanted":"#, after: "}", depth: 1),
        Position(name: "wanted, with wanted fields", before: #"{"object":"#, after: "}", depth: 1),
        Position(name: "a wanted field's field", before: #"{"object":{"inner":"#, after: "}}", depth: 2),
        Position(name: "skipped", before: #"{"other":"#, after: "}", depth: 1),
        Position(
            name: "after deeply nested values", before: #"{"other":[[[{"k":[]}]]],"z":"#, after: "}", depth: 1
        ),
        Position(name: "inside skipped values", before: #"{"o":[{"k":[0,"#, after: ",0]}]}", depth: 4),
    ]

    @Test(arguments: Shape.allCases, positions)
    func nestingIsLimited(_ shape: Shape, _ position: Position) {
        var scanner = DocumentScanner()
        for depth in [5, 6, 63, 64, 65, 66, 127, 128, 129, 130, 191, 192, 193, 500] {
            let expected: FieldScanner.Outcome = depth <= 128 ? .object : .tooDeep
            let text = position.before + shape.text(depth - position.depth) + position.after
            let outcome = scanner.outcome(of: [UInt8](text))
            #expect(outcome == expected, "depth \(depth)")
        }
    }

    @Test(arguments: [(127, FieldScanner.Outcome.notObject), (128, .notObject), (129, .tooDeep)])
    func arraysAreLimited(_ depth: Int, _ expected: FieldScanner.Outcome) {
        var scanner = DocumentScanner()
        let outcome = scanner.outcome(of: [UInt8](Shape.arrays.text(depth)))
        #expect(outcome == expected)
    }

    /// Fields are wanted at every level.
    @Test(arguments: [(127, FieldScanner.Outcome.object), (128, .object), (129, .tooDeep)])
    func wantedFieldsAreLimited(_ depth: Int, _ expected: FieldScanner.Outcome) {
        var plan = FieldPlan()
        var slots: [FieldPlan.Slot] = []
        for _ in 0..<130 { slots.append(plan.field("k", in: slots.last)) }
        var scanner = FieldScanner(plan)
        let text = [UInt8](Shape.objects.text(depth))
        let outcome = scanner.scan(TextRange(0..<text.count), of: Chunk(text))
        #expect(outcome == expected)
        guard expected == .object else { return }
        let kinds = slots.map { scanner.kind(of: $0) }
        #expect(kinds == slots.indices.map { $0 < depth - 1 ? .object : .absent })
    }

    /// Depth is the number of open levels, not the total number of objects and arrays.
    @Test func siblingsDoNotAddToTheDepth() {
        let arrays = [String](repeating: "[[[]]]", count: 300).joined(separator: ",")
        let objects = [String](repeating: #""k":{"l":{}}"#, count: 300).joined(separator: ",")
        var scanner = DocumentScanner()
        for text in [
            #"{"other":[\#(arrays)]}"#, #"{"wanted":{\#(objects)}}"#, #"{"object":{\#(objects)}}"#,
            "{\(objects)}",
        ] {
            let outcome = scanner.outcome(of: [UInt8](text))
            #expect(outcome == .object, "\(text.prefix(20))")
        }
    }

    /// Text that is too deep is reported as such whatever follows it, but an error before that point makes it invalid.
    @Test(arguments: [
        (String(repeating: "[", count: 129), FieldScanner.Outcome.tooDeep),
        (String(repeating: "[", count: 128), .invalid),
        (String(repeating: "[", count: 128) + "x[", .invalid),
        ("[1 2" + String(repeating: "[", count: 200), .invalid),
    ])
    func firstErrorDeterminesTheOutcome(_ text: String, _ expected: FieldScanner.Outcome) {
        var scanner = DocumentScanner()
        let outcome = scanner.outcome(of: [UInt8](text))
        #expect(outcome == expected)
    }
}
