import SheafBytes
import SheafGroups
import SheafText

/// The values in the first entries of a log, and what in them may be pushes.
///
/// Pushes are recognized by what they hold, not by names of their envelopes: an object with `aps`, also in a text; an
/// object that has a shape; an object with the members of `aps`; a title and a body next to each other.
package struct LogSurvey {
    /// The entries, one on each line.
    package let text: [UInt8]
    /// By entry.
    let leaves: [[JSONLeaves.Leaf]]

    /// The maximum number of drafts of a kind that are worth a trial.
    private static let maximumDrafts = 4

    /// - Parameter lines: the lines of a log; the entries of one that is an array count as lines.
    package init(lines: [[UInt8]]) {
        var text: [UInt8] = []
        var leaves: [[JSONLeaves.Leaf]] = []
        func add(_ entry: [UInt8]) {
            let found = JSONLeaves(of: entry).leaves
            if found.isEmpty { return }
            text += entry + [UInt8(ascii: "\n")]
            leaves.append(found)
        }
        for line in lines {
            let start = line.span.endOfJSONSpace(from: 0)
            guard start < line.count, line[start] == UInt8(ascii: "[") else {
                add(line)
                continue
            }
            var elements = JSONMembers(at: start)
            while let element = elements.nextElement(in: line.span) { add(Array(line[element])) }
        }
        self.text = text
        self.leaves = leaves
    }

    package var count: Int { leaves.count }

    /// The mappings that may read the log, the most specific ones first.
    package var drafts: [MappingDraft] {
        let payloads = payloadDrafts
        let all = shapeDrafts + payloads + (payloads.isEmpty ? apsDrafts + textDrafts : [])
        return all
    }

    /// Returns the most frequent keys, those with fewer keys first among equals.
    private static func ranked(_ counts: [[String]: Int]) -> [(keys: [String], count: Int)] {
        counts.map { ($0.key, $0.value) }.ordered {
            ($1.1, $0.0.count, $0.0.joined(separator: "/")) < ($0.1, $1.0.count, $1.0.joined(separator: "/"))
        }
    }

    private func shown(_ keys: [String]) -> String {
        keys.isEmpty ? "the entry" : "'\(MappingDraft.pointer(keys))'"
    }

    private func share(_ count: Int) -> String { "in \(count) of \(self.count) entries" }
}

// MARK: - Payloads

extension LogSurvey {
    /// Objects with `aps`.
    private var payloadDrafts: [MappingDraft] {
        var counts: [[String]: Int] = [:]
        for entry in leaves {
            let sites = entry.compactMap { leaf in
                leaf.keys.dropLast().firstIndex(of: "aps").map { Array(leaf.keys[..<$0]) }
            }
            for site in Set(sites) { counts[site, default: 0] += 1 }
        }
        let sites = Self.ranked(counts)
        return sites.prefix(Self.maximumDrafts).map { site, count in
            var draft = MappingDraft(
                .payload, at: site, count: count, about: "\(shown(site)) has aps \(share(count))")
            // Other places in the same entries.
            let others = sites.filter { other in
                other.keys != site && !other.keys.starts(with: site)
                    && MappingDraft(.payload, at: other.keys, count: 0, about: "").arrays == draft.arrays
            }
            if !draft.inner.isEmpty || !others.isEmpty {
                let all = [(keys: site, count: count)] + others.prefix(3)
                draft.fields.append(
                    (
                        .payload,
                        all.map { item in
                            MappingDraft.Choice(
                                pointer: MappingDraft.pointer(
                                    Array(item.keys.dropFirst(site.count - draft.inner.count))),
                                about: "has aps \(share(item.count))")
                        }
                    ))
            }
            return draft
        }
    }

