import SheafBytes

/// The encoding of a removal (specification §15):
///
///     scope | device | app | thread or identifier | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`; the scope is 0 for an app, 1 for a thread, 2 for an
/// identifier.
package enum EncodedRemoval {
    /// Appends a removal whose texts are in `bytes`.
    package static func append(_ removal: RemovalRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer)
    {
        output.appendNumber(UInt64(removal.scope.rawValue))
        output.appendText(bytes[removal.device])
        output.appendText(bytes[removal.app])
        output.appendText(bytes[removal.text])
        output.append(removal.order)
    }

    /// Decodes a removal, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameter sourceOffset: the number added to the source ordinal.
    package static func removal(_ bytes: Span<UInt8>, sourceOffset: Int = 0) -> RemovalRecord? {
        var reader = ByteReader(bytes)
        var removal = RemovalRecord()
        let scope = RemovalScope(
            rawValue: UInt8(reader.number(upTo: UInt64(RemovalScope.identifier.rawValue))))
        removal.device = reader.text()
        removal.app = reader.text()
        removal.text = reader.text()
        removal.order = reader.orderKey(sourceOffset: sourceOffset)
        guard let scope, reader.isValid, reader.isAtEnd, !removal.app.isEmpty,
            scope == .thread || removal.text.isEmpty == (scope == .app)
        else { return nil }
        removal.scope = scope
        return removal
    }
}
