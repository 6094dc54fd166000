import SheafBytes
import SheafGroups
import SheafText

extension MappingDraft {
    /// A push as the draft reads it so far.
    package struct ReadPush {
        /// The index of its entry in the survey.
        let entry: Int
        /// The values of the innermost entry.
        let leaves: [JSONLeaves.Leaf]
        /// The names of the fields that the draft finds.
        let found: Set<String>

        /// Whether what is at the pointers to the time is not a time.
        let hasOtherTime: Bool

        package init(entry: Int, _ trace: EntryTrace, hasOtherTime: Bool) {
            self.entry = entry
            self.hasOtherTime = hasOtherTime
            leaves = trace.leaves
            found = Set(trace.fields.filter { $0.origin != EntryTrace.defaultApp }.map(\.name))
        }
    }

    /// The values at a pointer in all pushes, in the order of the log.
    fileprivate struct Column {
        let keys: [String]
        /// The number of arrays and wrappers between the values and the innermost entry.
        let level: Int
        var values: [JSONLeaves.Leaf] = []
        /// The number of entries that might have a value.
        let total: Int

        var pointer: JSONPointer { MappingDraft.pointer(keys) }
        var words: FieldWords { FieldWords(keys) }
        var isInArray: Bool { keys.contains("*") }
        var texts: [[UInt8]] { values.map(\.text) }
        var distinct: Int { Set(texts).count }

        /// The number of values that fulfil a condition.
        func count(_ condition: (JSONLeaves.Leaf) -> Bool) -> Int { values.count(where: condition) }
    }

    /// A column that may be a field.
    fileprivate struct Guess {
        let column: Column
        let score: Int
        let reason: String
        var part: TextPart?
        /// Whether hardly anything but a push has such a value.
        var isOfPush = false
    }

    /// Adds the fields of the envelope, and those of the payload that are elsewhere in an entry.
    package mutating func addFields(of pushes: [ReadPush], in survey: LogSurvey) {
        var columns = columns(of: pushes, in: survey)
        let isShape = if case .shape = content { true } else { false }
        /// Whether the shape finds a field in most pushes.
        func has(_ field: MappedField) -> Bool {
            isShape && pushes.count { $0.found.contains(field.name) } * 2 > pushes.count
        }
        addPlatforms(columns, in: survey)
        addHeaders(columns, has)
        for field in [EnvelopeField.timestamp, .app, .device, .identifier] {
            let mapped = MappedField.envelope(field)
            if has(mapped) || fields.contains(where: { $0.field == mapped }) { continue }
            let guesses = columns.compactMap { guess(field, $0) }.ordered { $1.score < $0.score }
            guard let best = guesses.first else {
                // What a name of a native record leads to is not a time.
                if field == .timestamp, pushes.contains(where: \.hasOtherTime) { fields.append((mapped, [])) }
                continue
            }
            // A value that another field has is not an alternative for it.
            if best.isOfPush { isProbablyPush = true }
            let isComplete = best.column.values.count >= best.column.total
            let chosen = [best] + (isComplete || field != .timestamp ? [] : guesses.dropFirst().prefix(2))
            fields.append((mapped, Self.candidates(chosen, among: guesses)))
            columns.removeAll { column in chosen.contains { $0.column.keys == column.keys && $0.part == nil }
            }
        }
        addTexts(columns, pushes)
        checkNames(in: survey)
        fields = fields.ordered { first, second in
            Self.order(first.field) < Self.order(second.field)
        }
    }

    private static func order(_ field: MappedField) -> Int { MappedField.all.firstIndex(of: field) ?? 0 }

    private static func candidates(_ chosen: [Guess], among guesses: [Guess]) -> [Choice] {
        chosen.map { guess in
            let others = guesses.filter { other in
                !chosen.contains { $0.column.keys == other.column.keys }
            }
            .prefix(3).map { "'\($0.column.pointer)'" }
            let also = others.isEmpty ? "" : "; or \(others.joined(separator: ", "))"
            return Choice(pointer: guess.column.pointer, part: guess.part, about: guess.reason + also)
        }
    }
}

