import SheafBytes

// What entries are taken from.
extension EntryReading {
    /// Returns the contents of a wrapper that all inputs share; nil if the entry is not such a wrapper.
    mutating func unwrapped(_ entry: UnreadEntry, in chunk: Chunk) -> Frame? {
        var inner = entry
        inner.isForeign = false
        return wrapped(inner, by: plan.wrappers, in: chunk)
    }

    /// Returns what the pointers that every line is unwrapped with lead to; nil if they lead nowhere, or already led to
    /// the entry.
    mutating func opened(_ entry: UnreadEntry, in chunk: Chunk) -> Frame? {
        guard let opening = plan.opening, !entry.isOpened, !entry.fits,
            scan.begin(entry.text, of: chunk) == .object
        else { return nil }
        var inner = entry
        inner.isOpened = true
        inner.isForeign = false
        if let frame = wrapped(inner, by: opening, in: chunk) { return frame }
        // The entry is read again.
        scan.restore(chunk)
        return nil
    }

    /// Returns what a mapping unwraps from an entry; nil if it unwraps nothing.
    mutating func wrapped(_ entry: UnreadEntry, by mapping: InputPlan.Mapping, in chunk: Chunk)
        -> Frame?
    {
        var inner = entry
        // The structure of a shape is not a wrapper, and is removed once.
        if !entry.fits {
            guard entry.depth < EntryReader.maximumDepth else { return nil }
            inner.depth += 1
        }
        // What an entry that was unwrapped and fits has at the pointers is a part of it.
        let isWhole = entry.isUnwrapped && entry.fits
        for node in isWhole ? [] : mapping.unwrap {
            guard let text = entryText(of: node, in: chunk) else { continue }
            inner.text = text
            inner.outer = outer(mapping.outer, or: entry.outer, in: chunk)
            if mapping !== plan.wrappers, mapping !== plan.opening { inner.isUnwrapped = true }
            return .entry(inner)
        }
        for index in mapping.arrays.indices where scan.mayHave(mapping.arrays[index].array) {
            let array = mapping.arrays[index]
            var value = scan.value(of: array.array, in: chunk)
            guard value.kind == .array else { continue }
            scan.restore(chunk)
            value = scan.value(of: array.array, in: chunk)
            guard value.kind == .array, holdsEntry(value, in: chunk) else { continue }
            inner.outer = outer(mapping.outer, or: entry.outer, in: chunk)
            isAlone = false
            return .elements(JSONMembers(of: value), of: array, inner, isFirst: true)
        }
        return nil
    }

    /// Returns whether any element of an array may be an entry. An array of other values is not a wrapper.
    mutating func holdsEntry(_ array: FieldScanner.Value, in chunk: Chunk) -> Bool {
        var elements = JSONMembers(of: array)
        while let element = elements.nextElement(in: chunk) {
            switch element.kind {
            case .object, .array: return true
            case .string where chunk.bytes(of: element.text).mayHoldEntry: return true
            case .string, .absent, .null, .bool, .number: continue
            }
        }
        return false
    }

    /// Returns the text of the object or array that a node's value is or, as a string, holds.
    mutating func entryText(of node: Int, in chunk: Chunk) -> TextRange? {
        var value = scan.value(of: node, in: chunk)
        switch value.kind {
        case .object, .array:
            scan.restore(chunk)
            value = scan.value(of: node, in: chunk)
            guard value.kind == .object || value.kind == .array else { return nil }
            let start = Int(value.text.start)
            return TextRange(start..<chunk.bytes.endOfJSONValue(from: start))
        case .string:
            guard chunk.bytes(of: value.text).mayHoldEntry else { return nil }
            let text = scan.decodedValue(of: node, in: chunk, isEntry: true).text
            return chunk.bytes(of: text).mayHoldEntry ? text : nil
        case .absent, .null, .bool, .number: return nil
        }
    }

