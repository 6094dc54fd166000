import SheafBytes
import SheafGroups

extension RecordDecoder {
    /// Adds the line or entry that was decoded last, in its original form.
    ///
    /// - Parameter source: the source's ordinal; nil for that of the chunk.
    func appendRejected(
        _ line: LineCursor.Line, _ source: Int?, _ index: UInt32?, _ reason: RejectReason, of chunk: Chunk,
        to rejects: inout RejectedLines
    ) {
        if let original = rejectedCopy {
            rejects.append(reason, source: source, line: line.number, index: index, text: original.span)
        } else {
            rejects.append(
                reason, source: source, line: line.number, index: index, text: line.text, of: chunk)
        }
    }
}
