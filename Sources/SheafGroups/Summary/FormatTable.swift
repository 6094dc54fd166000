/// Formats and placeholders by small numbers, equal exactly when the texts are equal; 0 is none.
///
/// Groups are shown by comparing and summing numbers; the texts are needed only when they are written.
public struct FormatTable: Sendable {
    /// What stands where there is no format, and how lists and numbers are written.
    public let texts: LocalizedTexts
    private var formats: [ShownFormat] = []

    public init(_ texts: LocalizedTexts = LocalizedTexts()) { self.texts = texts }

    /// The format's number, a new one for a text that is not there yet; 0 for none.
    mutating func number(of format: ShownFormat?) -> Int {
        guard let format else { return 0 }
        if let index = formats.firstIndex(where: { $0.hasSameText(as: format) }) { return index + 1 }
        formats.append(format)
        return formats.count
    }

    /// The format of a number from 1 on.
    func format(_ number: Int) -> ShownFormat { formats[number - 1] }
}