// MARK: - Columns

extension MappingDraft {
    /// The values of the innermost entries, and those around them that a mapping can use.
    private func columns(of pushes: [ReadPush], in survey: LogSurvey) -> [Column] {
        var order: [[String]] = []
        var columns: [[String]: Column] = [:]
        func add(_ leaf: JSONLeaves.Leaf, _ keys: [String], _ level: Int, total: Int) {
            // The level is a part of the key, since the same keys may occur on several.
            let key = ["\(level)"] + keys
            if columns[key] == nil {
                columns[key] = Column(keys: keys, level: level, total: total)
                order.append(key)
            }
            columns[key]?.values.append(leaf)
        }
        for push in pushes {
            for leaf in push.leaves where !isContent(leaf) { add(leaf, leaf.keys, 0, total: pushes.count) }
        }
        // The keys from an entry to each array element or wrapped entry.
        var outer: [[String]] = []
        var keys: [String] = []
        for array in arrays {
            outer.append(keys)
            keys += array
        }
        if isUnwrapped { outer.append(keys) }
        let entries = Set(pushes.map(\.entry)).ordered()
        for (index, start) in outer.enumerated() {
            let next = index + 1 < outer.count ? outer[index + 1] : isUnwrapped ? path : keys
            for entry in entries {
                for leaf in survey.leaves[entry]
                where leaf.keys.starts(with: start) && !leaf.keys.starts(with: next) {
                    let rest = Array(leaf.keys.dropFirst(start.count))
                    if rest.contains("*") { continue }
                    add(leaf, rest, outer.count - index, total: start.isEmpty ? entries.count : 0)
                }
            }
        }
        // Mapping files refuse pointers with keys that are probably mistakes.
        return order.compactMap { columns[$0] }.filter {
            (try? JSONPointer(parsing: $0.pointer.description)) != nil
        }
    }

    /// Whether a value is a part of the content.
    private func isContent(_ leaf: JSONLeaves.Leaf) -> Bool {
        switch content {
        case .shape: false
        case .payload: leaf.keys.dropLast().contains("aps")
        case .aps: leaf.keys.starts(with: inner + ["alert"])
        case .texts:
            fields.contains { $0.candidates.contains { $0.pointer == Self.pointer(leaf.keys) } }
        }
    }
}

// MARK: - Guesses

extension MappingDraft {
    private func guess(_ field: EnvelopeField, _ column: Column) -> Guess? {
        switch field {
        case .timestamp: time(column)
        case .app: app(column)
        case .device: device(column)
        case .identifier: identifier(column)
        case .collapseIdentifier, .pushType, .priority, .expiration, .status, .success, .reason: nil
        }
    }

    /// How far a column is from where a field is expected.
    private func distance(_ column: Column) -> Int {
        var distance = column.keys.count + 4 * column.level
        if case .payload = content, !inner.isEmpty, column.level == 0, column.keys.starts(with: inner) {
            distance += 25
        }
        return distance
    }

    private static func share(_ column: Column, _ count: Int) -> String {
        column.total > 0 && count <= column.total
            ? "in \(count) of \(column.total) entries" : "\(count) times"
    }

    private func time(_ column: Column) -> Guess? {
        let times = column.values.filter(\.isProbablyTime)
        guard !column.isInArray, times.count * 10 >= column.values.count * 9, times.count * 2 > column.total
        else {
            return nil
        }
        let words = column.words.score(.time)
        guard words >= 0 else { return nil }
        let instants = times.compactMap { Timestamp.milliseconds(text: $0.text.span) }
        let rises = zip(instants, instants.dropFirst()).count { $0 <= $1 }
        let isRising = instants.count > 2 && rises * 10 >= (instants.count - 1) * 9
        var score = 20 + words + (isRising ? 15 : 0) - distance(column)
        // A number without a name for a time may be anything.
        if words == 0, times.contains(where: { DateTime($0.text.span) == nil }) { score -= 10 }
        if instants.count > 3, Set(instants).count == 1 { score -= 50 }
        guard score > 0 else { return nil }
        let first = times[0].text
        let kind = DateTime(first.span) == nil ? Self.unit(first.span) : "a date and time"
        return Guess(
            column: column, score: score,
            reason: "\(kind) \(Self.share(column, times.count))\(isRising ? ", rising along the log" : "")")
    }

