import SheafBytes

/// The fields of one record, found by a mapping and set as the results of a scanner, from which the decoder and the
/// checks read them as if the record were native.
///
///     candidates of each field ──EntryScan──▶ values ──set──▶ target: a native record's slots
struct MappedRecord: ~Copyable {
    typealias Value = FieldScanner.Value

    /// A part of a push's outcome, with the node that it was found at; -1 for a constant.
    typealias OutcomeValue = (field: EnvelopeField, value: Value, node: Int)

    /// The values of the innermost wrapper that has them.
    struct OuterValues {
        var timestamp = Value.absent
        var app = Value.absent
        var device = Value.absent
        var identifier = Value.absent
        /// The parts of a push's outcome.
        var outcome: [OutcomeValue] = []
        var answers: [PushAnswers] = []

        var hasTexts: Bool { app.kind == .string || device.kind == .string || identifier.kind == .string }

        /// The text for a field of the envelope that has none.
        func text(of field: EnvelopeField) -> Value {
            switch field {
            case .app: app
            case .device: device
            case .identifier: identifier
            case .timestamp, .collapseIdentifier, .pushType, .priority, .expiration, .status, .success,
                .reason:
                .absent
            }
        }
    }

    /// The fields of the payload are set as those of a bare record.
    private(set) var target: FieldScanner
    /// Whether texts are decoded. Checks read them before that, and the texts of objects with them.
    var decodes = true
    /// The node of the last value; -1 for a constant.
    private var lastNode = -1
    private let plan: InputPlan
    /// By payload target.
    private let payloadSlots: [FieldPlan.Slot?]
    /// By field of the envelope.
    private let envelopeSlots: [FieldPlan.Slot?]
    /// By field of the envelope: the slot of one of Apple's headers.
    private let headerSlots: [FieldPlan.Slot?]
    /// By field of the envelope: the slots for the values of a push's outcome, and for those that are codes.
    private let outcomeSlots: [[FieldPlan.Slot]]
    private let codeSlots: [[FieldPlan.Slot]]
    private let fields = EnvelopeField.allCases.map {
        (field: $0, isText: MappedField.envelope($0).isText, isOutcome: $0.isOutcome)
    }
    /// The size of the payload, if it may be too large; else 0.
    private(set) var payloadBytes = 0
    /// The targets that are members of `aps` and of the alert.
    private let apsMembers: [Int]
    private let alertMembers: [Int]
    /// The values of a wrapper, for records that have none.
    var outer = OuterValues()
    /// Where each field was found, by its name; for reports.
    private var origins: [String: String] = [:]
    /// The parts of the outcome with where they were found; for reports.
    private var outcomeOrigins: [(name: String, origin: String, value: Value)] = []
    private let tracesOrigins: Bool

    private var payloadValues: [Value]
    /// By payload target: the node whose value it is; -1 if it has none.
    private var nodes: [Int]
    /// The fields of the payload that have a value.
    private var used: InputPlan.FieldMask = 0
    /// The fields that may have a value in the entry.
    private var wanted: InputPlan.FieldMask = 0
    /// By payload target: the candidate whose value it has; nil for a member of an object.
    private var sources: [InputPlan.Candidate?]
    private var learning = FieldLearning()
    /// Whether the fields of the record were learned from an earlier one, so that all of them are set.
    private var isLearned = false
    /// The candidate that has the last value; nil if only the node matters.
    private var lastCandidate: InputPlan.Candidate?
    /// Fields that need a text, with the first of their candidates' values if they have no text: an empty text, or a
    /// value of another type.
    private var unusable: [(target: Int, value: Value, node: Int)] = []

    /// - Parameter tracesOrigins: whether it is kept where fields were found.
    init(
        _ target: consuming FieldScanner, _ slots: CheckedSlots, _ plan: InputPlan, tracesOrigins: Bool
    ) {
        self.tracesOrigins = tracesOrigins
        self.target = target
        self.plan = plan
        envelopeSlots = EnvelopeField.allCases.map { slots.slot(of: $0) }
        headerSlots = EnvelopeField.allCases.map { slots.headerSlot(of: $0) }
        outcomeSlots = EnvelopeField.allCases.map { slots.outcomeSlots(of: $0) }
        codeSlots = EnvelopeField.allCases.map { slots.outcomeSlots(of: $0, isCode: true) }
        payloadSlots = plan.targets.map { target in target.field.map { slots.record.bare[$0] } }
        apsMembers = plan.targets.indices.filter { plan.targets[$0].parent == Self.apsTarget }
        alertMembers = plan.targets.indices.filter { plan.targets[$0].parent == Self.alertTarget }
        payloadValues = Array(repeating: .absent, count: plan.targets.count)
        nodes = Array(repeating: -1, count: plan.targets.count)
        sources = Array(repeating: nil, count: plan.targets.count)
    }
}

