/// Formats and placeholders by small numbers, equal exactly when the texts are equal; 0 is none.
///
/// Groups are shown by comparing and summing numbers; the texts are needed only when they are written.
public struct FormatTable: Sendable {
    private var formats: [MessageFormat] = []

    public init() {}

    /// The format's number, a new one for a text that is not there yet; 0 for none.
    public mutating func number(of format: MessageFormat?) -> Int {
        guard let format else { return 0 }
        if let index = formats.firstIndex(where: { $0.hasSameText(as: format) }) { return index + 1 }
        formats.append(format)
        return formats.count
    }

    /// The format of a number from 1 on.
    func format(_ number: Int) -> MessageFormat { formats[number - 1] }
}
