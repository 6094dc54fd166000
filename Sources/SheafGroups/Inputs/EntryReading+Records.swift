import SheafBytes

extension EntryReading {
    /// Decodes the record for the next element of an entry's array. If all records of the entry must be rejected for what
    /// they share, the entry is one rejected record, with its own text.
    mutating func read(
        _ rows: JSONMembers, _ array: Int, _ index: Int, isOtherPlatform: Bool, isFirst: Bool,
        in chunk: Chunk, _ decoder: inout RecordDecoder, _ position: RecordPosition
    ) -> RecordDecoder.Outcome? {
        var rows = rows
        let mapping = plan.mappings[index]
        guard let element = rows.nextElement(in: chunk) else {
            if let next = self.rows(of: mapping, from: array + 1, in: chunk) {
                frames.append(
                    .rows(
                        next.elements, array: next.array, mapping: index, isOtherPlatform: isOtherPlatform,
                        isFirst: false))
            }
            return nil
        }
        frames.append(
            .rows(rows, array: array, mapping: index, isOtherPlatform: isOtherPlatform, isFirst: false))
        if isOtherPlatform { return .otherPlatform }
        if !isFirst { decoder.beginEntry(Self.extent(of: element), of: chunk) }
        scan.begin(element: element, at: mapping.rows[array].element, in: chunk)
        let outcome = readRecord(mapping, in: chunk, &decoder, position)
        guard isFirst, case .rejected(let reason) = outcome else { return outcome }
        if isShared(reason, by: mapping) {
            frames.removeLast()
        } else {
            decoder.beginEntry(Self.extent(of: element), of: chunk)
        }
        return outcome
    }

    /// Returns the elements of the first array that is not empty among those that give several records; nil if there is
    /// none.
    mutating func rows(
        of mapping: InputPlan.Mapping, from first: Int, in chunk: Chunk
    ) -> (elements: JSONMembers, array: Int)? {
        for index in first..<mapping.rows.count where scan.mayHave(mapping.rows[index].array) {
            let array = mapping.rows[index]
            guard array.candidates.contains(where: { fields.counts($0, &scan, in: chunk) }) else { continue }
            let value = scan.value(of: array.array, in: chunk)
            let elements = JSONMembers(of: value)
            var rest = elements
            if value.kind == .array, rest.nextElement(in: chunk) != nil { return (elements, index) }
        }
        return nil
    }

    /// Whether a field for which a record is rejected is that of all records of an entry.
    mutating func isShared(_ reason: RejectReason, by mapping: InputPlan.Mapping) -> Bool {
        let field: EnvelopeField
        switch reason {
        case .appMissing: field = .app
        case .timestampInvalid: field = .timestamp
        default: return false
        }
        return !mapping.envelope(field).all.contains { candidate in
            candidate.location.map { plan.tree.nodes[$0].isInElement } ?? false
        }
    }

    mutating func readRecord(
        _ mapping: InputPlan.Mapping, in chunk: Chunk, _ decoder: inout RecordDecoder,
        _ position: RecordPosition
    ) -> RecordDecoder.Outcome {
        fields.readEnvelope(mapping, &scan, in: chunk)
        if !answers.isEmpty { addAnswers(answers, device: fields.device, in: chunk) }
        if isTracing {
            trace?.shape = mapping.name
            trace?.fields = fields.traced(in: chunk)
        }
        if scan.isOverfull { return .rejected(.fieldTooLong) }
        decoder.outerTimestamp = fields.outer.timestamp
        return Self.decode(&fields, slots, mapping, &scan, &decoder, of: chunk, at: position)
    }

    /// Decodes a record whose fields were found. Static, because the closure would need exclusive access to all of `self`.
    static func decode(
        _ fields: inout MappedRecord, _ slots: CheckedSlots, _ mapping: InputPlan.Mapping,
        _ scan: inout EntryScan, _ decoder: inout RecordDecoder, of chunk: Chunk, at position: RecordPosition
    ) -> RecordDecoder.Outcome {
        decoder.decode(
            fields: fields.target, (slots.record, slots.outcome), payloadBytes: fields.payloadBytes,
            of: chunk, at: position, isLocal: mapping.isLocal, hasOtherShape: !mapping.alternatives.isEmpty
        ) { text in scan.annexOnce(text, of: chunk) }
    }

    /// Reads an entry as a native record that is not a push; nil if it is a push, or no native record.
    ///
    /// - Parameter needsPayload: whether it must have a payload, too.
    mutating func readNativeEvent(
        _ entry: UnreadEntry, needsPayload: Bool = false, in chunk: Chunk, _ decoder: inout RecordDecoder,
        _ position: RecordPosition
    ) -> RecordDecoder.Outcome? {
        guard scan.mayHave(plan.event), !entry.isForeign else { return nil }
        scan.restore(chunk)
        guard decoder.namesEvent(entry.text, of: chunk, needsPayload: needsPayload) else { return nil }
        return readEvent(entry, in: chunk, &decoder, position)
    }