// MARK: - The payload

extension MappedRecord {
    /// Marks `aps` and the alert as objects that may have keys which Apple does not define, for an inspector.
    mutating func showOtherKeys(_ slots: PayloadSlots) {
        if target.kind(of: slots[.aps]) == .object { target.set(target[slots[.aps]], for: slots.otherKey) }
        if target.kind(of: slots[.alert]) == .object {
            target.set(target[slots[.alert]], for: slots.otherAlertKey)
        }
    }

    /// Finds the payload's fields, and decodes their texts.
    ///
    /// - Parameter isSingle: whether the entry has one record.
    /// - Returns: the reason for rejecting the entry; nil if it has a payload.
    mutating func readPayload(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, entry: TextRange, isSingle: Bool = false,
        in chunk: Chunk
    ) -> RejectReason? {
        payloadBytes = 0
        learning.isActive =
            isSingle && mapping.isLearnable && decodes && !tracesOrigins
            && !outer.hasTexts && outer.outcome.isEmpty && entry.count <= PushLimits.payloadBytes
        if learning.isActive, !scan.isFlat {
            scan.openTexts(in: chunk)
            learning.isActive = scan.isFlat
        }
        isLearned = learning.isActive && setLearned(mapping, &scan, in: chunk)
        if isLearned { return nil }
        if tracesOrigins { origins.removeAll() }
        learning.begin()
        unusable.removeAll(keepingCapacity: true)
        for index in BitIndices(used) {
            payloadValues[index] = .absent
            nodes[index] = -1
            sources[index] = nil
        }
        used = 0
        wanted = plan.fields(of: mapping, in: scan)
        if let reason = findPayload(mapping, &scan, entry: entry, in: chunk) { return reason }
        for index in BitIndices(wanted & Self.payloadFields) {
            if mapping.candidateFields & 1 << index != 0, findCandidate(of: index, mapping, &scan, in: chunk)
            {
                continue
            }
            findMember(index, &scan, in: chunk)
        }
        completeAlert(needsNode: mapping.alternatives.isEmpty)
        addUnusable(makesPayload: !mapping.alternatives.isEmpty)
        if payloadValues[Self.apsTarget].kind != .object {
            return nodes[0] > 0 ? .apsMissing : .payloadMissing
        }
        return nil
    }

    private static let payloadFields: InputPlan.FieldMask = (1 << InputPlan.firstOfEnvelope) - 2
    private static let envelopeFields: InputPlan.FieldMask = (1 << EnvelopeField.allCases.count) - 1
    private static let apsTarget = PayloadSlots.Field.aps.rawValue + 1
    private static let alertTarget = PayloadSlots.Field.alert.rawValue + 1
    private static let bodyTarget = PayloadSlots.Field.body.rawValue + 1

    private mutating func findPayload(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, entry: TextRange, in chunk: Chunk
    ) -> RejectReason? {
        nodes[0] = -1
        for index in mapping.payload.indices where mayCount(mapping.payload[index], in: scan) {
            let candidate = mapping.payload[index]
            guard let node = candidate.location, counts(candidate, &scan, in: chunk) else { continue }
            let value = scan.value(of: node, in: chunk)
            if value.kind == .absent || value.kind == .null { continue }
            guard scan.holdsObject(node, in: chunk) else { return .payloadInvalid }
            nodes[0] = node
            trace("payload", at: node)
            // No payload is longer than its entry. One that is the entry itself has the envelope in it.
            if entry.count > PushLimits.payloadBytes, node != PointerTree.entry {
                measure(value, node, &scan, in: chunk)
            }
            return nil
        }
        if mapping.mayBeBare { nodes[0] = PointerTree.entry }
        return nil
    }

