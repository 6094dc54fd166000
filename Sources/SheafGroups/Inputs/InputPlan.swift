import SheafBytes

/// The mappings of a run, compiled: pointers as nodes of one tree, and the candidates of each field of a record.
///
/// A class, because calls copy a large structure.
final class InputPlan: Sendable {
    // At nodes of the tree.
    typealias Condition = MappedCondition<Int>
    typealias Candidate = MappedCandidate<Int>

    /// An array whose elements are entries, or have entries at one of some nodes below. A class, because it is kept while
    /// each element is read.
    final class EntryArray: Sendable {
        let array: Int
        /// The node of each element.
        let element: Int
        /// The nodes of the entry, the first one that is present.
        let entries: [Int]
        /// The time and the app of an element, for entries that have none.
        let outer: OuterCandidates

        init(array: Int, element: Int, entries: [Int], outer: OuterCandidates) {
            (self.array, self.element, self.entries, self.outer) = (array, element, entries, outer)
        }
    }

    /// An array that gives several records.
    struct RowArray: Sendable {
        let array: Int
        /// The node of each element.
        let element: Int
        /// The candidates in the elements: the array counts if the conditions of one of them hold.
        let candidates: [Candidate]
    }

    /// An array of the push service's answers, in the order of the pushes or with the device that each is for.
    struct AnswerArray: Sendable {
        let array: Int
        /// The node of each element.
        let element: Int
        /// The nodes of the device, the first one that is present; empty for the order of the pushes.
        let devices: [Int]
        let outcome: [OutcomeCandidates]
    }

    /// The candidates for a part of a push's outcome: they all count.
    typealias OutcomeCandidates = (field: EnvelopeField, candidates: [Candidate])

    /// The candidates for what an entry may get from what it was wrapped in.
    struct OuterCandidates: Sendable {
        var timestamps: [Candidate] = []
        var apps: [Candidate] = []
        /// Without the names of a native record, which wrappers have for ids of their own.
        var devices: [Candidate] = []
        /// As `devices`. The elements of an array have none, because they would share it.
        var identifiers: [Candidate] = []
        /// Without the names of a native record: wrappers have a status of their own.
        var outcome: [OutcomeCandidates] = []
        var answers: [AnswerArray] = []
    }

    /// A field of the payload that a record may have, in an order in which objects precede their members.
    struct PayloadTarget: Sendable {
        /// The index of the object that the field is a member of; -1 for the payload itself.
        let parent: Int
        let field: PayloadSlots.Field?
        /// The kinds that the field's value should have.
        let expected: FieldKinds
        let isText: Bool
        let isSwitch: Bool

        /// The keys that lead from the payload to the field.
        var keys: [String] { field?.keys ?? [] }

        init(parent: Int, field: PayloadSlots.Field?) {
            self.parent = parent
            self.field = field
            let mapped = field.map(MappedField.inPayload)
            expected = field.map { PayloadSlots.definition(of: $0).expected } ?? .all
            isText = mapped?.isText ?? false
            isSwitch = mapped?.isSwitch ?? false
        }
    }

    /// Fields as bits: those of the payload by target, and those of the envelope from `firstOfEnvelope` on.
    typealias FieldMask = UInt64

    /// The bit of the first field of the envelope.
    static let firstOfEnvelope = 32

    /// The candidates of a field, in order.
    struct FieldCandidates: Sendable {
        let all: [Candidate]
        /// Their nodes, if their values count as they are and without conditions: plain numbers, so that looking for the
        /// values counts no references. nil if not.
        let nodes: [Int]?

        /// Whether a number counts as its digits where a text is needed.
        let countsNumbers: Bool

        init(_ all: [Candidate], countsNumbers: Bool = true) {
            self.all = all
            self.countsNumbers = countsNumbers
            let isPlain = all.allSatisfy {
                $0.location != nil && $0.part == nil && $0.when.isEmpty && $0.unless.isEmpty
            }
            nodes = isPlain ? all.compactMap(\.location) : nil
        }
    }

    /// A class, so that using a mapping does not retain all of its parts.
    final class Mapping: Sendable {
        let mapping: InputMapping
        /// The mapping's index among those of the plan; -1 for what only unwraps entries.
        let index: Int
        let alternatives: [[Condition]]
        let otherPlatform: [Condition]
        let unwrap: [Int]
        let arrays: [EntryArray]
        /// What entries get from the entry that they were unwrapped from.
        let outer: OuterCandidates
        /// By `EnvelopeField`.
        let envelope: [FieldCandidates]
        let payload: [Candidate]
        /// Whether a mapping without a payload of its own uses the entry as the payload: the bare form.
        let mayBeBare: Bool
        /// By payload target.
        let inPayload: [FieldCandidates]
        /// The fields of the payload with candidates.
        let candidateFields: FieldMask
        /// Whether it follows from the nodes with values, and from their kinds, which candidates count.
        let isLearnable: Bool
        /// The arrays that give several records, one after another; empty for one record per entry.
        let rows: [RowArray]
        let answers: [AnswerArray]