    /// Returns the values of a wrapper, whose entry's text must not change.
    mutating func outer(
        _ outer: InputPlan.OuterCandidates, or last: MappedRecord.OuterValues, in chunk: Chunk
    )
        -> MappedRecord.OuterValues
    {
        scan.keepsText = true
        defer { scan.keepsText = false }
        var values = last
        let timestamp = fields.value(of: outer.timestamps, isText: false, &scan, in: chunk)
        if timestamp.kind != .absent { values.timestamp = timestamp }
        let app = fields.value(of: outer.apps, isText: true, &scan, in: chunk)
        if app.kind == .string { values.app = app }
        if !outer.devices.isEmpty {
            let device = fields.value(of: outer.devices, isText: true, &scan, in: chunk)
            if device.kind == .string { values.device = device }
        }
        if !outer.identifiers.isEmpty {
            let identifier = fields.value(of: outer.identifiers, isText: true, &scan, in: chunk)
            if identifier.kind == .string { values.identifier = identifier }
        }
        for candidates in outer.outcome { values.outcome += fields.outcome(candidates, &scan, in: chunk) }
        if !outer.answers.isEmpty {
            values.answers.insert(contentsOf: findAnswers(outer.answers, in: chunk), at: 0)
        }
        return values
    }

    /// Returns those arrays of answers that the current entry has. The first answer is that of the next record.
    mutating func findAnswers(_ arrays: [InputPlan.AnswerArray], in chunk: Chunk) -> [PushAnswers] {
        var answers: [PushAnswers] = []
        for index in arrays.indices where scan.mayHave(arrays[index].array) {
            let value = scan.value(of: arrays[index].array, in: chunk)
            guard value.kind == .array else { continue }
            answers.append(PushAnswers(arrays[index], value, first: self.index, &answerScan, in: chunk))
        }
        return answers
    }

    /// Adds the entry of the next element to the frames.
    mutating func read(
        _ elements: JSONMembers, of array: InputPlan.EntryArray, _ entry: UnreadEntry, isFirst: Bool,
        in chunk: Chunk, _ decoder: inout RecordDecoder
    ) -> RecordDecoder.Outcome? {
        var (elements, entry) = (elements, entry)
        guard var element = elements.nextElement(in: chunk) else {
            return isFirst ? .rejected(entry.reason ?? .payloadMissing) : nil
        }
        trace = nil
        frames.append(.elements(elements, of: array, entry, isFirst: false))
        let extent = Self.extent(of: element)
        decoder.beginEntry(extent, of: chunk)
        if element.kind == .string, element.hasEscapes {
            // In place: the array is not read again.
            element = FieldScanner.Value(
                kind: .string, text: chunk.decodeEscapes(element.text), hasEscapes: false)
        }
        scan.begin(element: element, at: array.element, in: chunk)
        entry.reason = nil
        for node in array.entries {
            guard let text = elementText(of: node, element, in: chunk) else { continue }
            // An element that is the entry itself does not wrap it.
            if plan.tree.nodes[node].token != .each {
                entry.outer = outer(array.outer, or: entry.outer, in: chunk)
            }
            entry.text = text
            frames.append(.entry(entry))
            return nil
        }
        return .rejected(element.kind == .object ? .payloadMissing : .jsonNotObject)
    }

    /// Returns the text of an entry in an element.
    mutating func elementText(of node: Int, _ element: FieldScanner.Value, in chunk: Chunk)
        -> TextRange?
    {
        guard plan.tree.nodes[node].token == .each else { return entryText(of: node, in: chunk) }
        switch element.kind {
        case .object, .array: return element.text
        case .string: return chunk.bytes(of: element.text).mayHoldEntry ? element.text : nil
        case .absent, .null, .bool, .number: return nil
        }
    }

    /// Returns the whole text of an element, with the quotes of a string.
    static func extent(of element: FieldScanner.Value) -> TextRange {
        guard element.kind == .string else { return element.text }
        return TextRange(start: element.text.start - 1, count: element.text.count + 2)
    }
}