    /// Objects with an alert as in `aps`.
    private var apsDrafts: [MappingDraft] {
        var counts: [[String]: Int] = [:]
        for entry in leaves {
            var sites: Set<[String]> = []
            for leaf in entry {
                guard let index = leaf.keys.firstIndex(of: "alert") else { continue }
                let isText = index == leaf.keys.count - 1 && leaf.kind == .string
                let isMember =
                    index == leaf.keys.count - 2
                    && ["title", "body", "subtitle", "loc-key", "title-loc-key"].contains(
                        leaf.keys[index + 1])
                if isText || isMember { sites.insert(Array(leaf.keys[..<index])) }
            }
            for site in sites { counts[site, default: 0] += 1 }
        }
        return Self.ranked(counts).prefix(Self.maximumDrafts).map { site, count in
            var draft = MappingDraft(
                .aps, at: site, count: count,
                about: "no entry has aps; \(shown(site)) has an alert as in aps \(share(count))")
            draft.fields = [
                (.payload, []),
                (
                    .inPayload(.aps),
                    [
                        MappingDraft.Choice(
                            pointer: MappingDraft.pointer(draft.inner), about: "has an alert \(share(count))")
                    ]
                ),
            ]
            return draft
        }
    }
}

// MARK: - Shapes

extension LogSurvey {
    /// Objects that fit a shape.
    private var shapeDrafts: [MappingDraft] {
        var counts: [String: [[String]: Int]] = [:]
        for entry in leaves {
            let objects = Objects(entry)
            for shape in InputShape.all {
                for path in objects.fitting(shape.mapping.alternatives) {
                    counts[shape.name, default: [:]][path, default: 0] += 1
                }
            }
        }
        return InputShape.all.flatMap { shape in
            Self.ranked(counts[shape.name] ?? [:]).prefix(Self.maximumDrafts).map { path, count in
                MappingDraft(
                    .shape(shape), at: path, count: count,
                    about: "\(shown(path)) looks like \(shape.name) \(share(count))")
            }
        }
        .ordered { $0.count > $1.count }
    }

    /// The objects of an entry, by their pointers.
    private struct Objects {
        private var children: [[String]: Set<String>] = [:]
        private let leaves: [JSONLeaves.Leaf]

        init(_ leaves: [JSONLeaves.Leaf]) {
            self.leaves = leaves
            for leaf in leaves {
                for index in leaf.keys.indices {
                    children[Array(leaf.keys[..<index]), default: []].insert(leaf.keys[index])
                }
            }
        }

        /// The keys of the objects for which one of some alternatives holds.
        func fitting(_ alternatives: [[InputMapping.Condition]]) -> [[String]] {
            // Hardly any object has one of the first keys.
            var first: Set<String> = []
            for condition in alternatives.joined() {
                if case .key(let key)? = condition.location.tokens.first { first.insert(key) }
            }
            return children.filter { path, known in
                !known.isDisjoint(with: first)
                    && alternatives.contains { $0.allSatisfy { holds($0, at: path) } }
            }.map(\.key)
        }

        private func holds(_ condition: InputMapping.Condition, at path: [String]) -> Bool {
            var keys = path
            for token in condition.location.tokens {
                guard case .key(let key) = token, let known = children[keys] else { return false }
                // An index is an element of an array.
                let child = known.contains(key) ? key : known.contains("*") && Int(key) != nil ? "*" : nil
                guard let child else { return false }
                keys.append(child)
            }
            let texts = leaves.filter { $0.keys == keys && $0.kind == .string }
                .map { String(decoding: $0.text, as: UTF8.self) }
            return switch condition.test {
            case .present: true
            case .equals(let literals): texts.contains { literals.contains(.text($0)) }
            case .contains(let part):
                texts.contains { Array($0.utf8).contains(Array(part.utf8)) }
            }
        }
    }
}

// MARK: - Texts

extension LogSurvey {
    /// A text for people, in one language or in several.
    private struct Text: Hashable {
        let keys: [String]
        /// The language that most entries have; nil for texts without languages.
        var language: String?

