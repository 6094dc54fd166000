import SheafBytes

extension RecordDraft {
    /// The most notifications that one removal may name. A device shows far fewer at a time.
    static let maximumRemoved = 4096

    /// Reads a removal into `removals`, with one element for each notification that it names.
    @inline(never)
    mutating func readRemoval(
        _ event: RecordEvent, _ removalSlots: RemovalSlots, _ slots: EnvelopeSlots,
        of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        removals.removeAll(keepingCapacity: true)
        // Before texts are decoded in place, after which the record is no longer valid JSON.
        removalMistake = RemovalRecord.mistake(in: chunk.bytes(of: self.line), event)
        if let reason = readEnvelope(slots, of: envelope, chunk) {
            return .rejected(reason)
        }
        // Without its device, a removal would remove the notifications of all devices.
        guard removalMistake == nil, Self.hasValidDevices(slots, of: envelope) else {
            return .rejected(.removalInvalid)
        }
        var removal = RemovalRecord()
        (removal.app, removal.device, removal.order) = (record.app, record.device, record.order)
        opensApp = event == .appOpened
        if opensApp {
            settings = ownChange()
            settings.settings.isOpen = true
        } else {
            switch envelope.kind(of: removalSlots.identifiers) {
            case .array:
                let start = Int(envelope[removalSlots.identifiers].text.start)
                removal.scope = .identifier
                let isValid = forEachIdentifier(from: start, of: chunk, upTo: Self.maximumRemoved) {
                    removal.text = $1
                    $0.removals.append(removal)
                }
                return isValid ? outcome(of: removal) : .rejected(.removalInvalid)
            case .absent, .null: break
            case .bool, .number, .string, .object: return .rejected(.removalInvalid)
            }
            if let thread = Self.thread(removalSlots, of: envelope) {
                guard thread.kind == .string || thread.kind == .null else {
                    return .rejected(.removalInvalid)
                }
                removal.scope = .thread
                removal.text = decoded(thread, of: chunk)
                removals.append(removal)
                return outcome(of: removal)
            }
            if event != .cleared { removal.text = ownIdentifier(slots, of: envelope, chunk) }
            if !removal.text.isEmpty { removal.scope = .identifier }
            if event == .acted, removal.scope == .app { return .rejected(.removalInvalid) }
        }
        removals.append(removal)
        return outcome(of: removal)
    }

    /// Returns the record's own collapse identifier, else its own id.
    mutating func ownIdentifier(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        let text = collapseIdentifier(slots, of: envelope, chunk)
        guard text.isEmpty else { return text }
        return firstText(
            slots.identifiers, or: slots.headerIdentifier, or: slots.others.identifiers, of: envelope, chunk)
    }

    /// Returns whether every device of the record is a text or null.
    static func hasValidDevices(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner
    ) -> Bool {
        slots.devices.areTexts(of: envelope) && slots.others.devices.areTexts(of: envelope)
    }

    /// Returns the first value of a thread, which may be null.
    private static func thread(
        _ slots: RemovalSlots, of envelope: borrowing FieldScanner
    ) -> FieldScanner.Value? {
        for index in 0..<slots.threads.count where envelope.kind(of: slots.threads[index]) != .absent {
            return envelope[slots.threads[index]]
        }
        return nil
    }

    /// Calls `body` with the draft and each text of a JSON array that is not empty.
    ///
    /// - Returns: false if an element is not a string, or there are more than `limit` of them.
    mutating func forEachIdentifier(
        from start: Int, of chunk: Chunk, upTo limit: Int, _ body: (inout RecordDraft, TextRange) -> Void
    ) -> Bool {
        var count = 0
        var elements = JSONMembers(at: start)
        while let element = elements.nextElement(in: chunk.bytes) {
            guard chunk.bytes[element.lowerBound] == UInt8(ascii: "\""), count < limit else { return false }
            // Decoding shortens the text, and leaves everything after it in place.
            let text = decodedText(
                TextRange(element.lowerBound + 1..<element.upperBound - 1), of: chunk)
            guard !text.isEmpty else { continue }
            count += 1
            body(&self, text)
        }
        return true
    }

    /// Rejects a removal with a text that is longer than any push can carry.
    private func outcome(of removal: RemovalRecord) -> RecordDecoder.Outcome {
        let isShort =
            removal.app.count <= PushLimits.fieldBytes && removal.device.count <= PushLimits.fieldBytes
            && removals.allSatisfy { $0.text.count <= PushLimits.fieldBytes }
        return isShort ? .removal : .rejected(.fieldTooLong)
    }
}

extension FieldPlan.Slots {
    /// Returns whether each of the fields is a text, null or absent.
    func areTexts(of scanner: borrowing FieldScanner) -> Bool {
        for index in 0..<count where !scanner.kind(of: self[index]).mayBeText { return false }
        return true
    }
}

extension FieldScanner.Kind {
    /// Whether such a value is a text or counts as absent.
    var mayBeText: Bool {
        switch self {
        case .absent, .null, .string: true
        case .bool, .number, .object, .array: false
        }
    }
}
