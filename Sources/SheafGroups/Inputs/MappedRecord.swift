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
    private let slots: CheckedSlots
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
    private let envelopeFields = EnvelopeField.allCases.map {
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
    /// Fields that need a text, with the first of their candidates' values if they have no text: an empty text, or a
    /// value of another type.
    private var unusable: [(target: Int, value: Value, node: Int)] = []

    /// - Parameter tracesOrigins: whether it is kept where fields were found.
    init(
        _ target: consuming FieldScanner, _ slots: CheckedSlots, _ plan: InputPlan, tracesOrigins: Bool
    ) {
        self.tracesOrigins = tracesOrigins
        self.target = target
        self.slots = slots
        self.plan = plan
        envelopeSlots = EnvelopeField.allCases.map { slots.slot(of: $0) }
        headerSlots = EnvelopeField.allCases.map { slots.headerSlot(of: $0) }
        payloadSlots = plan.targets.map { target in target.field.map { slots.record.bare[$0] } }
        apsMembers = plan.targets.indices.filter { plan.targets[$0].parent == Self.apsTarget }
        alertMembers = plan.targets.indices.filter { plan.targets[$0].parent == Self.alertTarget }
        payloadValues = Array(repeating: .absent, count: plan.targets.count)
        nodes = Array(repeating: -1, count: plan.targets.count)
    }
}

// MARK: - The payload

extension MappedRecord {
    /// Finds the payload's fields, and decodes their texts.
    ///
    /// - Returns: the reason for rejecting the entry; nil if it has a payload.
    mutating func readPayload(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, entry: TextRange, in chunk: Chunk
    ) -> RejectReason? {
        if tracesOrigins { origins.removeAll() }
        payloadBytes = 0
        unusable.removeAll(keepingCapacity: true)
        if let reason = findPayload(mapping, &scan, entry: entry, in: chunk) { return reason }
        for index in plan.targets.indices.dropFirst() { findTarget(index, mapping, &scan, in: chunk) }
        completeAlert()
        addUnusable(makesPayload: !mapping.alternatives.isEmpty)
        if payloadValues[Self.apsTarget].kind != .object {
            return nodes[0] > 0 ? .apsMissing : .payloadMissing
        }
        return nil
    }

    private static let apsTarget = PayloadSlots.Field.aps.rawValue + 1
    private static let alertTarget = PayloadSlots.Field.alert.rawValue + 1
    private static let bodyTarget = PayloadSlots.Field.body.rawValue + 1

