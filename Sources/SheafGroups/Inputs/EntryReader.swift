import SheafBytes

/// Reads the records of one line that is not a native record: unwraps entries, finds the mapping that fits each one,
/// and decodes its records in order (specification §12).
///
///     line ─▶ entry ─┬─ native ───────────────▶ record
///                    ├─ what a mapping unwraps ▶ entry
///                    ├─ fits a mapping ────────▶ records, one for each element of its array
///                    ├─ wraps an entry ────────▶ entry
///                    └─ array ─────────────────▶ entries
///
/// Separate from `RecordDecoder`, so that native records cost nothing. Texts stay in the chunk: the records of a line
/// share the bytes of its payload. Memory: scanners for the nodes that occur, and the unread entries of the line, which
/// is one range for each level of nesting.
package final class EntryReader {
    private var reading: EntryReading

    /// - Parameters:
    ///   - isTracing: whether `trace` is kept, for a report on a few entries.
    ///   - checks: the checks of each record; nil for none.
    package init(_ input: LogInput, isTracing: Bool = false, checks: PayloadChecks? = nil) {
        reading = EntryReading(input, isTracing: isTracing, checks: checks)
    }

    /// Begins a line.
    ///
    /// - Parameter reason: the reason for rejecting it unless it holds an entry, if it is known that the line is not a
    ///   native record.
    package func begin(
        _ line: TextRange, of chunk: Chunk, reason: RejectReason?, _ decoder: inout RecordDecoder
    ) {
        reading.begin(line, of: chunk, reason: reason, &decoder)
    }

    /// Begins a line that is probably not a native record, without scanning it as one first.
    ///
    /// - Returns: false if it may be one after all. Its text is unchanged then, and the line has not begun.
    package func beginForeign(
        _ line: TextRange, of chunk: Chunk, _ decoder: inout RecordDecoder
    ) -> Bool {
        reading.beginForeign(line, of: chunk, &decoder)
    }

    /// Decodes the next record of the line; nil after the last one. The decoder has the record's fields.
    ///
    /// - Parameter line: the position of the line.
    package func next(
        in chunk: Chunk, _ decoder: inout RecordDecoder, at line: RecordPosition
    ) -> EntryRecord? {
        reading.next(in: chunk, &decoder, at: line)
    }

    /// What was found in the last entry, if it is traced.
    package var trace: EntryTrace? { reading.trace }

    /// Returns what a problem of the last entry is about, if it is about one of many things.
    package func detail(of problem: CheckProblem) -> String? { reading.detail(of: problem) }

    /// Returns the value that a problem or another finding of the last entry is about; nil unless its checks keep values.
    package func value(of finding: CheckFinding) -> [UInt8]? { reading.value(of: finding) }

    /// The maximum number of wrappers around an entry (specification §12.3).
    package static let maximumDepth = 4

    /// A record of the line.
    package struct EntryRecord {
        package let outcome: RecordDecoder.Outcome
        /// The record's index in its line; nil if the line has only this one by its form.
        package let index: UInt32?
        /// The index of the first record of its entry: an entry with several tokens has a record for each.
        package let entry: UInt32
        /// The problems that checks found, if the reader has any.
        package let problems: ProblemSet
    }
}

/// The state of a reader. A structure, so that exclusive access to all of it is checked once per record.
private struct EntryReading: ~Copyable {
    /// An entry that is yet to be read.
    private struct UnreadEntry {
        var text: TextRange
        /// The number of wrappers around it.
        var depth = 0
        var outer = MappedRecord.OuterValues()
        /// The mapping that the entry must have; nil for the first one that fits.
        var mapping: Int?
        /// Whether it is known that the mapping fits, because its conditions hold for what the entry was taken from.
        var fits = false
        /// Whether the mapping's `unwrap` led to the entry.
        var isUnwrapped = false
        /// Whether the pointers that every line is unwrapped with led to the entry.
        var isOpened = false
        /// Whether it is known that the entry is not a native record.
        var isForeign = false
        /// Whether the scan has the entry's values already.
        var isScanned = false
        /// The reason for rejecting it if nothing fits; nil for one that depends on its contents.
        var reason: RejectReason?
    }

    /// What is yet to be read of the line.
    private enum Frame {
        case entry(UnreadEntry)
        /// The elements of an array, which are entries or have them. `isFirst` if none has been read yet.
        case elements(JSONMembers, of: InputPlan.EntryArray, UnreadEntry, isFirst: Bool)
        /// The elements of an array of the last entry, one for each of its records; the arrays after it follow.
        case rows(JSONMembers, array: Int, mapping: Int, isOtherPlatform: Bool, isFirst: Bool)
    }

