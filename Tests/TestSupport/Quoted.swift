/// Returns the JSON text as a JSON string.
package func quoted(_ json: String) -> String {
    let escaped = json.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    return "\"\(escaped)\""
}
