import SheafBytes
import SheafGroups

/// The output format of a rejected line or record (specification §2): its position, the reason, and its text.
struct RejectFormat: Sendable {
    let names: SourceNames

    /// - Parameter index: the record's index in its line; nil if the line is rejected as a whole.
    func append(
        _ reason: RejectReason, source: Int, line: UInt64, index: UInt32? = nil, text: Span<UInt8>,
        to output: inout OutputBuffer
    ) {
        output.append("{\"source\":")
        names.append(source, to: &output)
        output.append(",\"line\":")
        output.appendDecimal(line)
        if let index {
            output.append(",\"index\":")
            output.appendDecimal(UInt64(index))
        }
        output.append(",\"reason\":\"")
        output.append(reason.name)
        output.append("\",\"text\":")
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
