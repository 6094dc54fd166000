extension Catalogue {
    /// Writes a record as one JSON object, and sets the draft's id.
    ///
    /// - Parameter payload: a buffer for a payload that is written as a string.
    func write(
        _ draft: inout Draft, using random: inout RandomStream, to record: inout JSONWriter,
        payload: inout JSONWriter
    ) {
        let app = draft.app
        record.restart(in: draft.book.style)
        record.beginObject()
        if draft.form == .bare {
            writeTimestamp(of: draft, as: .timestamp, to: &record)
            record.field(.simulatorTarget, text: app.bundleID)
            writePayloadMembers(of: draft, using: &random, to: &record)
            writeRefusal(of: draft, as: .codeAndReason, to: &record)
        } else {
            for (field, value) in app.layout.fields {
                if value == .payload {
                    record.field(field)
                    writePayload(of: draft, using: &random, to: &record, text: &payload)
                } else {
                    write(value, as: field, of: &draft, using: &random, to: &record)
                }
            }
            writeRefusal(of: draft, as: app.layout.refusal, to: &record)
        }
        record.endObject()
    }

    private func write(
        _ value: EnvelopeLayout.Value, as field: FieldName, of draft: inout Draft,
        using random: inout RandomStream,
        to record: inout JSONWriter
    ) {
        let app = draft.app
        switch value {
        case .timestamp:
            writeTimestamp(of: draft, as: field, to: &record)
        case .app:
            record.field(field, text: draft.purpose == .call ? app.callTopic : app.bundleID)
        case .device:
            guard let device = draft.device else { return }
            record.field(field)
            record.string { Self.appendToken(of: device, to: &$0) }
        case .id:
            record.field(field)
            let id = (random.next(), random.next())
            record.string { $0.appendUUID(id.0, id.1) }
            draft.id = id
        case .pushType:
            record.field(field, text: draft.purpose.pushType)
        case .unusualPushType:
            guard draft.purpose != .alert else { return }
            record.field(field, text: draft.purpose.pushType)
        case .collapseID:
            guard let event = draft.event else { return }
            record.field(field)
            record.string { Self.appendCollapseID(of: event, app, to: &$0) }
        case .priority:
            record.field(field, number: draft.priority)
        case .priorityText:
            record.field(field)
            record.string { $0.appendDecimal(draft.priority) }
        case .expiration:
            record.field(field, number: draft.expiration)
        case .expirationText:
            record.field(field)
            record.string { $0.appendDecimal(draft.expiration) }
        case .status:
            // That of a refused push follows with its reason.
            guard draft.refusal == nil else { return }
            record.field(field, number: 200)
        case .attempt:
            record.field(field, number: 1 + random.below(20) / 19)
        case .sandbox:
            record.field(field)
            record.value { $0.append(contentsOf: Self.no) }
        case .headers:
            record.field(field)
            record.beginObject()
        case .endOfHeaders:
            record.endObject()
        case .payload:
            preconditionFailure("The payload is not written as a simple value.")
        }
    }

    private func writeRefusal(
        of draft: Draft, as form: EnvelopeLayout.RefusalForm, to record: inout JSONWriter
    ) {
        guard let refusal = draft.refusal else { return }
        switch form {
        case .codeAndReason:
            record.field(.status, number: refusal.code)
            record.field(.reason, text: refusal.reason)
        case .wordAndError:
            record.field(.status, text: Self.failed)
            record.field(.error, text: refusal.reason)
        case .flagAndReason:
            record.field(.success)
            record.value { $0.append(contentsOf: Self.no) }
            record.field(.reason, text: refusal.reason)
        }
    }

    private func writeTimestamp(of draft: Draft, as field: FieldName, to record: inout JSONWriter) {
        let format = draft.app.timestamps
        record.field(field)
        record.value { format.append(draft.timestamp, to: &$0) }
    }

    private func writePayload(
        of draft: Draft, using random: inout RandomStream, to record: inout JSONWriter, text: inout JSONWriter
    ) {
        guard draft.form == .payloadAsText else {
            record.beginObject()
            writePayloadMembers(of: draft, using: &random, to: &record)
            record.endObject()
            return
        }
        text.restart(in: draft.book.style)
        text.beginObject()
        writePayloadMembers(of: draft, using: &random, to: &text)
        text.endObject()
        record.string(holding: text.bytes)
    }

    /// Appends 64 hexadecimal digits, which are the same for a device in every log.
    static func appendToken(of device: Int, to bytes: inout [UInt8]) {
        var word = UInt64(device) &* 4
        for _ in 0..<4 {
            word &+= 1
            bytes.appendHexadecimal(RandomStream.mix(word &* RandomStream.step), digits: 16)
        }
    }

    static func appendCollapseID(of event: UInt64, _ app: AppProfile, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: app.collapsePrefix)
        bytes.appendHexadecimal(event, digits: 10)
    }

    private static let no = Array("false".utf8)
    private static let failed = Array("failed".utf8)
}

extension Draft.Purpose {
    fileprivate var pushType: [UInt8] {
        switch self {
        case .alert: Self.alertText
        case .background: Self.backgroundText
        case .call: Self.callText
        }
    }

    private static let alertText = Array("alert".utf8)
    private static let backgroundText = Array("background".utf8)
    private static let callText = Array("voip".utf8)
}

extension Draft {
    /// A background push must not have the highest priority.
    fileprivate var priority: Int { purpose == .background ? 5 : 10 }

    /// Seconds since 1970: a day after the record, rounded up to an hour. A call is delivered at once or not at all.
    fileprivate var expiration: Int { purpose == .call ? 0 : (timestamp / 3_600_000 + 25) * 3_600 }
}
