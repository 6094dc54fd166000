/// Results that are set rather than scanned, for fields whose values were found elsewhere in a text.
extension FieldScanner {
    /// Forgets the last results, so that others can be set.
    package mutating func beginResults() {
        scanNumber &+= 1
        if scanNumber == 0 {
            forget()
            scanNumber = 1
        }
        hasMistypedValue = false
    }

    /// Sets the value of a field, as if the scan had found it.
    ///
    /// - Parameter isMistyped: whether the field's value should have another kind.
    package mutating func set(_ value: Value, for slot: FieldPlan.Slot, isMistyped: Bool = false) {
        check(slot)
        if isMistyped { hasMistypedValue = true }
        // Safety: the index was checked.
        unsafe found[slot.index] = FoundValue(
            start: value.text.start, count: value.text.count, scan: scanNumber, kind: value.kind,
            hasEscapes: value.hasEscapes, isMistyped: isMistyped)
    }
}
