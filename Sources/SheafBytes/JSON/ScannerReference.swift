/// A reference to a scanner, for callers that keep several scanners in an array. One thread at a time may use it.
///
/// Safety: accesses to the scanner are not checked for exclusivity. None of the functions calls anything that could
/// refer to this object, so an access ends before the next one begins.
@usableFromInline @safe package final class ScannerReference {
    @exclusivity(unchecked) @usableFromInline var scanner: FieldScanner

    package init(_ plan: FieldPlan) { unsafe scanner = FieldScanner(plan) }

    /// Scans a text, as `FieldScanner.scan` does.
    package func scan(_ text: TextRange, of chunk: Chunk) -> FieldScanner.Outcome {
        unsafe scanner.scan(text, of: chunk)
    }

    /// The value that the last scan found for a field, or that was set since.
    @inlinable package subscript(slot: FieldPlan.Slot) -> FieldScanner.Value {
        unsafe scanner[slot]
    }

    /// Sets the value of a field, as `FieldScanner.set` does.
    package func set(_ value: FieldScanner.Value, for slot: FieldPlan.Slot) {
        unsafe scanner.set(value, for: slot)
    }
}