    private let input: LogInput
    private let plan: InputPlan
    private var scan: EntryScan
    /// For answers to pushes, while the entry with the pushes is read.
    private var answerScan: EntryScan
    /// The answers to the pushes of the last entry, in it and around it.
    private var answers: [PushAnswers] = []
    private let slots: CheckedSlots
    /// The checks of each record; nil for none.
    private let checks: PayloadChecks?
    /// The problems of the last entry.
    private var problems = ProblemSet()
    private var fields: MappedRecord
    private var frames: [Frame] = []
    /// The line, until it is read: most lines are one entry, which is not worth a frame.
    private var wholeLine: UnreadEntry?
    private var index: UInt32 = 0
    /// The index of the first record of the last entry.
    private var firstOfEntry: UInt32 = 0
    private var isAlone = true
    private(set) var trace: EntryTrace?
    private let isTracing: Bool

    init(_ input: LogInput, isTracing: Bool, checks: PayloadChecks?) {
        self.checks = checks
        self.isTracing = isTracing
        self.input = input
        plan = input.compiled()
        scan = EntryScan(plan.tree)
        answerScan = EntryScan(plan.tree)
        var target = FieldPlan()
        slots = CheckedSlots(to: &target)
        fields = MappedRecord(FieldScanner(target), slots, plan, tracesOrigins: isTracing)
    }

    mutating func begin(
        _ line: TextRange, of chunk: Chunk, reason: RejectReason?, _ decoder: inout RecordDecoder
    ) {
        index = 0
        isAlone = true
        frames.removeAll(keepingCapacity: true)
        wholeLine = UnreadEntry(
            text: line, mapping: input.onlyMapping, isForeign: reason != nil, reason: reason)
        scan.begin(line: line)
        decoder.beginEntry(line, of: chunk)
    }

    mutating func beginForeign(
        _ line: TextRange, of chunk: Chunk, _ decoder: inout RecordDecoder
    ) -> Bool {
        guard plan.opening == nil, scan.begin(line, of: chunk) == .object else { return false }
        for node in plan.nativeMembers where scan.mayHave(node) { return false }
        begin(line, of: chunk, reason: .payloadMissing, &decoder)
        wholeLine?.isScanned = true
        return true
    }

    mutating func next(
        in chunk: Chunk, _ decoder: inout RecordDecoder, at line: RecordPosition
    ) -> EntryReader.EntryRecord? {
        // Another worker may have begun the line, and so the last entry, whose checks are therefore this reader's own.
        let inspector = decoder.inspector
        if let checks { decoder.inspector = checks }
        defer {
            // Native records have no wrapper.
            decoder.outerTimestamp = .absent
            decoder.inspector = inspector
        }
        while true {
            var position = line
            position.index = index
            let next: RecordDecoder.Outcome?
            if let entry = wholeLine.take() {
                next = read(entry, in: chunk, &decoder, position)
            } else if let frame = frames.popLast() {
                next = read(frame, in: chunk, &decoder, position)
            } else {
                return nil
            }
            guard let outcome = next else { continue }
            defer { index += 1 }
            if index >= OrderKey.maximumRecords - 1 {
                // The last index is that of everything that is left of the line.
                frames.removeAll()
                return EntryReader.EntryRecord(
                    outcome: .rejected(.lineTooLong), index: index, entry: index, problems: ProblemSet())
            }
            return EntryReader.EntryRecord(
                outcome: outcome, index: isAlone ? nil : index, entry: firstOfEntry, problems: problems)
        }
    }

    @inline(never)
    private mutating func read(
        _ frame: Frame, in chunk: Chunk, _ decoder: inout RecordDecoder, _ position: RecordPosition
    ) -> RecordDecoder.Outcome? {
        switch frame {
        case .entry(let entry): read(entry, in: chunk, &decoder, position)
        case .elements(let elements, let array, let entry, let isFirst):
            read(elements, of: array, entry, isFirst: isFirst, in: chunk, &decoder)
        case .rows(let rows, let array, let mapping, let isOtherPlatform, let isFirst):
            read(
                rows, array, mapping, isOtherPlatform: isOtherPlatform, isFirst: isFirst, in: chunk, &decoder,
                position)
        }
    }
}

// MARK: - Entries

