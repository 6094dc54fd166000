import SheafBytes

/// A kind of finding that a check may report: a rule, with its name, severity, source and explanation.
///
/// ```swift
/// for rule in CheckFinding.all where rule.severity == .error {
///     print(rule.name, rule.serviceError ?? "-", rule.page)
/// }
/// ```
///
/// A new rule is a case of one of the enumerations below, its row in `rules`, and its row on the page on checking.
public enum CheckFinding: Hashable, Sendable {
    /// A source can't be read completely.
    case source(SourceDamage.Reason)
    /// A line is rejected.
    case rejected(RejectReason)
    /// A record is used, but one of its fields is irregular.
    case record(Finding)
    /// A record is used, but breaks a rule that only checks apply, or an app's notifications do so together.
    case problem(CheckProblem)
    /// A record has no timestamp.
    case untimed

    public enum Severity: String, CaseIterable, Sendable {
        /// Apple's service or a device refuses or ignores the push, or Sheaf can't read it.
        case error
        /// The push is delivered, but probably not shown as intended.
        case warning
    }

    /// Every finding, in the order of reports: errors first.
    public static let all =
        SourceDamage.Reason.allCases.map(CheckFinding.source) + rules.map(\.finding)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the finding with a name; nil if no finding has it. O(1).
    public init?(name: String) {
        guard let finding = Self.byName[name] else { return nil }
        self = finding
    }

    /// The name in reports; rejects, findings and damaged sources have the same name as in statistics.
    public var name: String {
        if case .source(let reason) = self { reason.rawValue } else { rule.name.description }
    }

    /// The severity, unless the options of a check set another one.
    public var severity: Severity {
        if case .source = self { .error } else { rule.severity }
    }

    /// The error with which Apple's service refuses the push, as named in the table of "Handling notification
    /// responses from APNs"; nil if the rule is about something else.
    public var serviceError: String? {
        if case .source = self { nil } else { rule.serviceError }
    }

    /// The page that the rule comes from: one of Apple's by its title, or one of Sheaf's.
    public var page: String {
        if case .source = self { Page.sources.rawValue } else { rule.page.rawValue }
    }

    /// The limit that a rule about what people get has, unless the options of a check set another one; nil if the rule
    /// has none.
    public var limit: Int? {
        if case .source = self { nil } else { rule.limit?.standard }
    }

    /// The limits that a check may set; nil if the rule has none.
    package var limitRange: ClosedRange<Int>? {
        if case .source = self { nil } else { rule.limit?.range }
    }

    /// The rules that have a limit, in the order of reports.
    package static let limited = all.filter { $0.limit != nil }

    /// Returns one sentence on what the finding means, or what to do about it.
    ///
    /// - Parameters:
    ///   - maximumLine: the text for the maximum length of a line.
    ///   - limit: the rule's limit in a check; nil for the usual one.
    package func explanation(maximumLine: String, limit: Int? = nil) -> String {
        if case .source(let reason) = self { return Self.explanation(of: reason) }
        let number = (limit ?? self.limit).map { Numbers.grouped(UInt64($0)) } ?? ""
        return [(Self.maximumLine, maximumLine), (Self.limitNumber, number)].reduce(rule.explanation) {
            text, item in
            text.split(separator: item.0, omittingEmptySubsequences: false).joined(separator: item.1)
        }
    }
}

// MARK: - Numbers

extension CheckFinding {
    /// The number of findings, whose numbers are below it.
    package static let numberCount = sourcesStart + SourceDamage.Reason.allCases.count

    private static let recordsStart = RejectReason.allCases.count
    private static let problemsStart = recordsStart + Finding.allCases.count
    private static let untimedNumber = problemsStart + CheckProblem.allCases.count
    private static let sourcesStart = untimedNumber + 1

    /// A number for lists of findings. Reports have another order.
    package var number: Int {
        switch self {
        case .rejected(let reason): Int(reason.rawValue)
        case .record(let finding): Self.recordsStart + Int(finding.rawValue)
        case .problem(let problem): Self.problemsStart + Int(problem.rawValue)
        case .untimed: Self.untimedNumber
        case .source(let reason):
            Self.sourcesStart + (SourceDamage.Reason.allCases.firstIndex(of: reason) ?? 0)
        }
    }

    /// The row of a finding that is not about a source.
    var rule: Rule { Self.rulesByNumber[number] }

    private static let rulesByNumber: [Rule] = {
        let rules = Self.rules.ordered { $0.finding.number < $1.finding.number }
        precondition(
            rules.map(\.finding.number) == Array(0..<sourcesStart), "each finding must have one rule")
        return rules
    }()
}

// MARK: - Kinds of findings

