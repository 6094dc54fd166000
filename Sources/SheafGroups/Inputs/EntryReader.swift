import SheafBytes

/// Reads the records of one line that is not a native record: unwraps entries, finds the mapping that fits each one,
/// and decodes its records in order (specification §12).
///
///     line ─▶ entry ─┬─ native ───────────────▶ record
///                    ├─ what a mapping unwraps ▶ entry
///                    ├─ fits a mapping ────────▶ records, one for each element of its array
///                    ├─ wraps an entry ────────▶ entry
///                    └─ array ─────────────────▶ entries
///
/// Separate from `RecordDecoder`, so that native records cost nothing. Texts stay in the chunk: the records of a line
/// share the bytes of its payload. Memory: scanners for the nodes that occur, and the unread entries of the line, which
/// is one range for each level of nesting.
package final class EntryReader {
    private var reading: EntryReading

    /// - Parameters:
    ///   - isTracing: whether `trace` is kept, for a report on a few entries.
    ///   - inspector: examines each push before its texts are decoded; nil for none.
    package init(_ input: LogInput, isTracing: Bool = false, inspector: (any PushInspector)? = nil) {
        reading = EntryReading(input, isTracing: isTracing, inspector: inspector)
    }

    /// Begins a line.
    ///
    /// - Parameter reason: the reason for rejecting it unless it holds an entry, if it is known that the line is not a
    ///   native record.
    package func begin(
        _ line: TextRange, of chunk: Chunk, reason: RejectReason?, _ decoder: inout RecordDecoder
    ) {
        reading.begin(line, of: chunk, reason: reason, &decoder)
    }

    /// Begins a line that is probably not a native record, without scanning it as one first.
    ///
    /// - Returns: false if it may be one after all. Its text is unchanged then, and the line has not begun.
    package func beginForeign(
        _ line: TextRange, of chunk: Chunk, _ decoder: inout RecordDecoder
    ) -> Bool {
        reading.beginForeign(line, of: chunk, &decoder)
    }

    /// Decodes the next record of the line; nil after the last one. The decoder has the record's fields.
    ///
    /// - Parameter line: the position of the line.
    package func next(
        in chunk: Chunk, _ decoder: inout RecordDecoder, at line: RecordPosition
    ) -> EntryRecord? {
        reading.next(in: chunk, &decoder, at: line)
    }

    /// What was found in the last entry, if it is traced.
    package var trace: EntryTrace? { reading.trace }

    /// Returns what a problem of the last entry is about, if it is about one of many things.
    package func detail(of problem: CheckProblem) -> String? { reading.detail(of: problem) }

    /// Returns the value that a problem or another finding of the last entry is about; nil unless the inspector keeps values.
    package func value(of finding: CheckFinding) -> [UInt8]? { reading.value(of: finding) }

    /// The maximum number of wrappers around an entry (specification §12.3).
    package static let maximumDepth = 4

    /// A record of the line.
    package struct EntryRecord {
        package let outcome: RecordDecoder.Outcome
        /// The record's index in its line; nil if the line has only this one by its form.
        package let index: UInt32?
        /// The index of the first record of its entry: an entry with several tokens has a record for each.
        package let entry: UInt32
        /// The problems that the inspector found, if the reader has one.
        package let problems: ProblemSet
    }
}
