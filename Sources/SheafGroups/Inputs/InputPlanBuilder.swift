/// Compiles mappings into one tree.
struct InputPlanBuilder {
    var tree = PointerTree()
    let targets: [InputPlan.PayloadTarget]
    private let locales: [String]
    /// The nodes that may be the payload or an object of it, with the target that they are.
    private var objects: [(node: Int, target: Int)] = []

    /// The index of the payload itself among the targets.
    static let payload = 0

    init(locales: [String]) {
        self.locales = locales
        var targets = [InputPlan.PayloadTarget(parent: -1, field: nil)]
        func index(of keys: [String]) -> Int { targets.firstIndex { $0.keys == keys } ?? Self.payload }
        for field in PayloadSlots.Field.allCases {
            targets.append(
                InputPlan.PayloadTarget(parent: index(of: field.keys.dropLast()), field: field))
        }
        self.targets = targets
    }

    mutating func compile(
        _ mapping: InputMapping, index: Int = -1, capturesFields: Bool
    ) -> InputPlan.Mapping {
        var inPayload = [[InputPlan.Candidate]](repeating: [], count: targets.count)
        for (index, target) in targets.enumerated() {
            guard let field = target.field, let candidates = mapping.fields[.inPayload(field)] else {
                continue
            }
            inPayload[index] = nodes(of: candidates)
            addObjects(inPayload[index], as: index)
        }
        let payloads =
            mapping.fields[.payload] ?? [InputMapping.Candidate(JSONPointer(keys: [EnvelopeNames.payload]))]
        let payload = nodes(of: payloads)
        addObjects(payload, as: Self.payload)
        let mayBeBare = mapping.fields[.payload] == nil
        if mayBeBare { objects.append((PointerTree.entry, Self.payload)) }
        return InputPlan.Mapping(
            mapping, index: index, alternatives: mapping.alternatives.map { conditions($0) },
            otherPlatform: conditions(mapping.otherPlatform),
            unwrap: mapping.unwrap.flatMap { $0.expanded(locales) }.map { tree.add($0) },
            arrays: arrays(of: mapping, capturesFields: capturesFields),
            outer: outer(of: mapping, below: PointerTree.entry, capturesFields: capturesFields),
            envelope: EnvelopeField.allCases.map { envelope($0, of: mapping) },
            payload: payload, mayBeBare: mayBeBare, inPayload: inPayload, rows: rows(of: mapping),
            answers: answers(of: mapping))
    }

    private mutating func envelope(
        _ field: EnvelopeField, of mapping: InputMapping
    ) -> InputPlan.FieldCandidates {
        // Without conditions, records are native ones with other fields: those that they share are read in the same way.
        let isNative = mapping.alternatives.isEmpty && mapping.fields[.envelope(field)] == nil
        return InputPlan.FieldCandidates(
            nodes(of: candidates(of: field, in: mapping)), countsNumbers: !isNative)
    }

    private func candidates(of field: EnvelopeField, in mapping: InputMapping) -> [InputMapping.Candidate] {
        let native = field.nativePointers.map(InputMapping.Candidate.init)
        let all = mapping.fields[.envelope(field)]?.flatMap { $0.source == .native ? native : [$0] } ?? native
        guard field.isOutcome else { return all }
        let answers = mapping.answers
        return answers.isEmpty
            ? all : all.filter { candidate in candidate.element.map { !answers.contains($0) } ?? true }
    }

    /// Returns the candidates for a push's outcome that the mapping itself has.
    ///
    /// - Parameter element: the array element that they are in; nil for those in none of the arrays of answers.
    private mutating func outcome(
        of mapping: InputMapping, in element: JSONPointer? = nil, below start: Int = PointerTree.entry
    ) -> [InputPlan.OutcomeCandidates] {
        EnvelopeField.allCases.compactMap { field in
            guard field.isOutcome, mapping.fields[.envelope(field)] != nil else { return nil }
            let candidates =
                element.map { element in
                    (mapping.fields[.envelope(field)] ?? []).filter { $0.element == element }
                } ?? (mapping.fields[.envelope(field)] ?? []).filter { $0.element == nil }
            return candidates.isEmpty ? nil : (field, nodes(of: candidates, below: start))
        }
    }