    /// The unit of a number that is a time.
    private static func unit(_ text: Span<UInt8>) -> String {
        var digits = 0
        while digits < text.count, (0x30...0x39).contains(text[digits]) { digits += 1 }
        return switch digits {
        case ...11: "seconds since 1970"
        case ...14: "milliseconds since 1970"
        case ...17: "microseconds since 1970"
        default: "nanoseconds since 1970"
        }
    }

    private func app(_ column: Column) -> Guess? {
        guard !column.isInArray, column.values.count * 2 > column.total else { return nil }
        if let guess = endpoint(column, part: 2, "the app in the endpoint's ARN") { return guess }
        let words = column.words.score(.app)
        guard words >= 0 else { return nil }
        let apps = column.values.filter(\.isProbablyApp)
        if apps.count * 10 >= column.values.count * 8 {
            let labels = String(decoding: apps[0].text, as: UTF8.self).split(separator: ".")
            var score = 20 + words - distance(column)
            if Self.topLevelDomains.contains(labels[0].lowercased()) { score += 15 }
            if labels.last?.first?.isUppercase == true { score -= 20 }
            guard score > 10 else { return nil }
            return Guess(
                column: column, score: score,
                reason: "a reverse domain name \(Self.share(column, apps.count))", isOfPush: true)
        }
        // A name of the team's own.
        let isName = column.values.allSatisfy { leaf in
            leaf.kind == .string && (1...40).contains(leaf.text.count) && !leaf.text.contains(0x20)
                && !Self.isUUID(leaf.text)
        }
        guard words > 0, isName, column.distinct * 2 <= column.values.count + 1 else { return nil }
        let score = words - 15 - distance(column)
        guard score > 0 else { return nil }
        return Guess(
            column: column, score: score,
            reason: "\(column.distinct) different names \(Self.share(column, column.values.count))")
    }

    private static let topLevelDomains: Set<String> = [
        "com", "org", "net", "io", "de", "app", "co", "dev", "me", "uk", "eu", "fr", "jp", "cn", "nl", "ch",
        "at", "it",
        "es", "se", "ca", "us", "in", "br", "tv", "gov", "edu",
    ]

    private func device(_ column: Column) -> Guess? {
        guard column.values.count * 2 > column.total, !column.isInArray || mayGiveRecords(column) else {
            return nil
        }
        if let guess = endpoint(column, part: 3, "the device in the endpoint's ARN") ?? requestPath(column) {
            return guess
        }
        var words = column.words.score(.device)
        guard words >= 0 else { return nil }
        let tokens = column.count { Self.isToken($0.text) }
        let isToken = tokens * 10 >= column.values.count * 8
        // A token is one by its value: a name such as `to` is enough.
        if words == 0, isToken, column.distinct < column.values.count { words = 5 }
        guard words > 0 else { return nil }
        let isPlain = column.values.allSatisfy { leaf in
            (leaf.kind == .string || leaf.kind == .number) && !leaf.text.contains(0x20)
                && leaf.text.count <= 400
                && !leaf.isProbablyApp
                && !(leaf.kind == .string && leaf.isProbablyTime && leaf.text.count != 10)
        }
        guard isPlain else { return nil }
        let distinct = column.distinct
        var score = words + (isToken ? 50 : 0) - distance(column)
        if column.values.count > 3, distinct == 1, column.total > 0, !column.isInArray { score -= 30 }
        if distinct < column.values.count { score += 10 }
        guard score > 10 else { return nil }
        return Guess(
            column: column, score: score,
            reason: "\(isToken ? "a token" : "a device or user by its name") "
                + "\(Self.share(column, column.values.count)), \(distinct) different", isOfPush: isToken)
    }

    /// Whether a column of array elements may give a record for each of them: it is in one array of the innermost
    /// entry, and the content is outside.
    private func mayGiveRecords(_ column: Column) -> Bool {
        column.level == 0 && column.keys.count(where: { $0 == "*" }) == 1
    }

