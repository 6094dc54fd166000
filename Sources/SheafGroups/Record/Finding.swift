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

    /// The name in statistics.
    public var name: StaticString { CheckFinding.record(self).rule.name }

    /// Those about what Apple's service accepts. It does not receive local notifications.
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
