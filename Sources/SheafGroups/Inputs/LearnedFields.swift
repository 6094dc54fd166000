import SheafBytes

/// Where the fields of some records are, so that they need not be searched for again in records like these.
///
/// Which candidate of a field counts follows from the nodes that an entry has a value at and from the kinds of these values,
/// unless a candidate is an empty text or lacks a part of a text: `MappedRecord` does not learn such records.
final class LearnedFields: Sendable {
    /// How a field is set.
    struct Move: Sendable {
        enum Source: Sendable {
            case node(Int32)
            /// A text of the mapping, as an index of `constants`.
            case constant(UInt8)
            /// An object without a text of its own.
            case object
        }

        let source: Source
        /// The part of the text that counts, as an index of `parts`; -1 for all of it.
        var part: Int8 = -1
        /// Whether only a text that is not empty counts, or a number, as its digits.
        var isText = false
        var isMistyped = false
        let slot: FieldPlan.Slot
    }

    private let mapping: Int
    private let present: [Int32]
    let moves: [Move]
    let constants: [String]
    let parts: [TextPart]

    fileprivate init(
        mapping: Int, _ present: [Int32], _ moves: [Move], constants: [String], parts: [TextPart]
    ) {
        (self.mapping, self.present) = (mapping, present)
        (self.moves, self.constants, self.parts) = (moves, constants, parts)
    }

    fileprivate func holds(for mapping: Int, _ present: [Int32]) -> Bool {
        self.mapping == mapping && self.present == present
    }
}

/// Learns where the fields of records are: the moves of the current record, and a table of the records learned last. A set of
/// the table that is full replaces its oldest element.
///
/// Memory: `setCount * ways` records, each with the nodes and fields of an entry: about 600 KB if entries have 20 fields.
struct FieldLearning {
    private static let setCount = 256
    private static let ways = 4
    private var hashes = [UInt64](repeating: 0, count: Self.setCount * Self.ways)
    private var learned = [LearnedFields?](repeating: nil, count: Self.setCount * Self.ways)
    /// By set: the element that is replaced next.
    private var next = [UInt8](repeating: 0, count: Self.setCount)
    /// Whether the current record is learned. Set to false if what its fields are depends on more than nodes and kinds.
    var isActive = false
    private var moves: [LearnedFields.Move] = []
    private var constants: [String] = []
    private var parts: [TextPart] = []

    /// Begins a record.
    mutating func begin() { (moves, constants, parts) = ([], [], []) }

    /// Adds how a field was set.
    ///
    /// - Parameters:
    ///   - candidate: the one that has the value; nil if the value is that of a node as it is.
    ///   - isText: whether a candidate's value is used as a text.
    mutating func add(
        _ candidate: InputPlan.Candidate?, at node: Int, _ slot: FieldPlan.Slot, isText: Bool = false,
        isMistyped: Bool = false
    ) {
        guard isActive else { return }
        var source = LearnedFields.Move.Source.node(Int32(truncatingIfNeeded: node))
        // There are fewer than 100 fields.
        if case .constant(let text)? = candidate?.source {
            source = .constant(UInt8(truncatingIfNeeded: constants.count))
            constants.append(text)
        }
        var move = LearnedFields.Move(
            source: source, isText: isText && candidate != nil, isMistyped: isMistyped, slot: slot)
        if let part = candidate?.part {
            move.part = Int8(truncatingIfNeeded: parts.count)
            parts.append(part)
        }
        moves.append(move)
    }

    /// Adds that a field is an object without a text of its own.
    mutating func addObject(_ slot: FieldPlan.Slot, isMistyped: Bool) {
        if isActive { moves.append(LearnedFields.Move(source: .object, isMistyped: isMistyped, slot: slot)) }
    }

    /// Remembers what was learned of the current record, if it is learned.
    ///
    /// - Parameters:
    ///   - mapping: the index of the mapping.
    ///   - present: the nodes and kinds of the entry's values, as a scan has them.
    mutating func end(_ mapping: Int, _ present: [Int32]) {
        guard isActive else { return }
        isActive = false
        let hash = Self.hash(mapping, present)
        let set = Int(hash % UInt64(Self.setCount))
        let index = set * Self.ways + Int(next[set])
        next[set] = (next[set] + 1) % UInt8(Self.ways)
        hashes[index] = hash
        learned[index] = LearnedFields(mapping: mapping, present, moves, constants: constants, parts: parts)
    }

    /// Returns what was learned of records with values at these nodes; nil if that is nothing, or was replaced.
    func find(_ mapping: Int, _ present: [Int32]) -> LearnedFields? {
        let hash = Self.hash(mapping, present)
        let first = Int(hash % UInt64(Self.setCount)) * Self.ways
        for index in first..<first + Self.ways where hashes[index] == hash {
            if let found = learned[index], found.holds(for: mapping, present) { return found }
        }
        return nil
    }

    private static func hash(_ mapping: Int, _ present: [Int32]) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: mapping)
        for value in present {
            hash = (hash ^ UInt64(truncatingIfNeeded: value)) &* UInt64.goldenRatio
            hash ^= hash >> 32
        }
        return hash
    }
}
