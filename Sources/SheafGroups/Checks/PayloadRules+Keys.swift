import SheafBytes

extension PayloadRules {
    /// The unknown keys that the last record's problems are about.
    ///
    /// Texts are copied, because decoding a record changes them. Each buffer is reused.
    struct UnknownKeys {
        private(set) var apsKey: [UInt8] = []
        private(set) var customKey: [UInt8] = []
        private(set) var alertKey: [UInt8] = []

        /// The longest key that is quoted completely, in bytes.
        static let quotedBytes = 64

        mutating func forget() {
            apsKey.removeAll(keepingCapacity: true)
            customKey.removeAll(keepingCapacity: true)
            alertKey.removeAll(keepingCapacity: true)
        }

        mutating func note(_ key: Span<UInt8>, as problem: PayloadProblem) {
            let start = key.extracting(first: min(key.count, Self.quotedBytes))
            switch problem {
            case .apsKeyUnknown: apsKey.append(start)
            case .apsKeyCustom: customKey.append(start)
            default: alertKey.append(start)
            }
        }
    }

    /// Checks the keys of `aps` and `alert`: those that no device knows.
    mutating func checkKeys(
        _ record: Found, _ push: Push, _ payload: borrowing FieldScanner, _ problems: inout ProblemSet
    ) {
        let aps = payload[record[.aps]]
        if aps.kind == .object { checkKeys(of: .aps, aps, record.payloadChunk, &problems) }
        let alert = payload[record[.alert]]
        if alert.kind == .object {
            checkKeys(
                of: push.type == .activity || push.hasSuffix ? .activityAlert : .alert, alert,
                record.payloadChunk, &problems)
        }
    }

    private mutating func checkKeys(
        of object: PayloadKeys.Object, _ value: FieldScanner.Value, _ chunk: Chunk,
        _ problems: inout ProblemSet
    ) {
        guard !value.text.isEmpty else { return }
        var members = JSONMembers(at: Int(value.text.start))
        while let member = members.next(in: chunk.bytes) {
            let key = text(ofKey: member, chunk)
            let bytes = key.chunk.bytes(of: key.range)
            if keys.contains(bytes, in: object) { continue }
            let problem: PayloadProblem =
                if object != .aps {
                    .alertKeyUnknown
                } else if keys.isMisspelled(bytes) {
                    .apsKeyUnknown
                } else {
                    .apsKeyCustom
                }
            guard !problems.contains(problem) else { continue }
            problems.insert(problem)
            unknownKeys.note(bytes, as: problem)
            // The other keys have no further problem: they need not be compared.
            if object != .aps || problems.contains(.apsKeyUnknown) && problems.contains(.apsKeyCustom) {
                return
            }
        }
    }

    /// Returns the key that a problem of the last record is about, and the one that was probably meant; nil for a
    /// problem without a key.
    func detail(of problem: PayloadProblem) -> String? {
        switch problem {
        case .apsKeyUnknown: Self.detail(of: unknownKeys.apsKey, in: .aps)
        case .apsKeyCustom: Self.detail(of: unknownKeys.customKey, in: .aps)
        case .alertKeyUnknown: Self.detail(of: unknownKeys.alertKey, in: .alert)
        case .localizedKeyUnknown: missingKey.map(Self.detail)
        default: nil
        }
    }

    private static func detail(of missing: KnownCategories.MissingKey) -> String {
        let key = missing.key.utf8.prefix(UnknownKeys.quotedBytes)
        let place = missing.category.map { " of the category '\($0)'" } ?? ""
        return
            "'\(String(decoding: key, as: UTF8.self))'\(place) in \(missing.languages.joined(separator: ", "))"
    }

    private static func detail(of key: [UInt8], in object: PayloadKeys.Object) -> String {
        let text = String(decoding: key, as: UTF8.self)
        guard let known = PayloadKeys.suggestion(for: key.span, in: object) else { return "'\(text)'" }
        return "'\(text)', did you mean \(known)?"
    }
}