    private mutating func nodes(
        of candidates: [InputMapping.Candidate], below start: Int = PointerTree.entry
    ) -> [InputPlan.Candidate] {
        candidates.flatMap { candidate -> [InputPlan.Candidate] in
            let sources: [InputPlan.Candidate.CandidateSource] =
                switch candidate.source {
                case .constant(let text): [.constant(text)]
                case .native: []
                case .location(let pointer):
                    pointer.expanded(locales).map { .location(tree.add($0, below: start)) }
                }
            let when = conditions(candidate.when, below: start)
            let unless = candidate.unless.map { tree.add($0, below: start) }
            return sources.map { source in
                var compiled = InputPlan.Candidate(source: source)
                (compiled.part, compiled.when, compiled.unless) = (candidate.part, when, unless)
                return compiled
            }
        }
    }

    private mutating func conditions(
        _ conditions: [InputMapping.Condition], below start: Int = PointerTree.entry
    ) -> [InputPlan.Condition] {
        conditions.map {
            InputPlan.Condition(location: tree.add($0.location, below: start), test: $0.test)
        }
    }

    private mutating func outer(
        of mapping: InputMapping, below node: Int, capturesFields: Bool
    ) -> InputPlan.OuterCandidates {
        let timestamps = nodes(of: candidates(of: .timestamp, in: mapping), below: node)
        let outcome = outcome(of: mapping, below: node)
        let answers = node == PointerTree.entry ? answers(of: mapping) : []
        guard capturesFields else {
            return InputPlan.OuterCandidates(timestamps: timestamps, outcome: outcome, answers: answers)
        }
        func pointers(_ field: EnvelopeField) -> [InputMapping.Candidate] {
            (mapping.fields[.envelope(field)] ?? []).filter { candidate in
                candidate.location.map { !$0.tokens.contains(.each) } ?? false
            }
        }
        return InputPlan.OuterCandidates(
            timestamps: timestamps, apps: nodes(of: candidates(of: .app, in: mapping), below: node),
            devices: nodes(of: pointers(.device), below: node),
            identifiers: node == PointerTree.entry ? nodes(of: pointers(.identifier), below: node) : [],
            outcome: outcome, answers: answers)
    }

    /// Groups the pointers to entries by their arrays, in the order of the mapping.
    private mutating func arrays(of mapping: InputMapping, capturesFields: Bool) -> [InputPlan.EntryArray] {
        var order: [JSONPointer] = []
        var entries: [JSONPointer: [JSONPointer]] = [:]
        for pointer in mapping.each.flatMap({ $0.expanded(locales) }) {
            guard let index = pointer.tokens.firstIndex(of: .each) else { continue }
            let array = JSONPointer(Array(pointer.tokens[..<index]))
            if entries[array] == nil { order.append(array) }
            entries[array, default: []].append(pointer)
        }
        return order.map { array in
            let element = tree.add(JSONPointer(array.tokens + [.each]))
            return InputPlan.EntryArray(
                array: tree.add(array), element: element,
                entries: (entries[array] ?? []).map { tree.add($0) },
                outer: outer(of: mapping, below: element, capturesFields: capturesFields))
        }
    }

    private mutating func rows(of mapping: InputMapping) -> [InputPlan.RowArray] {
        mapping.rows.map { element in
            var candidates: [InputMapping.Candidate] = []
            for field in EnvelopeField.allCases where !field.isOutcome {
                candidates += (mapping.fields[.envelope(field)] ?? []).filter { $0.element == element }
            }
            let node = tree.add(element)
            return InputPlan.RowArray(
                array: tree.nodes[node].parent, element: node, candidates: nodes(of: candidates))
        }
    }

    private mutating func answers(of mapping: InputMapping) -> [InputPlan.AnswerArray] {
        mapping.answers.map { element in
            let node = tree.add(element)
            return InputPlan.AnswerArray(
                array: tree.nodes[node].parent, element: node,
                devices: mapping.match.filter { $0.element == element }.map { tree.add($0) },
                outcome: outcome(of: mapping, in: element))
        }
    }

    private mutating func addObjects(_ candidates: [InputPlan.Candidate], as target: Int) {
        for node in candidates.compactMap(\.location) { objects.append((node, target)) }
    }

    /// Adds the members of all objects to the tree, and returns the node of each by object and target.
    mutating func members() -> [Int32] {
        var found: [(target: Int, object: Int, node: Int)] = []
        var next = 0
        while next < objects.count {
            let (object, target) = objects[next]
            next += 1
            for (index, member) in targets.enumerated() where member.parent == target && index != Self.payload
            {
                guard let key = member.keys.last else { continue }
                let node = tree.add(JSONPointer(keys: [key]), below: object)
                if found.contains(where: { $0.target == index && $0.object == object }) { continue }
                found.append((index, object, node))
                objects.append((node, index))
            }
        }
        var members = [Int32](repeating: -1, count: tree.nodes.count * targets.count)
        for item in found { members[item.object * targets.count + item.target] = Int32(item.node) }
        return members
    }
}
