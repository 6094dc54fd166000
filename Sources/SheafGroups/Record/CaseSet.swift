/// A set of the cases of an enumeration whose raw values are less than 32, as one integer.
@usableFromInline package struct CaseSet<Case: RawRepresentable<UInt8>>: Equatable, Sendable {
    @usableFromInline var bits: UInt32 = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { bits == 0 }

    @inlinable package mutating func insert(_ element: Case) { bits |= 1 << UInt32(element.rawValue) }

    mutating func remove(_ element: Case) { bits &= ~(1 << UInt32(element.rawValue)) }

    @inlinable package func contains(_ element: Case) -> Bool { bits >> UInt32(element.rawValue) & 1 == 1 }
}