        /// - Parameter leaf: a text, or the text of one language in an object.
        init(_ leaf: JSONLeaves.Leaf) {
            let last = leaf.keys.last ?? ""
            let isLanguage = Self.isLanguage(last) && last != "id" && leaf.keys.count > 1
            keys = isLanguage ? Array(leaf.keys.dropLast()) : leaf.keys
            language = isLanguage ? "en" : nil
        }

        /// Whether a key is a locale, such as `de` or `zh-Hans`.
        private static func isLanguage(_ key: String) -> Bool {
            let parts = key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
            return parts.count <= 2 && parts[0].count == 2
                && parts[0].allSatisfy { $0.isASCII && $0.isLowercase }
                && parts.dropFirst().allSatisfy { (2...4).contains($0.count) }
        }
    }

    /// A title and a body next to each other; if there are none, a body alone.
    private var textDrafts: [MappingDraft] {
        var counts: [[Text]: (count: Int, bodies: Set<[UInt8]>)] = [:]
        /// - Parameter isFirst: whether the entry has no such texts yet, in another language.
        func add(_ texts: [Text], _ body: JSONLeaves.Leaf, isFirst: Bool) {
            counts[texts, default: (0, [])].count += isFirst ? 1 : 0
            counts[texts]?.bodies.insert(body.text)
        }
        let entries = leaves.map { entry in
            entry.filter { $0.kind == .string && !$0.isProbablyTime && !$0.isProbablyApp }.map {
                (Text($0), $0)
            }
        }
        for entry in entries {
            var pairs: Set<[Text]> = []
            for (title, _) in entry where FieldWords(title.keys).mayBe(.title) {
                for (body, leaf) in entry
                where body.keys.dropLast() == title.keys.dropLast() && FieldWords(body.keys).mayBe(.body) {
                    add([title, body], leaf, isFirst: pairs.insert([title, body]).inserted)
                }
            }
        }
        if counts.isEmpty {
            for entry in entries {
                var bodies: Set<Text> = []
                // Messages of services are called `message`.
                for (body, leaf) in entry
                where ["text", "body", "alert", "content"].contains(
                    FieldWords.split(body.keys.last ?? "").last)
                {
                    add([body], leaf, isFirst: bodies.insert(body).inserted)
                }
            }
        }
        // Texts for people differ.
        let found = counts.filter { $0.value.count < 4 || $0.value.bodies.count > 1 }
        func rank(_ texts: [Text]) -> (Int, Int, String) {
            (
                texts.map { FieldWords.textRank($0.keys) }.reduce(0, +), texts[0].keys.count,
                texts.map { $0.keys.joined(separator: "/") }.joined()
            )
        }
        return found.ordered { first, second in
            first.value.count != second.value.count
                ? first.value.count > second.value.count : rank(first.key) < rank(second.key)
        }
        .prefix(Self.maximumDrafts).map { draft($0.key, $0.value.count) }
    }

    /// - Parameter texts: a title and a body, or a body.
    private func draft(_ texts: [Text], _ count: Int) -> MappingDraft {
        let parent = Array(texts[0].keys.dropLast())
        let names = texts.map { "'\(MappingDraft.pointer($0.keys))'" }
        var draft = MappingDraft(
            .texts, at: parent, count: count,
            about: "no entry has aps; "
                + (texts.count == 1
                    ? "\(names[0]) looks like a text \(share(count))"
                    : "\(names[0]) and \(names[1]) look like a title and a text \(share(count))"))
        draft.fields = [(.payload, [])]
        let fields: [PayloadSlots.Field] = texts.count == 1 ? [.body] : [.title, .body]
        for (field, text) in zip(fields, texts) {
            let keys = Array(text.keys.dropFirst(parent.count - draft.inner.count))
            let pointers = text.language.map { [keys + ["{locale}"], keys + [$0]] } ?? [keys]
            draft.fields.append(
                (
                    .inPayload(field),
                    pointers.map {
                        MappingDraft.Choice(
                            pointer: MappingDraft.pointer($0), about: "a text \(share(count))")
                    }
                ))
        }
        return draft
    }
}
