import SheafBytes

extension Array where Element == UInt8 {
    /// Copies the bytes of `span`, for a comparison that outlives it.
    package init(copying span: Span<UInt8>) {
        self = []
        append(span)
    }

    package init(_ text: String) { self.init(text.utf8) }

    /// The bytes for a message: as text if they are valid UTF-8, else as hexadecimal numbers.
    package var shown: String {
        String(validating: self, as: UTF8.self).map { $0.debugDescription }
            ?? map { String($0, radix: 16) }.joined(separator: " ")
    }
}
