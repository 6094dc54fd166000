import SheafBytes
import SheafGroups

/// The output format of a rejected line (specification §2): its position, the reason, and its text.
struct RejectFormat: Sendable {
    let names: SourceNames

    func append(
        _ reason: RejectReason, source: Int, line: UInt64, text: Span<UInt8>, to output: inout OutputBuffer
    ) {
        output.append("{\"source\":")
        names.append(source, to: &output)
        output.append(",\"line\":")
        output.appendDecimal(line)
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