    private func identifier(_ column: Column) -> Guess? {
        guard !column.isInArray, column.values.count * 2 > column.total,
            column.distinct == column.values.count
        else { return nil }
        // The elements of an array share what is around it.
        guard column.level == 0 || arrays.isEmpty else { return nil }
        var words = column.words.score(.identifier)
        let isUUID = column.values.allSatisfy { Self.isUUID($0.text) }
        if words == 0, isUUID { words = 5 }
        let isPlain = column.values.allSatisfy { leaf in
            (leaf.kind == .string || leaf.kind == .number) && !leaf.text.contains(0x20)
                && (leaf.kind == .number || leaf.text.count >= 6)
        }
        guard words > 0, isPlain else { return nil }
        let isText = column.values.allSatisfy { $0.kind == .string }
        let score = words + (isUUID ? 30 : isText ? 10 : 0) - distance(column)
        guard score > 10 else { return nil }
        return Guess(
            column: column, score: score,
            reason:
                "\(isUUID ? "a UUID" : "an id by its name") \(Self.share(column, column.values.count)), all different"
        )
    }

    /// A part of an Amazon SNS endpoint's ARN.
    private func endpoint(_ column: Column, part: Int, _ reason: String) -> Guess? {
        let count = column.count { leaf in
            let text = String(decoding: leaf.text.prefix(400), as: UTF8.self)
            return text.hasPrefix("arn:aws:sns:") && text.contains(":endpoint/APNS")
        }
        guard count > 0, count * 10 >= column.values.count * 8 else { return nil }
        return Guess(
            column: column, score: 60 - distance(column), reason: "\(reason) \(Self.share(column, count))",
            part: TextPart(separator: UInt8(ascii: "/"), index: part))
    }

    /// The device in the path of a request to Apple's service: `/3/device/TOKEN`.
    private func requestPath(_ column: Column) -> Guess? {
        let indices = column.values.compactMap { leaf -> Int? in
            let parts = String(decoding: leaf.text.prefix(400), as: UTF8.self)
                .split(separator: "/", omittingEmptySubsequences: false)
            guard let index = parts.firstIndex(of: "device"), index > 0, parts[index - 1] == "3",
                index + 1 < parts.count
            else { return nil }
            return index + 1
        }
        guard let index = indices.first, indices.allSatisfy({ $0 == index }),
            indices.count * 10 >= column.values.count * 8
        else { return nil }
        return Guess(
            column: column, score: 80 - distance(column),
            reason: "the device in the path of a request \(Self.share(column, indices.count))",
            part: TextPart(separator: UInt8(ascii: "/"), index: index))
    }

    /// Whether a text looks like the token of a device.
    private static func isToken(_ text: [UInt8]) -> Bool {
        let string = String(decoding: text.prefix(400), as: UTF8.self)
        if string.contains("PushToken[") || string.contains(":APA91b") { return true }
        guard text.count >= 32, !isUUID(text) else { return false }
        return text.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
        }
    }

    private static func isUUID(_ text: [UInt8]) -> Bool {
        text.count == 36
            && text.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index)
                    ? text[index] == UInt8(ascii: "-") : Character(UnicodeScalar(text[index])).isHexDigit
            }
    }
}

// MARK: - Other fields

extension MappingDraft {
    /// Looks for names that only pushes have: other logs have titles, texts and alerts, too.
    private mutating func checkNames(in survey: LogSurvey) {
        let receivers = fields.count { item in
            [.envelope(.app), .envelope(.device)].contains(item.field) && !item.candidates.isEmpty
        }
        guard receivers > 0 else { return }
        switch content {
        case .shape, .payload: return
        case .texts where !fields.contains(where: { $0.field == .inPayload(.title) }):
            isProbablyPush = receivers == 2
        case .texts:
            var keys = path
            for token in fields.flatMap(\.candidates).flatMap(\.pointer.tokens) {
                if case .key(let key) = token { keys.append(key) }
            }
            let names: Set<String> = ["notification", "push", "apns", "alert"]
            if !names.isDisjoint(with: keys.flatMap(FieldWords.split)) { isProbablyPush = true }
        case .aps:
            let names = ["sound", "badge", "thread-id", "category", "content-available", "mutable-content"]
            let isNamed = survey.leaves.contains { entry in
                entry.contains { leaf in
                    leaf.keys.dropLast() == ArraySlice(path) && names.contains(leaf.keys.last ?? "")
                }
            }
            if isNamed { isProbablyPush = true }
        }
    }