    private mutating func findPayload(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, entry: TextRange, in chunk: Chunk
    ) -> RejectReason? {
        nodes[0] = -1
        for candidate in mapping.payload where counts(candidate, &scan, in: chunk) {
            guard let node = candidate.location else { continue }
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

    /// Finds the value of one field of the payload: that of its first candidate, or else that in the payload itself.
    private mutating func findTarget(
        _ index: Int, _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, in chunk: Chunk
    ) {
        let target = plan.targets[index]
        nodes[index] = -1
        payloadValues[index] = .absent
        let isObject = index == Self.apsTarget
        var first: (value: Value, node: Int)?
        for candidate in mapping.inPayload[index] where counts(candidate, &scan, in: chunk) {
            let found = value(of: candidate, &scan, in: chunk)
            let value = Self.value(found, of: target, in: chunk)
            if value.kind == .absent {
                if first == nil, found.kind != .absent, let node = candidate.location {
                    first = (found, node)
                }
                continue
            }
            payloadValues[index] = value
            if let node = candidate.location {
                nodes[index] = node
                trace(target, at: node)
            }
            if isObject, value.kind == .string, nodes[index] >= 0, scan.holdsObject(nodes[index], in: chunk) {
                payloadValues[index] = object
            }
            return
        }
        if target.isText, let first { unusable.append((index, first.value, first.node)) }
        guard nodes[target.parent] >= 0, let node = plan.member(index, of: nodes[target.parent]) else {
            return
        }
        let value = value(of: node, &scan, in: chunk)
        if value.kind == .absent { return }
        payloadValues[index] = value
        nodes[index] = node
        trace(target, at: node)
        if isObject, value.kind == .string, scan.holdsObject(node, in: chunk) {
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
    private mutating func completeAlert() {
        let alert = payloadValues[Self.alertTarget]
        if alert.kind != .object, alertMembers.contains(where: { payloadValues[$0].kind != .absent }) {
            if alert.kind == .string, payloadValues[Self.bodyTarget].kind == .absent {
                payloadValues[Self.bodyTarget] = alert
            }
            payloadValues[Self.alertTarget] = object
        }
        guard payloadValues[Self.apsTarget].kind == .absent else { return }
        if apsMembers.contains(where: { payloadValues[$0].kind != .absent }) {
            payloadValues[Self.apsTarget] = object
        }
    }

    /// Sets the fields whose values are not the texts that they need, so that they are absent by the rules for native
    /// records, with their findings.
    ///
    /// - Parameter makesPayload: whether these fields are enough for a payload: without conditions, an entry is
    ///   recognized by fields that have values.
    private mutating func addUnusable(makesPayload: Bool) {
        for item in unusable where payloadValues[item.target].kind == .absent {
            payloadValues[item.target] = item.value
            nodes[item.target] = item.node
            trace(plan.targets[item.target], at: item.node)
        }
        if makesPayload, !unusable.isEmpty, payloadValues[Self.apsTarget].kind == .absent {
            payloadValues[Self.apsTarget] = object
        }
    }
}

// MARK: - The envelope

extension MappedRecord {
    /// Finds the fields of the envelope for the current element, and sets all fields of the record.
    mutating func readEnvelope(
        _ mapping: InputPlan.Mapping, _ scan: inout EntryScan, in chunk: Chunk
    ) {
        beginOutcome()
        for index in payloadValues.indices where payloadValues[index].kind != .absent {
            guard let slot = payloadSlots[index] else { continue }
            let value = payloadValues[index]
            let expected = plan.targets[index].expected
            target.set(
                value, for: slot,
                isMistyped: value.kind != .null && !expected.contains(FieldKinds(value.kind)))
        }
        for index in envelopeSlots.indices {
            let (field, isText, isOutcome) = envelopeFields[index]
            if isOutcome {
                for value in outcome((field, mapping.envelope[index]), &scan, in: chunk) { add(value) }
                continue
            }
            let value = value(of: mapping.envelope[index], isText: isText, &scan, in: chunk, as: field)
            if value.kind != .absent {
                let isHeader =
                    lastNode >= 0 && (field == .app ? plan.isTopic[lastNode] : plan.isHeader[lastNode])
                if let slot = isHeader ? headerSlots[index] : envelopeSlots[index] {
                    target.set(value, for: slot)
                }
            } else {
                let outer = outer.text(of: field)
                if outer.kind == .string, let slot = envelopeSlots[index] { target.set(outer, for: slot) }
            }
        }
        for value in outer.outcome { add(value) }
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
        for candidate in outcome.candidates where counts(candidate, &scan, in: chunk) {
            let value = value(of: candidate, &scan, in: chunk)
            if value.kind == .absent { continue }
            values.append((outcome.field, value, candidate.location ?? -1))
        }
        return values
    }

    /// Adds a part of the record's outcome, unless it has very many.
    mutating func add(_ outcome: OutcomeValue) {
        let isCode = outcome.node >= 0 && plan.isCode[outcome.node]
        let slots = slots.outcomeSlots(of: outcome.field, isCode: isCode)
        guard let slot = slots.first(where: { target.kind(of: $0) == .absent }) else { return }
        target.set(outcome.value, for: slot)
        guard tracesOrigins else { return }
        let origin =
            outcome.node < 0 ? EntryTrace.constant : plan.tree.pointer(to: outcome.node).description
        outcomeOrigins.append((outcome.field.rawValue, origin, outcome.value))
    }

    /// Returns the value of the first candidate that has one, decoded.
    ///
    /// - Parameter isText: whether only a text that is not empty counts, or a number, as its digits.
    mutating func value(
        of candidates: [InputPlan.Candidate], isText: Bool, _ scan: inout EntryScan, in chunk: Chunk,
        as field: EnvelopeField? = nil
    ) -> Value {
        for candidate in candidates where counts(candidate, &scan, in: chunk) {
            let found = value(of: candidate, &scan, in: chunk)
            let value = isText ? Self.text(found) : found
            if value.kind == .absent { continue }
            lastNode = candidate.location ?? -1
            if let field, lastNode >= 0 { trace(field.rawValue, at: lastNode) }
            if let field, tracesOrigins, case .constant = candidate.source {
                origins[field.rawValue] = EntryTrace.constant
            }
            return value
        }
        return .absent
    }

    /// Returns a candidate's value, decoded; `null` is absent.
    private func value(
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
        if let part = candidate.part { value = Self.part(part, of: value, in: chunk) }
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

    private func value(of node: Int, _ scan: inout EntryScan, in chunk: Chunk) -> Value {
        decodes ? scan.decodedValue(of: node, in: chunk) : scan.value(of: node, in: chunk)
    }

    /// Returns a part of a text; absent if it has fewer parts, or is longer than any field may be: each record of an
    /// entry looks for its part.
    private static func part(
        _ part: TextPart, of value: Value, in chunk: Chunk
    ) -> Value {
        guard value.kind == .string, value.text.count <= PushLimits.fieldBytes else { return .absent }
        let bytes = chunk.bytes
        var start = value.text.range.lowerBound
        let end = value.text.range.upperBound
        var index = 0
        for offset in start..<end where bytes[offset] == part.separator {
            if index == part.index {
                return Value(kind: .string, text: TextRange(start..<offset), hasEscapes: false)
            }
            index += 1
            start = offset + 1
        }
        return index == part.index
            ? Value(kind: .string, text: TextRange(start..<end), hasEscapes: false) : .absent
    }

    func counts(
        _ candidate: InputPlan.Candidate, _ scan: inout EntryScan, in chunk: Chunk
    ) -> Bool {
        for condition in candidate.when where !scan.holds(condition, in: chunk) { return false }
        for node in candidate.unless where scan.isPresent(node, in: chunk) { return false }
        return true
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

    private mutating func trace(_ target: InputPlan.PayloadTarget, at node: Int) {
        if tracesOrigins { trace((["payload"] + target.keys).joined(separator: "/"), at: node) }
    }
}
