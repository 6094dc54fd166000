import SheafBytes

/// The state of a reader. A structure, so that exclusive access to all of it is checked once per record.
struct EntryReading: ~Copyable {
    /// An entry that is yet to be read.
    struct UnreadEntry {
        var text: TextRange
        /// The number of wrappers around it.
        var depth = 0
        var outer = MappedRecord.OuterValues()
        /// The mapping that led to the entry, which is tried first; nil for none.
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

        /// Whether the reason is that of a possible wrapper. The reason of the wrapped entry counts instead.
        var isOfWrapper: Bool { reason == .payloadMissing || reason == .jsonNotObject }

        /// Notes why a mapping without conditions does not read the entry, unless more of a record was found before.
        mutating func note(_ reason: RejectReason) {
            switch reason {
            case .apsMissing, .payloadInvalid, .appMissing:
                if self.reason == nil || self.reason == .payloadMissing { self.reason = reason }
            default: self.reason = self.reason ?? reason
            }
        }
    }

    /// What is yet to be read of the line.
    enum Frame {
        case entry(UnreadEntry)
        /// The elements of an array, which are entries or have them. `isFirst` if none has been read yet.
        case elements(JSONMembers, of: InputPlan.EntryArray, UnreadEntry, isFirst: Bool)
        /// The elements of an array of the last entry, one for each of its records; the arrays after it follow.
        case rows(JSONMembers, array: Int, mapping: Int, isOtherPlatform: Bool, isFirst: Bool)
    }

    let input: LogInput
    let plan: InputPlan
    /// Whether a mapping without conditions is tried, next to which native records of something else than a push are read.
    let readsNativeEvents: Bool
    /// The mapping of native records, with which they are traced; nil if they are not.
    let tracedNative: Int?
    /// By mapping: a trial of it, once it was needed.
    var trials: [EntryTrial?]
    /// Whether entries keep their text if native records cannot be read from them.
    let keepsText: Bool
    /// The text of the entry that is read as a native record, if it may have to be kept.
    var nativeText: [UInt8] = []
    var scan: EntryScan
    /// For answers to pushes, while the entry with the pushes is read.
    var answerScan: EntryScan
    /// The answers to the pushes of the last entry, in it and around it.
    var answers: [PushAnswers] = []
    let slots: CheckedSlots
    /// Examines each push; nil if nothing does.
    let inspector: (any PushInspector)?
    /// The problems of the last entry.
    var problems = ProblemSet()
    var fields: MappedRecord
    var frames: [Frame] = []
    /// The line, until it is read: most lines are one entry, which is not worth a frame.
    var wholeLine: UnreadEntry?
    var index: UInt32 = 0
    /// The index of the first record of the last entry.
    var firstOfEntry: UInt32 = 0
    var isAlone = true
    var trace: EntryTrace?
    let isTracing: Bool

    init(_ input: LogInput, isTracing: Bool, inspector: (any PushInspector)?) {
        self.inspector = inspector
        self.isTracing = isTracing
        self.input = input
        plan = input.compiled()
        readsNativeEvents = input.readsNativeEvents
        tracedNative = input.tracedNative(in: plan)
        keepsText = input.keepsTextForMappings
        trials = Array(repeating: nil, count: plan.mappings.count)
        scan = EntryScan(plan.tree, isValue: plan.isValue)
        answerScan = EntryScan(plan.tree, isValue: plan.isValue)
        var target = FieldPlan()
        slots = CheckedSlots(to: &target)
        // Nothing may branch before this: the compiler (Swift 6.3) would destroy noncopyable members that do not exist yet.
        fields = MappedRecord(FieldScanner(target), slots, plan, tracesOrigins: isTracing)
    }

