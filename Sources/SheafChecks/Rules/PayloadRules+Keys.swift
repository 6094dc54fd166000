import SheafBytes
import SheafGroups
import SheafText

extension PayloadRules {
    /// Checks the keys of `aps` and `alert`: those that no device knows.
    mutating func checkKeys(
        _ record: RecordFields, _ push: PushTraits, _ payload: borrowing FieldScanner
    ) {
        // Most payloads have no such key.
        if payload.kind(of: record.payloadSlots.fields.otherKey) != .absent {
            checkKeys(of: .aps, payload[record[.aps]], record.chunk)
        }
        let alert = payload[record[.alert]]
        if alert.kind == .object, payload.kind(of: record.payloadSlots.fields.otherAlertKey) != .absent {
            checkKeys(
                of: push.type == .liveActivity || push.hasSuffix ? .activityAlert : .alert, alert,
                record.chunk)
        }
    }

    private mutating func checkKeys(
        of object: PayloadKeys.Object, _ value: FieldScanner.Value, _ chunk: Chunk
    ) {
        guard !value.text.isEmpty else { return }
        var members = JSONMembers(at: Int(value.text.start))
        while let member = members.next(in: chunk.bytes) {
            // A key as Apple writes it has no escapes.
            if keys.contains(chunk.bytes.extracting(member.key), in: object) { continue }
            let key = text(ofKey: member, chunk)
            let name = Array(copying: copy.bytes(of: key, in: chunk))
            if keys.contains(name.span, in: object) { continue }
            let problem: CheckProblem =
                if object != .aps {
                    .alertKeyUnknown
                } else if keys.isMisspelled(name.span) {
                    .apsKeyUnknown
                } else {
                    .apsKeyCustom
                }
            guard !problems.contains(problem) else { continue }
            problems.insert(problem)
            unknownKeys[problem] = Array(name.prefix(Self.quotedBytes))
            // The other keys have no further problem: they need not be compared.
            if object != .aps || problems.contains(.apsKeyUnknown) && problems.contains(.apsKeyCustom) {
                return
            }
        }
    }

    /// Returns the key that a problem of the last record is about, and the one that was probably meant; nil for a
    /// problem without a key.
    func detail(of problem: CheckProblem) -> String? {
        switch problem {
        case .apsKeyUnknown, .apsKeyCustom, .alertKeyUnknown:
            return unknownKeys[problem].map {
                Self.detail(of: $0, in: problem == .alertKeyUnknown ? .alert : .aps)
            }
        case .localizedKeyUnknown:
            guard let untranslatedKey else { return nil }
            let key = String(decoding: untranslatedKey.key.utf8.prefix(Self.quotedBytes), as: UTF8.self)
            let place = untranslatedKey.category.map { " of the category '\($0)'" } ?? ""
            return "'\(key)'\(place) in \(untranslatedKey.languages.joined(separator: ", "))"
        default: return nil
        }
    }

    private static func detail(of key: [UInt8], in object: PayloadKeys.Object) -> String {
        let text = String(decoding: key, as: UTF8.self)
        guard let known = PayloadKeys.suggestion(for: key.span, in: object) else { return "'\(text)'" }
        return "'\(text)', did you mean \(known)?"
    }
}

/// The keys of `aps` and `alert` that Apple defines, and keys that were compared with them.
struct PayloadKeys: Sendable {
    /// An object with keys of its own.
    enum Object {
        case aps
        case alert
        /// The alert of a Live Activity, which also has the sound.
        case activityAlert
    }

    private var aps = SymbolTable()
    private var alert = SymbolTable()
    /// Unknown keys of `aps` that were compared with the known ones: logs repeat them.
    private var compared = SymbolTable()
    /// Whether a compared key is similar to a known one, by symbols, which start at 1.
    private var similar: [Bool] = []
    private static let maximumCompared = 1_024

    init() {
        for key in PayloadSlots.apsKeys { _ = aps.symbol(for: Array(key.utf8).span) }
        for key in PayloadSlots.alertKeys { _ = alert.symbol(for: Array(key.utf8).span) }
    }

    func contains(_ key: Span<UInt8>, in object: Object) -> Bool {
        switch object {
        case .aps: aps.find(key) ?? 0 != 0
        case .alert: alert.find(key) ?? 0 != 0
        case .activityAlert: alert.find(key) ?? 0 != 0 || key.isEqual(to: "sound")
        }
    }

    /// Returns whether an unknown key of `aps` is probably a known one that is misspelled.
    mutating func isMisspelled(_ key: Span<UInt8>) -> Bool {
        guard key.count <= SimilarNames.longestName else { return false }
        if let symbol = compared.find(key), symbol != 0 { return similar[Int(symbol) - 1] }
        let isSimilar = Self.suggestion(for: key, in: .aps) != nil
        guard !key.isEmpty else { return isSimilar }
        if compared.count >= Self.maximumCompared { (compared, similar) = (SymbolTable(), []) }
        _ = compared.symbol(for: key)
        similar.append(isSimilar)
        return isSimilar
    }

    /// Returns the known key that was probably meant, as it follows "did you mean"; nil if none is similar, as for an
    /// app's own keys.
    static func suggestion(for key: Span<UInt8>, in object: Object) -> String? {
        guard key.count <= SimilarNames.longestName else { return nil }
        let word = SimilarNames.Word(key)
        let (own, other, otherName) =
            object == .aps ? (apsNames, alertNames, "alert") : (alertNames, apsNames, "aps")
        if let known = own.nearest(to: word) { return "'\(known)'" }
        return other.nearest(to: word).map { "'\($0)' in \(otherName)" }
    }

    private static let apsNames = SimilarNames(PayloadSlots.apsKeys)
    private static let alertNames = SimilarNames(PayloadSlots.alertKeys)
}