extension EntryReading {
    /// Reads an entry, or adds what it wraps to the frames.
    private mutating func read(
        _ entry: UnreadEntry, in chunk: Chunk, _ decoder: inout RecordDecoder, _ position: RecordPosition
    ) -> RecordDecoder.Outcome? {
        var entry = entry
        let isScanned = entry.isScanned
        // What it wraps has to be scanned.
        entry.isScanned = false
        firstOfEntry = index
        if isTracing { trace = EntryTrace(depth: entry.depth, chunk.bytes(of: entry.text)) }
        if let frame = opened(entry, in: chunk) {
            frames.append(frame)
            return nil
        }
        if input.hasNativeEntries, entry.mapping == nil, !entry.isForeign {
            decoder.outerTimestamp = entry.outer.timestamp
            let outcome = decoder.decode(entry: entry.text, of: chunk, at: position)
            problems = checks?.problems ?? ProblemSet()
            guard case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, entry.text, of: chunk)
            else {
                return answered(outcome, by: entry.outer, in: chunk, &decoder)
            }
            // A line that may be a wrapper has the reason of what it wraps.
            let isWrapper = entry.reason == .payloadMissing || entry.reason == .jsonNotObject
            entry.reason = isWrapper ? reason : entry.reason ?? reason
        }
        if input.tracesNative, entry.mapping.map({ plan.mappings[$0].name == InputShape.native }) ?? true,
            !entry.isForeign, decoder.namesEvent(entry.text, of: chunk)
        {
            return readEvent(entry, in: chunk, &decoder, position)
        }
        switch isScanned ? .object : scan.begin(entry.text, of: chunk) {
        case .object: break
        case .notObject:
            if let frame = unwrapped(entry, in: chunk) {
                frames.append(frame)
                return nil
            }
            return .rejected(entry.reason ?? .jsonNotObject)
        case .invalid: return .rejected(entry.reason ?? .jsonInvalid)
        case .tooDeep: return .rejected(entry.reason ?? .jsonTooDeep)
        }
        // Next to a native payload, an event is what it is in a native log.
        if scan.mayHave(plan.event), input.readsNativeEvents, !entry.isForeign,
            decoder.namesEvent(entry.text, of: chunk, needsPayload: true)
        {
            return readEvent(entry, in: chunk, &decoder, position)
        }
        var isUnmatched = false
        for index in entry.mapping.map({ $0..<$0 + 1 }) ?? plan.mappings.indices {
            guard entry.mapping != nil || plan.mayFit(index, scan) else { continue }
            let mapping = plan.mappings[index]
            let fits = entry.fits || fits(mapping, in: chunk)
            // What an entry wraps may fit, which only the mapping that every entry must have is tried for.
            guard fits || entry.mapping != nil else { continue }
            if !entry.fits, mapping.unwraps {
                var inner = entry
                inner.mapping = index
                inner.fits = fits && !mapping.alternatives.isEmpty
                inner.isForeign = inner.fits
                if let frame = wrapped(inner, by: mapping, in: chunk) {
                    frames.append(frame)
                    return nil
                }
            }
            guard fits else {
                traceMisfit(mapping, entry, in: chunk)
                isUnmatched = true
                continue
            }
            trace?.shape = mapping.name
            if mapping.mapping.withoutPayload != nil { return .rejected(.payloadMissing) }
            let isOtherPlatform = mapping.otherPlatform.indices.contains { index in
                scan.mayHave(mapping.otherPlatform[index].location)
                    && scan.holds(mapping.otherPlatform[index], in: chunk)
            }
            let rows = mapping.rows.isEmpty ? nil : rows(of: mapping, from: 0, in: chunk)
            if !isOtherPlatform {
                fields.outer = entry.outer
                check(mapping, entry.text, in: chunk)
                switch fields.readPayload(
                    mapping, &scan, entry: entry.text, isSingle: rows == nil, in: chunk)
                {
                case nil: break
                case let reason? where mapping.alternatives.isEmpty && reason != .payloadInvalid:
                    entry.reason = entry.reason ?? reason
                    if entry.mapping != nil { traceMisfit(mapping, entry, in: chunk) }
                    continue
                case let reason?: return .rejected(reason)
                }
            }
            answers = entry.outer.answers
            if !mapping.answers.isEmpty {
                answers.insert(contentsOf: findAnswers(mapping.answers, in: chunk), at: 0)
            }
            if let rows {
                isAlone = false
                frames.append(
                    .rows(
                        rows.elements, array: rows.array, mapping: index, isOtherPlatform: isOtherPlatform,
                        isFirst: true))
                return nil
            }
            if isOtherPlatform { return .otherPlatform }
            return readRecord(mapping, in: chunk, &decoder, position)
        }
        if scan.mayHave(plan.event), input.readsNativeEvents, !entry.isForeign {
            scan.restore(chunk)
            if decoder.namesEvent(entry.text, of: chunk) {
                return readEvent(entry, in: chunk, &decoder, position)
            }
        }
        if let frame = unwrapped(entry, in: chunk) {
            frames.append(frame)
            return nil
        }
        return .rejected(isUnmatched ? .inputUnmatched : entry.reason ?? .payloadMissing)
    }

    /// Returns the contents of a wrapper that all inputs share; nil if the entry is not such a wrapper.
    private mutating func unwrapped(_ entry: UnreadEntry, in chunk: Chunk) -> Frame? {
        var inner = entry
        inner.isForeign = false
        return wrapped(inner, by: plan.wrappers, in: chunk)
    }

    /// Returns what the pointers that every line is unwrapped with lead to; nil if they lead nowhere, or already led to
    /// the entry.
    private mutating func opened(_ entry: UnreadEntry, in chunk: Chunk) -> Frame? {
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
    private mutating func wrapped(_ entry: UnreadEntry, by mapping: InputPlan.Mapping, in chunk: Chunk)
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
    private mutating func holdsEntry(_ array: FieldScanner.Value, in chunk: Chunk) -> Bool {
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
    private mutating func entryText(of node: Int, in chunk: Chunk) -> TextRange? {
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
    private mutating func outer(
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
    private mutating func findAnswers(_ arrays: [InputPlan.AnswerArray], in chunk: Chunk) -> [PushAnswers] {
        var answers: [PushAnswers] = []
        for index in arrays.indices where scan.mayHave(arrays[index].array) {
            let value = scan.value(of: arrays[index].array, in: chunk)
            guard value.kind == .array else { continue }
            answers.append(PushAnswers(arrays[index], value, first: self.index, &answerScan, in: chunk))
        }
        return answers
    }

    /// Adds the entry of the next element to the frames.
    private mutating func read(
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
    private mutating func elementText(of node: Int, _ element: FieldScanner.Value, in chunk: Chunk)
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
    private static func extent(of element: FieldScanner.Value) -> TextRange {
        guard element.kind == .string else { return element.text }
        return TextRange(start: element.text.start - 1, count: element.text.count + 2)
    }
}

// MARK: - Records

extension EntryReading {
    /// Decodes the record for the next element of an entry's array. If all records of the entry must be rejected for what
    /// they share, the entry is one rejected record, with its own text.
    private mutating func read(
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
    private mutating func rows(
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
    private mutating func isShared(_ reason: RejectReason, by mapping: InputPlan.Mapping) -> Bool {
        let field: EnvelopeField
        switch reason {
        case .appMissing: field = .app
        case .timestampInvalid: field = .timestamp
        default: return false
        }
        guard let index = EnvelopeField.allCases.firstIndex(of: field) else { return false }
        return !mapping.envelope[index].all.contains { candidate in
            candidate.location.map { plan.tree.nodes[$0].isInElement } ?? false
        }
    }

    private mutating func readRecord(
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
    private static func decode(
        _ fields: inout MappedRecord, _ slots: CheckedSlots, _ mapping: InputPlan.Mapping,
        _ scan: inout EntryScan, _ decoder: inout RecordDecoder, of chunk: Chunk, at position: RecordPosition
    ) -> RecordDecoder.Outcome {
        decoder.decode(
            fields: fields.target, (slots.record, slots.outcome), payloadBytes: fields.payloadBytes,
            of: chunk, at: position, isLocal: mapping.isLocal, hasOtherShape: !mapping.alternatives.isEmpty
        ) { text in scan.annexOnce(text, of: chunk) }
    }

    /// Decodes a native record that is not a push, and traces its envelope as that of a push.
    private mutating func readEvent(
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
    private mutating func addAnswers(_ answers: [PushAnswers], device: TextRange, in chunk: Chunk) {
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
    private mutating func answered(
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
    private mutating func check(_ mapping: InputPlan.Mapping, _ entry: TextRange, in chunk: Chunk) {
        problems = ProblemSet()
        guard let checks else { return }
        fields.decodes = false
        defer { fields.decodes = true }
        guard fields.readPayload(mapping, &scan, entry: entry, in: chunk) == nil else { return }
        fields.readEnvelope(mapping, &scan, in: chunk)
        fields.showOtherKeys(slots.record.bare)
        checks.begin()
        checks.inspect(fields.target, slots, payload: fields.target, slots.bare, in: chunk)
        problems = checks.problems
        if mapping.isLocal { problems.subtract(CheckProblem.ofPush) }
    }

    func detail(of problem: CheckProblem) -> String? { checks?.detail(of: problem) }

    func value(of finding: CheckFinding) -> [UInt8]? { checks?.value(of: finding) }

    // MARK: Conditions

    private mutating func fits(_ mapping: InputPlan.Mapping, in chunk: Chunk) -> Bool {
        mapping.alternatives.isEmpty
            || mapping.alternatives.contains { $0.allSatisfy { scan.holds($0, in: chunk) } }
    }

    /// Traces why an entry does not fit the mapping that it must have.
    private mutating func traceMisfit(_ mapping: InputPlan.Mapping, _ entry: UnreadEntry, in chunk: Chunk) {
        guard isTracing, trace != nil else { return }
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
            for node in mapping.payload.compactMap(\.location) {
                add(EnvelopeNames.payload, node, scan.shownKind(of: node, in: chunk))
            }
        }
        trace?.misfit = EntryTrace.Misfit(
            mapping: mapping.name, unmet: unmet, alternatives: mapping.alternatives.count)
    }
}