        var name: String { mapping.name }

        /// Returns the candidates of a field of the envelope.
        func envelope(_ field: EnvelopeField) -> FieldCandidates {
            envelope[EnvelopeField.allCases.firstIndex(of: field) ?? 0]
        }

        /// Returns the fields that a value at each node may be of, and those that may have one wherever the entry has some.
        ///
        /// - Parameter ofObjects: by node: the fields as which it is a member of an object.
        fileprivate func fields(
            _ tree: PointerTree, _ ofObjects: [FieldMask]
        ) -> (byNode: [FieldMask], others: FieldMask) {
            var (byNode, others) = (ofObjects, FieldMask())
            let lists =
                inPayload.enumerated().map { ($0.offset, $0.element) }
                + envelope.enumerated().map { (InputPlan.firstOfEnvelope + $0.offset, $0.element) }
            for (field, candidates) in lists {
                for candidate in candidates.all {
                    if let node = candidate.location {
                        byNode[node] |= 1 << field
                    } else {
                        others |= 1 << field
                    }
                }
            }
            for node in tree.nodes.indices where tree.nodes[node].isInElement { others |= byNode[node] }
            return (byNode, others)
        }

        /// Whether entries of the shape may hold others.
        var unwraps: Bool { !unwrap.isEmpty || !arrays.isEmpty }
        /// Whether the entries are local notifications, which are not pushes.
        var isLocal: Bool { mapping.name == InputShape.local }

        init(
            _ mapping: InputMapping, index: Int, alternatives: [[Condition]], otherPlatform: [Condition],
            unwrap: [Int],
            arrays: [EntryArray], outer: OuterCandidates, envelope: [FieldCandidates], payload: [Candidate],
            mayBeBare: Bool,
            inPayload: [[Candidate]], rows: [RowArray], answers: [AnswerArray]
        ) {
            self.mapping = mapping
            self.index = index
            self.alternatives = alternatives
            self.otherPlatform = otherPlatform
            self.unwrap = unwrap
            self.arrays = arrays
            self.outer = outer
            self.envelope = envelope
            self.payload = payload
            self.mayBeBare = mayBeBare
            self.inPayload = inPayload.map { FieldCandidates($0) }
            candidateFields = inPayload.indices.reduce(0) { inPayload[$1].isEmpty ? $0 : $0 | 1 << $1 }
            self.rows = rows
            self.answers = answers
            let all = payload + inPayload.joined() + envelope.flatMap(\.all)
            isLearnable = all.allSatisfy { $0.when.allSatisfy { $0.test == .present } }
        }
    }

    let tree: PointerTree
    let mappings: [Mapping]
    /// By mapping: whether the user named it.
    let isNamed: [Bool]
    /// The number of mappings that are tried before native records; nil if these are not read.
    let native: Int?
    /// The mapping that entries must have; nil if they may have any, or be native records.
    let onlyMapping: Int?
    /// The wrappers that all inputs share.
    let wrappers: Mapping
    /// What is unwrapped from every line before anything else; nil for nothing.
    let opening: Mapping?
    let targets: [PayloadTarget]
    /// The node of a native record's event.
    let event: Int
    /// The nodes of the payload, `aps` and the event: every native record has one of these members.
    let nativeMembers: [Int]
    /// By node: whether its value is one of Apple's headers, or a topic, which checks apply more rules to.
    let isHeader: [Bool]
    let isTopic: [Bool]
    /// By node: whether its value is a code by its name, and not a word.
    let isCode: [Bool]
    /// By node: whether its value may be that of a field, and not only hold others.
    let isValue: [Bool]
    /// By the node of an object, then by target: the node of the target in the object; -1 if it has none.
    private let members: [Int32]
    /// By mapping, then by node: the fields that a value at the node may be of.
    private let fields: [FieldMask]
    /// By mapping: the fields that may have a value wherever the entry has some.
    private let otherFields: [FieldMask]
    /// The nodes that an entry has values at if a mapping fits: those of each of its alternatives, followed by -1. Plain
    /// numbers, so that trying a mapping counts no references.
    private let needed: [Int32]
    /// By mapping: where its part of `needed` begins; after the last one, where that ends.
    private let firstNeeded: [Int]

