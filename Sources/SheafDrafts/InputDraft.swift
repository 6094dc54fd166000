import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// Drafts a mapping file for a log of unknown make from its first entries.
///
///     lines ──LogSurvey──▶ drafts ──try on the entries──▶ the one that reads most ──add fields──▶ mapping file
///
/// A draft is tried on the entries, so that the printed mapping works as `--input`. Memory: the first
/// entries, and their values.
package struct InputDraft {
    /// The path of the source.
    package let source: String
    /// The number of entries that were read.
    package let entries: Int
    /// The mapping file; nil if nothing looks like a push.
    package private(set) var mapping: [UInt8]?
    /// The number of pushes that the mapping reads in these entries.
    package private(set) var pushes = 0
    /// The number of entries or parts of them that it rejects, those of other kinds among them.
    package private(set) var rejected = 0
    /// The number of pushes for which it finds no app, and those for which it finds no time.
    package private(set) var withoutApp = 0
    package private(set) var withoutTime = 0
    /// Whether the log is read as well without a mapping.
    package private(set) var isKnown = false
    /// What the lines look like if they are not entries.
    package private(set) var hint: ReplayWarning.InputHint?
    /// The damage that ended the source before enough entries were found.
    package private(set) var damagedSource: Statistics.DamagedSource?

    /// The maximum number of entries that are looked at.
    package static let maximumEntries = 1000
    /// The maximum number of bytes of these entries.
    private static let maximumBytes = 16 << 20
    /// The app of records that have none, while it is looked for.
    private static let anyApp = "?"

    /// Looks at the first entries of the first of a path's sources.
    ///
    /// - Throws: `ReplayError` if the source can't be opened or read.
    package init(
        _ path: String, maximumLine: Int = Limits.lineBytes, inflater: Inflater = .standard,
        storage: any Storage = SystemStorage()
    ) throws(ReplayError) {
        let sizes = ChunkSizes(targetBytes: Limits.chunkBytes, maximumLine: maximumLine)
        var lines: [[UInt8]] = []
        var bytes = 0
        (source, damagedSource) = try InputDetection.readChunks(
            path, sizes, inflater: inflater, storage: storage
        ) { chunk in
            var cursor = LineCursor(chunk)
            while lines.count < Self.maximumEntries, bytes < Self.maximumBytes,
                let line = cursor.next(in: chunk)
            {
                guard line.shape == .content else { continue }
                var text: [UInt8] = []
                text.append(chunk.bytes(of: line.text))
                bytes += text.count
                lines.append(text)
            }
            return lines.count < Self.maximumEntries && bytes < Self.maximumBytes
        }
        let survey = LogSurvey(lines: lines)
        entries = survey.count
        guard let draft = Self.bestDraft(survey, maximumLine) else {
            hint = InputHints(path: path, maximumLine: maximumLine).hint(onLines: lines)
            return
        }
        try? complete(draft, survey, maximumLine)
    }

    /// Returns the draft by which most entries are pushes, the first of equal ones.
    private static func bestDraft(_ survey: LogSurvey, _ maximumLine: Int) -> MappingDraft? {
        var best: (draft: MappingDraft, count: Int)?
        for draft in survey.drafts {
            let count = pushes(of: draft, survey, maximumLine).count
            // A later draft explains less of an entry.
            guard count > 0, best.map({ count * 10 > $0.count * 11 }) ?? true else { continue }
            best = (draft, count)
        }
        return best?.draft
    }

    private static func records(
        _ json: [UInt8], _ survey: LogSurvey, app: String?, _ maximumLine: Int
    ) -> [InputDetection.DetectedRecord] {
        guard let input = try? LogInput(json: json, file: "draft.json") else { return [] }
        return InputDetection.records(
            of: survey.text, InputOptions(log: input, defaultApp: app), maximumLine: maximumLine,
            upTo: 100 * maximumEntries)
    }

    /// The pushes that a draft reads.
    private static func pushes(
        of draft: MappingDraft, _ survey: LogSurvey, _ maximumLine: Int
    ) -> [MappingDraft.ReadPush] {
        records(draft.json, survey, app: anyApp, maximumLine).compactMap { record in
            let hasOtherTime = record.outcome == .rejected(.timestampInvalid)
            guard record.isPush || hasOtherTime, let trace = record.trace else { return nil }
            return MappingDraft.ReadPush(entry: Int(record.line) - 1, trace, hasOtherTime: hasOtherTime)
        }
    }

    private mutating func complete(
        _ first: MappingDraft, _ survey: LogSurvey, _ maximumLine: Int
    ) throws(LocatedError) {
        var draft = first
        draft.addFields(of: Self.pushes(of: draft, survey, maximumLine), in: survey)
        // With an app for those that have none, so that they are counted.
        let found = Self.records(draft.json, survey, app: Self.anyApp, maximumLine)
        let understood = found.filter(\.isPush)
        guard !understood.isEmpty, draft.isProbablyPush else { return }
        pushes = understood.count
        rejected = found.count { if case .rejected = $0.outcome { true } else { false } }
        withoutApp = understood.count { $0.trace?.hasDefaultApp == true }
        withoutTime = understood.count { $0.trace?.has("timestamp") != true }
        draft.addLine(
            "\(Numbers.count(UInt64(pushes), "record")) \(pushes == 1 ? "is" : "are") read from \(survey.count) "
                + "\(survey.count == 1 ? "entry" : "entries"): compare a few of them before you rely on this draft"
        )
        let known = InputDetection.records(
            of: survey.text, InputOptions(), maximumLine: maximumLine, upTo: 100 * Self.maximumEntries)
        isKnown =
            known.count(where: \.isPush) >= pushes
            && known.count { $0.isPush && $0.trace?.has("timestamp") == true } >= pushes - withoutTime
        mapping = draft.json
    }
}

extension InputDetection.DetectedRecord {
    /// Whether the record is a push.
    fileprivate var isPush: Bool {
        switch outcome {
        case .notification, .silent, .refused: true
        case .removal, .settings, .response, .result, .outcome, .otherPlatform, .rejected: false
        }
    }
}