    mutating func begin(
        _ line: TextRange, of chunk: Chunk, reason: RejectReason?, _ decoder: inout RecordDecoder
    ) {
        index = 0
        isAlone = true
        frames.removeAll(keepingCapacity: true)
        wholeLine = UnreadEntry(
            text: line, mapping: plan.onlyMapping, isForeign: reason != nil, reason: reason)
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
        // Another worker may have begun the line, and so the last entry, whose inspector is therefore this reader's own.
        let decodersOwn = decoder.inspector
        if let inspector { decoder.inspector = inspector }
        defer {
            // Native records have no wrapper.
            decoder.outerTimestamp = .absent
            decoder.inspector = decodersOwn
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
    mutating func read(
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
    mutating func read(
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
        if plan.native == 0, entry.mapping == nil,
            let outcome = readNative(&entry, in: chunk, &decoder, position)
        {
            return outcome
        }
        switch isScanned ? .object : scan.begin(entry.text, of: chunk) {
        case .object: break
        case .notObject:
            if let frame = unwrapped(entry, in: chunk) {
                frames.append(frame)
                return nil
            }
            return .rejected(entry.reason ?? .jsonNotObject)
        case .invalid: return .rejected(entry.isOfWrapper ? .jsonInvalid : entry.reason ?? .jsonInvalid)
        case .tooDeep: return .rejected(entry.reason ?? .jsonTooDeep)
        }
        var isUnmatched = false
        let mustFit = entry.mapping != nil && (entry.fits || plan.onlyMapping != nil)
        // The mapping that led to the entry is tried first.
        for turn in (entry.mapping == nil ? 0 : -1)..<(mustFit ? 0 : plan.mappings.count + 1) {
            if turn == plan.native, turn > 0 || entry.mapping != nil {
                scan.restore(chunk)
                if let outcome = readNative(&entry, in: chunk, &decoder, position) { return outcome }
            }
            let index = turn < 0 ? entry.mapping ?? 0 : turn
            if index == tracedNative, let outcome = readNativeEvent(entry, in: chunk, &decoder, position) {
                return outcome
            }
            guard index < plan.mappings.count, turn < 0 || index != entry.mapping,
                mustFit || plan.isNamed[index] || plan.mayFit(index, scan)
            else { continue }
            switch read(&entry, by: index, mustFit: mustFit, in: chunk, &decoder, position) {
            case .outcome(let outcome): return outcome
            case .unmatched: isUnmatched = isUnmatched || mustFit || plan.isNamed[index]
            case .lacking: break
            }
        }
        if readsNativeEvents, let outcome = readNativeEvent(entry, in: chunk, &decoder, position) {
            return outcome
        }
        if let frame = unwrapped(entry, in: chunk) {
            frames.append(frame)
            return nil
        }
        let reason = entry.reason ?? .payloadMissing
        return .rejected(isUnmatched && (mustFit || reason == .payloadMissing) ? .inputUnmatched : reason)
    }

    /// What came of reading an entry by a mapping.
    enum Attempt {
        /// nil if the frames have more of it.
        case outcome(RecordDecoder.Outcome?)
        /// Its conditions do not hold.
        case unmatched
        /// It has no conditions, and the entry has no payload or no app by it.
        case lacking
    }

    /// Reads an entry as a native record.
    ///
    /// - Returns: nil if it is none. Its text is unchanged then.
    mutating func readNative(
        _ entry: inout UnreadEntry, in chunk: Chunk, _ decoder: inout RecordDecoder,
        _ position: RecordPosition
    ) -> RecordDecoder.Outcome? {
        guard !entry.isForeign else { return nil }
        nativeText.removeAll(keepingCapacity: true)
        if keepsText { nativeText.append(chunk.bytes(of: entry.text)) }
        decoder.outerTimestamp = entry.outer.timestamp
        let outcome = decoder.decode(entry: entry.text, of: chunk, at: position)
        problems = inspector?.problems ?? ProblemSet()
        guard case .rejected(let reason) = outcome, decoder.mayBeForeign(reason, entry.text, of: chunk)
        else {
            return answered(outcome, by: entry.outer, in: chunk, &decoder)
        }
        if keepsText { _ = chunk.replace(entry.text, with: nativeText.span) }
        entry.reason = entry.isOfWrapper ? reason : entry.reason ?? reason
        return nil
    }

    /// Reads an entry by a mapping, or adds what the mapping unwraps from it to the frames.
    ///
    /// - Parameter mustFit: whether nothing else is tried if it does not fit.
    mutating func read(
        _ entry: inout UnreadEntry, by index: Int, mustFit: Bool, in chunk: Chunk,
        _ decoder: inout RecordDecoder, _ position: RecordPosition
    ) -> Attempt {
        let (mapping, isNamed) = (plan.mappings[index], plan.isNamed[index])
        let hasConditions = !mapping.alternatives.isEmpty
        // Next to a native payload, an event is what it is in a native log.
        if !hasConditions, isNamed,
            let outcome = readNativeEvent(entry, needsPayload: true, in: chunk, &decoder, position)
        {
            return .outcome(outcome)
        }
        let fits = entry.fits || fits(mapping, in: chunk)
        // What an entry wraps may fit, which only mappings that the user named are tried for.
        guard fits || isNamed else { return .unmatched }
        let isSure = mustFit || fits && hasConditions
        if !isSure, mayUnwrap(mapping) || !hasConditions && !mapping.rows.isEmpty,
            let reason = misfit(index, entry, defaultApp: decoder.defaultApp(in: chunk), in: chunk)
        {
            traceMisfit(mapping, entry, reason, in: chunk)
            if hasConditions { return .unmatched }
            entry.note(reason)
            return .lacking
        }
        if !entry.fits, mapping.unwraps {
            var inner = entry
            inner.mapping = index
            inner.fits = fits && hasConditions
            inner.isForeign = inner.fits
            if let frame = wrapped(inner, by: mapping, in: chunk) {
                frames.append(frame)
                return .outcome(nil)
            }
        }
        guard fits else {
            traceMisfit(mapping, entry, .inputUnmatched, in: chunk)
            return .unmatched
        }
        trace?.shape = mapping.name
        if mapping.mapping.withoutPayload != nil { return .outcome(.rejected(.payloadMissing)) }
        let isOtherPlatform = mapping.otherPlatform.indices.contains { index in
            scan.mayHave(mapping.otherPlatform[index].location)
                && scan.holds(mapping.otherPlatform[index], in: chunk)
        }
        let rows = mapping.rows.isEmpty ? nil : rows(of: mapping, from: 0, in: chunk)
        if !isOtherPlatform {
            fields.outer = entry.outer
            check(mapping, entry.text, in: chunk)
            switch fields.readPayload(mapping, &scan, entry: entry.text, isSingle: rows == nil, in: chunk) {
            case nil: break
            // A shape that the user did not name may only look like the entry of a mapping that follows.
            case let reason?
            where !hasConditions && (reason != .payloadInvalid || !mustFit)
                || keepsText && !isNamed && !mustFit:
                entry.note(reason)
                traceMisfit(mapping, entry, reason, in: chunk)
                // What follows reads texts that were decoded in place.
                scan.restore(chunk)
                return .lacking
            case let reason?: return .outcome(.rejected(reason))
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
            return .outcome(nil)
        }
        if isOtherPlatform { return .outcome(.otherPlatform) }
        let outcome = readRecord(mapping, in: chunk, &decoder, position)
        guard !isSure, outcome == .rejected(.appMissing) else { return .outcome(outcome) }
        scan.restore(chunk)
        entry.note(.appMissing)
        traceMisfit(mapping, entry, .appMissing, in: chunk)
        return .lacking
    }

    /// Whether a mapping's pointers to what an entry wraps may lead somewhere.
    func mayUnwrap(_ mapping: InputPlan.Mapping) -> Bool {
        mapping.unwrap.contains { scan.mayHave($0) } || mapping.arrays.contains { scan.mayHave($0.array) }
    }

    /// Returns the reason why an entry does not fit a mapping, which reads it alone; nil if it fits. O(length).
    ///
    /// - Parameter defaultApp: the app of records that have none; empty if such records are rejected.
    mutating func misfit(
        _ index: Int, _ entry: UnreadEntry, defaultApp: String, in chunk: Chunk
    ) -> RejectReason? {
        scan.restore(chunk)
        let mapping = plan.mappings[index].mapping
        let trial = trials[index] ?? EntryTrial(mapping, input.alone(mapping))
        trials[index] = trial
        let app = entry.outer.app.kind == .string ? chunk.bytes(of: entry.outer.app.text).string : defaultApp
        return trial.misfit(chunk.bytes(of: entry.text), defaultApp: app)
    }
}
