import SheafBytes
import SheafGroups

/// The place of a record among those of its device and app (`NotificationEntry`).
enum RecordRank: Int, Comparable {
    case settings, appRemoval, threadRemoval, modification
    /// Notifications, and the removals of their identifiers.
    case identifier

    init(_ scope: RemovalScope) {
        switch scope {
        case .app: self = .appRemoval
        case .thread: self = .threadRemoval
        case .identifier: self = .identifier
        }
    }

    static func < (a: RecordRank, b: RecordRank) -> Bool { a.rawValue < b.rawValue }
}

/// The removals, changes of settings and results of service extensions among notifications, as one sequence in the
/// order of `NotificationEntry` or in any other.
struct SortedReports {
    private let tables: ReportTables
    private let removals: [RemovalTable.Element]
    private let settings: [Int]
    private let modifications: [ModificationTable.Element]
    /// The next record of each kind.
    private var heads: [Head] = []
    /// The kind of the next record; nil after the last one. Kept, because it is needed for each notification.
    private var next: Kind?

    private enum Kind: Int, CaseIterable {
        case settings, removal, modification
    }

    /// The next record of a kind: what its place depends on.
    private struct Head {
        var index = 0
        /// nil after the last record.
        var rank: RecordRank?
        var texts: [UInt8] = []
        var device = TextRange.none
        var app = TextRange.none
        /// What an identifier's removal removes.
        var identifier = TextRange.none

        mutating func set(_ rank: RecordRank, device: Span<UInt8>, app: Span<UInt8>, identifier: Span<UInt8>)
        {
            self.rank = rank
            texts.removeAll(keepingCapacity: true)
            self.device = texts.appendText(device)
            self.app = texts.appendText(app)
            self.identifier = texts.appendText(identifier)
        }

        func compareApp(_ other: NotificationRecord, in bytes: Span<UInt8>) -> Int {
            let devices = texts.span[device].compare(to: bytes[other.device])
            return devices == 0 ? texts.span[app].compare(to: bytes[other.app]) : devices
        }
    }

    /// - Parameter isSorted: whether the records are in the order of `NotificationEntry`.
    init(_ tables: ReportTables, isSorted: Bool) {
        self.tables = tables
        removals = isSorted ? tables.removals.sorted() : tables.removals.all
        settings = isSorted ? tables.settings.sorted() : Array(0..<tables.settings.count)
        modifications = isSorted ? tables.modifications.sorted() : tables.modifications.all
        heads = Kind.allCases.map { _ in Head() }
        for kind in Kind.allCases { update(kind) }
        next = first
    }

    /// Replaces the contents of `record` with the next record; returns false after the last one.
    mutating func append(to record: inout OutputBuffer) -> Bool {
        guard let kind = next else { return false }
        append(kind, to: &record)
        return true
    }

    /// Replaces the contents of `record` with the next record if it precedes a notification; else returns false.
    mutating func append(
        ifBefore notification: NotificationRecord, in bytes: Span<UInt8>, to record: inout OutputBuffer
    ) -> Bool {
        guard let kind = next else { return false }
        let head = heads[kind.rawValue]
        let apps = head.compareApp(notification, in: bytes)
        // Most records have no identifier, and precede all notifications of their app.
        guard
            apps < 0
                || apps == 0
                    && (head.identifier.isEmpty
                        || head.texts.span[head.identifier].compare(to: bytes[notification.removalIdentifier])
                            <= 0)
        else { return false }
        append(kind, to: &record)
        return true
    }

    /// Returns the kind of the first record of those that are left.
    private var first: Kind? {
        Kind.allCases.filter { heads[$0.rawValue].rank != nil }.min { precedes($0, $1) }
    }

    private func precedes(_ a: Kind, _ b: Kind) -> Bool {
        let (first, second) = (heads[a.rawValue], heads[b.rawValue])
        var key = NotificationRecord()
        (key.device, key.app) = (second.device, second.app)
        let apps = first.compareApp(key, in: second.texts.span)
        guard apps == 0, let rank = first.rank, let otherRank = second.rank else { return apps < 0 }
        return rank < otherRank
    }

    private mutating func append(_ kind: Kind, to record: inout OutputBuffer) {
        record.removeAll()
        let index = heads[kind.rawValue].index
        switch kind {
        case .settings:
            tables.settings.withChange(settings[index]) { record.append($0, in: $1) }
        case .removal:
            tables.removals.withRemoval(removals[index]) { EncodedRemoval.append($0, in: $1, to: &record) }
        case .modification:
            tables.modifications.withResult(modifications[index]) { record.append(modification: $0, in: $1) }
        }
        heads[kind.rawValue].index += 1
        update(kind)
        next = first
    }

    /// Finds the place of the next record of a kind.
    private mutating func update(_ kind: Kind) {
        // Taken out, so that its texts are not copied.
        var head = Head()
        swap(&head, &heads[kind.rawValue])
        defer { swap(&head, &heads[kind.rawValue]) }
        head.rank = nil
        switch kind {
        case .settings where head.index < settings.count:
            tables.settings.withChange(settings[head.index]) { change, bytes in
                head.set(
                    .settings, device: bytes[change.device], app: bytes[change.app], identifier: Span())
            }
        case .removal where head.index < removals.count:
            tables.removals.withRemoval(removals[head.index]) { removal, bytes in
                let isByIdentifier = removal.scope == .identifier
                head.set(
                    RecordRank(removal.scope), device: bytes[removal.device], app: bytes[removal.app],
                    identifier: isByIdentifier ? bytes[removal.text] : Span())
            }
        case .modification where head.index < modifications.count:
            tables.modifications.withResult(modifications[head.index]) { result, bytes in
                head.set(
                    .modification, device: bytes[result.device], app: bytes[result.app], identifier: Span())
            }
        default: break
        }
    }
}
