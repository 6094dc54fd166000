import SheafBytes
import SheafGroups

/// The output format of a rejected line or record (specification §2): its position, the reason, what it is about if
/// that may be one of several members, and its text.
struct RejectFormat: Sendable {
    /// nil if the name of each source is its ordinal in decimal.
    let names: SourceNames?

    /// - Parameter index: the record's index in its line; nil if the line is rejected as a whole.
    func append(
        _ reason: RejectReason, source: Int, line: UInt64, index: UInt32? = nil, text: Span<UInt8>,
        to output: inout OutputBuffer
    ) {
        output.append("{\"source\":")
        if let names {
            names.append(source, to: &output)
        } else {
            output.append("\"")
            output.appendDecimal(UInt64(source))
            output.append("\"")
        }
        output.append(",\"line\":")
        output.appendDecimal(line)
        if let index {
            output.append(",\"index\":")
            output.appendDecimal(UInt64(index))
        }
        output.append(",\"reason\":\"")
        output.append(reason.name)
        output.append("\"")
        if reason == .removalInvalid, let mistake = RemovalRecord.mistake(in: text) {
            output.append(",\"detail\":")
            output.appendJSONString(Array(mistake.utf8).span)
        }
        output.append(",\"text\":")
        if text.isValidUTF8 {
            output.appendJSONString(text)
        } else {
            output.append("\"")
            output.appendBase64(text)
            output.append("\",\"encoding\":\"base64\"")
        }
        output.append("}\n")
    }
}