    /// Decodes a native record that is not a push, and traces its envelope as that of a push.
    mutating func readEvent(
        _ entry: UnreadEntry, in chunk: Chunk, _ decoder: inout RecordDecoder, _ position: RecordPosition
    ) -> RecordDecoder.Outcome {
        if let native = plan.mappings.first(where: { $0.name == InputShape.native }),
            scan.begin(entry.text, of: chunk) == .object
        {
            fields.outer = entry.outer
            // It may have no payload.
            _ = fields.readPayload(native, &scan, entry: entry.text, in: chunk)
            fields.readEnvelope(native, &scan, in: chunk)
            trace?.shape = native.name
            trace?.fields = fields.traced(in: chunk)
            scan.restore(chunk)
        }
        problems = ProblemSet()
        decoder.outerTimestamp = entry.outer.timestamp
        return decoder.decode(entry: entry.text, of: chunk, at: position)
    }

    /// Adds the answers to the current record to its outcome.
    mutating func addAnswers(_ answers: [PushAnswers], device: TextRange, in chunk: Chunk) {
        for answers in answers {
            guard let answer = answers.answer(to: index, device: device, in: chunk) else { continue }
            answerScan.takeRoom(of: &scan)
            answerScan.begin(element: answer, at: answers.array.element, in: chunk)
            for candidates in answers.array.outcome {
                for value in fields.outcome(candidates, &answerScan, in: chunk) { fields.add(value) }
            }
            answerScan.returnRoom(to: &scan)
        }
    }

    /// Returns the outcome of decoding a native record, which the service may have refused by what it was taken from.
    mutating func answered(
        _ outcome: RecordDecoder.Outcome, by outer: MappedRecord.OuterValues, in chunk: Chunk,
        _ decoder: inout RecordDecoder
    ) -> RecordDecoder.Outcome {
        guard !outer.outcome.isEmpty || !outer.answers.isEmpty else { return outcome }
        fields.beginOutcome()
        for value in outer.outcome { fields.add(value) }
        addAnswers(outer.answers, device: decoder.record.device, in: chunk)
        return decoder.answered(outcome, by: fields.target, slots.outcome, of: chunk)
    }

    /// Checks the record of an entry as it is before texts are decoded. The records of one payload share its problems.
    mutating func check(_ mapping: InputPlan.Mapping, _ entry: TextRange, in chunk: Chunk) {
        problems = ProblemSet()
        guard let inspector else { return }
        fields.decodes = false
        defer { fields.decodes = true }
        guard fields.readPayload(mapping, &scan, entry: entry, in: chunk) == nil else { return }
        fields.readEnvelope(mapping, &scan, in: chunk)
        fields.showOtherKeys(slots.record.bare)
        inspector.begin()
        inspector.inspect(fields.target, slots, payload: fields.target, slots.bare, in: chunk)
        problems = inspector.problems
        if mapping.isLocal { problems.subtract(CheckProblem.ofPush) }
    }

    func detail(of problem: CheckProblem) -> String? { inspector?.detail(of: problem) }

    func value(of finding: CheckFinding) -> [UInt8]? { inspector?.value(of: finding) }

    // MARK: Conditions

    mutating func fits(_ mapping: InputPlan.Mapping, in chunk: Chunk) -> Bool {
        // By indices, so that fewer references are counted.
        mapping.alternatives.isEmpty
            || mapping.alternatives.indices.contains { alternative in
                mapping.alternatives[alternative].indices.allSatisfy { index in
                    scan.holds(mapping.alternatives[alternative][index], in: chunk)
                }
            }
    }

    /// Traces why an entry does not fit a mapping that the user named.
    mutating func traceMisfit(
        _ mapping: InputPlan.Mapping, _ entry: UnreadEntry, _ reason: RejectReason, in chunk: Chunk
    ) {
        guard isTracing, trace != nil, plan.isNamed[mapping.index] else { return }
        var unmet: [EntryTrace.TracedField] = []
        func add(_ name: String, _ node: Int, _ text: String) {
            let pointer = plan.tree.pointer(to: node).description
            unmet.append(EntryTrace.TracedField(name: name, origin: pointer, text: Array(text.utf8)))
        }
        if !entry.isOpened {
            for node in plan.opening?.unwrap ?? [] {
                add("unwrap", node, scan.shownKind(of: node, in: chunk))
            }
        }
        if !entry.isUnwrapped {
            for node in mapping.unwrap { add("unwrap", node, scan.shownKind(of: node, in: chunk)) }
        }
        // The alternative that is nearest to holding.
        let nearest = mapping.alternatives.map { $0.filter { !scan.holds($0, in: chunk) } }
            .min { $0.count < $1.count }
        for condition in nearest ?? [] { add("when", condition.location, scan.misfit(condition, in: chunk)) }
        if mapping.alternatives.isEmpty {
            let (name, candidates) =
                reason == .appMissing
                ? (EnvelopeField.app.rawValue, mapping.envelope(.app).all)
                : (EnvelopeNames.payload, mapping.payload)
            for node in candidates.compactMap(\.location) {
                add(name, node, scan.shownKind(of: node, in: chunk))
            }
        }
        trace?.misfits.append(
            EntryTrace.Misfit(
                mapping: mapping.name, unmet: unmet, alternatives: mapping.alternatives.count))
    }
}
