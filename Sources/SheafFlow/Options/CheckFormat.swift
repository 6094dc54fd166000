/// The format of a check's report.
///
/// ```swift
/// let format = CheckFormat.text(TextStyle(width: 80))
/// ```
public enum CheckFormat: Sendable, Equatable {
    /// Text for people to read.
    case text(TextStyle)
    /// A single JSON object.
    case json
    /// SARIF 2.1.0, a JSON format for the results of code analysis (OASIS), with a result for each rule and source.
    case sarif
    /// A line for each rule and source that GitHub Actions shows as an annotation.
    case github
    /// A web page with everything in one file.
    case html

    /// Whether the format has a location for each source.
    package var locatesEachSource: Bool {
        switch self {
        case .text, .json, .html: false
        case .sarif, .github: true
        }
    }
}