    /// Apple's headers, by their names in any case.
    private mutating func addHeaders(_ columns: [Column], _ has: (MappedField) -> Bool) {
        let names: [([String], EnvelopeField)] = [
            (["apns", "topic"], .app), (["apns", "id"], .identifier), (["apns", "push", "type"], .pushType),
            (["push", "type"], .pushType), (["apns", "collapse", "id"], .collapseIdentifier),
            (["collapse", "id"], .collapseIdentifier), (["apns", "priority"], .priority),
            (["apns", "expiration"], .expiration),
        ]
        for (words, field) in names {
            let mapped = MappedField.envelope(field)
            guard !has(mapped), !fields.contains(where: { $0.field == mapped }),
                let column = columns.first(where: { column in
                    !column.isInArray && column.level == 0 && column.keys.last.map(FieldWords.split) == words
                })
            else { continue }
            fields.append(
                (
                    mapped,
                    [
                        Choice(
                            pointer: column.pointer,
                            about: "named as Apple's header \(Self.share(column, column.values.count))")
                    ]
                ))
        }
    }

    /// A subtitle and a thread under names of their own.
    private mutating func addTexts(_ columns: [Column], _ pushes: [ReadPush]) {
        let thread = MappedField.inPayload(.thread)
        var isNative = false
        switch content {
        case .shape: return
        case .payload: isNative = true
        case .aps, .texts: break
        }
        if !pushes.contains(where: { $0.found.contains(thread.name) }) {
            let guesses = columns.compactMap { column -> Guess? in
                let words = column.words.score(.thread)
                guard words > (isNative ? 30 : 0), !column.isInArray, column.level == 0,
                    column.values.allSatisfy({ $0.kind == .string || $0.kind == .number }),
                    column.values.count < 4 || column.distinct > 1
                else { return nil }
                return Guess(
                    column: column, score: words - distance(column),
                    reason:
                        "a thread by its name \(Self.share(column, column.values.count)), \(column.distinct) different"
                )
            }
            if let best = guesses.max(by: { $0.score < $1.score }) {
                fields.append(
                    (thread, Self.candidates([best], among: guesses.ordered { $1.score < $0.score })))
            }
        }
        guard case .texts = content,
            let column = columns.first(where: { column in
                column.words.mayBe(.subtitle) && column.level == 0
                    && column.keys.dropLast() == ArraySlice(inner)
            })
        else { return }
        fields.append(
            (
                .inPayload(.subtitle),
                [
                    Choice(
                        pointer: column.pointer, about: "a text \(Self.share(column, column.values.count))")
                ]
            ))
    }

    /// A value that names the platform, if some entries are for others.
    private mutating func addPlatforms(_ columns: [Column], in survey: LogSurvey) {
        let apple: Set<String> = ["ios", "apns", "apple", "iphone", "ipad", "ipados"]
        let other: Set<String> = [
            "android", "fcm", "gcm", "google", "huawei", "hms", "web", "webpush", "windows", "wns",
        ]
        for column in columns
        where column.level == 0 && !column.isInArray && column.words.score(.platform) > 0 {
            let texts = Set(column.values.map { String(decoding: $0.text, as: UTF8.self) })
            let others = texts.filter { other.contains($0.lowercased()) }.ordered()
            guard !others.isEmpty, texts.count <= 6,
                texts.contains(where: { apple.contains($0.lowercased()) })
            else {
                continue
            }
            otherPlatforms = (column.pointer, others)
            about.append("'\(column.pointer)' names other platforms: \(others.joined(separator: ", "))")
            return
        }
    }
}