    /// Measures a payload that may be too large, before its texts are decoded.
    private mutating func measure(
        _ value: Value, _ node: Int, _ scan: inout EntryScan, in chunk: Chunk
    ) {
        switch value.kind {
        case .object:
            let size = chunk.bytes.jsonByteCount(from: Int(value.text.start))
            if size > PushLimits.payloadBytes { payloadBytes = size }
        case .string: payloadBytes = Int(scan.value(of: node, in: chunk).text.count)
        default: break
        }
    }

    /// Finds the value of one field of the payload among its candidates.
    ///
    /// - Returns: whether one of them has a value.
    private mutating func findCandidate(
        of index: Int, _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Bool {
        let target = plan.targets[index]
        var first: (value: Value, node: Int)?
        for candidate in mapping.inPayload[index].all where mayCount(candidate, in: scan) {
            guard counts(candidate, &scan, in: chunk) else { continue }
            let found = value(of: candidate, &scan, in: chunk)
            let value = Self.value(found, of: target, in: chunk)
            // Whether it is on is known only from its value.
            if target.isSwitch, found.kind == .bool { learning.isActive = false }
            if value.kind == .absent {
                if first == nil, found.kind != .absent, let node = candidate.location {
                    first = (found, node)
                }
                continue
            }
            use(value, at: candidate.location ?? -1, for: index, &scan, in: chunk)
            sources[index] = candidate
            return true
        }
        if target.isText, let first { unusable.append((index, first.value, first.node)) }
        return false
    }

    /// Finds the value of one field of the payload in the payload itself.
    @inline(__always)
    private mutating func findMember(_ index: Int, _ scan: inout EntryScan, in chunk: Chunk) {
        let object = nodes[plan.targets[index].parent]
        guard object >= 0, let node = plan.member(index, of: object), scan.mayHave(node) else { return }
        let value = value(of: node, &scan, in: chunk)
        if value.kind != .absent { use(value, at: node, for: index, &scan, in: chunk) }
    }

    /// - Parameter node: -1 for a constant.
    private mutating func use(
        _ value: Value, at node: Int, for index: Int, _ scan: inout EntryScan, in chunk: Chunk
    ) {
        use(value, for: index)
        if node >= 0 {
            nodes[index] = node
            if tracesOrigins { trace(plan.targets[index], at: node) }
        }
        if index == Self.apsTarget, value.kind == .string, node >= 0, scan.holdsObject(node, in: chunk) {
            payloadValues[index] = object
        }
    }

    /// An object without a text of its own, because its members come from elsewhere.
    private var object: Value { Value(kind: .object, text: .none, hasEscapes: false) }

    /// Returns a candidate's value as that of a field; absent if the field cannot use it.
    private static func value(
        _ value: Value, of target: InputPlan.PayloadTarget, in chunk: Chunk
    ) -> Value {
        if target.isText { return text(value) }
        guard target.isSwitch, value.kind == .bool else { return value }
        let isOn = chunk.bytes[Int(value.text.start)] == UInt8(ascii: "t")
        guard isOn, let text = chunk.constant("1") else { return .absent }
        return Value(kind: .number, text: text, hasEscapes: false)
    }

    /// Makes objects of `aps` and the alert if only some of their members were found. An alert that is a text is the
    /// body next to a title from elsewhere.
    ///
    /// - Parameter needsNode: whether constants are not enough for `aps`: without conditions, every entry has them.
    private mutating func completeAlert(needsNode: Bool) {
        let alert = payloadValues[Self.alertTarget]
        if alert.kind != .object, alertMembers.contains(where: { payloadValues[$0].kind != .absent }) {
            if alert.kind == .string, payloadValues[Self.bodyTarget].kind == .absent {
                use(alert, for: Self.bodyTarget)
                nodes[Self.bodyTarget] = nodes[Self.alertTarget]
                sources[Self.bodyTarget] = sources[Self.alertTarget]
            }
            use(object, for: Self.alertTarget)
        }
        guard payloadValues[Self.apsTarget].kind == .absent else { return }
        let members = needsNode ? (apsMembers + alertMembers).filter { nodes[$0] >= 0 } : apsMembers
        if members.contains(where: { payloadValues[$0].kind != .absent }) {
            use(object, for: Self.apsTarget)
        }
    }

    private mutating func use(_ value: Value, for target: Int) {
        payloadValues[target] = value
        used |= 1 << target
    }

    /// Sets the fields whose values are not the texts that they need, so that they are absent by the rules for native
    /// records, with their findings.
    ///
    /// - Parameter makesPayload: whether these fields are enough for a payload: without conditions, an entry is
    ///   recognized by fields that have values.
    private mutating func addUnusable(makesPayload: Bool) {
        for item in unusable where payloadValues[item.target].kind == .absent {
            use(item.value, for: item.target)
            nodes[item.target] = item.node
            learning.isActive = false
            trace(plan.targets[item.target], at: item.node)
        }
        if makesPayload, !unusable.isEmpty, payloadValues[Self.apsTarget].kind == .absent {
            use(object, for: Self.apsTarget)
        }
    }
}

// MARK: - The envelope

// Functions change the record though some need not: a call of another function copies all of it.
extension MappedRecord {
    /// Finds the fields of the envelope for the current element, and sets all fields of the record.
    mutating func readEnvelope(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, in chunk: Chunk
    ) {
        if isLearned { return }
        beginOutcome()
        for index in BitIndices(used) where payloadValues[index].kind != .absent {
            guard let slot = payloadSlots[index] else { continue }
            let value = payloadValues[index]
            let isMistyped = value.kind != .null && !plan.targets[index].expected.contains(value.kind)
            target.set(value, for: slot, isMistyped: isMistyped)
            if value == object {
                learning.addObject(slot, isMistyped: isMistyped)
            } else {
                learning.add(
                    sources[index], at: nodes[index], slot, isText: plan.targets[index].isText,
                    isMistyped: isMistyped)
            }
        }
        let fields = outer.hasTexts ? ~0 : wanted >> InputPlan.firstOfEnvelope
        for index in BitIndices(fields & Self.envelopeFields) {
            let (field, isText, isOutcome) = self.fields[index]
            if isOutcome {
                addOutcome(field, mapping.envelope[index], &scan, in: chunk)
                continue
            }
            let value = value(of: field, mapping.envelope[index], isText: isText, &scan, in: chunk)
            if value.kind != .absent {
                let isHeader =
                    lastNode >= 0 && (field == .app ? plan.isTopic[lastNode] : plan.isHeader[lastNode])
                if let slot = isHeader ? headerSlots[index] : envelopeSlots[index] {
                    target.set(value, for: slot)
                    learning.add(lastCandidate, at: lastNode, slot, isText: isText)
                }
            } else {
                let outer = outer.text(of: field)
                if outer.kind == .string, let slot = envelopeSlots[index] { target.set(outer, for: slot) }
            }
        }
        for value in outer.outcome { add(value) }
        learning.end(mapping.index, scan.present)
    }