    /// - Parameters:
    ///   - isNamed: by mapping: whether the user named it.
    ///   - native: the number of mappings that are tried before native records; nil if these are not read.
    ///   - wrappers: the mapping of the wrappers that all inputs share.
    ///   - unwrap: pointers to what every line wraps.
    ///   - locales: the names that replace `{locale}`, the preferred one first.
    init(
        _ mappings: [InputMapping], isNamed: [Bool] = [], native: Int? = nil, wrappers: InputMapping,
        unwrap: [JSONPointer] = [],
        locales: [String]
    ) {
        (self.isNamed, self.native) = (isNamed, native)
        onlyMapping = mappings.count == 1 && native == nil ? 0 : nil
        var builder = InputPlanBuilder(locales: locales)
        let compiled = mappings.enumerated().map {
            builder.compile($0.element, index: $0.offset, capturesFields: true)
        }
        self.mappings = compiled
        self.wrappers = builder.compile(wrappers, capturesFields: false)
        if unwrap.isEmpty {
            opening = nil
        } else {
            // The time and the like are those that the mappings of the user find outside, in their order; the outcome may also be
            // that of a wrapper.
            var mapping = InputMapping(
                name: "", unwrap: unwrap, match: wrappers.match, fields: wrappers.fields)
            for named in zip(mappings, isNamed).filter(\.1).map(\.0).reversed() {
                mapping.match = named.match + mapping.match
                for (field, candidates) in named.fields {
                    if case .envelope = field {
                        mapping.fields[field, default: []].insert(contentsOf: candidates, at: 0)
                    }
                }
            }
            opening = builder.compile(mapping, capturesFields: true)
        }
        event = builder.tree.add(JSONPointer(keys: [EnvelopeNames.event]))
        let names = [EnvelopeNames.payload, PayloadSlots.definition(of: .aps).name]
        nativeMembers = names.map { builder.tree.add(JSONPointer(keys: [$0])) } + [event]
        let alternatives = compiled.map(\.alternatives)
        needed = alternatives.joined().flatMap { $0.map { Int32($0.location) } + [-1] }
        firstNeeded = alternatives.reduce(into: [0]) { starts, alternatives in
            starts.append(alternatives.reduce(starts[starts.count - 1]) { $0 + $1.count + 1 })
        }
        let (targets, members) = (builder.targets, builder.members())
        let tree = builder.tree
        let keys = tree.nodes.indices.map { node in
            tree.pointer(to: node).tokens.map { if case .key(let key) = $0 { key.lowercased() } else { "" } }
        }
        isHeader = keys.map { $0.contains { $0.hasText("apns") } }
        isTopic = keys.map { $0.contains { $0.hasSuffix("topic") } }
        isCode = keys.map { $0.last?.hasSuffix("code") ?? false }
        (self.targets, self.members, self.tree) = (targets, members, tree)
        var isValue = [Bool](repeating: false, count: tree.nodes.count)
        for (index, node) in members.enumerated()
        where node >= 0 && index % targets.count != InputPlanBuilder.payload {
            isValue[Int(node)] = true
        }
        for mapping in compiled + [self.wrappers] + (opening.map { [$0] } ?? []) {
            for candidate in mapping.inPayload.flatMap(\.all) + mapping.envelope.flatMap(\.all) {
                if let node = candidate.location { isValue[node] = true }
            }
        }
        self.isValue = isValue
        var ofObjects = [FieldMask](repeating: 0, count: tree.nodes.count)
        for (index, node) in members.enumerated() where node >= 0 {
            ofObjects[Int(node)] |= 1 << (index % targets.count)
        }
        let all = compiled.map { $0.fields(tree, ofObjects) }
        fields = all.flatMap(\.byNode)
        otherFields = all.map(\.others)
    }

    /// Returns whether a mapping may fit an entry: no condition holds for a value that is absent. O(conditions).
    @inline(__always)
    func mayFit(_ mapping: Int, _ scan: borrowing EntryScan) -> Bool {
        let (first, end) = (firstNeeded[mapping], firstNeeded[mapping + 1])
        var mayHold = true
        for index in first..<end {
            let node = needed[index]
            if node >= 0 {
                if !scan.mayHave(Int(node)) { mayHold = false }
            } else if mayHold {
                return true
            } else {
                mayHold = true
            }
        }
        return first == end
    }

    /// Returns the fields that may have a value in an entry. O(nodes that may have one).
    func fields(of mapping: Mapping, in scan: borrowing EntryScan) -> FieldMask {
        let first = mapping.index * tree.nodes.count
        var mask = otherFields[mapping.index]
        scan.forEachPossibleNode { mask |= fields[first + $0] }
        return mask
    }

    /// Returns the node of a payload target below the node of its object; nil if no pointer leads there.
    func member(_ target: Int, of object: Int) -> Int? {
        let node = members[object * targets.count + target]
        return node < 0 ? nil : Int(node)
    }

    /// The maximum number of names of a locale: itself and its fallbacks, each with `-` and with `_`.
    private static let maximumLocaleNames = 10

    /// Returns the reason why mappings have too many pointers to be compiled for some locale; nil if they have not.
    static func excess(of mappings: [InputMapping], unwrap: [JSONPointer] = []) -> String? {
        let isLocalized = mappings.contains { $0.isLocalized } || unwrap.contains { $0.expanded([]) != [$0] }
        let locales = isLocalized ? (0..<maximumLocaleNames).map { "\($0)" } : []
        let plan = InputPlan(mappings, wrappers: InputShape.wrappers, unwrap: unwrap, locales: locales)
        let keys = plan.tree.largestObject
        guard keys.count > PointerTree.maximumChildren else { return nil }
        let place = keys.pointer == .entry ? "the entry" : "'\(keys.pointer)'"
        return "\(keys.count) keys of \(place), with those of native records and all names of a locale: "
            + "at most \(PointerTree.maximumChildren) are supported"
    }
}
