import SheafBytes

extension Array where Element == UInt8 {
    /// The bytes of `span`, for a comparison that outlives it.
    public init(copying span: Span<UInt8>) {
        self = []
        append(span)
    }

    public init(_ text: String) { self.init(text.utf8) }

    /// The bytes as text where they are some, else as numbers: for messages.
    public var shown: String {
        String(validating: self, as: UTF8.self).map { $0.debugDescription }
            ?? map { String($0, radix: 16) }.joined(separator: " ")
    }
}