    /// Sets all fields as for an earlier record with values of the same kinds at the same nodes.
    ///
    /// - Returns: whether there was such a record, and the fields have values.
    private mutating func setLearned(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Bool {
        guard let learned = learning.find(mapping.index, scan.present) else { return false }
        target.beginResults()
        for move in learned.moves {
            var value: Value
            switch move.source {
            case .node(let node): value = scan.decodedValue(of: Int(node), in: chunk)
            case .constant(let index):
                value =
                    chunk.constant(learned.constants[Int(index)])
                    .map { Value(kind: .string, text: $0, hasEscapes: false) } ?? .absent
            case .object: value = object
            }
            if move.part >= 0 { value = Self.part(learned.parts[Int(move.part)], of: value, in: chunk) }
            if move.isText { value = Self.text(value) }
            guard value.kind != .absent else { return false }
            target.set(value, for: move.slot, isMistyped: move.isMistyped)
        }
        return true
    }

    private mutating func addOutcome(
        _ field: EnvelopeField, _ candidates: InputPlan.FieldCandidates, _ scan: inout EntryScan,
        in chunk: Chunk
    ) {
        guard let nodes = candidates.nodes else {
            for value in outcome((field, candidates.all), &scan, in: chunk) {
                add(value)
                learning.isActive = false
            }
            return
        }
        for node in nodes where scan.mayHave(node) {
            let value = value(of: node, &scan, in: chunk)
            if value.kind != .absent, value.kind != .null { add((field, value, node)) }
        }
    }

    /// Begins a record whose other fields are read elsewhere.
    mutating func beginOutcome() {
        target.beginResults()
        outcomeOrigins.removeAll(keepingCapacity: true)
    }

    /// The text of the record's device.
    var device: TextRange {
        let index = EnvelopeField.allCases.firstIndex(of: .device)
        return index.flatMap { envelopeSlots[$0] }.map { target[$0].text } ?? .none
    }

    /// Returns the values of all candidates for a part of a push's outcome: any of them may tell that it was refused.
    mutating func outcome(
        _ outcome: InputPlan.OutcomeCandidates, _ scan: inout EntryScan, in chunk: Chunk
    ) -> [OutcomeValue] {
        var values: [OutcomeValue] = []
        for index in outcome.candidates.indices where mayCount(outcome.candidates[index], in: scan) {
            let candidate = outcome.candidates[index]
            guard counts(candidate, &scan, in: chunk) else { continue }
            let value = value(of: candidate, &scan, in: chunk)
            if value.kind == .absent { continue }
            values.append((outcome.field, value, candidate.location ?? -1))
        }
        return values
    }

    /// Adds a part of the record's outcome, unless it has very many.
    mutating func add(_ outcome: OutcomeValue) {
        let isCode = outcome.node >= 0 && plan.isCode[outcome.node]
        let found = fields.firstIndex { $0.field == outcome.field }
        guard let index = found else { return }
        let slots = isCode ? codeSlots[index] : outcomeSlots[index]
        guard let slot = slots.first(where: { target.kind(of: $0) == .absent }) else { return }
        target.set(outcome.value, for: slot)
        learning.add(nil, at: outcome.node, slot)
        guard tracesOrigins else { return }
        let origin =
            outcome.node < 0 ? EntryTrace.constant : plan.tree.pointer(to: outcome.node).description
        outcomeOrigins.append((outcome.field.rawValue, origin, outcome.value))
    }

    /// Returns the value of the first candidate that has one, decoded.
    ///
    /// - Parameter isText: whether only a text that is not empty counts, or a number, as its digits.
    mutating func value(
        of candidates: [InputPlan.Candidate], isText: Bool, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Value {
        for index in candidates.indices where mayCount(candidates[index], in: scan) {
            let value = value(of: candidates[index], isText: isText, &scan, in: chunk)
            if value.kind != .absent { return value }
        }
        return .absent
    }

    /// Returns the value of a field of the envelope, decoded. Sets `lastNode`.
    private mutating func value(
        of field: EnvelopeField, _ candidates: InputPlan.FieldCandidates, isText: Bool,
        _ scan: inout EntryScan, in chunk: Chunk
    ) -> Value {
        if let nodes = candidates.nodes {
            for node in nodes where scan.mayHave(node) {
                let found = value(of: node, &scan, in: chunk)
                let isUsable = candidates.countsNumbers || found.kind != .number
                let value = isText ? isUsable ? Self.text(found) : .absent : found
                if value.kind == .absent || value.kind == .null {
                    noteEmpty(found)
                    continue
                }
                (lastNode, lastCandidate) = (node, isText ? InputPlan.Candidate(node) : nil)
                trace(field, at: node)
                return value
            }
            return .absent
        }
        for candidate in candidates.all where mayCount(candidate, in: scan) {
            let value = value(of: candidate, isText: isText, &scan, in: chunk)
            if value.kind == .absent { continue }
            (lastNode, lastCandidate) = (candidate.location ?? -1, candidate)
            trace(field, at: lastNode)
            return value
        }
        return .absent
    }

    /// Remembers that a record can't be learned if a value is an empty text: another record's may not be empty.
    private mutating func noteEmpty(_ value: Value) {
        if value.kind == .string, value.text.isEmpty { learning.isActive = false }
    }

    /// Whether a candidate may have a value in the entry.
    @inline(__always)
    private func mayCount(_ candidate: InputPlan.Candidate, in scan: borrowing EntryScan) -> Bool {
        guard case .location(let node) = candidate.source else { return true }
        return scan.mayHave(node)
    }

    private mutating func value(
        of candidate: InputPlan.Candidate, isText: Bool, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Value {
        guard counts(candidate, &scan, in: chunk) else { return .absent }
        let found = value(of: candidate, &scan, in: chunk)
        return isText ? Self.text(found) : found
    }

    /// Returns a candidate's value, decoded; `null` is absent.
    private mutating func value(
        of candidate: InputPlan.Candidate, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Value {
        var value: Value
        switch candidate.source {
        case .constant(let text):
            value = chunk.constant(text).map { Value(kind: .string, text: $0, hasEscapes: false) } ?? .absent
        case .location(let node): value = self.value(of: node, &scan, in: chunk)
        case .native: value = .absent
        }
        if value.kind == .null { return .absent }
        if let part = candidate.part {
            let whole = value
            value = Self.part(part, of: whole, in: chunk)
            if value.kind == .absent, whole.kind == .string { learning.isActive = false }
        }
        noteEmpty(value)
        return value
    }

    /// Returns a value as a text, a number as its digits; absent if the text is empty or the value is another one.
    private static func text(_ value: Value) -> Value {
        switch value.kind {
        case .string: return value.text.isEmpty ? .absent : value
        case .number: return Value(kind: .string, text: value.text, hasEscapes: false)
        default: return .absent
        }
    }

    private mutating func value(of node: Int, _ scan: inout EntryScan, in chunk: Chunk) -> Value {
        decodes ? scan.decodedValue(of: node, in: chunk) : scan.value(of: node, in: chunk)
    }

    /// Returns a part of a text; absent if it has fewer parts, or is longer than any field may be: each record of an
    /// entry looks for its part.
    private static func part(
        _ part: TextPart, of value: Value, in chunk: Chunk
    ) -> Value {
        guard value.kind == .string, value.text.count <= PushLimits.fieldBytes else { return .absent }
        return part.range(in: value.text, of: chunk)
            .map { Value(kind: .string, text: $0, hasEscapes: false) } ?? .absent
    }

    mutating func counts(
        _ candidate: InputPlan.Candidate, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Bool {
        for condition in candidate.when where !scan.holds(condition, in: chunk) { return false }
        for node in candidate.unless where scan.isPresent(node, in: chunk) { return false }
        return true
    }
}

/// The indices of the bits of a number that are 1, in ascending order.
private struct BitIndices: Sequence, IteratorProtocol {
    private var rest: UInt64

    init(_ bits: UInt64) { rest = bits }

    mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}

// MARK: - Reports

extension MappedRecord {
    private mutating func trace(_ name: String, at node: Int) {
        if tracesOrigins { origins[name] = plan.tree.pointer(to: node).description }
    }

    /// The fields of the record with their values and where they were found.
    func traced(in chunk: Chunk) -> [EntryTrace.TracedField] {
        var fields: [EntryTrace.TracedField] = []
        func add(_ name: String, _ value: Value, from origin: String) {
            switch value.kind {
            case .absent, .null, .object: return
            case .string, .number, .bool, .array: break
            }
            var text: [UInt8] = []
            let start = Int(value.text.start)
            if value.kind == .array || value.kind == .bool {
                text.append(chunk.bytes.extracting(start..<chunk.bytes.endOfJSONValue(from: start)))
            } else {
                text.append(chunk.bytes(of: value.text))
            }
            fields.append(EntryTrace.TracedField(name: name, origin: origin, text: text))
        }
        for (index, field) in EnvelopeField.allCases.enumerated() where !field.isOutcome {
            let found = [headerSlots[index], envelopeSlots[index]].compactMap { $0 }.map { target[$0] }
            var value = found.first { $0.kind != .absent } ?? .absent
            if field == .timestamp, value.kind == .absent { value = outer.timestamp }
            add(field.rawValue, value, from: origins[field.rawValue] ?? EntryTrace.wrapper)
        }
        for outcome in outcomeOrigins { add(outcome.name, outcome.value, from: outcome.origin) }
        for (index, item) in plan.targets.enumerated() {
            guard let slot = payloadSlots[index] else { continue }
            let name = (["payload"] + item.keys).joined(separator: "/")
            add(name, target[slot], from: origins[name] ?? EntryTrace.constant)
        }
        return fields
    }

    /// - Parameter node: -1 for a constant.
    private mutating func trace(_ field: EnvelopeField, at node: Int) {
        guard tracesOrigins else { return }
        if node >= 0 {
            trace(field.rawValue, at: node)
        } else {
            origins[field.rawValue] = EntryTrace.constant
        }
    }

    private mutating func trace(_ target: InputPlan.PayloadTarget, at node: Int) {
        if tracesOrigins { trace((["payload"] + target.keys).joined(separator: "/"), at: node) }
    }
}