/// The reason for rejecting a line, in order of precedence (specification §2).
///
/// `CheckFinding.rules` has the name and the explanation of each.
public enum RejectReason: UInt8, CaseIterable, Sendable {
    case lineTooLong
    case jsonTooDeep
    case jsonInvalid
    case jsonNotObject
    case payloadMissing
    case payloadInvalid
    case apsMissing
    case appMissing
    case timestampInvalid
    case fieldTooLong
    /// A removal does not name what it removes, or has a misspelled member that probably limits what it removes
    /// (specification §15).
    case removalInvalid
    /// A change of settings has no known setting, or an unknown value (specification §16).
    case settingsInvalid
    /// A response does not name its action (specification §16).
    case responseInvalid
    /// A service extension's result does not name its notification, or has an invalid duration (specification §16).
    case resultInvalid
    /// An outcome does not name its push, or does not tell what the push service answered (specification §18).
    case outcomeInvalid
    /// The conditions of the only mapping, or shape, do not hold (specification §12.2).
    case inputUnmatched

    /// The name in rejects and statistics.
    public var name: StaticString { CheckFinding.rejected(self).rule.name }
}

/// An irregularity in a record that is used anyway (specification §2).
///
/// `CheckFinding.rules` has the name and the explanation of each.
public enum Finding: UInt8, CaseIterable, Sendable {
    case threadMisplaced
    case summaryCountInvalid
    case alertType
    case titleType
    case subtitleType
    case bodyType
    case titleLocKeyType
    case titleLocArgsType
    case subtitleLocKeyType
    case subtitleLocArgsType
    case locKeyType
    case locArgsType
    case summaryArgType
    case threadType
    case categoryType
    case soundType
    case badgeType
    case contentAvailableType
    case mutableContentType
    case interruptionLevelType
    case relevanceScoreType
    case payloadTooLarge
    case collapseIdentifierTooLong
    case pushTypeUnknown
    /// Reported only for versions of iOS that ignore summary arguments.
    case summaryDeprecated
    /// A push has a status word that is neither a refusal nor an acceptance.
    case outcomeUnknown

    /// The name in statistics.
    public var name: StaticString { CheckFinding.record(self).rule.name }

    /// The findings about what Apple's service accepts. It does not receive local notifications.
    static let ofPush = FindingSet(allCases.filter { CheckFinding.record($0).rule.isOfPush })
}

/// The findings of one record.
@usableFromInline package typealias FindingSet = CaseSet<Finding>

/// A set of the cases of an enumeration whose raw values are less than 64, as one integer.
@usableFromInline package struct CaseSet<Case: RawRepresentable<UInt8>>: Equatable, Sendable {
    @usableFromInline var bits: UInt64 = 0

    @inlinable package init() {}

    init(_ cases: some Sequence<Case>) { for element in cases { insert(element) } }

    @inlinable package var isEmpty: Bool { bits == 0 }

    @inlinable package mutating func insert(_ element: Case) { bits |= 1 << UInt64(element.rawValue) }

    mutating func subtract(_ other: CaseSet) { bits &= ~other.bits }

    @inlinable package func contains(_ element: Case) -> Bool { bits >> UInt64(element.rawValue) & 1 == 1 }
}

/// A problem that only checks look for. A replay does not, because that would take time: it requires other fields, the
/// configuration, or several records.
///
/// `CheckFinding.rules` has the name and the explanation of each.
public enum CheckProblem: UInt8, CaseIterable, Sendable {
    // Of a record.
    case backgroundPriority
    case categoryUnknown
    case actionUnknown
    case messageIdentifierInvalid
    case topicMismatched
    case priorityInvalid
    case expirationInvalid
    case deviceTokenInvalid
    case deviceTokenLength
    case backgroundShown
    case alertEmpty
    case interruptionLevelUnknown
    case relevanceScoreRange
    case contentAvailableValue
    case badgeNegative
    case soundUnnamed
    case soundVolume
    case soundNotCritical
    case mutableContentHidden
    case titleArgumentsUnused
    case subtitleArgumentsUnused
    case bodyArgumentsUnused
    case titleArgumentsFew
    case subtitleArgumentsFew
    case bodyArgumentsFew
    case summaryArgumentMissing
    case threadInPayload
    case threadInHeaders
    case apsKeyUnknown
    case apsKeyCustom
    case alertKeyUnknown
    case localizedKeyUnknown

    // Of an app, which `GroupingCensus` finds.
    case singleThreads
    case manyThreads
    case crowdedThread
    case manyInterruptions
    case buriedUrgent
    case mixedFormats
    case singleCollapseIdentifiers
    /// Service extensions returned something for pushes that don't start any (specification §16).
    case mutableContentMissing
    /// Records repeat others of the same push (specification §18).
    case repeatedPushes

    /// The name in reports.
    public var name: StaticString { CheckFinding.problem(self).rule.name }

    /// Whether the problem is about an app as a whole.
    package var isOfApp: Bool { rawValue >= Self.singleThreads.rawValue }

    /// The problems of a push: its headers, its type, or the service that receives it. They don't apply to local
    /// notifications.
    static let ofPush = ProblemSet(allCases.filter { CheckFinding.problem($0).rule.isOfPush })
}

/// The problems of one record.
package typealias ProblemSet = CaseSet<CheckProblem>
